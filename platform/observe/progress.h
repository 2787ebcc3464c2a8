/* SPDX-License-Identifier: MIT */
/* The line on a terminal that says how far a long run is. */
#ifndef HD_PROGRESS_H
#define HD_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

#include "hd_time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_progress_state {
    hd_time simulated;
    uint64_t warp_instructions;
    uint64_t blocks_done;
    uint64_t blocks; /* of all launches so far */
} hd_progress_state;

typedef struct hd_progress {
    FILE *out; /* NULL = silent */
    double started;
    double shown; /* host's seconds */
    uint64_t instructions_shown;
    double first_block; /* when blocks began to run; 0 = not yet */
    uint32_t is_shown;
} hd_progress;

/* now: the host's time in seconds, from any fixed moment on. */
void hd_progress_begin(hd_progress *progress, FILE *out, double now);
/* Is it time for the next line? Four a second. */
uint32_t hd_progress_due(const hd_progress *progress, double now);
void hd_progress_print(hd_progress *progress, const hd_progress_state *state, double now);
/* Leaves an empty line. */
void hd_progress_end(hd_progress *progress);

#ifdef __cplusplus
}
#endif

#endif
