/* SPDX-License-Identifier: MIT */
/*
 * The floor: what it costs to execute a kernel's instructions on lanes and nothing else. No pipeline, no caches, no
 * network, no time: warp after warp, each until its next barrier, loads and stores straight to memory. A model of the
 * machine that executes the same instructions one warp at a time cannot be faster.
 */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdint.h>

typedef struct floor_result {
    uint64_t warp_instructions;
    uint64_t thread_instructions;
    double seconds; /* of the host's processor */
} floor_result;

/* Loads apps/xorshift or apps/matmul as built in the folder, runs the kernel with the app's default sizes. Ends the
 * program with a message if anything is wrong, a wrong result included. */
floor_result floor_xorshift(const char *apps);
floor_result floor_matmul(const char *apps);

#endif
