/* SPDX-License-Identifier: MIT */
/* One run of an app on the standard machine, with the host's processor time in its kernels: copies are not in it. On an
 * idle host that is the time that passes; on a busy one it says more. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdint.h>

#include "host.h"

enum { BENCH_OPTIONS = 4 };

typedef struct bench_case {
    const char *app;
    const char *label;   /* NULL: the app and its options */
    const char *type;    /* of the cores */
    const char *machine; /* path, which has that many cores; NULL: the standard one, which is given them */
    uint32_t cores;
    uint32_t threads;                      /* of the host; 0 = 1 */
    hd_host_option options[BENCH_OPTIONS]; /* up to the first without a name */
} bench_case;
uint32_t bench_option_count(const bench_case *which);

/* Everything from the begin of a kernel to its end, summed over kernels. The counts are the same in every run. */
typedef struct bench_run {
    double seconds; /* of the host's processor, all threads together */
    double wall;    /* that pass */
    uint64_t warp_instructions;
    uint64_t thread_instructions;
    uint64_t l2_transactions; /* loads, stores and atomics that the slices accept */
    uint64_t cycles;          /* of the core clock */
} bench_run;

/* Ends the program with a message if the run does not end with a PASS. */
bench_run bench_measure(const char *apps, const bench_case *which);

/* The host's processor time for a simulated second in which nothing happens: after a program that has launched nothing more
 * (waits = 0), or while the host program computes (waits = 1). */
double bench_measure_idle(const char *apps, uint32_t waits);

#endif
