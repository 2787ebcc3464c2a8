/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Loads are coalesced, the stores of a warp go to a line each. */
SIMT_KERNEL(transpose_naive, const transpose_args *args)
{
    uint32_t n = args->n;
    uint32_t column = simt_block_x() * TRANSPOSE_TILE + simt_thread_x();
    uint32_t row = simt_block_y() * TRANSPOSE_TILE + simt_thread_y();
    const uint32_t *from = HD_POINTER(const uint32_t, args->from) + row * n + column;
    uint32_t *to = HD_POINTER(uint32_t, args->to) + column * n + row;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < TRANSPOSE_TILE; i += TRANSPOSE_ROWS)
        to[i] = from[i * n];
}

/* Scratchpad: a tile, whose rows are one word longer so that a column lies in as many banks. Loads and stores are
 * coalesced. */
SIMT_KERNEL(transpose_tiled, const transpose_args *args)
{
    uint32_t n = args->n;
    uint32_t x = simt_thread_x();
    uint32_t y = simt_thread_y();
    uint32_t left = simt_block_x() * TRANSPOSE_TILE;
    uint32_t top = simt_block_y() * TRANSPOSE_TILE;
    const uint32_t *from = HD_POINTER(const uint32_t, args->from) + (top + y) * n + left + x;
    uint32_t *to = HD_POINTER(uint32_t, args->to) + (left + y) * n + top + x;
    uint32_t(*tile)[TRANSPOSE_TILE + 1] = (uint32_t(*)[TRANSPOSE_TILE + 1]) simt_scratchpad;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < TRANSPOSE_TILE; i += TRANSPOSE_ROWS)
        tile[y + i][x] = from[i * n];
    simt_barrier();
#pragma GCC unroll 4
    for (uint32_t i = 0; i < TRANSPOSE_TILE; i += TRANSPOSE_ROWS)
        to[i * n] = tile[x][y + i];
}
