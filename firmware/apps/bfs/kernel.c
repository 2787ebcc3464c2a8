/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(bfs_level, const bfs_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->count)
        return;
    const uint32_t *first_edge = HD_POINTER(const uint32_t, args->first_edge);
    const uint32_t *targets = HD_POINTER(const uint32_t, args->targets);
    volatile uint32_t *distance = HD_POINTER(volatile uint32_t, args->distance);
    uint32_t *next = HD_POINTER(uint32_t, args->next);
    uint32_t *next_count = HD_POINTER(uint32_t, args->next_count);
    uint32_t level = args->level;

    uint32_t vertex = HD_POINTER(const uint32_t, args->frontier)[i];
    uint32_t end = first_edge[vertex + 1];
    for (uint32_t edge = first_edge[vertex]; edge < end; edge++) {
        uint32_t target = targets[edge];
        /* The load spares most atomics; the compare-and-swap says who was first. */
        if (simt_load_relaxed(&distance[target]) != BFS_UNREACHED)
            continue;
        if (simt_atomic_cas(&distance[target], BFS_UNREACHED, level + 1) == BFS_UNREACHED)
            next[simt_atomic_add(next_count, 1)] = target;
    }
}
