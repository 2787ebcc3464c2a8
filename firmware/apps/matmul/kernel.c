/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Scratchpad: a tile of a, then a tile of b. Each element of c is a chain of fused multiply-adds in ascending order. */
SIMT_INLINE void multiply(const matmul_args *args, uint32_t unrolled)
{
    uint32_t n = args->n;
    uint32_t x = simt_thread_x();
    uint32_t y = simt_thread_y();
    uint32_t row = simt_block_y() * MATMUL_TILE + y;
    uint32_t column = simt_block_x() * MATMUL_TILE + x;
    const float *a = HD_POINTER(const float, args->a) + row * n + x;
    const float *b = HD_POINTER(const float, args->b) + y * n + column;
    float(*tile_a)[MATMUL_TILE] = (float(*)[MATMUL_TILE])simt_scratchpad;
    float(*tile_b)[MATMUL_TILE] = tile_a + MATMUL_TILE;

    float sum = 0;
    for (uint32_t first = 0; first < n; first += MATMUL_TILE) {
        tile_a[y][x] = *a;
        tile_b[y][x] = *b;
        a += MATMUL_TILE;
        b += MATMUL_TILE * n;
        simt_barrier();
        if (unrolled) {
#pragma GCC unroll 16
            for (uint32_t k = 0; k < MATMUL_TILE; k++)
                sum = __builtin_fmaf(tile_a[y][k], tile_b[k][x], sum);
        } else {
#pragma GCC unroll 1
            for (uint32_t k = 0; k < MATMUL_TILE; k++)
                sum = __builtin_fmaf(tile_a[y][k], tile_b[k][x], sum);
        }
        simt_barrier();
    }
    HD_POINTER(float, args->c)[row * n + column] = sum;
}

/* As compilers for GPUs leave it: no instruction counts k or computes an address. */
SIMT_KERNEL(matmul, const matmul_args *args)
{
    multiply(args, 1);
}

/* As it is written. */
SIMT_KERNEL(matmul_rolled, const matmul_args *args)
{
    multiply(args, 0);
}
