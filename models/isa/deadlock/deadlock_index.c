/* SPDX-License-Identifier: MIT */
/* Of what an index into structures is a multiple: their size, as far as that is a power of two. */
#include "deadlock_access.h"

#include "definitions.h"

#define DEPTH_MAX 4u

static uint32_t index_in(deadlock_graph *graph, uint32_t node, uint32_t number, uint32_t depth);

static uint32_t index_made(deadlock_graph *graph, uint32_t node, uint32_t depth)
{
    const isa_instruction *from = deadlock_instruction(graph, node);
    switch (from->operation) {
    case ISA_OP_LUI: return (uint32_t)from->immediate;
    case ISA_OP_ADDI: return index_in(graph, node, from->rs1, depth) | (uint32_t)from->immediate;
    case ISA_OP_ADD:
    case ISA_OP_SUB: return index_in(graph, node, from->rs1, depth) | index_in(graph, node, from->rs2, depth);
    case ISA_OP_SLLI: return deadlock_step(index_in(graph, node, from->rs1, depth)) << from->immediate;
    case ISA_OP_MUL:
        return deadlock_step(index_in(graph, node, from->rs1, depth)) *
               deadlock_step(index_in(graph, node, from->rs2, depth));
    default: return 1;
    }
}

static uint32_t index_in(deadlock_graph *graph, uint32_t node, uint32_t number, uint32_t depth)
{
    uint32_t definitions[LINT_SLICE_MAX], entry, index = 0;
    if (!number)
        return 0;
    const uint32_t count = depth ? lint_definitions(&graph->flow, node, number, 0, definitions, &entry) : UINT32_MAX;
    if (count == UINT32_MAX || entry)
        return 1;
    for (uint32_t i = 0; i < count; i++)
        index |= index_made(graph, definitions[i], depth - 1);
    return index;
}

uint32_t deadlock_index_in(deadlock_graph *graph, uint32_t node, uint32_t number)
{
    return index_in(graph, node, number, DEPTH_MAX);
}
