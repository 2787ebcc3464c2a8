/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"
#include "simt_synchronization.h"

static uint32_t bits_of(float weight)
{
    union {
        float weight;
        uint32_t bits;
    } both = {weight};
    return both.bits;
}

/* The lightest edge of each vertex to another component, and of each component. */
SIMT_KERNEL(mst_find, const mst_args *args)
{
    const uint32_t vertex = simt_global_index();
    if (vertex >= args->vertices)
        return;
    const uint32_t *first_edge = HD_POINTER(const uint32_t, args->first_edge);
    const uint32_t *targets = HD_POINTER(const uint32_t, args->targets);
    const float *weights = HD_POINTER(const float, args->weights);
    const uint32_t *component = HD_POINTER(const uint32_t, args->component);
    const uint32_t own = component[vertex], end = first_edge[vertex + 1];
    uint32_t best = MST_NONE;
    float lightest = 0;
    for (uint32_t edge = first_edge[vertex]; edge < end; edge++) {
        if (component[targets[edge]] == own)
            continue;
        const float weight = weights[edge];
        if (best == MST_NONE || weight < lightest) {
            best = edge;
            lightest = weight;
        }
    }
    HD_POINTER(uint32_t, args->choice)[vertex] = best;
    if (best != MST_NONE)
        simt_atomic_minu(&HD_POINTER(uint32_t, args->lightest)[own], bits_of(lightest));
}

/* The vertex whose edge is its component's joins it to the other one. Of two that have chosen the same edge, the lower stays. */
SIMT_KERNEL(mst_join, const mst_args *args)
{
    const uint32_t vertex = simt_global_index();
    if (vertex >= args->vertices)
        return;
    const uint32_t *component = HD_POINTER(const uint32_t, args->component);
    const uint32_t *lightest = HD_POINTER(const uint32_t, args->lightest);
    const uint32_t own = component[vertex], edge = HD_POINTER(const uint32_t, args->choice)[vertex];
    if (edge == MST_NONE)
        return;
    const uint32_t bits = bits_of(HD_POINTER(const float, args->weights)[edge]);
    if (bits != lightest[own])
        return;
    const uint32_t other = component[HD_POINTER(const uint32_t, args->targets)[edge]];
    if (lightest[other] == bits && own < other)
        return;
    HD_POINTER(uint32_t, args->parent)[own] = other;
    HD_POINTER(uint32_t, args->in_forest)[edge] = 1;
    simt_atomic_add(HD_POINTER(uint32_t, args->joined), 1);
}

/* Each vertex is named after the component that its own has come to. */
SIMT_KERNEL(mst_flatten, const mst_args *args)
{
    const uint32_t vertex = simt_global_index();
    if (vertex >= args->vertices)
        return;
    const uint32_t *parent = HD_POINTER(const uint32_t, args->parent);
    uint32_t *component = HD_POINTER(uint32_t, args->component);
    uint32_t root = component[vertex];
    while (parent[root] != root)
        root = parent[root];
    component[vertex] = root;
    HD_POINTER(uint32_t, args->lightest)[vertex] = MST_NONE;
}

/* Parents are read and components written: other arrays. */
SIMT_NO_ALIAS(mst_flatten);
