/* SPDX-License-Identifier: MIT */
#include "deadlock.h"

#include "deadlock_cycles.h"
#include "deadlock_slice.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    const isa_deadlock_options *options;
    deadlock_graph graph;
    deadlock_memory memory;
    deadlock_cycles cycles;
    deadlock_slice slice;
    uint32_t *reads;   /* [count]: of the cycle in question */
    uint32_t *blocked; /* [count]: writes that the others are kept from, and */
    uint32_t *kept;    /* [count]: those of them that may change what it reads */
    uint32_t *reached; /* [count]: number of the last walk to them that was here */
    uint32_t walk;
    uint32_t *body; /* [count]: the cycle with the loops of changed edges in it */
    uint32_t branch, side, other, meeting;
    uint32_t also; /* a branch that decides as well if it is in the cycle; count: none */
    uint32_t read_count, blocked_count;
    uint32_t has_blocked; /* of this side */
    uint8_t *is_found;    /* [graph.loop_count] */
    isa_deadlocks *result;
    uint32_t capacity;
    int failed;
} search;

static int leaves(const search *s, uint32_t node)
{
    const deadlock_graph *graph = &s->graph;
    for (uint32_t i = 0; i < graph->whole_count[node]; i++)
        if (!lint_in_loop(&graph->flow, graph->whole[node][i]))
            return 1;
    return 0;
}

static int is_branch(const search *s, uint32_t node)
{
    return deadlock_instruction(&s->graph, node)->instruction_class == ISA_CLASS_BRANCH;
}

/* Of the loop that is marked: the branches that leave it, and `also`, explained. */
static void explain_end(search *s, const uint32_t *loop, uint32_t size, uint32_t also, int in_loop)
{
    deadlock_slice_begin(&s->slice);
    for (uint32_t i = 0; i < size; i++)
        if (is_branch(s, loop[i]) && deadlock_parts_wholly(&s->graph, loop[i]) &&
            (loop[i] == also || leaves(s, loop[i])))
            deadlock_slice_add(&s->slice, loop[i]);
    deadlock_slice_complete(&s->slice, &s->memory, loop, size, in_loop);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void find_reads(search *s)
{
    s->read_count = 0;
    for (uint32_t i = 0; i < s->slice.count; i++)
        if (deadlock_reads_shared(&s->memory, s->slice.node[i]))
            s->reads[s->read_count++] = s->slice.node[i];
    if (s->read_count)
        qsort(s->reads, s->read_count, sizeof *s->reads, ascending);
}

/* Shared writes in what is reached from where the others are kept, up to barriers. */
static void find_blocked(search *s)
{
    const deadlock_graph *graph = &s->graph;
    const uint32_t start = s->options->divergence == ISA_DIVERGENCE_STACK ? s->other : s->meeting;
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
        qsort(s->blocked, s->blocked_count, sizeof *s->blocked, ascending);
}

static uint32_t *pcs_of(search *s, const uint32_t *nodes, uint32_t count)
{
    uint32_t *pcs = malloc(count * sizeof *pcs);
    s->failed |= !pcs;
    for (uint32_t i = 0; pcs && i < count; i++)
        pcs[i] = deadlock_pc(&s->graph, nodes[i]);
    return pcs;
}

/* How well a pair explains the finding: 0 not at all, because the two cannot meet. */
static uint32_t rank_of(search *s, uint32_t read, uint32_t write)
{
    if (!deadlock_may_meet(&s->memory, read, write))
        return 0;
    return 1 + (read != write) + 2u * (deadlock_do_meet(&s->memory, read, write) != 0);
}

/* The pair that is told: the first of those that explain best. */
static void choose_pair(search *s, isa_deadlock *deadlock, uint32_t write_count)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < s->read_count; i++)
        for (uint32_t k = 0; k < write_count; k++) {
            const uint32_t rank = rank_of(s, s->reads[i], s->kept[k]);
            if (rank <= best)
                continue;
            best = rank;
            deadlock->read = deadlock_pc(&s->graph, s->reads[i]);
            deadlock->write = deadlock_pc(&s->graph, s->kept[k]);
        }
}

static void set_body(isa_deadlock *deadlock)
{
    if (!deadlock->body)
        return;
    qsort(deadlock->body, deadlock->body_count, sizeof *deadlock->body, ascending);
    deadlock->loop = deadlock->body[0];
    deadlock->loop_end = deadlock->body[deadlock->body_count - 1];
}

static void report(search *s, const uint32_t *loop, uint32_t size, uint32_t write_count)
{
    isa_deadlocks *result = s->result;
    if (result->count == s->capacity) {
        const uint32_t capacity = 2 * s->capacity + 8;
        isa_deadlock *found = realloc(result->found, capacity * sizeof *found);
        s->failed |= !found;
        if (!found)
            return;
        result->found = found;
        s->capacity = capacity;
    }
    isa_deadlock *deadlock = &result->found[result->count++];
    *deadlock = (isa_deadlock){
        .branch = deadlock_pc(&s->graph, s->branch),
        .side = deadlock_pc(&s->graph, s->side),
        .meeting = s->meeting == s->graph.count ? ISA_RECONVERGE_AT_RETURN : deadlock_pc(&s->graph, s->meeting),
        .body = pcs_of(s, loop, size),
        .body_count = size,
        .reads = pcs_of(s, s->reads, s->read_count),
        .read_count = s->read_count,
        .writes = pcs_of(s, s->kept, write_count),
        .write_count = write_count,
    };
    set_body(deadlock);
    choose_pair(s, deadlock, write_count);
}

