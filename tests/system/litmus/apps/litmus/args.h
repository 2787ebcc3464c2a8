/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_ARGS_H
#define LITMUS_ARGS_H

#include "heddle_args.h"

/* Where the threads (roles) of one instance of a test run. */
#define LITMUS_PLACEMENTS(X) X(inter_core) X(inter_block) X(inter_warp) X(intra_warp)
#define LITMUS_PLACEMENT(name) LITMUS_##name,
enum { LITMUS_PLACEMENTS(LITMUS_PLACEMENT) LITMUS_PLACEMENT_COUNT };

#define LITMUS_CORES 4u
#define LITMUS_GROUPS 4u /* blocks, or sets of them, with instances of their own */
#define LITMUS_ROLES 4u
#define LITMUS_WARP 32u
#define LITMUS_INSTANCES (LITMUS_GROUPS * LITMUS_WARP)
#define LITMUS_STRIDE                                                                                                  \
    1280u               /* between the words of two instances: five times the interleave, so that partitions change */
#define LITMUS_EPOCH 4u /* what a round adds to the values that it writes */
#define LITMUS_SCRATCHPAD 2048u /* bytes of a block */

/* Counters. */
enum { LITMUS_SAMPLES, LITMUS_WITNESS, LITMUS_WEAK, LITMUS_MISPLACED, LITMUS_COUNTERS };

typedef struct litmus_args {
    hd_device_ptr words;   /* of each instance: x, y, z, w, `spacing` apart */
    hd_device_ptr sync;    /* a line per instance, 0 */
    hd_device_ptr record;  /* a line per instance */
    hd_device_ptr counter; /* uint32_t [LITMUS_COUNTERS] */
    uint32_t placement;
    uint32_t instances_per_warp;
    uint32_t rounds;
    uint32_t epoch; /* of the first round: larger than what any word holds */
    uint32_t seed;
    uint32_t spacing;
    uint32_t jitter;     /* a thread begins up to so many turns of a loop late */
    uint32_t stagger;    /* in half of the rounds a role begins so many turns after the one before it */
    uint32_t scratchpad; /* 1: words are in the scratchpad */
} litmus_args;
HD_ARGUMENT_BLOCK(litmus_args, 52);

typedef struct relaunch_args {
    hd_device_ptr table;   /* uint32_t per thread */
    hd_device_ptr counter; /* uint32_t: threads that found another value */
    uint32_t value;
    uint32_t turns;
} relaunch_args;
HD_ARGUMENT_BLOCK(relaunch_args, 16);

#endif
