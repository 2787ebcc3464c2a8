/* SPDX-License-Identifier: MIT */
/* The line on a terminal that says how far a sweep is. */
#ifndef EXPLORE_SWEEP_PROGRESS_H
#define EXPLORE_SWEEP_PROGRESS_H

#include <stddef.h>
#include <stdio.h>

typedef struct sweep_progress {
    FILE *out; /* NULL: silent */
    double shown;
    int is_shown;
    double began;
} sweep_progress;

typedef struct sweep_state {
    size_t runs;
    size_t had;
    size_t done; /* by this sweep */
    size_t failed;
    size_t running;
} sweep_state;

/* now: the host's seconds, from any fixed moment on. At most four lines a second. */
void sweep_progress_begin(sweep_progress *progress, FILE *out, double now);
void sweep_progress_print(sweep_progress *progress, const sweep_state *state, double now);
/* Leaves an empty line. */
void sweep_progress_end(sweep_progress *progress);

/* Seconds that are left, from what was done in how long; below 0: nobody knows yet. */
double sweep_time_left(const sweep_state *state, double seconds);

#endif
