/* SPDX-License-Identifier: MIT */
#include "deadlock_search.h"

#include <stdlib.h>
#include <string.h>

static int leaves(const deadlock_search *s, uint32_t node)
{
    const deadlock_graph *graph = &s->graph;
    for (uint32_t i = 0; i < graph->whole_count[node]; i++)
        if (!lint_in_loop(&graph->flow, graph->whole[node][i]))
            return 1;
    return 0;
}

static int is_branch(const deadlock_search *s, uint32_t node)
{
    return deadlock_instruction(&s->graph, node)->instruction_class == ISA_CLASS_BRANCH;
}

/* Of the loop that is marked: the branches that leave it, and `also`, explained. */
static void explain_end(deadlock_search *s, const uint32_t *loop, uint32_t size, uint32_t also, int in_loop)
{
    deadlock_slice_begin(&s->slice);
    for (uint32_t i = 0; i < size; i++)
        if (is_branch(s, loop[i]) && deadlock_parts_wholly(&s->graph, loop[i]) &&
            (loop[i] == also || leaves(s, loop[i])))
            deadlock_slice_add(&s->slice, loop[i]);
    deadlock_slice_complete(&s->slice, &s->memory, loop, size, in_loop);
}

static void find_reads(deadlock_search *s)
{
    s->read_count = 0;
    for (uint32_t i = 0; i < s->slice.count; i++)
        if (deadlock_reads_shared(&s->memory, s->slice.node[i]))
            s->reads[s->read_count++] = s->slice.node[i];
    if (s->read_count)
        qsort(s->reads, s->read_count, sizeof *s->reads, deadlock_ascending);
}

static uint32_t start_of_others(const deadlock_search *s)
{
    return s->options->divergence == ISA_DIVERGENCE_STACK ? s->other : s->meeting;
}

int deadlock_is_awaited(deadlock_search *s, uint32_t read, uint32_t write)
{
    return deadlock_may_meet(&s->memory, read, write) &&
           (s->options->keep_own_locks || !deadlock_waits_for_lock(&s->locks, &s->slice, read) ||
            !deadlock_frees_nothing(&s->locks, start_of_others(s), write));
}

/* Shared writes in what is reached from where the others are kept, up to barriers. */
static void find_blocked(deadlock_search *s)
{
    const deadlock_graph *graph = &s->graph;
    const uint32_t start = start_of_others(s);
    uint32_t size = 0;
    if (s->has_blocked)
        return;
    s->has_blocked = 1;
    s->blocked_count = 0;
    s->walk++;
    if (start >= graph->count)
        return;
    s->reached[start] = s->walk;
    graph->list[size++] = start;
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t node = graph->list[i];
        if (deadlock_stops_warp(graph, node))
            continue;
        if (deadlock_writes_shared(&s->memory, node))
            s->blocked[s->blocked_count++] = node;
        for (uint32_t k = 0; k < graph->whole_count[node]; k++) {
            const uint32_t to = graph->whole[node][k];
            if (s->reached[to] == s->walk)
                continue;
            s->reached[to] = s->walk;
            graph->list[size++] = to;
        }
    }
    if (s->blocked_count)
        qsort(s->blocked, s->blocked_count, sizeof *s->blocked, deadlock_ascending);
}

static void mark_found_loops(deadlock_search *s)
{
    for (uint32_t i = 0; i < s->graph.loop_count; i++)
        s->is_found[i] |= lint_in_loop(&s->graph.flow, s->graph.loops[i].latch) &&
                          lint_in_loop(&s->graph.flow, s->graph.loops[i].head);
}

static uint32_t add_to_body(deadlock_search *s, uint32_t node, uint32_t size)
{
    if (lint_in_loop(&s->graph.flow, node))
        return size;
    s->graph.flow.in_loop[node] = s->graph.flow.loop_number;
    s->body[size] = node;
    return size + 1;
}

/* Puts the loop of a changed edge, whose head is there, into the body. Returns its new size. */
static uint32_t add_loop(deadlock_search *s, const isa_deadlock_change *change, uint32_t size)
{
    const lint_flow *flow = &s->graph.flow;
    uint32_t i = size;
    size = add_to_body(s, deadlock_node(&s->graph, change->from), size);
    for (; i < size; i++)
        for (uint32_t at = flow->first[s->body[i]]; at < flow->first[s->body[i] + 1]; at++)
            size = add_to_body(s, flow->before[at], size);
    return size;
}

/* The cycle, which is marked, with all that a lane may do in it that goes back by changed edges: that it waits there is no end of
 * the cycle. Returns its size. */
static uint32_t complete_body(deadlock_search *s, const uint32_t *loop, uint32_t size)
{
    uint32_t before = 0;
    memcpy(s->body, loop, size * sizeof *loop);
    while (before != size) {
        before = size;
        for (uint32_t i = 0; i < s->options->change_count; i++) {
            const isa_deadlock_change *change = &s->options->changes[i];
            if (change->to != ISA_RECONVERGE_AT_RETURN &&
                lint_in_loop(&s->graph.flow, deadlock_node(&s->graph, change->to)))
                size = add_loop(s, change, size);
        }
    }
    return size;
}

static void ask_of_cycle(void *context, const uint32_t *loop, uint32_t loop_size)
{
    deadlock_search *s = context;
    uint32_t count = 0;
    if (s->failed)
        return;
    const uint32_t size = complete_body(s, loop, loop_size);
    explain_end(s, s->body, size, size == loop_size ? s->also : s->graph.count, 1);
    find_reads(s);
    if (!s->read_count)
        return;
    find_blocked(s);
    for (uint32_t k = 0; k < s->blocked_count; k++)
        for (uint32_t i = 0; i < s->read_count; i++)
            if (deadlock_is_awaited(s, s->reads[i], s->blocked[k])) {
                s->kept[count++] = s->blocked[k];
                break;
            }
    if (!count)
        return;
    mark_found_loops(s);
    deadlock_report(s, s->body, size, count);
}

