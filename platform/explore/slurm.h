/* SPDX-License-Identifier: MIT */
/* What the parts of the Slurm engine share. */
#ifndef EXPLORE_SLURM_H
#define EXPLORE_SLURM_H

#include <stdint.h>

#include "run_engine.h"

#define SLURM_NAME_BYTES 40u

/* A job array. Its name is unique, and known before it is submitted: whoever takes the sweep up again asks Slurm for it. */
typedef struct slurm_array {
    char name[SLURM_NAME_BYTES];
    char **tasks; /* names of jobs, by index; NULL at the end */
} slurm_array;

/* A task that Slurm knows. */
typedef struct slurm_task {
    char array[SLURM_NAME_BYTES];
    uint32_t index;
    char state[24];
} slurm_task;

typedef struct slurm_tasks {
    slurm_task *tasks;
    size_t count;
} slurm_tasks;

/* Each returns 1; or 0 and *error, lines for the user, to be freed. */

/* All tasks of the user's arrays that are not over. */
int slurm_list(const slurm_array *arrays, size_t count, slurm_tasks *alive, char **error);
/* The largest array that Slurm takes. */
int slurm_largest(uint32_t *tasks, char **error);
/* Writes the files of an array and submits it. throttle: tasks at a time; 0: no limit. */
int slurm_submit(const spool *spool, const slurm_array *array, const char *const *options, size_t option_count,
                 size_t throttle, char **error);
/* The file that one task executes. */
int slurm_write_task(const spool *spool, const job *one, char **error);

/* Those whose files are in the spool; to be freed with slurm_free_arrays. */
slurm_array *slurm_arrays(const spool *spool, size_t *count);
void slurm_free_arrays(slurm_array *arrays, size_t count);
/* Its files: a task that begins later does nothing. */
void slurm_forget(const spool *spool, const slurm_array *array);

#endif
