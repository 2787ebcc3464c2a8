/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(mandelbrot, const mandelbrot_args *args)
{
    uint32_t n = args->n;
    uint32_t column = simt_block_x() * simt_block_size_x() + simt_thread_x();
    uint32_t row = simt_block_y() * simt_block_size_y() + simt_thread_y();
    if (column >= n || row >= n)
        return;
    HD_POINTER(uint32_t, args->steps)[row * n + column] = mandelbrot_steps(column, row, 3.0f / (float)n, args->limit);
}
