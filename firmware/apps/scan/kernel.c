/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* The prefix sum of the block's values up to this thread's, in the steps of Hillis and Steele. Scratchpad: two words per
 * thread. */
SIMT_INLINE uint32_t scan_block(uint32_t value)
{
    uint32_t thread = simt_thread_x();
    uint32_t size = simt_block_size_x();
    uint32_t *from = simt_scratchpad;
    uint32_t *to = simt_scratchpad + size;
    from[thread] = value;
    simt_barrier();
    for (uint32_t distance = 1; distance < size; distance <<= 1) {
        value = from[thread];
        if (thread >= distance)
            value += from[thread - distance];
        to[thread] = value;
        uint32_t *written = to;
        to = from;
        from = written;
        simt_barrier();
    }
    return from[thread];
}

SIMT_KERNEL(scan_blocks, const scan_args *args)
{
    uint32_t i = simt_global_index();
    uint32_t n = args->n;
    uint32_t sum = scan_block(i < n ? HD_POINTER(const uint32_t, args->values)[i] : 0);
    if (i < n)
        HD_POINTER(uint32_t, args->sums)[i] = sum;
    if (simt_thread_x() == simt_block_size_x() - 1)
        HD_POINTER(uint32_t, args->totals)[simt_block_x()] = sum;
}

/* One block: as many totals at a time as it has threads. The last thread's sum is carried on in the scratchpad's first
 * word. */
SIMT_KERNEL(scan_totals, const scan_args *args)
{
    uint32_t *totals = HD_POINTER(uint32_t, args->totals);
    uint32_t blocks = args->blocks;
    uint32_t size = simt_block_size_x();
    uint32_t thread = simt_thread_x();
    uint32_t carried = 0;
    for (uint32_t first = 0; first < blocks; first += size) {
        uint32_t i = first + thread;
        uint32_t sum = carried + scan_block(i < blocks ? totals[i] : 0);
        if (i < blocks)
            totals[i] = sum;
        simt_barrier();
        if (thread == size - 1)
            simt_scratchpad[0] = sum;
        simt_barrier();
        carried = simt_scratchpad[0];
        simt_barrier();
    }
}

SIMT_KERNEL(scan_add, const scan_args *args)
{
    uint32_t block = simt_block_x();
    uint32_t i = simt_global_index();
    if (block > 0 && i < args->n)
        HD_POINTER(uint32_t, args->sums)[i] += HD_POINTER(const uint32_t, args->totals)[block - 1];
}
