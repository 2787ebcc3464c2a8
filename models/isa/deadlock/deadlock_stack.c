/* SPDX-License-Identifier: MIT */
/* The thread's own memory: a word of the stack is like a register where it is known which. */
#include "deadlock_access.h"

#define STACK_POINTER 2u
#define DEPTH_MAX 12u

static int find_offset(deadlock_graph *graph, uint32_t node, uint32_t number, uint32_t depth, int32_t *offset)
{
    uint32_t definitions[LINT_SLICE_MAX], entry, is_known = 0;
    const uint32_t count = depth ? lint_definitions(&graph->flow, node, number, 0, definitions, &entry) : UINT32_MAX;
    if (count == UINT32_MAX || (entry && number != STACK_POINTER))
        return 0;
    if (entry) {
        *offset = 0;
        is_known = 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        const isa_instruction *from = deadlock_instruction(graph, definitions[i]);
        int32_t found;
        if (from->operation != ISA_OP_ADDI || !find_offset(graph, definitions[i], from->rs1, depth - 1, &found))
            return 0;
        found = (int32_t)((uint32_t)found + (uint32_t)from->immediate);
        if (is_known && found != *offset)
            return 0;
        *offset = found;
        is_known = 1;
    }
    return is_known != 0;
}

static deadlock_slot slot_of(deadlock_memory *memory, uint32_t node)
{
    deadlock_slot slot = {.place = DEADLOCK_AT_SLOT};
    const isa_instruction *access = deadlock_instruction(memory->graph, node);
    if (find_offset(memory->graph, node, access->rs1, DEPTH_MAX, &slot.offset)) {
        slot.offset = (int32_t)((uint32_t)slot.offset + (uint32_t)access->immediate);
        return slot;
    }
    const uint32_t starts = deadlock_starts(memory, node, access->rs1);
    if (starts & 1u << DEADLOCK_ROOT_STACK)
        slot.place = DEADLOCK_IN_STACK;
    else
        slot.place = !starts || starts & 1u << DEADLOCK_ROOT_ANY ? DEADLOCK_BY_POINTER : DEADLOCK_ELSEWHERE;
    return slot;
}

static int stores_stack_address(deadlock_memory *memory, uint32_t node)
{
    const isa_instruction *store = deadlock_instruction(memory->graph, node);
    return store->instruction_class == ISA_CLASS_STORE && store->rs2 < 32 && store->access_bytes == 4 &&
           deadlock_starts(memory, node, store->rs2) & 1u << DEADLOCK_ROOT_STACK;
}

/* Of the function that is in the nodes first .. end - 1. Does an address of its stack escape? */
static int find_slots_of(deadlock_memory *memory, uint32_t first, uint32_t end)
{
    int escapes = 0;
    for (uint32_t node = first; node < end; node++) {
        const uint32_t class = deadlock_instruction(memory->graph, node)->instruction_class;
        if (!memory->graph->flow.program->reachable[node] || (class != ISA_CLASS_LOAD && class != ISA_CLASS_STORE))
            continue;
        memory->slots[node] = slot_of(memory, node);
        escapes |= stores_stack_address(memory, node);
    }
    for (uint32_t node = first; escapes && node < end; node++)
        memory->function_notes[node] |= DEADLOCK_STACK_ESCAPES;
    return escapes;
}

/* Code that a transform has added is of any function. */
void deadlock_find_slots(deadlock_memory *memory)
{
    const uint32_t count = memory->graph->count;
    uint32_t first = 0;
    int escapes = 0;
    for (uint32_t node = 1; node <= count; node++)
        if (node == count || memory->graph->flow.entry[node]) {
            escapes |= find_slots_of(memory, first, node);
            first = node;
        }
    for (uint32_t node = 0; escapes && memory->graph->flow.program->origin_count && node < count; node++)
        memory->function_notes[node] |= DEADLOCK_STACK_ESCAPES;
}

enum effect { KEEPS, MAY_CHANGE, CHANGES };

static enum effect effect_on(const deadlock_memory *memory, uint32_t node, const deadlock_slot *slot, uint32_t bytes)
{
    const isa_instruction *instruction = deadlock_instruction(memory->graph, node);
    const deadlock_slot *other = &memory->slots[node];
    if (instruction->flags & ISA_FLAG_CALL)
        return MAY_CHANGE;
    if (instruction->instruction_class != ISA_CLASS_STORE || other->place == DEADLOCK_ELSEWHERE ||
        (other->place == DEADLOCK_BY_POINTER && !(memory->function_notes[node] & DEADLOCK_STACK_ESCAPES)))
        return KEEPS;
    if (slot->place != DEADLOCK_AT_SLOT || other->place != DEADLOCK_AT_SLOT)
        return MAY_CHANGE;
    if (other->offset == slot->offset && instruction->access_bytes == bytes)
        return CHANGES;
    const int is_apart = (int64_t)other->offset + instruction->access_bytes <= slot->offset ||
                         (int64_t)slot->offset + bytes <= other->offset;
    return is_apart ? KEEPS : MAY_CHANGE;
}

uint32_t deadlock_stores_before(deadlock_memory *memory, uint32_t load, int in_loop, uint32_t stores[LINT_SLICE_MAX],
                                uint32_t *from_entry)
{
    deadlock_graph *graph = memory->graph;
    const lint_flow *flow = &graph->flow;
    const uint32_t bytes = deadlock_instruction(graph, load)->access_bytes;
    uint32_t count = 0, depth = 0;
    *from_entry = 0;
    memory->walk++;
    memory->left[depth++] = load;
    while (depth) {
        const uint32_t node = memory->left[--depth];
        *from_entry |= flow->entry[node] != 0;
        for (uint32_t edge = flow->first[node]; edge < flow->first[node + 1]; edge++) {
            const uint32_t before = flow->before[edge];
            if (memory->seen[before] == memory->walk || (in_loop && !lint_in_loop(flow, before)))
                continue;
            memory->seen[before] = memory->walk;
            const enum effect effect = effect_on(memory, before, &memory->slots[load], bytes);
            if (effect != KEEPS && count == LINT_SLICE_MAX)
                return UINT32_MAX;
            if (effect != KEEPS)
                stores[count++] = before;
            if (effect != CHANGES)
                memory->left[depth++] = before;
        }
    }
    return count;
}
