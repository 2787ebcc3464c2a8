/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(stencil, const stencil_args *args)
{
    uint32_t n = args->n;
    uint32_t column = simt_block_x() * simt_block_size_x() + simt_thread_x();
    uint32_t row = simt_block_y() * simt_block_size_y() + simt_thread_y();
    if (column >= n || row >= n)
        return;
    uint32_t cell = row * n + column;
    const float *from = HD_POINTER(const float, args->from) + cell;
    float value = *from;
    if (column > 0 && column < n - 1 && row > 0 && row < n - 1)
        value = (value + from[-1] + from[1] + from[-(int32_t)n] + from[n]) * 0.2f;
    HD_POINTER(float, args->to)[cell] = value;
}
