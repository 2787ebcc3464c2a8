/* SPDX-License-Identifier: MIT */
/* Immediate post-dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), backwards. */
#include "control_flow.h"

#include <stdlib.h>

typedef struct dominance {
    const isa_graph *graph;
    isa_graph reverse;
    uint32_t *order;    /* nodes in postorder of the reverse graph from exit */
    uint32_t *position; /* node -> index in order */
    uint32_t *stack;
    uint32_t *next; /* next edge to follow */
    uint32_t count;
} dominance;

static int reverse_graph(const isa_graph *graph, isa_graph *reverse)
{
    uint32_t nodes = graph->node_count;
    uint32_t edges = graph->first[nodes];
    *reverse = (isa_graph){
        .node_count = nodes,
        .first = calloc((size_t)nodes + 2, sizeof *reverse->first),
        .target = malloc(((size_t)edges + 1) * sizeof *reverse->target),
    };
    if (!reverse->first || !reverse->target)
        return -1;
    /* Counted two places on, so that filling moves each start to where it belongs. */
    for (uint32_t edge = 0; edge < edges; edge++)
        reverse->first[graph->target[edge] + 2]++;
    for (uint32_t node = 2; node < nodes + 2; node++)
        reverse->first[node] += reverse->first[node - 1];
    for (uint32_t node = 0; node < nodes; node++)
        for (uint32_t edge = graph->first[node]; edge < graph->first[node + 1]; edge++)
            reverse->target[reverse->first[graph->target[edge] + 1]++] = node;
    return 0;
}

static void number_nodes(dominance *d, uint32_t exit)
{
    const isa_graph *reverse = &d->reverse;
    uint32_t depth = 0;
    for (uint32_t node = 0; node < reverse->node_count; node++) {
        d->position[node] = ISA_NO_NODE;
        d->next[node] = ISA_NO_NODE;
    }
    d->stack[depth++] = exit;
    d->next[exit] = reverse->first[exit];
    while (depth) {
        uint32_t node = d->stack[depth - 1];
        if (d->next[node] == reverse->first[node + 1]) {
            d->position[node] = d->count;
            d->order[d->count++] = node;
            depth--;
            continue;
        }
        uint32_t before = reverse->target[d->next[node]++];
        if (d->next[before] == ISA_NO_NODE) {
            d->next[before] = reverse->first[before];
            d->stack[depth++] = before;
        }
    }
}

static uint32_t intersect(const dominance *d, const uint32_t *immediate, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (d->position[a] < d->position[b])
            a = immediate[a];
        while (d->position[b] < d->position[a])
            b = immediate[b];
    }
    return a;
}

static uint32_t meet_of_successors(const dominance *d, const uint32_t *immediate, uint32_t node)
{
    uint32_t meet = ISA_NO_NODE;
    for (uint32_t edge = d->graph->first[node]; edge < d->graph->first[node + 1]; edge++) {
        uint32_t successor = d->graph->target[edge];
        if (immediate[successor] == ISA_NO_NODE)
            continue;
        meet = meet == ISA_NO_NODE ? successor : intersect(d, immediate, meet, successor);
    }
    return meet;
}

static void solve(const dominance *d, uint32_t exit, uint32_t *immediate)
{
    int changed = 1;
    for (uint32_t node = 0; node < d->graph->node_count; node++)
        immediate[node] = ISA_NO_NODE;
    immediate[exit] = exit;
    while (changed) {
        changed = 0;
        for (uint32_t i = d->count - 1; i-- > 0;) {
            uint32_t node = d->order[i];
            uint32_t meet = meet_of_successors(d, immediate, node);
            changed |= immediate[node] != meet;
            immediate[node] = meet;
        }
    }
    immediate[exit] = ISA_NO_NODE;
}

int isa_post_dominators(const isa_graph *graph, uint32_t exit, uint32_t *immediate)
{
    size_t nodes = graph->node_count;
    dominance d = {.graph = graph};
    int failed = reverse_graph(graph, &d.reverse);
    uint32_t *numbers = malloc(4 * nodes * sizeof *numbers);
    if (!failed && numbers) {
        d.order = numbers;
        d.position = numbers + nodes;
        d.stack = numbers + 2 * nodes;
        d.next = numbers + 3 * nodes;
        number_nodes(&d, exit);
        solve(&d, exit, immediate);
    }
    failed |= !numbers;
    free(numbers);
    free(d.reverse.first);
    free(d.reverse.target);
    return failed ? -1 : 0;
}
