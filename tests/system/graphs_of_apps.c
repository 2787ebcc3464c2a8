/* SPDX-License-Identifier: MIT */
/*
 * What the graphs of bfs, sssp_dd and mst_boruvka are like (Beaumont 2019 §3.3, Figures 3.1 and 3.6): how many neighbours vertices have, and how
 * far that differs within a few steps: NDR(v, d) is the greatest number of neighbours of a vertex at most d steps from v, less the smallest.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "bfs/graph.h"

/* The host program's, which nobody else has. */
void *hd_host_alloc(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    cr_assert(memory);
    return memory;
}

void hd_host_free(void *memory)
{
    free(memory);
}

static uint32_t degree_of(const graph *g, uint32_t vertex)
{
    return g->first_edge[vertex + 1] - g->first_edge[vertex];
}

/* Vertices at most `steps` from the first one, in the order in which they are found; `found` is 0, and is again. */
static uint32_t list_near(const graph *g, uint32_t from, uint32_t steps, uint32_t *list, uint8_t *found)
{
    uint32_t count = 1, begin = 0;
    list[0] = from;
    found[from] = 1;
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t end = count;
        for (; begin < end; begin++)
            for (uint32_t e = g->first_edge[list[begin]]; e < g->first_edge[list[begin] + 1]; e++)
                if (!found[g->targets[e]])
                    found[g->targets[e]] = 1, list[count++] = g->targets[e];
    }
    for (uint32_t i = 0; i < count; i++)
        found[list[i]] = 0;
    return count;
}

static uint32_t degree_range(const graph *g, uint32_t vertex, uint32_t steps)
{
    uint32_t *list = hd_host_alloc(g->vertices * sizeof *list), least = UINT32_MAX, most = 0;
    uint8_t *found = hd_host_alloc(g->vertices);
    const uint32_t count = list_near(g, vertex, steps, list, found);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t degree = degree_of(g, list[i]);
        least = degree < least ? degree : least;
        most = degree > most ? degree : most;
    }
    free(found);
    free(list);
    return most - least;
}

/* A path of four, with five further leaves at its first vertex and six at its last one. */
Test(graphs_of_apps, ranges_of_degrees)
{
    enum { VERTICES = 15, EDGES = 14 };
    uint32_t ends[EDGES][2] = {{0, 1}, {1, 2}, {2, 3}}, first[VERTICES + 1] = {0}, targets[2 * EDGES], count = 0;
    for (uint32_t leaf = 4; leaf < VERTICES; leaf++)
        ends[leaf - 1][0] = leaf < 9 ? 0 : 3, ends[leaf - 1][1] = leaf;
    for (uint32_t v = 0; v < VERTICES; v++) {
        first[v] = count;
        for (uint32_t e = 0; e < EDGES; e++)
            for (uint32_t side = 0; side < 2; side++)
                if (ends[e][side] == v)
                    targets[count++] = ends[e][1 - side];
    }
    first[VERTICES] = count;
    const graph g = {.vertices = VERTICES, .edges = count, .first_edge = first, .targets = targets};
    cr_expect_eq(degree_range(&g, 0, 1), 5);
    cr_expect_eq(degree_range(&g, 1, 1), 4);
    cr_expect_eq(degree_range(&g, 1, 2), 6);
}

/* In a thousand: vertices with 0.001 % to 1 % of all as neighbours, and those with an edge whose range within five steps is below 10. */
Test(graphs_of_apps, densities_are_those_of_the_page_of_results)
{
    static const struct {
        uint32_t scale, edge_factor, sparse, even;
    } rows[] = {{9, 16, 316, 0}, {11, 4, 544, 1}, {13, 1, 368, 30}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t random = 1;
        const graph g = graph_random(GRAPH_SKEWED, rows[i].scale, rows[i].edge_factor, &random);
        uint32_t sparse = 0, with_edges = 0, even = 0;
        for (uint32_t v = 0; v < g.vertices; v++) {
            const uint64_t degree = degree_of(&g, v);
            sparse += degree * 100000 >= g.vertices && degree * 100 <= g.vertices;
            with_edges += degree != 0;
            even += degree != 0 && degree_range(&g, v, 5) < 10;
        }
        fprintf(stderr, "scale %u: %u of 1000, %u of 1000\n", rows[i].scale, sparse * 1000 / g.vertices,
                even * 1000 / with_edges);
        cr_expect_eq(sparse * 1000 / g.vertices, rows[i].sparse);
        cr_expect_eq(even * 1000 / with_edges, rows[i].even);
    }
}
