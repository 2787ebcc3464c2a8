/* SPDX-License-Identifier: MIT */
/* The file in which one run tells another what the blocks of its kernels have used (tb_scheduler/policy/usage/profile.c reads it,
 * `heddle profile --levels` writes it). */
#ifndef HD_BLOCK_LEVELS_H
#define HD_BLOCK_LEVELS_H

#include <stdint.h>

#define BLOCK_LEVELS_HEAD "heddle block levels 1"
#define BLOCK_LEVELS_END "end"
#define BLOCK_LEVELS_MOST (UINT64_MAX >> 17) /* of a count: times the most steps it still fits */

/* Counts of a row, in this order, and the statistics of cores that they are. */
#define BLOCK_LEVELS(X)                                                                                                \
    X(CYCLES, "levels_cycles")                                                                                         \
    X(REFUSED, "levels_refused_cycles")                                                                                \
    X(SLOTS, "levels_slots")                                                                                           \
    X(FLOATS, "levels_float_instructions")                                                                             \
    X(ATTEMPTS, "levels_memory_attempts")                                                                              \
    X(ENDED, "levels_tx_ended")                                                                                        \
    X(ABORTED, "levels_tx_aborted")
#define BLOCK_LEVELS_NUMBER(name, statistic) BLOCK_LEVELS_##name,
enum { BLOCK_LEVELS(BLOCK_LEVELS_NUMBER) BLOCK_LEVELS_COUNTS };

#endif
