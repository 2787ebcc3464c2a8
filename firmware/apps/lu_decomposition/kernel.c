/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

typedef float (*tile)[LU_TILE];

#define TILE_OF_SCRATCHPAD(number) ((tile)simt_scratchpad + LU_TILE * (number))

SIMT_INLINE float *element(const lu_args *args, uint32_t tile_row, uint32_t tile_column, uint32_t row, uint32_t column)
{
    uint32_t n = args->tiles * LU_TILE;
    return HD_POINTER(float, args->matrix) + (tile_row * LU_TILE + row) * n + tile_column * LU_TILE + column;
}

/* A thread per row, and per column: one block. */
SIMT_KERNEL(lu_diagonal, const lu_args *args)
{
    tile diagonal = TILE_OF_SCRATCHPAD(0);
    uint32_t thread = simt_thread_x();
    for (uint32_t row = 0; row < LU_TILE; row++)
        diagonal[row][thread] = *element(args, args->step, args->step, row, thread);
    simt_barrier();
#pragma GCC unroll 1
    for (uint32_t i = 0; i + 1 < LU_TILE; i++) {
        if (thread > i) {
#pragma GCC unroll 1
            for (uint32_t k = 0; k < i; k++)
                diagonal[thread][i] -= diagonal[thread][k] * diagonal[k][i];
            diagonal[thread][i] /= diagonal[i][i];
        }
        simt_barrier();
        if (thread > i)
#pragma GCC unroll 1
            for (uint32_t k = 0; k <= i; k++)
                diagonal[i + 1][thread] -= diagonal[i + 1][k] * diagonal[k][thread];
        simt_barrier();
    }
    for (uint32_t row = 0; row < LU_TILE; row++)
        *element(args, args->step, args->step, row, thread) = diagonal[row][thread];
}

/* A block for the tile beside the diagonal and the one below it: half of its warp has a column of the first, half a row of the other. */
SIMT_KERNEL(lu_perimeter, const lu_args *args)
{
    tile diagonal = TILE_OF_SCRATCHPAD(0), beside = TILE_OF_SCRATCHPAD(1), below = TILE_OF_SCRATCHPAD(2);
    uint32_t step = args->step, other = step + 1 + simt_block_x();
    uint32_t thread = simt_thread_x() % LU_TILE, is_beside = simt_thread_x() < LU_TILE;
    if (is_beside) {
        for (uint32_t row = 0; row < LU_TILE / 2; row++)
            diagonal[row][thread] = *element(args, step, step, row, thread);
        for (uint32_t row = 0; row < LU_TILE; row++)
            beside[row][thread] = *element(args, step, other, row, thread);
    } else {
        for (uint32_t row = LU_TILE / 2; row < LU_TILE; row++)
            diagonal[row][thread] = *element(args, step, step, row, thread);
        for (uint32_t row = 0; row < LU_TILE; row++)
            below[row][thread] = *element(args, other, step, row, thread);
    }
    simt_barrier();
    if (is_beside) {
#pragma GCC unroll 1
        for (uint32_t i = 1; i < LU_TILE; i++)
#pragma GCC unroll 1
            for (uint32_t k = 0; k < i; k++)
                beside[i][thread] -= diagonal[i][k] * beside[k][thread];
    } else {
#pragma GCC unroll 1
        for (uint32_t i = 0; i < LU_TILE; i++) {
#pragma GCC unroll 1
            for (uint32_t k = 0; k < i; k++)
                below[thread][i] -= below[thread][k] * diagonal[k][i];
            below[thread][i] /= diagonal[i][i];
        }
    }
    simt_barrier();
    for (uint32_t row = 0; row < LU_TILE; row++)
        if (is_beside)
            *element(args, step, other, row, thread) = beside[row][thread];
        else
            *element(args, other, step, row, thread) = below[row][thread];
}

/* A thread per element of what is left. */
SIMT_KERNEL(lu_internal, const lu_args *args)
{
    tile beside = TILE_OF_SCRATCHPAD(0), below = TILE_OF_SCRATCHPAD(1);
    uint32_t step = args->step, column = simt_thread_x(), row = simt_thread_y();
    uint32_t tile_row = step + 1 + simt_block_y(), tile_column = step + 1 + simt_block_x();
    beside[row][column] = *element(args, step, tile_column, row, column);
    below[row][column] = *element(args, tile_row, step, row, column);
    simt_barrier();
    float sum = 0;
    for (uint32_t k = 0; k < LU_TILE; k++)
        sum += below[row][k] * beside[k][column];
    *element(args, tile_row, tile_column, row, column) -= sum;
}
