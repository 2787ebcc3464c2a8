/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* What the first thread tells its block in the scratchpad. */
typedef struct batch {
    uint32_t list, first, count;
    uint32_t is_over; /* no vertex is left, anywhere */
} batch;

static uint32_t *item_at(const sssp_args *args, uint32_t list, uint32_t place)
{
    return HD_POINTER(uint32_t, args->items) + list * args->room + (place & (args->room - 1));
}

/* Up to `most` vertices of the list; 0: there are none, or somebody is about to write some. */
static uint32_t take(sssp_list *list, uint32_t most, uint32_t *first)
{
    const uint32_t taken = simt_load_cg(&list->taken);
    const uint32_t written = simt_load_cg(&list->written);
    simt_fence();
    if (simt_load_cg(&list->reserved) != written || written == taken)
        return 0;
    const uint32_t count = simt_min(written - taken, most);
    *first = taken;
    return simt_atomic_cas(&list->taken, taken, taken + count) == taken ? count : 0;
}

/* From the block's own list; if it is empty, from the next one that is not. */
static void choose(const sssp_args *args, batch *chosen)
{
    sssp_list *lists = HD_POINTER(sssp_list, args->lists);
    uint32_t list = simt_block_x() % args->list_count, count = 0, first = 0;
    for (uint32_t tried = 0; tried < args->list_count && count == 0; tried++) {
        list = tried == 0 ? list : list + 1 == args->list_count ? 0 : list + 1;
        count = take(&lists[list], simt_block_size_x(), &first);
    }
    *chosen = (batch){list, first, count, count == 0 && simt_load_cg(HD_POINTER(uint32_t, args->unfinished)) == 0};
}

static void put(const sssp_args *args, uint32_t vertex)
{
    if (simt_atomic_swap(&HD_POINTER(uint32_t, args->is_listed)[vertex], 1) == 1)
        return;
    const uint32_t number = sssp_list_of(vertex, args->list_count);
    sssp_list *list = &HD_POINTER(sssp_list, args->lists)[number];
    simt_atomic_add(HD_POINTER(uint32_t, args->unfinished), 1);
    const uint32_t place = simt_atomic_add(&list->reserved, 1);
    simt_atomic_swap(item_at(args, number, place), vertex);
    simt_fence();
    simt_atomic_add(&list->written, 1);
}

static void relax_edges_of(const sssp_args *args, uint32_t vertex)
{
    const uint32_t *first_edge = HD_POINTER(const uint32_t, args->first_edge);
    const uint32_t *targets = HD_POINTER(const uint32_t, args->targets);
    const uint32_t *weights = HD_POINTER(const uint32_t, args->weights);
    uint32_t *distance = HD_POINTER(uint32_t, args->distance);
    const uint32_t own = simt_load_cg(&distance[vertex]), end = first_edge[vertex + 1];
    for (uint32_t edge = first_edge[vertex]; edge < end; edge++) {
        const uint32_t target = targets[edge], found = own + weights[edge];
        if (simt_load_cg(&distance[target]) > found && simt_atomic_minu(&distance[target], found) > found)
            put(args, target);
    }
}

SIMT_KERNEL(sssp_dd, const sssp_args *args)
{
    batch *chosen = (batch *)simt_scratchpad;
    const uint32_t thread = simt_thread_x();
    uint32_t is_over = 0;
    while (!is_over) {
        if (thread == 0)
            choose(args, chosen);
        simt_barrier_number(0);
        const batch mine = *chosen;
        is_over = mine.is_over;
        if (thread < mine.count) {
            const uint32_t vertex = simt_load_cg(item_at(args, mine.list, mine.first + thread));
            simt_atomic_swap(&HD_POINTER(uint32_t, args->is_listed)[vertex], 0);
            simt_fence();
            relax_edges_of(args, vertex);
        }
        simt_barrier_number(1);
        if (thread == 0 && mine.count)
            simt_atomic_add(HD_POINTER(uint32_t, args->unfinished), -mine.count);
    }
}
