/* SPDX-License-Identifier: MIT */
/* Carrying a sweep out: which runs there are to do, and their results into the store. */
#ifndef EXPLORE_SWEEP_EXECUTE_H
#define EXPLORE_SWEEP_EXECUTE_H

#include <stddef.h>
#include <stdio.h>

#include "resolve.h"

typedef struct sweep_orders {
    const char *store; /* path */
    int retry_failed;
    int use_slurm;
    size_t
        jobs; /* local: processes at a time; Slurm: tasks of an array at a time. 0: as many as there are processors, or
                  * no limit */
    const char *const *slurm_options; /* words for sbatch */
    size_t slurm_option_count;
    FILE *progress; /* NULL: silent */
    int (*is_interrupted)(void);
} sweep_orders;

/* Runs, by what became of them. */
typedef struct sweep_account {
    size_t runs;       /* of all points and repetitions; those with the same inputs count once */
    size_t had;        /* finished before, or failed before and not tried again */
    size_t had_failed; /* of them */
    size_t done;       /* by this sweep */
    size_t failed;     /* of them */
} sweep_account;

enum sweep_end {
    SWEEP_COMPLETE,
    SWEEP_STOPPED,    /* *error says why; what was done is in the store */
    SWEEP_INTERRUPTED /* likewise, without an error */
};

/* *error: lines for the user, to be freed. */
enum sweep_end sweep_execute(const resolution *of, const sweep_orders *orders, sweep_account *account, char **error);

#endif
