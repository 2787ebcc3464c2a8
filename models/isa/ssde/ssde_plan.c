/* SPDX-License-Identifier: MIT */
#include "ssde_plan.h"

#include "loading.h"
#include "ssde.h"
#include "ssde_edges.h"

#include <stdlib.h>

static const isa_deadlock_options of_stack = {.divergence = ISA_DIVERGENCE_STACK};

/* ---- Switches ------------------------------------------------------------------------------------------------------- */

static int add_arrival(ssde_plan *plan, uint32_t node, uint32_t switch_index)
{
    ssde_arrival *all = realloc(plan->arrivals, (plan->arrival_count + 1) * sizeof *all);
    if (!all)
        return -1;
    uint32_t at = plan->arrival_count++;
    for (; at && all[at - 1].node > node; at--)
        all[at] = all[at - 1];
    all[at] = (ssde_arrival){node, switch_index};
    plan->arrivals = all;
    return 0;
}

static const ssde_arrival *arrival_at(const ssde_plan *plan, uint32_t node)
{
    for (uint32_t i = 0; i < plan->arrival_count; i++)
        if (plan->arrivals[i].node == node)
            return &plan->arrivals[i];
    return NULL;
}

const ssde_switch *ssde_switch_before(const ssde_plan *plan, uint32_t node)
{
    const ssde_arrival *arrival = arrival_at(plan, node);
    return arrival ? &plan->switches[arrival->switch_index] : NULL;
}

const ssde_edge *ssde_edge_at(const ssde_plan *plan, uint32_t latch, uint32_t head)
{
    for (uint32_t i = 0; i < plan->edge_count; i++)
        if (plan->edges[i].latch == latch && plan->edges[i].head == head)
            return &plan->edges[i];
    return NULL;
}

/* Returns of the function that the edge is in, to edges->back; the lowest of them. */
static uint32_t find_returns(ssde_edges *edges, const ssde_edge *edge)
{
    const deadlock_graph *graph = &edges->plan->graph;
    uint32_t first = graph->count;
    ssde_find_function(edges, edge);
    for (uint32_t i = 0; i < edges->back.size; i++)
        if (deadlock_instruction(graph, edges->back.node[i])->flags & ISA_FLAG_RETURN && edges->back.node[i] < first)
            first = edges->back.node[i];
    return first;
}

static int add_returns(ssde_edges *edges, uint32_t switch_index)
{
    const deadlock_graph *graph = &edges->plan->graph;
    for (uint32_t i = 0; i < edges->back.size; i++) {
        const uint32_t node = edges->back.node[i];
        if (deadlock_instruction(graph, node)->flags & ISA_FLAG_RETURN && !arrival_at(edges->plan, node) &&
            add_arrival(edges->plan, node, switch_index))
            return -1;
    }
    return 0;
}

static int is_return(const ssde_plan *plan, uint32_t node)
{
    return node == plan->graph.count || deadlock_instruction(&plan->graph, node)->flags & ISA_FLAG_RETURN;
}

/* A safe point that is a return instruction is the return. */
static int add_switch(ssde_edges *edges, const ssde_edge *edge, uint32_t at)
{
    ssde_plan *plan = edges->plan;
    ssde_switch *all = realloc(plan->switches, (plan->switch_count + 1) * sizeof *all);
    if (!all)
        return -1;
    plan->switches = all;
    all[plan->switch_count] = (ssde_switch){.at = at, .is_return = (uint32_t)is_return(plan, edge->safe)};
    return all[plan->switch_count].is_return ? add_returns(edges, plan->switch_count++)
                                             : add_arrival(plan, at, plan->switch_count++);
}

static int lead_to_switch(ssde_edges *edges, ssde_edge *edge)
{
    ssde_plan *plan = edges->plan;
    const uint32_t at = is_return(plan, edge->safe) ? find_returns(edges, edge) : edge->safe;
    if (!arrival_at(plan, at) && add_switch(edges, edge, at))
        return isa_fail(edges->error, edges->error_bytes, "out of memory");
    edge->switch_index = arrival_at(plan, at)->switch_index;
    ssde_switch *target = &plan->switches[edge->switch_index];
    while (edge->number < target->head_count && target->heads[edge->number] != edge->head)
        edge->number++;
    if (edge->number == SSDE_HEADS_MAX)
        return ssde_refuse(edges, edge->head, "more than %u loops would wait at one place", SSDE_HEADS_MAX);
    if (edge->number == target->head_count)
        target->heads[target->head_count++] = edge->head;
    edge->number++;
    return 0;
}

/* ---- What is left --------------------------------------------------------------------------------------------------- */

