/* SPDX-License-Identifier: MIT */
/* The graph of the host side: edges of common/rmat.h, undirected, as compressed sparse rows; and the serial breadth-first search. */
#ifndef BFS_GRAPH_H
#define BFS_GRAPH_H

#include "args.h"
#include "common/rmat.h"

typedef struct graph {
    uint32_t vertices;
    uint32_t edges;       /* directed: two per drawn edge */
    uint32_t *first_edge; /* [vertices + 1] */
    uint32_t *targets;    /* [edges] */
} graph;

static inline graph graph_random(enum graph_kind kind, uint32_t scale, uint32_t edge_factor, uint64_t *random)
{
    uint32_t drawn = edge_factor << scale;
    graph g = {.vertices = 1u << scale, .edges = 2 * drawn};
    g.first_edge = hd_host_alloc((g.vertices + 1) * sizeof(uint32_t));
    g.targets = hd_host_alloc(g.edges * sizeof(uint32_t));
    uint32_t *from = hd_host_alloc(drawn * sizeof(uint32_t));
    uint32_t *to = hd_host_alloc(drawn * sizeof(uint32_t));
    for (uint32_t i = 0; i < drawn; i++) {
        graph_draw_edge(kind, scale, random, &from[i], &to[i]);
        g.first_edge[from[i] + 1]++;
        g.first_edge[to[i] + 1]++;
    }
    for (uint32_t v = 0; v < g.vertices; v++)
        g.first_edge[v + 1] += g.first_edge[v];

    uint32_t *place = hd_host_alloc(g.vertices * sizeof(uint32_t));
    memcpy(place, g.first_edge, g.vertices * sizeof(uint32_t));
    for (uint32_t i = 0; i < drawn; i++) {
        g.targets[place[from[i]]++] = to[i];
        g.targets[place[to[i]]++] = from[i];
    }
    hd_host_free(place);
    hd_host_free(to);
    hd_host_free(from);
    return g;
}

/* Distances from source, BFS_UNREACHED where there is no path. */
static inline uint32_t *graph_distances(const graph *g, uint32_t source)
{
    uint32_t *distance = hd_host_alloc(g->vertices * sizeof(uint32_t));
    uint32_t *queue = hd_host_alloc(g->vertices * sizeof(uint32_t));
    for (uint32_t v = 0; v < g->vertices; v++)
        distance[v] = BFS_UNREACHED;
    uint32_t tail = 0;
    distance[source] = 0;
    queue[tail++] = source;
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t vertex = queue[head];
        for (uint32_t edge = g->first_edge[vertex]; edge < g->first_edge[vertex + 1]; edge++) {
            uint32_t target = g->targets[edge];
            if (distance[target] != BFS_UNREACHED)
                continue;
            distance[target] = distance[vertex] + 1;
            queue[tail++] = target;
        }
    }
    hd_host_free(queue);
    return distance;
}

#endif
