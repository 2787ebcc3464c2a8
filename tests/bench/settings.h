/* SPDX-License-Identifier: MIT */
/* What the command line of the benchmark says. */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include <stdint.h>

enum { BENCH_REPETITIONS_MAX = 99, BENCH_REPETITIONS_MIN = 3 };

typedef struct bench_settings {
    const char *apps;     /* folder of the build */
    const char *revision; /* of the source */
    const char *date;
    const char *json;   /* where the figures go, or NULL */
    const char *series; /* a file that gets one more row, or NULL */
    const char *only;   /* one app, or NULL */
    double seconds;     /* for one case, beyond the least number of runs */
    uint32_t repetitions;
    uint32_t reserved;
} bench_settings;

/* Ends the program with a message if they make no sense. */
bench_settings bench_settings_read(int count, char **words);

#endif
