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
    uint32_t (*whole)[2]; /* where changed edges really lead, of next_count without changes; next if there are none */
    uint8_t *whole_count;
    uint32_t *post_dominator; /* nearest other node that all paths to the return cross; > count: none */
    const uint32_t *meetings; /* pcs by node, table "reconvergence"; with changes, as these make them */
    uint32_t *own_meetings;   /* of a program that does not have it, or if there are changes */
    deadlock_edge *loops;     /* backward edges whose head all paths from the entry to the latch cross */
    uint32_t loop_count;
    uint32_t *list; /* [count]: a walk's */
} deadlock_graph;

/* With changes: where lanes meet is that of code in which changed edges, and returns, lead to where their lanes wait. 0 = done; to be
 * closed in any case. */
int deadlock_graph_open(deadlock_graph *graph, const isa_program *program, const isa_deadlock_change *changes,
                        uint32_t change_count);
void deadlock_graph_close(deadlock_graph *graph);

static inline const isa_instruction *deadlock_instruction(const deadlock_graph *graph, uint32_t node)
{
    return lint_instruction(&graph->flow, node);
}

static inline int deadlock_parts(const deadlock_graph *graph, uint32_t node)
{
    return graph->next_count[node] == 2 && graph->next[node][0] != graph->next[node][1];
}

/* Does the whole warp, or block, come together here? */
static inline int deadlock_stops_warp(const deadlock_graph *graph, uint32_t node)
{
    const uint32_t class = deadlock_instruction(graph, node)->instruction_class;
    return class == ISA_CLASS_BARRIER || class == ISA_CLASS_WARP_SYNC;
}

/* Without changes. */
static inline int deadlock_parts_wholly(const deadlock_graph *graph, uint32_t node)
{
    return graph->whole_count[node] == 2 && graph->whole[node][0] != graph->whole[node][1];
}

static inline int deadlock_has_edge(const deadlock_graph *graph, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < graph->next_count[from]; i++)
        if (graph->next[from][i] == to)
            return 1;
    return 0;
}

static inline uint32_t deadlock_node(const deadlock_graph *graph, uint32_t pc)
{
    return pc == ISA_RECONVERGE_AT_RETURN ? graph->count : (pc - graph->flow.program->text_address) / 4;
}

static inline uint32_t deadlock_pc(const deadlock_graph *graph, uint32_t node)
{
    return graph->flow.program->text_address + 4 * node;
}

/* How lanes of one side of a branch that meet at this node get there: those who wait there for the others are there, but those
 * who wait before another place go round all the same. */
void deadlock_graph_meet_at(deadlock_graph *graph, uint32_t meeting, const isa_deadlock_change *changes,
                            uint32_t change_count);

/* Node where lanes that part at this one meet again; `count`: at the return. */
uint32_t deadlock_meeting(const deadlock_graph *graph, uint32_t node);

#endif