static void ask_of_side(deadlock_search *s, uint32_t side, uint32_t other)
{
    s->side = side;
    s->other = other;
    s->has_blocked = 0;
    if (side < s->graph.count)
        deadlock_each_cycle(&s->cycles, side, s->meeting, ask_of_cycle, s);
}

static int is_left_out(deadlock_search *s, uint32_t branch)
{
    return (!s->options->keep_accepted && s->memory.function_notes[branch] & ISA_FUNCTION_NO_TRANSFORM) ||
           (!s->options->keep_uniform && deadlock_is_uniform(&s->memory, branch));
}

static int is_changed(const deadlock_graph *graph, uint32_t branch)
{
    return graph->next[branch][0] != graph->whole[branch][0] || graph->next[branch][1] != graph->whole[branch][1];
}

static void ask_of_branches(deadlock_search *s)
{
    deadlock_graph *graph = &s->graph;
    for (uint32_t node = 0; node < graph->count && !s->failed; node++) {
        if (!is_branch(s, node) || !deadlock_parts_wholly(graph, node))
            continue;
        s->result->filter.branches++;
        if (is_left_out(s, node))
            continue;
        s->branch = node;
        s->meeting = deadlock_meeting(graph, node);
        deadlock_graph_meet_at(graph, s->meeting, s->options->changes, s->options->change_count);
        s->also = is_changed(graph, node) ? graph->count : node;
        ask_of_side(s, graph->next[node][1], graph->whole[node][0]);
        ask_of_side(s, graph->next[node][0], graph->whole[node][1]);
    }
}

static uint32_t end_depends_on_reads(deadlock_search *s, uint32_t size, int in_loop)
{
    explain_end(s, s->cycles.loop, size, s->graph.count, in_loop);
    find_reads(s);
    return s->read_count != 0;
}

static void count_loops(deadlock_search *s)
{
    isa_deadlock_filter *filter = &s->result->filter;
    filter->loops = s->graph.loop_count;
    for (uint32_t i = 0; i < s->graph.loop_count; i++) {
        const uint32_t size = deadlock_loop_of(&s->cycles, s->graph.loops[i]);
        filter->on_memory += end_depends_on_reads(s, size, 0);
        const uint32_t on_reads = end_depends_on_reads(s, size, 1);
        filter->on_reads += on_reads;
        filter->found += on_reads && s->is_found[i];
    }
}

static int open_search(deadlock_search *s, const isa_program *program, uint32_t change_count)
{
    const size_t count = program->text_bytes / 4;
    const int failed = deadlock_graph_open(&s->graph, program, s->options->changes, change_count);
    s->reads = malloc(count * sizeof *s->reads);
    s->blocked = malloc(count * sizeof *s->blocked);
    s->kept = malloc(count * sizeof *s->kept);
    s->reached = calloc(count, sizeof *s->reached);
    s->body = malloc(count * sizeof *s->body);
    s->is_found = calloc(s->graph.loop_count + 1, 1);
    return failed || !s->reads || !s->blocked || !s->kept || !s->reached || !s->body || !s->is_found ||
                   deadlock_memory_open(&s->memory, &s->graph, s->options) ||
                   deadlock_cycles_open(&s->cycles, &s->graph) || deadlock_slice_open(&s->slice, &s->graph) ||
                   deadlock_locks_open(&s->locks, &s->memory)
               ? -1
               : 0;
}

static void close_search(deadlock_search *s)
{
    deadlock_locks_close(&s->locks);
    deadlock_slice_close(&s->slice);
    deadlock_cycles_close(&s->cycles);
    deadlock_memory_close(&s->memory);
    deadlock_graph_close(&s->graph);
    free(s->reads);
    free(s->blocked);
    free(s->kept);
    free(s->reached);
    free(s->body);
    free(s->is_found);
}

static void search_all(deadlock_search *s, const isa_program *program)
{
    s->failed |= open_search(s, program, s->options->change_count);
    if (!s->failed) {
        ask_of_branches(s);
        count_loops(s);
    }
    close_search(s);
}

/* Lanes that have waited go round again, and those that are done are kept from all behind that place. */
static void ask_of_changes(deadlock_search *s)
{
    for (uint32_t i = 0; i < s->options->change_count && !s->failed; i++) {
        const isa_deadlock_change *change = &s->options->changes[i];
        if (change->to == ISA_RECONVERGE_AT_RETURN)
            continue;
        s->branch = deadlock_node(&s->graph, change->from);
        s->also = s->graph.count;
        s->meeting = deadlock_node(&s->graph, change->wait);
        ask_of_side(s, deadlock_node(&s->graph, change->to), s->meeting);
    }
}

/* On the code as it is, since they go round by the edges that are changed. */
static void search_changes(deadlock_search *s, const isa_program *program)
{
    s->failed |= open_search(s, program, 0);
    if (!s->failed)
        ask_of_changes(s);
    close_search(s);
}

int isa_deadlocks_find(const isa_program *program, const isa_deadlock_options *options, isa_deadlocks *deadlocks)
{
    deadlock_search s = {.options = options, .result = deadlocks};
    *deadlocks = (isa_deadlocks){0};
    search_all(&s, program);
    deadlock_search changed = {.options = options, .result = deadlocks, .capacity = s.capacity, .failed = s.failed};
    if (!s.failed && options->change_count)
        search_changes(&changed, program);
    if (changed.failed) {
        isa_deadlocks_free(deadlocks);
        return -1;
    }
    deadlock_sort(deadlocks);
    return 0;
}
