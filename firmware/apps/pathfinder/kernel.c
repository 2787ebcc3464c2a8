/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

#define FAR 0x7FFFFFFFu /* what leads out of the grid */

/* A tile overlaps its neighbours by `steps` columns on either side, whose values are wrong in the end, and not stored. */
SIMT_KERNEL(pathfinder, const pathfinder_args *args)
{
    const uint32_t *costs = HD_POINTER(const uint32_t, args->costs);
    const uint32_t threads = simt_block_size_x(), thread = simt_thread_x();
    const uint32_t own = threads - 2 * args->steps;
    const uint32_t column = simt_block_x() * own + thread - args->steps; /* wraps around left of the grid */
    const uint32_t is_in = column < args->columns;
    uint32_t *ways = simt_scratchpad;
    uint32_t way = is_in ? HD_POINTER(const uint32_t, args->from)[column] : FAR;
    for (uint32_t step = 0; step < args->steps; step++) {
        ways[thread] = way;
        simt_barrier();
        if (is_in) {
            const uint32_t left = thread > 0 ? ways[thread - 1] : FAR;
            const uint32_t right = thread + 1 < threads ? ways[thread + 1] : FAR;
            way = simt_min(simt_min(left, right), way) + costs[(args->row + step + 1) * args->columns + column];
        }
        simt_barrier();
    }
    if (is_in && thread >= args->steps && thread < threads - args->steps)
        HD_POINTER(uint32_t, args->to)[column] = way;
}
