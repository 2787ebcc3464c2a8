/* SPDX-License-Identifier: MIT */
/* What a sampled run was asked for, and what it found (docs/sampling.md). */
#ifndef HD_SAMPLING_RESULTS_H
#define HD_SAMPLING_RESULTS_H

#include <stdint.h>

#define HD_SAMPLING_RANDOM_OFFSET UINT64_MAX /* by the seed of the run */

typedef struct hd_sampling_setup {
    uint64_t period; /* warp instructions of the machine from one window to the next */
    uint64_t window; /* and of a window, */
    uint64_t warmup; /* before which so many cycles are simulated in detail */
    uint64_t start;  /* cycles at the beginning of the run that are simulated in detail */
    uint64_t offset; /* of the first window, or HD_SAMPLING_RANDOM_OFFSET */
} hd_sampling_setup;

typedef struct hd_sampling_results {
    hd_sampling_setup setup;
    uint64_t offset;            /* of the first window, in warp instructions */
    uint64_t instructions;      /* of the run, which is known */
    uint64_t timed_instructions; /* of them, those in windows and on the way there */
    uint32_t windows;
    uint64_t hertz;     /* of the cores, for cycles */
    double picoseconds; /* in which kernels ran: the estimate, */
    double half_width;  /* +- this, 95 %; < 0: too few windows for an interval */
} hd_sampling_results;

/* The estimate in cycles of the cores; *half_width likewise. */
double hd_sampling_cycles(const hd_sampling_results *found, double *half_width);

struct json_t;
struct hd_results;
/* A new reference. */
struct json_t *hd_sampling_json(const struct hd_results *results);

#endif
