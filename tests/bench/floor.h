/* SPDX-License-Identifier: MIT */
/*
 * The floor: what it costs to execute an app's kernels on lanes and nothing else. No pipeline, no caches, no network, no
 * time: block after block, its warps one after another, each until it ends or waits, loads and stores straight to memory.
 * A model of the machine that executes the same instructions one warp at a time cannot be faster.
 *
 * Lanes that part take turns as on a SIMT stack. A warp that neither ends nor waits gives way after 65536 instructions, so
 * that it may wait for a lock of another warp of its block; no block waits for another.
 */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdint.h>

#include "host.h"

typedef struct floor_result {
    uint64_t warp_instructions;
    uint64_t thread_instructions;
    double seconds; /* of the host's processor, in kernels */
} floor_result;

/* Runs the app as built in the folder apps/app: its host program, which makes the inputs and checks the results, with its
 * kernels on the floor. Ends the program with a message if anything is wrong, a wrong result included. */
floor_result floor_run(const char *apps, const char *app, const hd_host_option *options, uint32_t option_count);

#endif