static void mark_found_loops(search *s)
{
    for (uint32_t i = 0; i < s->graph.loop_count; i++)
        s->is_found[i] |= lint_in_loop(&s->graph.flow, s->graph.loops[i].latch) &&
                          lint_in_loop(&s->graph.flow, s->graph.loops[i].head);
}

static uint32_t add_to_body(search *s, uint32_t node, uint32_t size)
{
    if (lint_in_loop(&s->graph.flow, node))
        return size;
    s->graph.flow.in_loop[node] = s->graph.flow.loop_number;
    s->body[size] = node;
    return size + 1;
}

/* Puts the loop of a changed edge, whose head is there, into the body. Returns its new size. */
static uint32_t add_loop(search *s, const isa_deadlock_change *change, uint32_t size)
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
static uint32_t complete_body(search *s, const uint32_t *loop, uint32_t size)
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
    search *s = context;
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
            if (deadlock_may_meet(&s->memory, s->reads[i], s->blocked[k])) {
                s->kept[count++] = s->blocked[k];
                break;
            }
    if (!count)
        return;
    mark_found_loops(s);
    report(s, s->body, size, count);
}

static void ask_of_side(search *s, uint32_t side, uint32_t other)
{
    s->side = side;
    s->other = other;
    s->has_blocked = 0;
    if (side < s->graph.count)
        deadlock_each_cycle(&s->cycles, side, s->meeting, ask_of_cycle, s);
}

static int is_left_out(search *s, uint32_t branch)
{
    return (!s->options->keep_accepted && s->memory.function_notes[branch] & ISA_FUNCTION_NO_TRANSFORM) ||
           (!s->options->keep_uniform && deadlock_is_uniform(&s->memory, branch));
}

static int is_changed(const deadlock_graph *graph, uint32_t branch)
{
    return graph->next[branch][0] != graph->whole[branch][0] || graph->next[branch][1] != graph->whole[branch][1];
}

static void ask_of_branches(search *s)
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

static uint32_t end_depends_on_reads(search *s, uint32_t size, int in_loop)
{
    explain_end(s, s->cycles.loop, size, s->graph.count, in_loop);
    find_reads(s);
    return s->read_count != 0;
}

static void count_loops(search *s)
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

static int compare(const void *a, const void *b)
{
    const isa_deadlock *x = a, *y = b;
    if (x->branch != y->branch)
        return x->branch > y->branch ? 1 : -1;
    if (x->side != y->side)
        return x->side > y->side ? 1 : -1;
    const uint32_t bytes_x = x->loop_end - x->loop, bytes_y = y->loop_end - y->loop;
    return bytes_x != bytes_y ? (bytes_x > bytes_y) - (bytes_x < bytes_y) : (x->loop > y->loop) - (x->loop < y->loop);
}

static int open_search(search *s, const isa_program *program, uint32_t change_count)
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
                   deadlock_cycles_open(&s->cycles, &s->graph) || deadlock_slice_open(&s->slice, &s->graph)
               ? -1
               : 0;
}

static void close_search(search *s)
{
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

static void search_all(search *s, const isa_program *program)
{
    s->failed |= open_search(s, program, s->options->change_count);
    if (!s->failed) {
        ask_of_branches(s);
        count_loops(s);
    }
    close_search(s);
}

/* Lanes that have waited go round again, and those that are done are kept from all behind that place. */
static void ask_of_changes(search *s)
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
static void search_changes(search *s, const isa_program *program)
{
    s->failed |= open_search(s, program, 0);
    if (!s->failed)
        ask_of_changes(s);
    close_search(s);
}

int isa_deadlocks_find(const isa_program *program, const isa_deadlock_options *options, isa_deadlocks *deadlocks)
{
    search s = {.options = options, .result = deadlocks};
    *deadlocks = (isa_deadlocks){0};
    search_all(&s, program);
    search changed = {.options = options, .result = deadlocks, .capacity = s.capacity, .failed = s.failed};
    if (!s.failed && options->change_count)
        search_changes(&changed, program);
    if (changed.failed) {
        isa_deadlocks_free(deadlocks);
        return -1;
    }
    if (deadlocks->count)
        qsort(deadlocks->found, deadlocks->count, sizeof *deadlocks->found, compare);
    return 0;
}

void isa_deadlocks_free(isa_deadlocks *deadlocks)
{
    for (uint32_t i = 0; i < deadlocks->count; i++) {
        free(deadlocks->found[i].body);
        free(deadlocks->found[i].reads);
        free(deadlocks->found[i].writes);
    }
    free(deadlocks->found);
    *deadlocks = (isa_deadlocks){0};
}
