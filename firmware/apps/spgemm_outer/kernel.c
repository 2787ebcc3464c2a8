/* SPDX-License-Identifier: MIT */
#include "merge.h"
#include "multiply.h"
#include "tiles.h"

/* A block takes some columns at a time, a thread an element of them. */
SIMT_KERNEL(spgemm_multiply, const spgemm_outer_args *args)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first);
    share *told = (share *)simt_scratchpad;
    const uint32_t thread = simt_thread_x();
    uint32_t is_over = 0;
    while (!is_over) {
        if (thread == 0)
            *told =
                share_of(args, simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_COLUMN], args->columns));
        simt_barrier_number(0);
        share mine = *told;
        simt_barrier_number(1);
        is_over = mine.column >= args->inner;
        const uint32_t end = is_over ? 0 : a_first[mine.end];
        for (uint32_t element = is_over ? 0 : a_first[mine.column] + thread; element < end;
             element += simt_block_size_x())
            multiply_element(args, &mine, element);
    }
}

/* A thread takes an item at a time, and has its heads in the scratchpad. */
SIMT_KERNEL(spgemm_merge, const spgemm_outer_args *args)
{
    merge_head *heads = (merge_head *)simt_scratchpad + simt_thread_x() * args->heads;
    uint32_t item;
    while ((item = args->first + simt_atomic_add(counter(args, COUNTER_ITEM), 1) - args->taken) < args->end)
        merge_item(args, args->source, item, heads);
}

/* ---- On tiles ------------------------------------------------------------------------------------------------------------- */

SIMT_KERNEL(spgemm_multiply_tiles, const spgemm_outer_args *args)
{
    multiply_on_tile(args);
}

SIMT_KERNEL(spgemm_merge_tiles, const spgemm_outer_args *args)
{
    merge_on_tile(args);
}

SIMT_KERNEL(spgemm_both_tiles, const spgemm_outer_args *args)
{
    multiply_on_tile(args);
    merge_on_tile(args);
}
