/* SPDX-License-Identifier: MIT */
/* The points of a sweep run on this machine, without a store: whoever asks looks at all that a run says. */
#ifndef EXPLORE_RUN_POINTS_H
#define EXPLORE_RUN_POINTS_H

#include "outcome.h"

typedef struct run_orders {
    size_t jobs;    /* processes at a time; 0: as many as there are processors */
    FILE *progress; /* NULL: silent */
    int (*is_interrupted)(void);
} run_orders;

enum points_end {
    POINTS_DONE,
    POINTS_STOPPED, /* *error, lines for the user, to be freed */
    POINTS_INTERRUPTED
};

/* Runs each point as often as the sweep says, points with the same inputs together; outcomes has room for all repetitions of the
 * first point, then of the second, ..., to be freed by outcome_free in any case. Files lie in a folder in $TMPDIR meanwhile. */
enum points_end run_points(const resolution *of, const run_orders *orders, outcome *outcomes, char **error);

#endif
