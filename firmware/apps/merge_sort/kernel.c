/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Where pair i of sorted runs stands when its run and that beside it are merged; of equal keys those of the first run come first. */
SIMT_INLINE uint32_t merged_place(const merge_sort_pair *pairs, uint32_t count, uint32_t run, uint32_t i)
{
    uint32_t key = pairs[i].key, is_second = i / run & 1, own = i & -run, other = own ^ run;
    uint32_t low = simt_min(other, count), high = simt_min(other + run, count);
    uint32_t first = low;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (pairs[middle].key < key + is_second)
            low = middle + 1;
        else
            high = middle;
    }
    return (own & ~run) + (i - own) + (low - first);
}

/* A tile per block, a pair per thread. */
SIMT_KERNEL(merge_sort_tiles, const merge_sort_args *args)
{
    uint32_t size = simt_block_size_x(), start = simt_block_x() * size, thread = simt_thread_x();
    uint32_t count = simt_min(args->count - start, size);
    merge_sort_pair *pairs = (merge_sort_pair *)simt_scratchpad, own = {0, 0};
    if (thread < count)
        own = pairs[thread] = HD_POINTER(const merge_sort_pair, args->from)[start + thread];
    simt_barrier();
    uint32_t at = thread;
#pragma GCC unroll 1
    for (uint32_t run = 1; run < size; run *= 2) {
        if (thread < count)
            at = merged_place(pairs, count, run, at);
        simt_barrier();
        if (thread < count)
            pairs[at] = own;
        simt_barrier();
    }
    if (thread < count)
        HD_POINTER(merge_sort_pair, args->to)[start + at] = own;
}

SIMT_KERNEL(merge_sort_runs, const merge_sort_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->count)
        return;
    const merge_sort_pair *from = HD_POINTER(const merge_sort_pair, args->from);
    HD_POINTER(merge_sort_pair, args->to)[merged_place(from, args->count, args->run, i)] = from[i];
}
