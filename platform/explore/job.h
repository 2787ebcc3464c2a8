/* SPDX-License-Identifier: MIT */
/* One run that a sweep has to do: a process that runs `heddle run` on the inputs of a point. */
#ifndef EXPLORE_JOB_H
#define EXPLORE_JOB_H

#include <sys/types.h>
#include <time.h>

#include "resolve.h"
#include "spool.h"

typedef struct job {
    const resolved_point *point;
    uint32_t position;                 /* of the first point that has these inputs, from 0 */
    uint32_t repetition;               /* from 0 */
    char name[DIGEST_CHARACTERS + 16]; /* of its files in the spool */
    pid_t process;                     /* local */
    char host[64];                     /* where it ran; "" = here */
    time_t started;
    time_t ended;
    double clock;  /* host's seconds at its start */
    int exit_code; /* or 128 + signal */
    double user_seconds;
    double peak_bytes;
    char *complaint; /* of the engine: why there are no results; NULL = nothing to say */
} job;

/* A run of a point that has not begun. */
void job_fill(job *one, const resolution *of, uint32_t position, uint32_t repetition);

/* What is executed, to be freed with job_free_words: the program's file, "run", ... , NULL. */
char **job_words(const job *of, const spool *spool);
/* The only variables that a run sees, so that it does not depend on others. Borrowed texts but for the array. */
char **job_environment(void);
void job_free_words(char **words);

/* A line for sh that does the same as the words, with the environment; to be freed. */
char *job_shell_line(const job *of, const spool *spool);

double job_clock(void);

#endif
