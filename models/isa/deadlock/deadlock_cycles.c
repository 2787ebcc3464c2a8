/* SPDX-License-Identifier: MIT */
/* Components after R. Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972), without recursion. */
#include "deadlock_cycles.h"

#include <stdlib.h>
#include <string.h>

int deadlock_cycles_open(deadlock_cycles *cycles, deadlock_graph *graph)
{
    const size_t count = graph->count;
    *cycles = (deadlock_cycles){
        .graph = graph,
        .region = calloc(count, sizeof *cycles->region),
        .index = malloc(count * sizeof *cycles->index),
        .low = malloc(count * sizeof *cycles->low),
        .is_open = malloc(count),
        .path = malloc(count * sizeof *cycles->path),
        .edge = malloc(count * sizeof *cycles->edge),
        .component = malloc(count * sizeof *cycles->component),
        .loop = malloc(count * sizeof *cycles->loop),
    };
    return cycles->region && cycles->index && cycles->low && cycles->is_open && cycles->path && cycles->edge &&
                   cycles->component && cycles->loop
               ? 0
               : -1;
}

void deadlock_cycles_close(deadlock_cycles *cycles)
{
    free(cycles->region);
    free(cycles->index);
    free(cycles->low);
    free(cycles->is_open);
    free(cycles->path);
    free(cycles->edge);
    free(cycles->component);
    free(cycles->loop);
}

static int is_in_region(const deadlock_cycles *c, uint32_t node)
{
    return node < c->graph->count && c->region[node] == c->region_number;
}

/* inside: of the component with this `low` only; 0: wherever it leads. */
static uint32_t collect_loop(deadlock_cycles *c, deadlock_edge edge, uint32_t inside)
{
    lint_flow *flow = &c->graph->flow;
    uint32_t size = 0;
    flow->loop_number++;
    flow->in_loop[edge.head] = flow->loop_number;
    c->loop[size++] = edge.head;
    if (edge.latch != edge.head) {
        flow->in_loop[edge.latch] = flow->loop_number;
        c->loop[size++] = edge.latch;
    }
    for (uint32_t i = 1; i < size; i++) {
        const uint32_t node = c->loop[i];
        for (uint32_t at = flow->first[node]; at < flow->first[node + 1]; at++) {
            const uint32_t before = flow->before[at];
            if (lint_in_loop(flow, before) || (inside && (!is_in_region(c, before) || c->low[before] != inside)) ||
                !deadlock_has_edge(c->graph, before, node))
                continue;
            flow->in_loop[before] = flow->loop_number;
            c->loop[size++] = before;
        }
    }
    return size;
}

uint32_t deadlock_loop_of(deadlock_cycles *cycles, deadlock_edge edge)
{
    return collect_loop(cycles, edge, 0);
}

static uint32_t mark_region(deadlock_cycles *c, uint32_t start, uint32_t end)
{
    const deadlock_graph *graph = c->graph;
    uint32_t size = 0;
    c->region_number++;
    if (start == end)
        return 0;
    c->region[start] = c->region_number;
    graph->list[size++] = start;
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t node = graph->list[i];
        c->index[node] = 0;
        c->is_open[node] = 0;
        for (uint32_t k = 0; k < graph->next_count[node]; k++) {
            const uint32_t to = graph->next[node][k];
            if (to == end || is_in_region(c, to))
                continue;
            c->region[to] = c->region_number;
            graph->list[size++] = to;
        }
    }
    return size;
}

typedef struct walk {
    deadlock_cycles *cycles;
    uint32_t number, depth, open;
    uint32_t components;
    void (*visit)(void *context, const uint32_t *loop, uint32_t size);
    void *context;
} walk;

static void enter(walk *w, uint32_t node)
{
    deadlock_cycles *c = w->cycles;
    c->index[node] = c->low[node] = ++w->number;
    c->is_open[node] = 1;
    c->component[w->open++] = node;
    c->edge[w->depth] = 0;
    c->path[w->depth++] = node;
}

/* Nodes of a complete component have `low` in common, which no other component has: that of its first node. */
static void visit_component(const walk *w, const uint32_t *nodes, uint32_t size)
{
    deadlock_cycles *c = w->cycles;
    lint_flow *flow = &c->graph->flow;
    const uint32_t low = c->low[nodes[0]];
    flow->loop_number++;
    for (uint32_t i = 0; i < size; i++) {
        flow->in_loop[nodes[i]] = flow->loop_number;
        c->loop[i] = nodes[i];
    }
    if (size == 1 && !deadlock_has_edge(c->graph, nodes[0], nodes[0]))
        return;
    w->visit(w->context, c->loop, size);
    for (uint32_t i = 0; i < c->graph->loop_count; i++) {
        const deadlock_edge edge = c->graph->loops[i];
        if (!is_in_region(c, edge.latch) || !is_in_region(c, edge.head) || c->is_open[edge.latch] ||
            c->is_open[edge.head] || c->low[edge.latch] != low || c->low[edge.head] != low ||
            !deadlock_has_edge(c->graph, edge.latch, edge.head))
            continue;
        const uint32_t inner = collect_loop(c, edge, low);
        if (inner < size)
            w->visit(w->context, c->loop, inner);
    }
}

static void leave(walk *w, uint32_t node)
{
    deadlock_cycles *c = w->cycles;
    if (c->low[node] != c->index[node])
        return;
    uint32_t first = w->open;
    do {
        first--;
        c->is_open[c->component[first]] = 0;
        c->low[c->component[first]] = c->index[node];
    } while (c->component[first] != node);
    visit_component(w, &c->component[first], w->open - first);
    w->open = first;
}

void deadlock_each_cycle(deadlock_cycles *cycles, uint32_t start, uint32_t end,
                         void (*visit)(void *context, const uint32_t *loop, uint32_t size), void *context)
{
    deadlock_cycles *c = cycles;
    walk w = {.cycles = c, .visit = visit, .context = context};
    if (!mark_region(c, start, end))
        return;
    enter(&w, start);
    while (w.depth) {
        const uint32_t node = c->path[w.depth - 1];
        if (c->edge[w.depth - 1] < c->graph->next_count[node]) {
            const uint32_t to = c->graph->next[node][c->edge[w.depth - 1]++];
            if (!is_in_region(c, to))
                continue;
            if (!c->index[to])
                enter(&w, to);
            else if (c->is_open[to] && c->index[to] < c->low[node])
                c->low[node] = c->index[to];
            continue;
        }
        w.depth--;
        leave(&w, node);
        if (w.depth && c->is_open[node] && c->low[node] < c->low[c->path[w.depth - 1]])
            c->low[c->path[w.depth - 1]] = c->low[node];
    }
}
