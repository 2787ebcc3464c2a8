/* SPDX-License-Identifier: MIT */
/*
 * Branches that all lanes of a warp take alike. A value that is the same in all lanes for ever comes from constants, the
 * argument block and what is one for a warp; one that is the same at a moment comes from a vote, and may have been another when
 * another lane was last there: it has to be made on the straight way to the branch.
 */
#include "deadlock_slice.h"
#include "lanes.h"

#define DEPTH_MAX 16u

enum sameness { DIFFERS, AT_A_MOMENT, FOR_EVER };

typedef struct straight {
    deadlock_memory *memory;
    uint32_t first; /* from this node on there is one way to the branch */
} straight;

static enum sameness of_register(const straight *way, uint32_t node, uint32_t number, uint32_t depth);

static enum sameness least(enum sameness a, enum sameness b)
{
    return a < b ? a : b;
}

static enum sameness of_operands(const straight *way, uint32_t node, uint32_t depth)
{
    enum sameness all = FOR_EVER;
    for (uint64_t left = deadlock_instruction(way->memory->graph, node)->reads; left; left &= left - 1)
        all = least(all, of_register(way, node, (uint32_t)__builtin_ctzll(left), depth));
    return all;
}

static int csr_is_of_warp(uint32_t csr)
{
    return (csr >= ISA_CSR_BLOCK_X && csr < ISA_CSR_LANE) || csr == ISA_CSR_WARP || csr == ISA_CSR_CORE;
}

static int is_vote(uint32_t operation)
{
    return operation == ISA_OP_VOTE_ANY || operation == ISA_OP_VOTE_ALL || operation == ISA_OP_VOTE_BALLOT_LO ||
           operation == ISA_OP_VOTE_BALLOT_HI;
}

static enum sameness of_load(const straight *way, uint32_t node, uint32_t depth)
{
    uint32_t stores[LINT_SLICE_MAX], from_entry;
    const deadlock_access *access = deadlock_access_at(way->memory, node);
    if (access->root_count == 1 && access->roots[0].kind == DEADLOCK_ROOT_ARGUMENTS)
        return access->roots[0].index ? DIFFERS : FOR_EVER;
    if (!deadlock_is_private(way->memory, node) ||
        deadlock_stores_before(way->memory, node, 0, stores, &from_entry) != 1 || from_entry)
        return DIFFERS;
    const isa_instruction *store = deadlock_instruction(way->memory->graph, *stores);
    if (store->instruction_class != ISA_CLASS_STORE ||
        store->access_bytes != deadlock_instruction(way->memory->graph, node)->access_bytes)
        return DIFFERS;
    const enum sameness found = of_register(way, *stores, store->rs2, depth);
    return found == AT_A_MOMENT && (*stores < way->first || *stores > node) ? DIFFERS : found;
}

static enum sameness of_value(const straight *way, uint32_t node, uint32_t depth)
{
    const isa_instruction *from = deadlock_instruction(way->memory->graph, node);
    switch (from->instruction_class) {
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV: return of_operands(way, node, depth);
    case ISA_CLASS_CSR:
        return from->operation == ISA_OP_CSRRS && !from->rs1 && csr_is_of_warp((uint32_t)from->immediate) ? FOR_EVER
                                                                                                          : DIFFERS;
    case ISA_CLASS_CROSS_LANE: return is_vote(from->operation) ? AT_A_MOMENT : DIFFERS;
    case ISA_CLASS_LOAD: return of_load(way, node, depth);
    default: return DIFFERS;
    }
}

static enum sameness of_register(const straight *way, uint32_t node, uint32_t number, uint32_t depth)
{
    uint32_t definitions[LINT_SLICE_MAX], entry;
    if (!depth || lint_definitions(&way->memory->graph->flow, node, number, 0, definitions, &entry) != 1 || entry)
        return DIFFERS;
    const enum sameness found = of_value(way, *definitions, depth - 1);
    return found == AT_A_MOMENT && (*definitions < way->first || *definitions >= node) ? DIFFERS : found;
}

int deadlock_is_uniform(deadlock_memory *memory, uint32_t branch)
{
    const lint_flow *flow = &memory->graph->flow;
    straight way = {.memory = memory, .first = branch};
    while (way.first && !flow->entry[way.first] && flow->first[way.first + 1] - flow->first[way.first] == 1 &&
           flow->before[flow->first[way.first]] == way.first - 1 &&
           deadlock_instruction(memory->graph, way.first - 1)->instruction_class != ISA_CLASS_BRANCH)
        way.first--;
    return of_operands(&way, branch, DEPTH_MAX) != DIFFERS;
}

int deadlock_is_uniform_register(deadlock_memory *memory, uint32_t node, uint32_t number)
{
    const straight way = {.memory = memory, .first = node};
    return of_register(&way, node, number, DEPTH_MAX) == FOR_EVER;
}
