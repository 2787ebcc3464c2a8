/* SPDX-License-Identifier: MIT */
/*
 * Random accesses of many warps with random delays and back-pressure, against an oracle per thread: every thread has words
 * of its own in all memories, so that it must see exactly its own program order, whatever the caches and the network do.
 */
#ifndef MEMORY_RANDOM_RUN_H
#define MEMORY_RANDOM_RUN_H

#include "memory_rig.h"

typedef struct random_run {
    memory_parameters parameters; /* 32 lanes, 8 warps */
    uint64_t seed;
    uint32_t steps;        /* warp accesses */
    uint32_t random_delay; /* cycles more at most, to the partitions and back */
    uint32_t spurious;     /* 1: every edge is worked, twice */
} random_run;

/* A number that stands for everything that was to be seen: counters, and packets with their times. Counters that were
 * not 0 are marked in seen, which has an element for each and may be NULL. */
uint64_t random_run_all(const random_run *run, uint64_t *seen);

#endif
