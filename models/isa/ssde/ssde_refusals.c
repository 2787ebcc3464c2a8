/* SPDX-License-Identifier: MIT */
/* What forbids that lanes wait for each other elsewhere (ElTantawy 2018 §4.2.3). */
#include "ssde_edges.h"

#define PLACE_BYTES 128u

static int is_call(const isa_instruction *instruction)
{
    return instruction->flags & ISA_FLAG_CALL;
}

static int jumps_by_register(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_JUMP_REGISTER &&
           !(instruction->flags & (ISA_FLAG_CALL | ISA_FLAG_RETURN | ISA_FLAG_RECOVERED));
}

/* What the warp does together there; NULL: nothing. */
static const char *done_together(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_BARRIER: return "a barrier";
    case ISA_CLASS_WARP_SYNC: return "a warp.sync";
    case ISA_CLASS_CROSS_LANE: return "a vote or shuffle";
    default: return NULL;
    }
}

static int refuse_at(const ssde_edges *edges, const ssde_edge *edge, const char *what, uint32_t node, const char *why)
{
    const deadlock_graph *graph = &edges->plan->graph;
    char place[PLACE_BYTES];
    isa_program_place(graph->flow.program, deadlock_pc(graph, node), place, sizeof place);
    return ssde_refuse(edges, edge->head, "%s at %s %s", what, place, why);
}

/* Called code is put behind what lies between, once each, and looked at likewise. */
static int look_between(ssde_edges *edges, const ssde_edge *edge)
{
    const deadlock_graph *graph = &edges->plan->graph;
    ssde_find_between(edges, edge);
    for (uint32_t i = 0; i < edges->back.size; i++) {
        const uint32_t node = edges->back.node[i];
        const isa_instruction *instruction = deadlock_instruction(graph, node);
        const char *together = done_together(instruction);
        uint32_t target;
        if (together)
            return refuse_at(edges, edge, together, node, "comes before the place where its lanes would wait");
        if (!is_call(instruction))
            continue;
        if (!isa_jump_target(graph->flow.program, deadlock_pc(graph, node), &target))
            return refuse_at(edges, edge, "a call through a register", node,
                             "comes before the place where its lanes would wait");
        ssde_region_add(&edges->back, deadlock_node(graph, target));
        ssde_region_reach(&edges->back, edge->safe, 1);
    }
    return 0;
}

static int look_at_function(ssde_edges *edges, const ssde_edge *edge)
{
    const deadlock_graph *graph = &edges->plan->graph;
    int returns = 0;
    ssde_find_function(edges, edge);
    for (uint32_t i = 0; i < edges->back.size; i++) {
        const isa_instruction *instruction = deadlock_instruction(graph, edges->back.node[i]);
        if (jumps_by_register(instruction))
            return refuse_at(edges, edge, "a jump by a register", edges->back.node[i], "may lead anywhere");
        returns |= instruction->flags & ISA_FLAG_RETURN;
    }
    return edge->safe != graph->count || returns
               ? 0
               : ssde_refuse(edges, edge->head, "its lanes could only wait at the return, and there is none");
}

/* Does some way to this node begin a transaction and not end it? */
static int is_in_transaction(ssde_edges *edges, uint32_t node)
{
    const lint_flow *flow = &edges->plan->graph.flow;
    ssde_region_clear(&edges->back);
    ssde_region_add(&edges->back, node);
    for (uint32_t i = 0; i < edges->back.size; i++)
        for (uint32_t at = flow->first[edges->back.node[i]]; at < flow->first[edges->back.node[i] + 1]; at++) {
            const uint32_t before = flow->before[at];
            if (lint_instruction(flow, before)->operation == ISA_OP_TX_BEGIN)
                return 1;
            if (lint_instruction(flow, before)->operation != ISA_OP_TX_COMMIT)
                ssde_region_add(&edges->back, before);
        }
    return 0;
}

/* A transaction is begun and ended by all of its lanes together. */
static int look_at_transactions(ssde_edges *edges, const ssde_edge *edge)
{
    const deadlock_graph *graph = &edges->plan->graph;
    if (is_in_transaction(edges, edge->latch))
        return ssde_refuse(edges, edge->head, "it is in a transaction");
    if (edge->safe < graph->count && is_in_transaction(edges, edge->safe))
        return refuse_at(edges, edge, "the place where its lanes would wait,", edge->safe, "is in a transaction");
    return 0;
}

int ssde_may_change(ssde_edges *edges, const ssde_edge *edge)
{
    return look_at_function(edges, edge) || look_between(edges, edge) || look_at_transactions(edges, edge) ? -1 : 0;
}
