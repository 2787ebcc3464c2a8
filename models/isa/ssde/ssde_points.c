/* SPDX-License-Identifier: MIT */
#include "ssde_points.h"

#include <stdlib.h>
#include <string.h>

static uint32_t next_point(const deadlock_graph *graph, uint32_t node)
{
    return graph->post_dominator[node] < graph->count ? graph->post_dominator[node] : graph->count;
}

static uint32_t points_behind(const deadlock_graph *graph, uint32_t node)
{
    uint32_t count = 0;
    for (; node != graph->count; node = next_point(graph, node))
        count++;
    return count;
}

uint32_t ssde_common(const deadlock_graph *graph, uint32_t a, uint32_t b)
{
    uint32_t behind_a = points_behind(graph, a), behind_b = points_behind(graph, b);
    while (a != b) {
        if (behind_a >= behind_b) {
            a = next_point(graph, a);
            behind_a--;
        } else {
            b = next_point(graph, b);
            behind_b--;
        }
    }
    return a;
}

int ssde_region_open(ssde_region *region, const deadlock_graph *graph)
{
    *region = (ssde_region){
        .graph = graph, .has = calloc(graph->count, 1), .node = malloc(graph->count * sizeof *region->node)};
    return region->has && region->node ? 0 : -1;
}

void ssde_region_close(ssde_region *region)
{
    free(region->has);
    free(region->node);
}

void ssde_region_clear(ssde_region *region)
{
    for (uint32_t i = 0; i < region->size; i++)
        region->has[region->node[i]] = 0;
    region->size = 0;
}

void ssde_region_add(ssde_region *region, uint32_t node)
{
    if (node >= region->graph->count || region->has[node])
        return;
    region->has[node] = 1;
    region->node[region->size++] = node;
}

void ssde_region_reach(ssde_region *region, uint32_t end, int past_barriers)
{
    const deadlock_graph *graph = region->graph;
    for (uint32_t i = 0; i < region->size; i++) {
        const uint32_t node = region->node[i];
        if (!past_barriers && deadlock_stops_warp(graph, node))
            continue;
        for (uint32_t k = 0; k < graph->next_count[node]; k++)
            if (graph->next[node][k] != end)
                ssde_region_add(region, graph->next[node][k]);
    }
}

void ssde_region_reach_back(ssde_region *region, const ssde_region *inside)
{
    const deadlock_graph *graph = region->graph;
    const lint_flow *flow = &graph->flow;
    for (uint32_t i = 0; i < region->size; i++) {
        const uint32_t node = region->node[i];
        for (uint32_t at = flow->first[node]; at < flow->first[node + 1]; at++) {
            const uint32_t before = flow->before[at];
            if (inside->has[before] && deadlock_has_edge(graph, before, node) && !deadlock_stops_warp(graph, before))
                ssde_region_add(region, before);
        }
    }
}
