/* SPDX-License-Identifier: MIT */
#include "lint_flow.h"

#include "analysis.h"
#include "control_flow_graph.h"

#include <stdlib.h>
#include <string.h>

uint32_t lint_successors(const lint_flow *flow, uint32_t node, uint32_t successor[2])
{
    uint32_t found = 0, pcs[2];
    uint32_t count = isa_successors(flow->program, flow->program->text_address + 4 * node, pcs);
    for (uint32_t i = 0; i < count; i++)
        if (pcs[i] != ISA_RECONVERGE_AT_RETURN)
            successor[found++] = (pcs[i] - flow->program->text_address) / 4;
    return found;
}

/* Counted one place on, then filled from the end of each list. */
static void link_predecessors(lint_flow *flow)
{
    uint32_t successor[2];
    memset(flow->first, 0, ((size_t)flow->count + 1) * sizeof *flow->first);
    for (uint32_t node = 0; node < flow->count; node++)
        for (uint32_t i = flow->program->reachable[node] ? lint_successors(flow, node, successor) : 0; i > 0; i--)
            flow->first[successor[i - 1]]++;
    for (uint32_t node = 1; node <= flow->count; node++)
        flow->first[node] += flow->first[node - 1];
    for (uint32_t node = 0; node < flow->count; node++)
        for (uint32_t i = flow->program->reachable[node] ? lint_successors(flow, node, successor) : 0; i > 0; i--)
            flow->before[--flow->first[successor[i - 1]]] = node;
}

static void mark_function(void *context, uint32_t node)
{
    ((lint_flow *)context)->entry[node] |= LINT_ENTRY_FUNCTION;
}

static void mark_entries(lint_flow *flow)
{
    const control_flow code = flow_of_program(flow->program, NULL, 0);
    flow_each_entry(&code, mark_function, flow);
    for (uint32_t node = 0; node < flow->count; node++) {
        uint32_t target;
        if (flow->program->reachable[node] && isa_jump_target(flow->program, flow_pc(&code, node), &target))
            if (lint_instruction(flow, node)->flags & ISA_FLAG_CALL)
                flow->entry[(target - flow->program->text_address) / 4] |= LINT_ENTRY_CALLED;
    }
}

int lint_flow_open(lint_flow *flow, const isa_program *program)
{
    size_t count = program->text_bytes / 4;
    *flow = (lint_flow){
        .program = program,
        .count = (uint32_t)count,
        .first = malloc((count + 1) * sizeof *flow->first),
        .before = malloc(2 * count * sizeof *flow->before),
        .stack = malloc(count * sizeof *flow->stack),
        .path = malloc(count * sizeof *flow->path),
        .visited = calloc(count, sizeof *flow->visited),
        .entry = calloc(count, 1),
        .in_loop = calloc(count, sizeof *flow->in_loop),
    };
    if (!flow->first || !flow->before || !flow->stack || !flow->path || !flow->visited || !flow->entry ||
        !flow->in_loop)
        return -1;
    link_predecessors(flow);
    mark_entries(flow);
    return 0;
}

void lint_flow_close(lint_flow *flow)
{
    free(flow->first);
    free(flow->before);
    free(flow->stack);
    free(flow->path);
    free(flow->visited);
    free(flow->entry);
    free(flow->in_loop);
}

int lint_find_meetings(const isa_program *program, const uint32_t **meetings, uint32_t **own)
{
    char error[16];
    const uint32_t count = isa_program_instructions(program);
    *meetings = isa_program_table(program, isa_reconvergence.name);
    if (*meetings)
        return 0;
    uint32_t *values = malloc(count * sizeof *values);
    *meetings = *own = values;
    for (uint32_t i = 0; values && i < count; i++)
        values[i] = isa_reconvergence.none;
    return values ? isa_reconvergence.fill(program, values, error, sizeof error) : -1;
}

static int add_to_loop(lint_flow *flow, lint_loop *loop, uint32_t node)
{
    if (lint_in_loop(flow, node))
        return 1;
    if (loop->size == LINT_LOOP_MAX)
        return 0;
    flow->in_loop[node] = flow->loop_number;
    loop->body[loop->size++] = node;
    return 1;
}

enum { NOT_SEEN, ON_PATH, DONE };

static void walk_depth_first(lint_flow *flow, uint32_t start, uint8_t *state, uint8_t *next,
                             void (*edge)(void *context, uint32_t latch, uint32_t head), void *context)
{
    uint32_t depth = 0;
    if (state[start] != NOT_SEEN)
        return;
    state[start] = ON_PATH;
    flow->path[depth++] = start;
    while (depth) {
        uint32_t node = flow->path[depth - 1], successor[2];
        uint32_t count = lint_successors(flow, node, successor);
        if (next[node] == count) {
            state[node] = DONE;
            depth--;
            continue;
        }
        uint32_t to = successor[next[node]++];
        if (state[to] == ON_PATH)
            edge(context, node, to);
        if (state[to] != NOT_SEEN)
            continue;
        state[to] = ON_PATH;
        flow->path[depth++] = to;
    }
}

int lint_each_back_edge(lint_flow *flow, void (*edge)(void *context, uint32_t latch, uint32_t head), void *context)
{
    uint8_t *state = calloc(2, flow->count);
    if (!state)
        return -1;
    for (uint32_t node = 0; node < flow->count; node++)
        if (flow->entry[node])
            walk_depth_first(flow, node, state, state + flow->count, edge, context);
    free(state);
    return 0;
}

/* All that leads to the latch without passing the head. If that includes another entry, the head does not dominate the
 * latch. */
int lint_find_loop(lint_flow *flow, uint32_t latch, uint32_t head, lint_loop *loop)
{
    flow->loop_number++;
    loop->head = head;
    loop->latch = latch;
    loop->size = 0;
    add_to_loop(flow, loop, head);
    add_to_loop(flow, loop, latch);
    for (uint32_t i = 1; i < loop->size; i++) {
        uint32_t node = loop->body[i];
        if (flow->entry[node])
            return 0;
        for (uint32_t edge = flow->first[node]; edge < flow->first[node + 1]; edge++)
            if (!add_to_loop(flow, loop, flow->before[edge]))
                return 0;
    }
    return 1;
}
