/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "history.h"

/* Edges by the node that they leave: first[n] .. first[n + 1]. */
typedef struct adjacency {
    size_t node_count;
    size_t *first;
    const graph_edge **edges;
} adjacency;

static void *take(size_t count, size_t bytes)
{
    void *taken = calloc(count + 1, bytes);
    if (!taken)
        abort();
    return taken;
}

static adjacency sort_edges(const list *list, size_t node_count)
{
    const graph_edge *edge = list->items;
    adjacency graph = {.node_count = node_count,
                       .first = take(node_count + 1, sizeof *graph.first),
                       .edges = take(list->count, sizeof *graph.edges)};
    for (size_t i = 0; i < list->count; i++)
        graph.first[edge[i].from + 1]++;
    for (size_t n = 0; n < node_count; n++)
        graph.first[n + 1] += graph.first[n];
    size_t *next = take(node_count, sizeof *next);
    memcpy(next, graph.first, node_count * sizeof *next);
    for (size_t i = 0; i < list->count; i++)
        graph.edges[next[edge[i].from]++] = &edge[i];
    free(next);
    return graph;
}

/* Takes away nodes that nothing comes before, as long as there are any (Kahn). What is left, not 0 in `before`, lies on a cycle
 * or behind one. */
static void take_away(const adjacency *graph, size_t *before)
{
    size_t *ready = take(graph->node_count, sizeof *ready);
    size_t count = 0;
    for (size_t i = 0; i < graph->first[graph->node_count]; i++)
        before[graph->edges[i]->to]++;
    for (size_t n = 0; n < graph->node_count; n++)
        if (!before[n])
            ready[count++] = n;
    for (size_t done = 0; done < count; done++)
        for (size_t i = graph->first[ready[done]]; i < graph->first[ready[done] + 1]; i++)
            if (--before[graph->edges[i]->to] == 0)
                ready[count++] = graph->edges[i]->to;
    free(ready);
}

/* Back along edges among what is left, as many steps as there are nodes: that ends on a cycle. */
static size_t walk_back(const adjacency *graph, const size_t *before, size_t node)
{
    size_t *back = take(graph->node_count, sizeof *back);
    for (size_t i = 0; i < graph->first[graph->node_count]; i++)
        if (before[graph->edges[i]->from])
            back[graph->edges[i]->to] = graph->edges[i]->from;
    for (size_t step = 0; step < graph->node_count; step++)
        node = back[node];
    free(back);
    return node;
}

/* node_count: there is no cycle. */
static size_t node_on_cycle(const adjacency *graph)
{
    size_t *before = take(graph->node_count, sizeof *before);
    size_t left = 0;
    take_away(graph, before);
    while (left < graph->node_count && !before[left])
        left++;
    if (left < graph->node_count)
        left = walk_back(graph, before, left);
    free(before);
    return left;
}

/* Breadth first from the node, until it is reached again. */
static const graph_edge **shortest(const adjacency *graph, size_t node, size_t *length)
{
    const graph_edge **by = take(graph->node_count, sizeof *by);
    size_t *queue = take(graph->node_count, sizeof *queue);
    size_t count = 0;
    queue[count++] = node;
    for (size_t done = 0; done < count && !by[node]; done++)
        for (size_t i = graph->first[queue[done]]; i < graph->first[queue[done] + 1]; i++) {
            const size_t to = graph->edges[i]->to;
            if (by[to])
                continue;
            by[to] = graph->edges[i];
            if (to != node)
                queue[count++] = to;
        }
    free(queue);
    const graph_edge **path = take(graph->node_count, sizeof *path);
    *length = 0;
    for (const graph_edge *edge = by[node];; edge = by[edge->from]) {
        path[(*length)++] = edge;
        if (edge->from == node)
            break;
    }
    for (size_t i = 0; i < *length / 2; i++) {
        const graph_edge *swap = path[i];
        path[i] = path[*length - 1 - i];
        path[*length - 1 - i] = swap;
    }
    free(by);
    return path;
}

const graph_edge **cycle_find(const list *edges, size_t node_count, size_t *length)
{
    adjacency graph = sort_edges(edges, node_count);
    const size_t node = node_on_cycle(&graph);
    const graph_edge **cycle = NULL;
    *length = 0;
    if (node < node_count)
        cycle = shortest(&graph, node, length);
    free(graph.first);
    free(graph.edges);
    return cycle;
}
