/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* A point per thread; the candidate's coordinates are in the scratchpad. */
SIMT_KERNEL(stream_clustering, const stream_clustering_args *args)
{
    const int32_t *coordinates = HD_POINTER(const int32_t, args->coordinates);
    int32_t *candidate = (int32_t *)simt_scratchpad;
    uint32_t i = simt_global_index(), count = args->count;
    for (uint32_t d = simt_thread_x(); d < args->dimensions; d += simt_block_size_x())
        candidate[d] = coordinates[d * count + args->candidate];
    simt_barrier();
    if (i >= count)
        return;

    uint32_t distance = 0;
#pragma GCC unroll 1
    for (uint32_t d = 0; d < args->dimensions; d++) {
        int32_t difference = coordinates[d * count + i] - candidate[d];
        distance += (uint32_t)(difference * difference);
    }
    stream_clustering_point point = HD_POINTER(const stream_clustering_point, args->points)[i];
    uint32_t cost = distance * point.weight, moves = cost < point.cost;
    if (moves)
        simt_atomic_add(HD_POINTER(uint32_t, args->gain), point.cost - cost);
    else
        simt_atomic_add(HD_POINTER(uint32_t, args->losses) + point.centre, cost - point.cost);
    HD_POINTER(uint32_t, args->moves)[i] = moves;
}
