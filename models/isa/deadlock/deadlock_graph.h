/* SPDX-License-Identifier: MIT */
/* What the search for deadlocks knows of the code before it asks of branches: edges, loops, post-dominators. */
#ifndef ISA_DEADLOCK_GRAPH_H
#define ISA_DEADLOCK_GRAPH_H

#include "deadlock.h"
#include "lint_flow.h"

typedef struct deadlock_edge {
    uint32_t latch;
    uint32_t head;
} deadlock_edge;

/* A node is a word of text; node `count` is the return. */
typedef struct deadlock_graph {
    lint_flow flow;
    uint32_t count;
    uint32_t (*next)[2]; /* without the edges back of compare-and-swaps made of lr and sc */
    uint8_t *next_count;
    uint32_t *post_dominator; /* nearest other node that all paths to the return cross; > count: none */
    const uint32_t *meetings; /* pcs by node, table "reconvergence" */
    uint32_t *own_meetings;   /* of a program that does not have it */
    deadlock_edge *loops;     /* backward edges whose head all paths from the entry to the latch cross */
    uint32_t loop_count;
    uint32_t *list; /* [count]: a walk's */
} deadlock_graph;

/* 0 = done; to be closed in any case. */
int deadlock_graph_open(deadlock_graph *graph, const isa_program *program);
void deadlock_graph_close(deadlock_graph *graph);

static inline const isa_instruction *deadlock_instruction(const deadlock_graph *graph, uint32_t node)
{
    return lint_instruction(&graph->flow, node);
}

static inline int deadlock_parts(const deadlock_graph *graph, uint32_t node)
{
    return graph->next_count[node] == 2 && graph->next[node][0] != graph->next[node][1];
}

static inline int deadlock_has_edge(const deadlock_graph *graph, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < graph->next_count[from]; i++)
        if (graph->next[from][i] == to)
            return 1;
    return 0;
}

static inline uint32_t deadlock_pc(const deadlock_graph *graph, uint32_t node)
{
    return graph->flow.program->text_address + 4 * node;
}

/* Node where lanes that part at this one meet again; `count`: at the return. */
uint32_t deadlock_meeting(const deadlock_graph *graph, uint32_t node);

#endif
