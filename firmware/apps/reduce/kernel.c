/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Scratchpad: one word per thread of the block. */
SIMT_KERNEL(reduce, const reduce_args *args)
{
    const uint32_t *values = HD_POINTER(const uint32_t, args->values);
    uint32_t n = args->n;
    uint32_t threads = simt_global_size();
    uint32_t thread = simt_thread_x();

    /* A warp waits for four loads at a time. */
    uint32_t sum = 0, i = simt_global_index();
    for (; i + 3 * threads < n; i += 4 * threads)
        sum += values[i] + values[i + threads] + values[i + 2 * threads] + values[i + 3 * threads];
    for (; i < n; i += threads)
        sum += values[i];
    simt_scratchpad[thread] = sum;
    simt_barrier();

    for (uint32_t width = simt_block_size_x(); width > 1;) {
        uint32_t half = (width + 1) >> 1;
        if (thread + half < width)
            simt_scratchpad[thread] += simt_scratchpad[thread + half];
        simt_barrier();
        width = half;
    }
    if (thread == 0)
        simt_atomic_add(HD_POINTER(uint32_t, args->sum), simt_scratchpad[0]);
}
