/* SPDX-License-Identifier: MIT */
#include "assemble.h"
#include "control_flow.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define MAX_NODES 12u

typedef struct small_graph {
    uint32_t first[MAX_NODES + 1];
    uint32_t target[MAX_NODES * 3];
    isa_graph graph;
} small_graph;

/* Is exit reached from `from` without going through `avoided`? */
static int reaches(const isa_graph *graph, uint32_t from, uint32_t exit, uint32_t avoided)
{
    uint32_t stack[MAX_NODES * 4], depth = 0, seen = 0;
    if (from == avoided)
        return 0;
    stack[depth++] = from;
    while (depth) {
        uint32_t node = stack[--depth];
        if (node == exit)
            return 1;
        if (seen >> node & 1)
            continue;
        seen |= 1u << node;
        for (uint32_t edge = graph->first[node]; edge < graph->first[node + 1]; edge++)
            if (graph->target[edge] != avoided && !(seen >> graph->target[edge] & 1))
                stack[depth++] = graph->target[edge];
    }
    return 0;
}

static int post_dominates(const isa_graph *graph, uint32_t a, uint32_t node, uint32_t exit)
{
    return a != node && (a == exit || !reaches(graph, node, exit, a));
}

/* By the definition: the post-dominator that all others of the node post-dominate. */
static uint32_t expected_of(const isa_graph *graph, uint32_t node, uint32_t exit)
{
    if (node == exit || !reaches(graph, node, exit, ISA_NO_NODE))
        return ISA_NO_NODE;
    for (uint32_t a = 0; a < graph->node_count; a++) {
        int nearest = post_dominates(graph, a, node, exit) && reaches(graph, a, exit, ISA_NO_NODE);
        for (uint32_t b = 0; nearest && b < graph->node_count; b++)
            if (b != a && reaches(graph, b, exit, ISA_NO_NODE) && post_dominates(graph, b, node, exit))
                nearest = post_dominates(graph, b, a, exit);
        if (nearest)
            return a;
    }
    return ISA_NO_NODE;
}

static void random_graph(small_graph *g, uint64_t *random)
{
    uint32_t edges = 0;
    uint32_t nodes = 2 + (uint32_t)(next_random(random) >> 40) % (MAX_NODES - 1);
    for (uint32_t node = 0; node < nodes; node++) {
        g->first[node] = edges;
        uint64_t dice = next_random(random) >> 40;
        uint32_t count = node == nodes - 1 || dice % 8 == 0 ? 0 : 1 + (uint32_t)(dice / 8 % 2);
        while (count--)
            g->target[edges++] = (uint32_t)(next_random(random) >> 40) % nodes;
    }
    g->first[nodes] = edges;
    g->graph = (isa_graph){.node_count = nodes, .first = g->first, .target = g->target};
}

Test(post_dominators, are_those_of_the_definition_on_random_graphs)
{
    const uint64_t seed = 31337;
    uint64_t random = seed;
    uint32_t found = 0;
    for (uint32_t round = 0; round < 30000; round++) {
        small_graph g;
        uint32_t immediate[MAX_NODES];
        random_graph(&g, &random);
        uint32_t exit = g.graph.node_count - 1;
        cr_assert_eq(isa_post_dominators(&g.graph, exit, immediate), 0);
        for (uint32_t node = 0; node < g.graph.node_count; node++) {
            uint32_t expected = expected_of(&g.graph, node, exit);
            found += expected != ISA_NO_NODE;
            cr_assert_eq(immediate[node], expected, "node %u of %u in round %u of seed %lu: %u, not %u", node,
                         g.graph.node_count, round, (unsigned long)seed, immediate[node], expected);
        }
    }
    cr_expect_gt(found, 50000, "the graphs are too poor to show anything");
}

Test(post_dominators, of_a_long_chain_need_no_deep_stack)
{
    const uint32_t nodes = 300000;
    uint32_t *first = malloc((nodes + 1) * sizeof *first);
    uint32_t *target = malloc(nodes * sizeof *target);
    uint32_t *immediate = malloc(nodes * sizeof *immediate);
    for (uint32_t node = 0; node < nodes; node++) {
        first[node] = node;
        target[node] = node + 1;
    }
    first[nodes] = nodes - 1;
    isa_graph graph = {.node_count = nodes, .first = first, .target = target};
    cr_assert_eq(isa_post_dominators(&graph, nodes - 1, immediate), 0);
    cr_expect_eq(immediate[0], 1);
    cr_expect_eq(immediate[nodes - 2], nodes - 1);
    free(first);
    free(target);
    free(immediate);
}
