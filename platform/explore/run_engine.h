/* SPDX-License-Identifier: MIT */
/* What carries jobs out: processes of this machine, or Slurm. */
#ifndef EXPLORE_RUN_ENGINE_H
#define EXPLORE_RUN_ENGINE_H

#include <stddef.h>

#include "job.h"

typedef struct run_engine run_engine;

/* A job array handed to an engine stays where it is until the engine is gone. */
struct run_engine {
    const char *name;
    /* Starts what it can of the jobs from `first` on and returns how many more it has taken; SIZE_MAX and *error if it
     * cannot go on. */
    size_t (*start)(run_engine *self, job *jobs, size_t first, size_t count, char **error);
    /* A job that has ended, its outcome filled in; NULL after at most a fifth of a second without one. An engine that
     * cannot go on sets *error. */
    job *(*wait)(run_engine *self, char **error);
    /* Jobs under way, if that is known. */
    size_t (*running)(const run_engine *self);
    /* Ends what runs, or leaves it, as the engine does. */
    void (*stop)(run_engine *self);
    void (*free)(run_engine *self);
};

/* As many processes at a time. They end with this one. */
run_engine *local_engine(const spool *spool, size_t processes);

/* Job arrays. options: more words for sbatch. tasks: at most so many of an array at a time; 0: no limit. Takes up again
 * what an earlier sweep of the same spool has submitted. NULL and *error if there is no Slurm. */
run_engine *slurm_engine(const spool *spool, const char *const *options, size_t option_count, size_t tasks,
                         char **error);

#endif
