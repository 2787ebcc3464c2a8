/* SPDX-License-Identifier: MIT */
/* Lanes of a warp that have parted: a stack, of which the top runs until it has come to where the others wait. */
#ifndef BENCH_FLOOR_PATHS_H
#define BENCH_FLOOR_PATHS_H

#include <stdint.h>

#include "instruction.h"

enum { FLOOR_PATHS = 64 }; /* each time that lanes part makes at most two more, and 32 lanes part at most 31 times */

typedef struct floor_path {
    uint64_t mask;
    uint32_t lanes; /* in mask */
    uint32_t pc;
    uint32_t stop_pc; /* where it ends, because the one below goes on there; ISA_RECONVERGE_AT_RETURN: nowhere */
} floor_path;

typedef struct floor_paths {
    uint32_t count; /* 0: all lanes have ended */
    floor_path path[FLOOR_PATHS];
} floor_paths;

static inline floor_path *floor_paths_top(floor_paths *paths)
{
    return &paths->path[paths->count - 1];
}

/* The top goes on at pc. */
static inline void floor_paths_go(floor_paths *paths, uint32_t pc)
{
    floor_path *top = floor_paths_top(paths);
    top->pc = pc;
    paths->count -= pc == top->stop_pc;
}

void floor_paths_start(floor_paths *paths, uint64_t mask, uint32_t pc);
/* The top is at the branch, of which some lanes, not all, go to its target; they meet again at stop_pc. */
void floor_paths_part(floor_paths *paths, const isa_instruction *branch, uint32_t stop_pc, uint64_t taken);
/* The lanes of the top end. */
void floor_paths_end(floor_paths *paths);

#endif
