/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* What the scratchpad holds: the tile with the row above and the column beside it, and what pairs of letters are worth. */
typedef struct nw_tile {
    int32_t scores[NW_TILE + 1][NW_TILE + 1];
    int32_t match[NW_TILE][NW_TILE];
} nw_tile;

/* A block is a tile of the diagonal; in it, cells of a diagonal are computed together, half of all threads at most. */
SIMT_KERNEL(nw_wavefront, const nw_wavefront_args *args)
{
    nw_tile *tile = (nw_tile *)simt_scratchpad;
    const uint32_t n = args->tiles * NW_TILE, pitch = n + 1, thread = simt_thread_x();
    const uint32_t row = (args->first_row + simt_block_x()) * NW_TILE;
    const uint32_t column = (args->first_column - simt_block_x()) * NW_TILE;
    int32_t *scores = HD_POINTER(int32_t, args->scores) + row * pitch + column;
    const int32_t *match = HD_POINTER(const int32_t, args->match) + row * n + column;
    for (uint32_t y = 0; y < NW_TILE; y++)
        tile->match[y][thread] = match[y * n + thread];
    tile->scores[thread + 1][0] = scores[(thread + 1) * pitch];
    tile->scores[0][thread + 1] = scores[thread + 1];
    if (thread == 0)
        tile->scores[0][0] = scores[0];
    simt_barrier_number(0);
#pragma GCC unroll 1
    for (uint32_t diagonal = 0; diagonal < 2 * NW_TILE - 1; diagonal++) {
        const uint32_t y = diagonal - thread;
        if (thread <= diagonal && y < NW_TILE)
            tile->scores[y + 1][thread + 1] = nw_score(tile->scores[y][thread] + tile->match[y][thread],
                                                       tile->scores[y][thread + 1], tile->scores[y + 1][thread]);
        simt_barrier_number(1);
    }
    for (uint32_t y = 0; y < NW_TILE; y++)
        scores[(y + 1) * pitch + thread + 1] = tile->scores[y + 1][thread + 1];
}
