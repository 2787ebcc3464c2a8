/* SPDX-License-Identifier: MIT */
/* Two machines and an app, if they need one, as the command line names them, as a sweep of two points: A and B. */
#ifndef EXPLORE_PAIR_H
#define EXPLORE_PAIR_H

#include "sweep.h"

/* Values that a --set gives, "path=value"; borrowed, and they outlive the sweep. */
typedef struct pair_sets {
    const char *option; /* "--set", "--set-a" */
    const char *const *sets;
    size_t count;
} pair_sets;

typedef struct pair_words {
    const char *machines[2];
    const char *app;   /* NULL: both machines make work of their own */
    const char *seed;  /* NULL: not given */
    uint32_t repeat;   /* runs of each machine, at least 1 */
    pair_sets both;    /* hold for A and B, unless the side says something else */
    pair_sets side[2]; /* for one of them */
} pair_words;

/* Returns 1; or 0 after it has said on `errors` what is wrong with the values. To be given to sweep_free in any case. */
int pair_make(sweep *result, const pair_words *words, FILE *errors);

#endif
