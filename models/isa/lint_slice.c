/* SPDX-License-Identifier: MIT */
#include "definitions.h"
#include "hd_address.h"
#include "lint_flow.h"

#include <string.h>

#define STACK_POINTER 2u
#define FIRST_ARGUMENT 10u
#define EXPRESSION_DEPTH 6u

uint32_t lint_definitions(lint_flow *flow, uint32_t node, uint32_t number, int in_loop,
                          uint32_t definitions[LINT_SLICE_MAX], uint32_t *entry)
{
    uint32_t count = 0, depth = 0;
    flow->walk++;
    flow->stack[depth++] = node;
    *entry = 0;
    while (depth) {
        uint32_t at = flow->stack[--depth];
        *entry |= flow->entry[at];
        for (uint32_t edge = flow->first[at]; edge < flow->first[at + 1]; edge++) {
            uint32_t before = flow->before[edge];
            if (flow->visited[before] == flow->walk || (in_loop && !lint_in_loop(flow, before)))
                continue;
            flow->visited[before] = flow->walk;
            if (!(isa_changes(lint_instruction(flow, before)) >> number & 1)) {
                flow->stack[depth++] = before;
                continue;
            }
            if (count == LINT_SLICE_MAX)
                return UINT32_MAX;
            definitions[count++] = before;
        }
    }
    return count;
}

static uint32_t place_in(const lint_slice *slice, uint32_t node)
{
    for (uint32_t i = 0; i < slice->size; i++)
        if (slice->nodes[i] == node)
            return i;
    return UINT32_MAX;
}

/* depends[i] = which nodes of the slice node i is computed from. */
typedef uint8_t dependence[LINT_SLICE_MAX][LINT_SLICE_MAX];

static int add_sources(lint_flow *flow, uint32_t node, uint32_t place, lint_slice *slice, dependence depends)
{
    uint32_t definitions[LINT_SLICE_MAX];
    uint32_t entry;
    for (uint64_t left = lint_instruction(flow, node)->reads; left; left &= left - 1) {
        uint32_t count = lint_definitions(flow, node, (uint32_t)__builtin_ctzll(left), 1, definitions, &entry);
        if (count == UINT32_MAX)
            return 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t source = place_in(slice, definitions[i]);
            if (source == UINT32_MAX) {
                if (slice->size == LINT_SLICE_MAX)
                    return 0;
                source = slice->size++;
                slice->nodes[source] = definitions[i];
            }
            if (place != UINT32_MAX)
                depends[place][source] = 1;
        }
    }
    return 1;
}

/* Is there a cycle? Nodes that depend on none that is left are taken away until nothing changes. */
static int has_cycle(const lint_slice *slice, dependence depends)
{
    uint8_t gone[LINT_SLICE_MAX] = {0};
    uint32_t left = slice->size;
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t i = 0; i < slice->size; i++) {
            int waits = gone[i];
            for (uint32_t k = 0; k < slice->size && !waits; k++)
                waits = depends[i][k] && !gone[k];
            if (waits)
                continue;
            gone[i] = 1;
            changed = 1;
            left--;
        }
    }
    return left > 0;
}

int lint_slice_of(lint_flow *flow, uint32_t branch, lint_slice *slice)
{
    static const lint_slice empty;
    dependence depends;
    *slice = empty;
    memset(depends, 0, sizeof depends);
    if (!add_sources(flow, branch, UINT32_MAX, slice, depends))
        return 0;
    for (uint32_t i = 0; i < slice->size; i++)
        if (!add_sources(flow, slice->nodes[i], i, slice, depends))
            return 0;
    slice->is_recurrent = has_cycle(slice, depends);
    return 1;
}

static int window_of_constant(uint32_t address, enum lint_memory *memory)
{
    if (address >= HD_SCRATCHPAD_BASE && address < HD_SCRATCHPAD_END)
        *memory = LINT_SCRATCHPAD;
    else if (address >= HD_PRIVATE_BASE && address < HD_PRIVATE_END)
        *memory = LINT_PRIVATE;
    else if (address >= HD_CONSTANT_BASE && address < HD_CONSTANT_END)
        *memory = LINT_CONSTANT;
    else
        return 0;
    return 1;
}

