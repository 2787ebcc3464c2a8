/* SPDX-License-Identifier: MIT */
#include "deadlock_graph.h"

#include "control_flow_graph.h"
#include "reservations.h"

#include <stdlib.h>
#include <string.h>

uint32_t deadlock_meeting(const deadlock_graph *graph, uint32_t node)
{
    return deadlock_node(graph, graph->meetings[node]);
}

/*
 * Does the edge from this branch back to an lr retry one compare-and-swap? Between the two stand one sc to the address of the lr,
 * which the register holds all the time, and neither another access nor anything that waits. Then each turn lets one lane
 * through, as of several lanes that store one succeeds.
 */
static int is_retry(const deadlock_graph *graph, uint32_t latch, uint32_t head)
{
    const isa_instruction *branch = deadlock_instruction(graph, latch), *first = deadlock_instruction(graph, head);
    uint32_t result = ISA_NO_REGISTER;
    if (branch->operation != ISA_OP_BNE || branch->rs2 != 0 || head >= latch || latch - head >= ISA_RESERVATION_MAX ||
        first->operation != ISA_OP_LR_W || first->rd == first->rs1)
        return 0;
    for (uint32_t node = head + 1; node < latch; node++) {
        const isa_instruction *between = deadlock_instruction(graph, node);
        if (between->writes >> first->rs1 & 1)
            return 0;
        if (between->operation == ISA_OP_SC_W && between->rs1 == first->rs1 && result == ISA_NO_REGISTER)
            result = between->rd;
        else if (!isa_may_be_reserved(between))
            return 0;
        else if (result != ISA_NO_REGISTER && between->writes >> result & 1)
            return 0;
    }
    return result != ISA_NO_REGISTER && result == branch->rs1;
}

static void link_nodes(deadlock_graph *graph)
{
    for (uint32_t node = 0; node < graph->count; node++) {
        uint32_t found[2], kept = 0;
        const uint32_t count = graph->flow.program->reachable[node] ? lint_successors(&graph->flow, node, found) : 0;
        for (uint32_t i = 0; i < count; i++)
            if (!is_retry(graph, node, found[i]))
                graph->next[node][kept++] = found[i];
        graph->next_count[node] = (uint8_t)kept;
    }
}

typedef struct edge_list {
    deadlock_graph *graph;
    uint32_t capacity;
    int failed;
} edge_list;

static void add_edge(void *context, uint32_t latch, uint32_t head)
{
    edge_list *list = context;
    deadlock_graph *graph = list->graph;
    if (list->failed || !deadlock_has_edge(graph, latch, head))
        return;
    if (graph->loop_count == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        deadlock_edge *loops = realloc(graph->loops, list->capacity * sizeof *loops);
        list->failed = !loops;
        if (!loops)
            return;
        graph->loops = loops;
    }
    graph->loops[graph->loop_count++] = (deadlock_edge){latch, head};
}

/* No path from an entry leads to the latch past the head. */
static int closes_loop(deadlock_graph *graph, deadlock_edge edge)
{
    lint_flow *flow = &graph->flow;
    uint32_t depth = 0;
    flow->walk++;
    flow->visited[edge.head] = flow->visited[edge.latch] = flow->walk;
    if (edge.latch != edge.head)
        flow->stack[depth++] = edge.latch;
    while (depth) {
        const uint32_t node = flow->stack[--depth];
        if (flow->entry[node])
            return 0;
        for (uint32_t i = flow->first[node]; i < flow->first[node + 1]; i++) {
            const uint32_t before = flow->before[i];
            if (flow->visited[before] == flow->walk)
                continue;
            flow->visited[before] = flow->walk;
            flow->stack[depth++] = before;
        }
    }
    return 1;
}

static void keep_loops(deadlock_graph *graph)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < graph->loop_count; i++)
        if (closes_loop(graph, graph->loops[i]))
            graph->loops[kept++] = graph->loops[i];
    graph->loop_count = kept;
}

static int find_post_dominators(deadlock_graph *graph)
{
    char error[16];
    const control_flow flow = flow_of_program(graph->flow.program, error, sizeof error);
    isa_graph edges;
    uint32_t *entered;
    int failed = flow_build_graph(&flow, &edges, &entered);
    if (!failed) {
        graph->post_dominator = malloc((size_t)edges.node_count * sizeof *graph->post_dominator);
        failed = !graph->post_dominator || isa_post_dominators(&edges, graph->count, graph->post_dominator);
    }
    free(entered);
    free(edges.first);
    free(edges.target);
    return failed;
}

/* ---- Changes -------------------------------------------------------------------------------------------------------- */

