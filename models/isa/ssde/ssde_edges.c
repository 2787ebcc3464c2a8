/* SPDX-License-Identifier: MIT */
#include "ssde_edges.h"

#include "loading.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_BYTES 128u

int ssde_edges_open(ssde_edges *edges, ssde_plan *plan, char *error, size_t error_bytes)
{
    *edges = (ssde_edges){.plan = plan, .error = error, .error_bytes = error_bytes};
    const int failed = deadlock_cycles_open(&edges->cycles, &plan->graph);
    return ssde_region_open(&edges->walk, &plan->graph) | ssde_region_open(&edges->back, &plan->graph) | failed;
}

void ssde_edges_close(ssde_edges *edges)
{
    deadlock_cycles_close(&edges->cycles);
    ssde_region_close(&edges->walk);
    ssde_region_close(&edges->back);
}

int ssde_refuse(const ssde_edges *edges, uint32_t loop, const char *format, ...)
{
    char place[PLACE_BYTES], what[2 * PLACE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    isa_program_place(edges->plan->graph.flow.program, deadlock_pc(&edges->plan->graph, loop), place, sizeof place);
    return isa_fail(edges->error, edges->error_bytes, "ssde: the loop at %s: %s", place, what);
}

/* ---- Safe points ---------------------------------------------------------------------------------------------------- */

static uint32_t other_side(const deadlock_graph *graph, uint32_t branch, uint32_t side)
{
    return graph->next[branch][0] == side ? graph->next[branch][1] : graph->next[branch][0];
}

static int leaves_loop(const deadlock_graph *graph, const isa_deadlock *deadlock, uint32_t node)
{
    for (uint32_t i = 0; i < graph->next_count[node]; i++) {
        uint32_t at = 0;
        while (at < deadlock->body_count && deadlock_node(graph, deadlock->body[at]) != graph->next[node][i])
            at++;
        if (at == deadlock->body_count)
            return 1;
    }
    return 0;
}

/* Behind what keeps lanes from the writes: branches on the way to them, round loops too. */
static uint32_t behind_the_ways(ssde_edges *edges, const isa_deadlock *deadlock, uint32_t safe)
{
    const deadlock_graph *graph = &edges->plan->graph;
    const uint32_t branch = deadlock_node(graph, deadlock->branch);
    ssde_region_clear(&edges->walk);
    ssde_region_clear(&edges->back);
    ssde_region_add(&edges->walk, other_side(graph, branch, deadlock_node(graph, deadlock->side)));
    ssde_region_reach(&edges->walk, graph->count, 0);
    for (uint32_t i = 0; i < deadlock->write_count; i++)
        ssde_region_add(&edges->back, deadlock_node(graph, deadlock->writes[i]));
    const uint32_t writes = edges->back.size;
    ssde_region_reach_back(&edges->back, &edges->walk);
    for (uint32_t i = writes; i < edges->back.size; i++)
        if (deadlock_parts(graph, edges->back.node[i]))
            safe = ssde_common(graph, safe, deadlock_meeting(graph, edges->back.node[i]));
    return safe;
}

static uint32_t safe_point_of(ssde_edges *edges, const isa_deadlock *deadlock)
{
    const deadlock_graph *graph = &edges->plan->graph;
    uint32_t safe = deadlock_node(graph, deadlock->meeting);
    for (uint32_t i = 0; i < deadlock->body_count; i++) {
        const uint32_t node = deadlock_node(graph, deadlock->body[i]);
        if (deadlock_parts(graph, node) && leaves_loop(graph, deadlock, node))
            safe = ssde_common(graph, safe, deadlock_meeting(graph, node));
    }
    for (uint32_t i = 0; i < deadlock->write_count; i++)
        safe = ssde_common(graph, safe, deadlock_node(graph, deadlock->writes[i]) + 1);
    return behind_the_ways(edges, deadlock, safe);
}

/* ---- Edges ---------------------------------------------------------------------------------------------------------- */

static int has_pc(const uint32_t *pcs, uint32_t count, uint32_t pc)
{
    for (uint32_t i = 0; i < count; i++)
        if (pcs[i] == pc)
            return 1;
    return 0;
}

static int waits_by(ssde_edges *edges, const isa_deadlock *deadlock, deadlock_edge edge)
{
    const deadlock_graph *graph = &edges->plan->graph;
    if (!has_pc(deadlock->body, deadlock->body_count, deadlock_pc(graph, edge.latch)) ||
        !has_pc(deadlock->body, deadlock->body_count, deadlock_pc(graph, edge.head)))
        return 0;
    const uint32_t size = deadlock_loop_of(&edges->cycles, edge);
    for (uint32_t i = 0; i < size; i++)
        if (has_pc(deadlock->reads, deadlock->read_count, deadlock_pc(graph, edges->cycles.loop[i])))
            return 1;
    return 0;
}

static int add_edge(ssde_edges *edges, deadlock_edge edge, uint32_t safe)
{
    ssde_plan *plan = edges->plan;
    for (uint32_t i = 0; i < plan->edge_count; i++)
        if (plan->edges[i].latch == edge.latch && plan->edges[i].head == edge.head) {
            safe = ssde_common(&plan->graph, plan->edges[i].safe, safe);
            edges->changed |= safe != plan->edges[i].safe;
            plan->edges[i].safe = safe;
            return 0;
        }
    edges->changed = 1;
    ssde_edge *all = realloc(plan->edges, (plan->edge_count + 1) * sizeof *all);
    if (!all)
        return isa_fail(edges->error, edges->error_bytes, "out of memory");
    plan->edges = all;
    all[plan->edge_count++] = (ssde_edge){.latch = edge.latch, .head = edge.head, .safe = safe};
    return 0;
}

static int add_edges_of(ssde_edges *edges, const isa_deadlock *deadlock)
{
    const deadlock_graph *graph = &edges->plan->graph;
    const uint32_t safe = safe_point_of(edges, deadlock);
    uint32_t found = 0;
    for (uint32_t i = 0; i < graph->loop_count; i++) {
        if (!waits_by(edges, deadlock, graph->loops[i]))
            continue;
        found++;
        if (add_edge(edges, graph->loops[i], safe))
            return -1;
    }
    return found ? 0
                 : ssde_refuse(edges, deadlock_node(graph, deadlock->loop),
                               "it can be entered at several places, so there is no edge to change");
}

/* ---- Conflicts ------------------------------------------------------------------------------------------------------ */

void ssde_find_between(ssde_edges *edges, const ssde_edge *edge)
{
    const deadlock_graph *graph = &edges->plan->graph;
    const uint32_t size = deadlock_loop_of(&edges->cycles, (deadlock_edge){edge->latch, edge->head});
    ssde_region_clear(&edges->back);
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t node = edges->cycles.loop[i];
        for (uint32_t k = 0; k < graph->next_count[node]; k++)
            if (!lint_in_loop(&graph->flow, graph->next[node][k]) && graph->next[node][k] != edge->safe)
                ssde_region_add(&edges->back, graph->next[node][k]);
    }
    ssde_region_reach(&edges->back, edge->safe, 1);
}

