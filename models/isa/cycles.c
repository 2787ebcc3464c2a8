/* SPDX-License-Identifier: MIT */
/* The graph for post-dominance: reachable code, with a way out of every cycle that nothing leaves. */
#include "control_flow_graph.h"

#include <stdlib.h>
#include <string.h>

/* Strongly connected components after Tarjan, without recursion. */
typedef struct components {
    const control_flow *flow;
    uint32_t *numbers; /* owns the arrays below */
    uint32_t *index;   /* order of discovery + 1; 0 = not yet */
    uint32_t *low;
    uint32_t *next;      /* successor to look at next */
    uint32_t *path;      /* depth-first path */
    uint32_t *stack;     /* Tarjan's stack */
    uint32_t *component; /* its first node, for nodes whose component is complete; else ISA_NO_NODE */
    uint8_t *cyclic;     /* by first node: from here one gets to a cycle (which may be this component) */
    uint8_t *endless;    /* by first node: a cycle that leads to no return and to no other cycle */
    uint32_t path_depth, stack_depth, discovered;
} components;

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Is the component on top of the stack, from `from` up, a cycle; does it lead to one outside? */
static void classify(components *c, uint32_t from, uint32_t first)
{
    int is_cycle = c->stack_depth - from > 1;
    int leads_to_cycle = 0;
    for (uint32_t i = from; i < c->stack_depth; i++) {
        uint32_t successor[2];
        uint32_t count = flow_successors(c->flow, c->stack[i], successor);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t other = successor[k] == c->flow->count ? ISA_NO_NODE : c->component[successor[k]];
            is_cycle |= successor[k] == c->stack[i];
            leads_to_cycle |= other != ISA_NO_NODE && other != first && c->cyclic[other];
        }
    }
    c->cyclic[first] = (uint8_t)(is_cycle || leads_to_cycle);
    c->endless[first] = (uint8_t)(is_cycle && !leads_to_cycle && !c->flow->returns[first]);
}

static void complete_component(components *c, uint32_t first)
{
    uint32_t from = c->stack_depth;
    do
        c->component[c->stack[--from]] = first;
    while (c->stack[from] != first);
    classify(c, from, first);
    c->stack_depth = from;
}

static void discover(components *c, uint32_t node)
{
    c->index[node] = c->low[node] = ++c->discovered;
    c->next[node] = 0;
    c->path[c->path_depth++] = node;
    c->stack[c->stack_depth++] = node;
}

static void step(components *c)
{
    uint32_t node = c->path[c->path_depth - 1];
    uint32_t successor[2];
    uint32_t count = flow_successors(c->flow, node, successor);
    if (c->next[node] < count) {
        uint32_t other = successor[c->next[node]++];
        if (other == c->flow->count)
            return;
        if (!c->index[other])
            discover(c, other);
        else if (c->component[other] == ISA_NO_NODE)
            c->low[node] = smaller(c->low[node], c->index[other]);
        return;
    }
    c->path_depth--;
    if (c->path_depth) {
        uint32_t before = c->path[c->path_depth - 1];
        c->low[before] = smaller(c->low[before], c->low[node]);
    }
    if (c->low[node] == c->index[node])
        complete_component(c, node);
}

static void visit(void *context, uint32_t node)
{
    components *c = context;
    if (c->index[node])
        return;
    discover(c, node);
    while (c->path_depth)
        step(c);
}

static int find_components(const control_flow *flow, components *c)
{
    size_t count = (size_t)flow->count + 1;
    uint32_t *numbers = malloc(6 * count * sizeof *numbers);
    *c = (components){.flow = flow, .numbers = numbers, .index = numbers, .cyclic = calloc(2, count)};
    if (!numbers || !c->cyclic)
        return -1;
    c->endless = c->cyclic + count;
    c->low = numbers + count;
    c->next = numbers + 2 * count;
    c->path = numbers + 3 * count;
    c->stack = numbers + 4 * count;
    c->component = numbers + 5 * count;
    memset(c->index, 0, count * sizeof *c->index);
    for (uint32_t node = 0; node < count; node++)
        c->component[node] = ISA_NO_NODE;
    flow_each_entry(flow, visit, c);
    return 0;
}

/* The re-entry node of each endless cycle, by its first node: c->index is free to hold it. */
static uint32_t number_reentries(components *c, uint32_t *entered)
{
    uint32_t count = 0;
    for (uint32_t node = 0; node < c->flow->count; node++) {
        if (!c->endless[node])
            continue;
        entered[count] = node;
        c->index[node] = c->flow->count + 1 + count++;
    }
    return count;
}

static void add_edges(const components *c, uint32_t node, isa_graph *graph, uint32_t *edge)
{
    const control_flow *flow = c->flow;
    uint32_t successor[2];
    uint32_t count = flow->reachable[node] ? flow_successors(flow, node, successor) : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = successor[i];
        if (to != flow->count && c->endless[to] && c->component[node] == to)
            to = c->index[to];
        graph->target[(*edge)++] = to;
    }
}

static void fill_graph(const components *c, isa_graph *graph, const uint32_t *entered, uint32_t reentries)
{
    uint32_t edge = 0;
    uint32_t exit = c->flow->count;
    for (uint32_t node = 0; node < exit; node++) {
        graph->first[node] = edge;
        add_edges(c, node, graph, &edge);
    }
    graph->first[exit] = edge;
    for (uint32_t i = 0; i < reentries; i++) {
        graph->first[exit + 1 + i] = edge;
        graph->target[edge++] = entered[i];
        graph->target[edge++] = exit;
    }
    graph->first[graph->node_count] = edge;
}

int flow_build_graph(const control_flow *flow, isa_graph *graph, uint32_t **entered)
{
    components c;
    *graph = (isa_graph){0};
    *entered = malloc((size_t)flow->count * sizeof **entered);
    int failed = find_components(flow, &c) || !*entered;
    if (!failed) {
        uint32_t reentries = number_reentries(&c, *entered);
        graph->node_count = flow->count + 1 + reentries;
        graph->first = malloc(((size_t)graph->node_count + 1) * sizeof *graph->first);
        graph->target = malloc(2 * (size_t)graph->node_count * sizeof *graph->target);
        failed = !graph->first || !graph->target;
        if (!failed)
            fill_graph(&c, graph, *entered, reentries);
    }
    free(c.numbers);
    free(c.cyclic);
    return failed ? flow_fail(flow, "out of memory") : 0;
}