static void change_targets(const deadlock_graph *graph, const isa_graph *edges, const isa_deadlock_change *change)
{
    const uint32_t from = deadlock_node(graph, change->from);
    for (uint32_t i = edges->first[from]; change->from != change->wait && i < edges->first[from + 1]; i++)
        if (edges->target[i] == deadlock_node(graph, change->to))
            edges->target[i] = deadlock_node(graph, change->wait);
}

/* Nodes above the return stand for entering a cycle once more. */
static uint32_t pc_of_point(const deadlock_graph *graph, const uint32_t *entered, uint32_t point)
{
    if (point == graph->count || point == ISA_NO_NODE)
        return ISA_RECONVERGE_AT_RETURN;
    return deadlock_pc(graph, point < graph->count ? point : entered[point - graph->count - 1]);
}

static int find_changed_meetings(deadlock_graph *graph, const isa_deadlock_change *changes, uint32_t change_count)
{
    char error[16];
    const control_flow flow = flow_of_program(graph->flow.program, error, sizeof error);
    isa_graph edges;
    uint32_t *entered, *point = NULL;
    int failed = flow_build_graph(&flow, &edges, &entered);
    for (uint32_t i = 0; !failed && i < change_count; i++)
        change_targets(graph, &edges, &changes[i]);
    if (!failed) {
        free(graph->own_meetings);
        point = malloc((size_t)edges.node_count * sizeof *point);
        graph->meetings = graph->own_meetings = malloc(graph->count * sizeof *graph->own_meetings);
        failed = !point || !graph->own_meetings || isa_post_dominators(&edges, graph->count, point);
    }
    for (uint32_t node = 0; !failed && node < graph->count; node++)
        graph->own_meetings[node] = pc_of_point(graph, entered, point[node]);
    free(point);
    free(entered);
    free(edges.first);
    free(edges.target);
    return failed;
}

void deadlock_graph_meet_at(deadlock_graph *graph, uint32_t meeting, const isa_deadlock_change *changes,
                            uint32_t change_count)
{
    for (uint32_t i = 0; i < change_count; i++) {
        const uint32_t from = deadlock_node(graph, changes[i].from), wait = deadlock_node(graph, changes[i].wait);
        for (uint32_t k = 0; k < graph->whole_count[from]; k++)
            if (graph->whole[from][k] == deadlock_node(graph, changes[i].to))
                graph->next[from][k] = wait == meeting ? wait : graph->whole[from][k];
        if (changes[i].to == ISA_RECONVERGE_AT_RETURN && from != wait) {
            graph->next[from][0] = wait;
            graph->next_count[from] = 1;
        }
    }
}

static int keep_whole_edges(deadlock_graph *graph)
{
    graph->whole = malloc(graph->count * sizeof *graph->whole);
    graph->whole_count = malloc(graph->count);
    if (!graph->whole || !graph->whole_count)
        return -1;
    memcpy(graph->whole, graph->next, graph->count * sizeof *graph->whole);
    memcpy(graph->whole_count, graph->next_count, graph->count);
    return 0;
}

/* ---- All of it ------------------------------------------------------------------------------------------------------ */

static int find_edges(deadlock_graph *graph)
{
    link_nodes(graph);
    edge_list list = {.graph = graph};
    if (lint_each_back_edge(&graph->flow, add_edge, &list) || list.failed)
        return -1;
    keep_loops(graph);
    return 0;
}

int deadlock_graph_open(deadlock_graph *graph, const isa_program *program, const isa_deadlock_change *changes,
                        uint32_t change_count)
{
    *graph = (deadlock_graph){.count = program->text_bytes / 4};
    if (lint_flow_open(&graph->flow, program))
        return -1;
    graph->next = malloc(graph->count * sizeof *graph->next);
    graph->next_count = malloc(graph->count);
    graph->list = malloc(graph->count * sizeof *graph->list);
    if (!graph->next || !graph->next_count || !graph->list ||
        lint_find_meetings(program, &graph->meetings, &graph->own_meetings) || find_post_dominators(graph) ||
        find_edges(graph))
        return -1;
    if (change_count)
        return keep_whole_edges(graph) || find_changed_meetings(graph, changes, change_count) ? -1 : 0;
    graph->whole = graph->next;
    graph->whole_count = graph->next_count;
    return 0;
}

void deadlock_graph_close(deadlock_graph *graph)
{
    lint_flow_close(&graph->flow);
    if (graph->whole != graph->next)
        free(graph->whole);
    if (graph->whole_count != graph->next_count)
        free(graph->whole_count);
    free(graph->next);
    free(graph->next_count);
    free(graph->post_dominator);
    free(graph->own_meetings);
    free(graph->loops);
    free(graph->list);
}
