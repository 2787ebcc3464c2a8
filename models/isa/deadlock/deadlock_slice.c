/* SPDX-License-Identifier: MIT */
#include "deadlock_slice.h"

#include "definitions.h"

#include <stdlib.h>

int deadlock_slice_open(deadlock_slice *slice, const deadlock_graph *graph)
{
    *slice = (deadlock_slice){
        .node = malloc(graph->count * sizeof *slice->node),
        .in = calloc(graph->count, sizeof *slice->in),
    };
    return slice->node && slice->in ? 0 : -1;
}

void deadlock_slice_close(deadlock_slice *slice)
{
    free(slice->node);
    free(slice->in);
}

void deadlock_slice_begin(deadlock_slice *slice)
{
    slice->count = 0;
    slice->number++;
}

void deadlock_slice_add(deadlock_slice *slice, uint32_t node)
{
    if (slice->in[node] == slice->number)
        return;
    slice->in[node] = slice->number;
    slice->node[slice->count++] = node;
}

/* More than can be told apart: everything in the loop counts. */
static void add_all(deadlock_slice *slice, const uint32_t *loop, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        deadlock_slice_add(slice, loop[i]);
}

static int add_definitions(deadlock_slice *slice, deadlock_memory *memory, uint32_t node, uint32_t number, int in_loop)
{
    uint32_t definitions[LINT_SLICE_MAX], entry;
    const uint32_t count = lint_definitions(&memory->graph->flow, node, number, in_loop, definitions, &entry);
    for (uint32_t i = 0; count != UINT32_MAX && i < count; i++)
        deadlock_slice_add(slice, definitions[i]);
    return count != UINT32_MAX;
}

static int add_stores(deadlock_slice *slice, deadlock_memory *memory, uint32_t load, int in_loop)
{
    uint32_t stores[LINT_SLICE_MAX], from_entry;
    const uint32_t count = deadlock_stores_before(memory, load, in_loop, stores, &from_entry);
    for (uint32_t i = 0; count != UINT32_MAX && i < count; i++)
        deadlock_slice_add(slice, stores[i]);
    return count != UINT32_MAX;
}

static int add_sources(deadlock_slice *slice, deadlock_memory *memory, uint32_t node, int in_loop)
{
    const isa_instruction *instruction = deadlock_instruction(memory->graph, node);
    const uint64_t needs = instruction->flags & ISA_FLAG_CALL ? isa_needs(instruction) : instruction->reads;
    for (uint64_t left = needs; left; left &= left - 1)
        if (!add_definitions(slice, memory, node, (uint32_t)__builtin_ctzll(left), in_loop))
            return 0;
    return instruction->instruction_class != ISA_CLASS_LOAD || !deadlock_is_private(memory, node) ||
           add_stores(slice, memory, node, in_loop);
}

/* Does the outcome of this branch decide whether something in the slice is executed? */
static int decides(const deadlock_slice *slice, const deadlock_graph *graph, uint32_t branch)
{
    const uint32_t end = graph->post_dominator[branch];
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t node = graph->whole[branch][i]; node < graph->count && node != end;
             node = graph->post_dominator[node])
            if (slice->in[node] == slice->number)
                return 1;
    return 0;
}

void deadlock_slice_complete(deadlock_slice *slice, deadlock_memory *memory, const uint32_t *loop, uint32_t size,
                             int in_loop)
{
    const deadlock_graph *graph = memory->graph;
    for (uint32_t done = 0, before = UINT32_MAX; before != slice->count;) {
        before = slice->count;
        for (; done < slice->count; done++)
            if (!add_sources(slice, memory, slice->node[done], in_loop))
                add_all(slice, loop, size);
        for (uint32_t i = 0; i < size; i++)
            if (slice->in[loop[i]] != slice->number && deadlock_parts_wholly(graph, loop[i]) &&
                decides(slice, graph, loop[i]))
                deadlock_slice_add(slice, loop[i]);
        if (done != slice->count)
            before = UINT32_MAX;
    }
}
