/* SPDX-License-Identifier: MIT */
/* Grids on the floor (floor.h). */
#ifndef BENCH_FLOOR_GRID_H
#define BENCH_FLOOR_GRID_H

#include "floor.h"
#include "floor_memory.h"
#include "floor_paths.h"
#include "hd_message.h"
#include "program.h"

enum { FLOOR_WARPS = 32 /* of a block, at most */ };

typedef struct floor_warp {
    floor_paths paths;
    uint32_t waits; /* at a barrier */
    uint8_t fcsr[FLOOR_LANES];
    uint32_t registers[ISA_REGISTER_COUNT * FLOOR_LANES];
} floor_warp;

typedef struct floor_machine {
    isa_program *program;
    const uint32_t *meetings; /* its table "reconvergence" */
    floor_memory memory;
    floor_warp warps[FLOOR_WARPS];
    hd_block_launch launch; /* of the block that runs */
    floor_result result;
} floor_machine;

/* Runs all blocks and adds to the result. Ends the program with a message at what the floor does not know. */
void floor_grid_run(floor_machine *machine, const hd_grid *grid);

#endif