isa_deadlock_change *ssde_changes(const ssde_plan *plan, uint32_t *count)
{
    const deadlock_graph *graph = &plan->graph;
    isa_deadlock_change *changes = malloc((plan->edge_count + plan->arrival_count) * sizeof *changes);
    *count = 0;
    for (uint32_t i = 0; changes && i < plan->edge_count; i++) {
        const ssde_edge *edge = &plan->edges[i];
        changes[(*count)++] = (isa_deadlock_change){.from = deadlock_pc(graph, edge->latch),
                                                    .to = deadlock_pc(graph, edge->head),
                                                    .wait = deadlock_pc(graph, plan->switches[edge->switch_index].at)};
    }
    for (uint32_t i = 0; changes && i < plan->arrival_count; i++) {
        const ssde_switch *target = &plan->switches[plan->arrivals[i].switch_index];
        if (target->is_return)
            changes[(*count)++] = (isa_deadlock_change){.from = deadlock_pc(graph, plan->arrivals[i].node),
                                                        .to = ISA_RECONVERGE_AT_RETURN,
                                                        .wait = deadlock_pc(graph, target->at)};
    }
    return changes;
}

static int refuse_rest(const ssde_edges *edges, const isa_deadlock *left)
{
    const deadlock_graph *graph = &edges->plan->graph;
    char place[128];
    isa_program_place(graph->flow.program, left->branch, place, sizeof place);
    return ssde_refuse(edges, deadlock_node(graph, left->loop),
                       "lanes that part at %s may still wait in it for what they keep others from", place);
}

/* What is found in the program as it will be. 0 = done; to be freed in any case. */
static int find_rest(const ssde_edges *edges, isa_deadlocks *left)
{
    isa_deadlock_options options = of_stack;
    isa_deadlock_change *changes = ssde_changes(edges->plan, &options.change_count);
    *left = (isa_deadlocks){0};
    options.changes = changes;
    const int failed = !changes || isa_deadlocks_find(edges->plan->graph.flow.program, &options, left);
    free(changes);
    return failed ? isa_fail(edges->error, edges->error_bytes, "out of memory") : 0;
}

/* ---- Plan ----------------------------------------------------------------------------------------------------------- */

static int make_switches(ssde_edges *edges)
{
    ssde_plan *plan = edges->plan;
    plan->switch_count = plan->arrival_count = 0;
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        plan->edges[i].number = 0;
        if (ssde_may_change(edges, &plan->edges[i]) || lead_to_switch(edges, &plan->edges[i]))
            return -1;
    }
    return 0;
}

/* Those who wait at a safe point may be waited for in other loops before it: these are changed too, until nothing is left. */
static int fill(ssde_edges *edges, isa_deadlocks *left)
{
    while (left->count) {
        edges->changed = 0;
        if (ssde_add_edges(edges, left))
            return -1;
        if (!edges->changed)
            return refuse_rest(edges, left->found);
        isa_deadlocks_free(left);
        if (make_switches(edges) || find_rest(edges, left))
            return -1;
    }
    return 0;
}

int ssde_plan_make(ssde_plan *plan, const isa_program *program, char *error, size_t error_bytes)
{
    isa_deadlocks deadlocks;
    ssde_edges edges;
    *plan = (ssde_plan){0};
    if (deadlock_graph_open(&plan->graph, program, NULL, 0) || isa_deadlocks_find(program, &of_stack, &deadlocks))
        return isa_fail(error, error_bytes, "out of memory");
    int failed = ssde_edges_open(&edges, plan, error, error_bytes);
    if (failed)
        isa_fail(error, error_bytes, "out of memory");
    else
        failed = fill(&edges, &deadlocks);
    ssde_edges_close(&edges);
    isa_deadlocks_free(&deadlocks);
    return failed ? -1 : 0;
}

void ssde_plan_free(ssde_plan *plan)
{
    deadlock_graph_close(&plan->graph);
    free(plan->edges);
    free(plan->switches);
    free(plan->arrivals);
}

static int list_loops(const ssde_plan *plan, isa_ssde_loop **loops, char *error, size_t error_bytes)
{
    *loops = malloc((plan->edge_count + 1) * sizeof **loops);
    for (uint32_t i = 0; *loops && i < plan->edge_count; i++) {
        const ssde_edge *edge = &plan->edges[i];
        (*loops)[i] = (isa_ssde_loop){.latch = deadlock_pc(&plan->graph, edge->latch),
                                      .head = deadlock_pc(&plan->graph, edge->head),
                                      .safe = deadlock_pc(&plan->graph, plan->switches[edge->switch_index].at)};
    }
    return *loops ? 0 : isa_fail(error, error_bytes, "out of memory");
}

int isa_ssde_loops(const isa_program *program, isa_ssde_loop **loops, uint32_t *count, char *error, size_t error_bytes)
{
    ssde_plan plan;
    *loops = NULL;
    int failed = ssde_plan_make(&plan, program, error, error_bytes);
    if (!failed)
        failed = list_loops(&plan, loops, error, error_bytes);
    *count = failed ? 0 : plan.edge_count;
    ssde_plan_free(&plan);
    return failed;
}
