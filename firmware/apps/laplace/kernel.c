/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

enum { WIDTH = LAPLACE_BLOCK_X + 2, HEIGHT = LAPLACE_BLOCK_Y + 2 };

/* A cell of a layer, by the thread's place in its block. */
typedef struct place {
    uint32_t tile_x, tile_y, x, y;
} place;

/* Worked out anew for each layer: it takes no registers outside. */
SIMT_INLINE place place_of_thread(void)
{
    uint32_t thread_x = simt_thread_x(), thread_y = simt_thread_y();
    simt_opaque(thread_x);
    simt_opaque(thread_y);
    return (place){.tile_x = thread_x + 1,
                   .tile_y = thread_y + 1,
                   .x = simt_block_x() * LAPLACE_BLOCK_X + thread_x,
                   .y = simt_block_y() * LAPLACE_BLOCK_Y + thread_y};
}

/* The tile of a layer with what surrounds it: threads at its edges load one cell more. */
SIMT_INLINE void load_tile(float (*tile)[WIDTH], const laplace_args *args, const float *layer, place p)
{
    if (p.x >= args->columns || p.y >= args->rows)
        return;
    const float *cell = layer + p.y * args->columns + p.x;
    tile[p.tile_y][p.tile_x] = *cell;
    if (p.tile_x == 1 && p.x > 0)
        tile[p.tile_y][0] = cell[-1];
    if (p.tile_x == LAPLACE_BLOCK_X && p.x + 1 < args->columns)
        tile[p.tile_y][WIDTH - 1] = cell[1];
    if (p.tile_y == 1 && p.y > 0)
        tile[0][p.tile_x] = *(cell - args->columns);
    if (p.tile_y == LAPLACE_BLOCK_Y && p.y + 1 < args->rows)
        tile[HEIGHT - 1][p.tile_x] = cell[args->columns];
}

/* Cells at the border keep their value. */
SIMT_INLINE void step(float (*tile)[WIDTH], const laplace_args *args, const float *layer, float *to, uint32_t z,
                      place p)
{
    const uint32_t area = args->columns * args->rows, at = p.y * args->columns + p.x;
    const uint32_t is_inside = p.x > 0 && p.y > 0 && p.x + 1 < args->columns && p.y + 1 < args->rows;
    if (is_inside && z > 0 && z + 1 < args->layers)
        to[at] = laplace_mean(tile[p.tile_y][p.tile_x - 1], tile[p.tile_y][p.tile_x + 1], tile[p.tile_y - 1][p.tile_x],
                              tile[p.tile_y + 1][p.tile_x], *(layer + at - area), layer[at + area]);
    else if (p.x < args->columns && p.y < args->rows)
        to[at] = tile[p.tile_y][p.tile_x];
}

/* A column of cells in z per thread. */
SIMT_KERNEL(laplace, const laplace_args *args)
{
    float(*tile)[WIDTH] = (float(*)[WIDTH])simt_scratchpad;
    const float *layer = HD_POINTER(const float, args->from);
    float *to = HD_POINTER(float, args->to);

#pragma GCC unroll 1
    for (uint32_t z = 0; z < args->layers; z++) {
        load_tile(tile, args, layer, place_of_thread());
        simt_barrier();
        step(tile, args, layer, to, z, place_of_thread());
        simt_barrier();
        layer += args->columns * args->rows;
        to += args->columns * args->rows;
    }
}
