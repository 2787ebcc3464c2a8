/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

enum { WIDTH = LAPLACE_BLOCK_X + 2, HEIGHT = LAPLACE_BLOCK_Y + 2 };

/* The tile of a layer with what surrounds it: threads at its edges load one cell more. */
SIMT_INLINE void load_tile(float (*tile)[WIDTH], const laplace_args *args, const float *layer, uint32_t x, uint32_t y)
{
    uint32_t tile_x = simt_thread_x() + 1, tile_y = simt_thread_y() + 1;
    if (x >= args->columns || y >= args->rows)
        return;
    const float *cell = layer + y * args->columns + x;
    tile[tile_y][tile_x] = *cell;
    if (tile_x == 1 && x > 0)
        tile[tile_y][0] = cell[-1];
    if (tile_x == LAPLACE_BLOCK_X && x + 1 < args->columns)
        tile[tile_y][WIDTH - 1] = cell[1];
    if (tile_y == 1 && y > 0)
        tile[0][tile_x] = *(cell - args->columns);
    if (tile_y == LAPLACE_BLOCK_Y && y + 1 < args->rows)
        tile[HEIGHT - 1][tile_x] = cell[args->columns];
}

/* A column of cells in z per thread. Cells at the border keep their value. */
SIMT_KERNEL(laplace, const laplace_args *args)
{
    uint32_t x = simt_block_x() * LAPLACE_BLOCK_X + simt_thread_x();
    uint32_t y = simt_block_y() * LAPLACE_BLOCK_Y + simt_thread_y();
    uint32_t tile_x = simt_thread_x() + 1, tile_y = simt_thread_y() + 1;
    uint32_t area = args->columns * args->rows, at = y * args->columns + x;
    uint32_t is_inside = x > 0 && y > 0 && x + 1 < args->columns && y + 1 < args->rows;
    float(*tile)[WIDTH] = (float(*)[WIDTH])simt_scratchpad;
    const float *layer = HD_POINTER(const float, args->from);
    float *to = HD_POINTER(float, args->to);

#pragma GCC unroll 1
    for (uint32_t z = 0; z < args->layers; z++) {
        load_tile(tile, args, layer, x, y);
        simt_barrier();
        if (is_inside && z > 0 && z + 1 < args->layers)
            to[at] = laplace_mean(tile[tile_y][tile_x - 1], tile[tile_y][tile_x + 1], tile[tile_y - 1][tile_x],
                                  tile[tile_y + 1][tile_x], *(layer + at - area), layer[at + area]);
        else if (x < args->columns && y < args->rows)
            to[at] = tile[tile_y][tile_x];
        simt_barrier();
        layer += area;
        to += area;
    }
}