static int is_sum(uint32_t operation)
{
    return operation == ISA_OP_ADDI || operation == ISA_OP_ADD || operation == ISA_OP_SUB;
}

typedef struct origin {
    uint32_t node;
    uint32_t number; /* register */
} origin;

/* Follows sums back to what they start from; the first start that tells a window decides. */
enum lint_memory lint_memory_of(lint_flow *flow, uint32_t node)
{
    enum lint_memory memory;
    origin origins[LINT_SLICE_MAX] = {{node, lint_instruction(flow, node)->rs1}};
    uint32_t count = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t definitions[LINT_SLICE_MAX];
        uint32_t entry;
        if (origins[i].number == STACK_POINTER)
            return LINT_PRIVATE;
        uint32_t found = lint_definitions(flow, origins[i].node, origins[i].number, 0, definitions, &entry);
        if (found == UINT32_MAX)
            return LINT_GLOBAL;
        /* The argument block is what the first argument of a function that nothing calls points to. */
        if (!found && origins[i].number == FIRST_ARGUMENT && entry == LINT_ENTRY_FUNCTION)
            return LINT_CONSTANT;
        for (uint32_t k = 0; k < found; k++) {
            const isa_instruction *from = lint_instruction(flow, definitions[k]);
            if (from->operation == ISA_OP_LUI && window_of_constant((uint32_t)from->immediate, &memory))
                return memory;
            for (uint64_t left = is_sum(from->operation) ? from->reads : 0; left && count < LINT_SLICE_MAX;
                 left &= left - 1) {
                origin next = {definitions[k], (uint32_t)__builtin_ctzll(left)};
                int is_new = 1;
                for (uint32_t m = 0; m < count; m++)
                    is_new &= origins[m].node != next.node || origins[m].number != next.number;
                if (is_new)
                    origins[count++] = next;
            }
        }
    }
    return LINT_GLOBAL;
}

int lint_is_pure(lint_flow *flow, uint32_t node)
{
    const isa_instruction *instruction = lint_instruction(flow, node);
    switch (instruction->instruction_class) {
    case ISA_CLASS_INT: return instruction->operation != ISA_OP_AUIPC;
    case ISA_CLASS_MUL: return 1;
    case ISA_CLASS_LOAD: return lint_memory_of(flow, node) == LINT_CONSTANT;
    default: return 0;
    }
}

static int same_value(lint_flow *flow, uint32_t node_a, uint32_t a, uint32_t node_b, uint32_t b, uint32_t depth)
{
    uint32_t definitions_a[LINT_SLICE_MAX], definitions_b[LINT_SLICE_MAX];
    uint32_t entry_a, entry_b;
    if (a == 0 || b == 0)
        return a == b;
    uint32_t count_a = lint_definitions(flow, node_a, a, 0, definitions_a, &entry_a);
    uint32_t count_b = lint_definitions(flow, node_b, b, 0, definitions_b, &entry_b);
    if (count_a != count_b || entry_a != entry_b || count_a > 1)
        return 0;
    if (!count_a)
        return a == b;
    const isa_instruction *from_a = lint_instruction(flow, *definitions_a);
    const isa_instruction *from_b = lint_instruction(flow, *definitions_b);
    if (*definitions_a == *definitions_b)
        return 1;
    if (!depth || from_a->operation != from_b->operation || from_a->immediate != from_b->immediate ||
        !lint_is_pure(flow, *definitions_a) || !lint_is_pure(flow, *definitions_b))
        return 0;
    if (from_a->rs1 != ISA_NO_REGISTER &&
        !same_value(flow, *definitions_a, from_a->rs1, *definitions_b, from_b->rs1, depth - 1))
        return 0;
    return from_a->rs2 == ISA_NO_REGISTER ||
           same_value(flow, *definitions_a, from_a->rs2, *definitions_b, from_b->rs2, depth - 1);
}

int lint_same_value(lint_flow *flow, uint32_t node_a, uint32_t a, uint32_t node_b, uint32_t b)
{
    return same_value(flow, node_a, a, node_b, b, EXPRESSION_DEPTH);
}
