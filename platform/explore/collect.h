/* SPDX-License-Identifier: MIT */
/* From the files that a run leaves to the store. */
#ifndef EXPLORE_COLLECT_H
#define EXPLORE_COLLECT_H

#include "job.h"
#include "result_store.h"

enum collected {
    COLLECTED_PASSED,
    COLLECTED_FAILED,
    COLLECTED_NOT /* *error says why, and the files stay where they are: the sweep cannot go on */
};

/* Puts the run into the store, then removes its files. */
enum collected job_collect(const resolution *of, const spool *spool, store *into, job *ended, const char *engine,
                           char **error);

/* All files of a run. */
void job_remove_files(const spool *spool, const job *of);

#endif