void ssde_find_function(ssde_edges *edges, const ssde_edge *edge)
{
    const lint_flow *flow = &edges->plan->graph.flow;
    ssde_region_clear(&edges->back);
    ssde_region_add(&edges->back, edge->head);
    for (uint32_t i = 0; i < edges->back.size; i++)
        for (uint32_t at = flow->first[edges->back.node[i]]; at < flow->first[edges->back.node[i] + 1]; at++)
            ssde_region_add(&edges->back, flow->before[at]);
    ssde_region_reach(&edges->back, edges->plan->graph.count, 1);
}

/* Nobody waits for those who wait behind him: a loop in or behind this one takes its safe point along. */
static int take_along(ssde_edges *edges, ssde_edge *edge)
{
    const ssde_plan *plan = edges->plan;
    uint32_t safe = edge->safe;
    ssde_find_between(edges, edge);
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        const ssde_edge *other = &plan->edges[i];
        if (lint_in_loop(&plan->graph.flow, other->latch) || edges->back.has[other->latch])
            safe = ssde_common(&plan->graph, safe, other->safe);
    }
    const int changed = safe != edge->safe;
    edge->safe = safe;
    return changed;
}

static int compare(const void *a, const void *b)
{
    const ssde_edge *x = a, *y = b;
    if (x->latch != y->latch)
        return x->latch > y->latch ? 1 : -1;
    return (x->head > y->head) - (x->head < y->head);
}

int ssde_add_edges(ssde_edges *edges, const isa_deadlocks *deadlocks)
{
    ssde_plan *plan = edges->plan;
    int changed = 1;
    for (uint32_t i = 0; i < deadlocks->count; i++)
        if (add_edges_of(edges, &deadlocks->found[i]))
            return -1;
    while (changed) {
        changed = 0;
        for (uint32_t i = 0; i < plan->edge_count; i++)
            changed |= take_along(edges, &plan->edges[i]);
    }
    if (plan->edge_count)
        qsort(plan->edges, plan->edge_count, sizeof *plan->edges, compare);
    return 0;
}
