/* SPDX-License-Identifier: MIT */
/* Addresses are followed back through sums, copies and the stack to what they start from. */
#include "deadlock_access.h"

#include "hd_address.h"

#include <stdlib.h>
#include <string.h>

#define STACK_POINTER 2u
#define FIRST_ARGUMENT 10u
#define LAST_ARGUMENT 17u
#define SOURCES_MAX 128u
#define DEPTH_MAX 32u /* pointers to pointers */

/* A value on the way back to where it starts from: a register before a node. */
typedef struct source {
    uint32_t node;
    uint32_t number;
    int32_t offset;
    uint32_t index; /* as of roots */
} source;

typedef struct trace {
    deadlock_memory *memory;
    deadlock_access *access;
    source sources[SOURCES_MAX];
    uint32_t count;
    int only_registers;
    uint32_t varies; /* what is added to a value over and over, as an index */
} trace;

static void add_root(trace *t, deadlock_root root)
{
    deadlock_access *access = t->access;
    for (uint32_t i = 0; i < access->root_count; i++)
        if (!memcmp(&access->roots[i], &root, sizeof root))
            return;
    if (access->root_count == DEADLOCK_ROOTS_MAX) {
        access->roots[0] = (deadlock_root){.kind = DEADLOCK_ROOT_ANY, .index = 1};
        return;
    }
    access->roots[access->root_count++] = root;
}

static void add_unknown(trace *t)
{
    add_root(t, (deadlock_root){.kind = DEADLOCK_ROOT_ANY, .index = 1});
}

/* Are multiples that the one stands for such of the other too? */
static int is_covered(uint32_t index, uint32_t other)
{
    return !index || (other && deadlock_step(index) >= deadlock_step(other));
}

static void add_source(trace *t, source next)
{
    if (!next.number)
        return;
    for (uint32_t i = 0; i < t->count; i++) {
        source *had = &t->sources[i];
        if (had->node != next.node || had->number != next.number)
            continue;
        t->varies |= (uint32_t)had->offset - (uint32_t)next.offset;
        t->varies |= is_covered(next.index, had->index) ? 0 : next.index;
        return;
    }
    if (t->count == SOURCES_MAX)
        add_unknown(t);
    else
        t->sources[t->count++] = next;
}

static void follow_load(trace *t, const source *at, uint32_t load)
{
    deadlock_memory *memory = t->memory;
    uint32_t stores[LINT_SLICE_MAX], from_entry;
    if (t->only_registers) {
        add_unknown(t);
        return;
    }
    const deadlock_access *pointer = deadlock_access_at(memory, load);
    if (pointer->root_count == 1 && pointer->roots[0].kind == DEADLOCK_ROOT_ARGUMENTS && !pointer->roots[0].index) {
        add_root(t, (deadlock_root){DEADLOCK_ROOT_ARGUMENT, (uint32_t)pointer->roots[0].offset, at->offset, at->index});
        return;
    }
    const uint32_t count =
        deadlock_is_private(memory, load) ? deadlock_stores_before(memory, load, 0, stores, &from_entry) : UINT32_MAX;
    if (count == UINT32_MAX) {
        add_unknown(t);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const isa_instruction *store = deadlock_instruction(memory->graph, stores[i]);
        if (store->instruction_class == ISA_CLASS_STORE && store->access_bytes == 4 && store->rs2 < 32)
            add_source(t, (source){stores[i], store->rs2, at->offset, at->index});
        else
            add_unknown(t);
    }
}

/* The value is made here. */
static void follow(trace *t, const source *at, uint32_t node)
{
    const deadlock_memory *memory = t->memory;
    const isa_instruction *from = deadlock_instruction(memory->graph, node);
    if (from->flags & ISA_FLAG_CALL) {
        add_unknown(t);
        return;
    }
    switch (from->operation) {
    case ISA_OP_ADDI:
        add_source(t,
                   (source){node, from->rs1, (int32_t)((uint32_t)at->offset + (uint32_t)from->immediate), at->index});
        return;
    case ISA_OP_ADD:
        add_source(
            t, (source){node, from->rs1, at->offset, at->index | deadlock_index_in(memory->graph, node, from->rs2)});
        add_source(
            t, (source){node, from->rs2, at->offset, at->index | deadlock_index_in(memory->graph, node, from->rs1)});
        return;
    case ISA_OP_SUB:
        add_source(
            t, (source){node, from->rs1, at->offset, at->index | deadlock_index_in(memory->graph, node, from->rs2)});
        return;
    case ISA_OP_LUI:
    case ISA_OP_AUIPC: {
        const uint32_t base = from->operation == ISA_OP_AUIPC ? deadlock_pc(memory->graph, node) : 0;
        const uint32_t address = base + (uint32_t)from->immediate + (uint32_t)at->offset;
        add_root(t, (deadlock_root){DEADLOCK_ROOT_FIXED, address, 0, at->index});
        return;
    }
    default: break;
    }
    switch (from->instruction_class) {
    case ISA_CLASS_LOAD: follow_load(t, at, node); return;
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV:
    case ISA_CLASS_CSR: return; /* an index */
    default: add_unknown(t);
    }
}

static void follow_entry(trace *t, const source *at, uint32_t entry, uint32_t is_kernel)
{
    if (at->number == STACK_POINTER)
        add_root(t, (deadlock_root){DEADLOCK_ROOT_STACK, 0, at->offset, at->index});
    else if (at->number == FIRST_ARGUMENT && is_kernel && entry == LINT_ENTRY_FUNCTION)
        add_root(t, (deadlock_root){DEADLOCK_ROOT_ARGUMENTS, 0, at->offset, at->index});
    else if (at->number >= FIRST_ARGUMENT && at->number <= LAST_ARGUMENT)
        add_root(t, (deadlock_root){DEADLOCK_ROOT_PARAMETER, at->number, at->offset, at->index});
    else
        add_unknown(t);
}

static void follow_all(trace *t)
{
    deadlock_graph *graph = t->memory->graph;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t definitions[LINT_SLICE_MAX], entry;
        const source at = t->sources[i];
        const uint32_t count = lint_definitions(&graph->flow, at.node, at.number, 0, definitions, &entry);
        if (count == UINT32_MAX) {
            add_unknown(t);
            continue;
        }
        if (entry)
            follow_entry(t, &at, entry, t->memory->is_kernel[at.node]);
        for (uint32_t k = 0; k < count; k++)
            follow(t, &at, definitions[k]);
    }
}

static int is_access(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_LOAD || instruction->instruction_class == ISA_CLASS_STORE ||
           instruction->instruction_class == ISA_CLASS_ATOMIC;
}

static int32_t offset_of(const isa_instruction *access)
{
    return access->instruction_class == ISA_CLASS_ATOMIC ? 0 : access->immediate;
}

/* Small numbers and what is no address are indices. */
static void drop_indices(deadlock_access *access)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < access->root_count; i++)
        if (access->roots[i].kind != DEADLOCK_ROOT_FIXED || access->roots[i].number >= HD_UNMAPPED_END)
            access->roots[kept++] = access->roots[i];
    access->root_count = kept;
}

uint32_t deadlock_starts(deadlock_memory *memory, uint32_t node, uint32_t register_number)
{
    deadlock_access found = {.root_count = 0};
    trace t = {.memory = memory, .access = &found, .only_registers = 1};
    uint32_t kinds = 0;
    add_source(&t, (source){node, register_number, 0, 0});
    follow_all(&t);
    for (uint32_t i = 0; i < found.root_count; i++)
        kinds |= 1u << found.roots[i].kind;
    return kinds;
}

const deadlock_access *deadlock_access_at(deadlock_memory *memory, uint32_t node)
{
    static const deadlock_access unknown = {
        .is_known = 1, .root_count = 1, .roots = {{.kind = DEADLOCK_ROOT_ANY, .index = 1}}};
    deadlock_access *access = &memory->accesses[memory->place[node]];
    const isa_instruction *instruction = deadlock_instruction(memory->graph, node);
    if (access->is_known)
        return access;
    if (memory->depth == DEPTH_MAX)
        return &unknown;
    memory->depth++;
    access->is_known = 1; /* also while it is being found out: a pointer may lead to itself */
    access->node = node;
    access->root_count = 1;
    access->roots[0] = (deadlock_root){.kind = DEADLOCK_ROOT_ANY, .index = 1};
    deadlock_access found = {.root_count = 0};
    trace t = {.memory = memory, .access = &found};
    add_source(&t, (source){node, instruction->rs1, offset_of(instruction), 0});
    follow_all(&t);
    drop_indices(&found);
    if (!found.root_count)
        add_unknown(&t);
    for (uint32_t i = 0; i < found.root_count; i++)
        found.roots[i].index |= t.varies;
    memcpy(access->roots, found.roots, sizeof found.roots);
    access->root_count = found.root_count;
    memory->depth--;
    return access;
}

static uint32_t has_roots_of(const deadlock_access *access, uint32_t kind)
{
    for (uint32_t i = 0; i < access->root_count; i++)
        if (access->roots[i].kind != kind)
            return 0;
    return 1;
}

static int window_is_private(const deadlock_access *access)
{
    for (uint32_t i = 0; i < access->root_count; i++) {
        const deadlock_root *root = &access->roots[i];
        const int is_fixed =
            root->kind == DEADLOCK_ROOT_FIXED && root->number >= HD_PRIVATE_BASE && root->number < HD_PRIVATE_END;
        if (!is_fixed && root->kind != DEADLOCK_ROOT_STACK)
            return 0;
    }
    return 1;
}

int deadlock_is_private(deadlock_memory *memory, uint32_t node)
{
    const isa_instruction *instruction = deadlock_instruction(memory->graph, node);
    return is_access(instruction) && window_is_private(deadlock_access_at(memory, node));
}

static int is_constant_memory(const deadlock_access *access)
{
    return has_roots_of(access, DEADLOCK_ROOT_ARGUMENTS);
}

int deadlock_reads_shared(deadlock_memory *memory, uint32_t node)
{
    const isa_instruction *instruction = deadlock_instruction(memory->graph, node);
    if (instruction->instruction_class != ISA_CLASS_LOAD &&
        (instruction->instruction_class != ISA_CLASS_ATOMIC || instruction->operation == ISA_OP_SC_W))
        return 0;
    return !deadlock_is_private(memory, node) && !is_constant_memory(deadlock_access_at(memory, node));
}

int deadlock_writes_shared(deadlock_memory *memory, uint32_t node)
{
    const isa_instruction *instruction = deadlock_instruction(memory->graph, node);
    if (instruction->instruction_class != ISA_CLASS_STORE &&
        (instruction->instruction_class != ISA_CLASS_ATOMIC || instruction->operation == ISA_OP_LR_W))
        return 0;
    return !deadlock_is_private(memory, node);
}

/* ---- Do two meet? -------------------------------------------------------------------------------------------------- */

static const isa_symbol *object_at(const isa_program *program, uint32_t address)
{
    for (uint32_t i = 0; i < program->symbol_count; i++) {
        const isa_symbol *symbol = &program->symbols[i];
        if (!symbol->is_function && symbol->bytes && address - symbol->address < symbol->bytes)
            return symbol;
    }
    return NULL;
}

static int is_read_only(const isa_program *program, uint32_t address)
{
    if (address >= HD_CONSTANT_BASE && address < HD_CONSTANT_END)
        return 1;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        if (address - segment->address < segment->memory_bytes)
            return !(segment->flags & ISA_SEGMENT_WRITE);
    }
    return 0;
}

static int is_in_scratchpad(uint32_t address)
{
    return address >= HD_SCRATCHPAD_BASE && address < HD_SCRATCHPAD_END;
}

/* Two addresses in the code, of objects whose extent is known or of different windows. */
static int fixed_may_meet(const isa_program *program, uint32_t a, uint32_t b)
{
    const isa_symbol *x = object_at(program, a), *y = object_at(program, b);
    return is_in_scratchpad(a) == is_in_scratchpad(b) && (!x || !y || x == y);
}

static int is_pointer(const deadlock_root *root)
{
    return root->kind == DEADLOCK_ROOT_ARGUMENT || root->kind == DEADLOCK_ROOT_PARAMETER;
}

static int is_same_for_all_lanes(const deadlock_root *root)
{
    return root->kind == DEADLOCK_ROOT_ARGUMENT || root->kind == DEADLOCK_ROOT_FIXED;
}

/* If to both any multiple of the step is added, and to neither if it is 0? */
static int are_apart(int64_t a, uint32_t a_bytes, int64_t b, uint32_t b_bytes, uint32_t step)
{
    if (!step)
        return a + a_bytes <= b || b + b_bytes <= a;
    const uint32_t behind = (uint32_t)(b - a) % step; /* a power of two */
    return behind >= a_bytes && behind + b_bytes <= step;
}

static int64_t place_of(const deadlock_root *root)
{
    return root->kind == DEADLOCK_ROOT_FIXED ? (int64_t)root->number : root->offset;
}

/* Two parameters, or two words of the argument block. A function that kernels jump to has both, of which one run has one kind. */
static int are_different_pointers(const deadlock_root *a, const deadlock_root *b)
{
    return is_pointer(a) && is_pointer(b) && (a->kind != b->kind || a->number != b->number);
}

static int roots_may_meet(const deadlock_memory *memory, const deadlock_root *read, uint32_t read_node,
                          const deadlock_root *write, uint32_t write_node)
{
    const isa_program *program = memory->graph->flow.program;
    const int is_same_root =
        read->kind == write->kind && (read->number == write->number || read->kind == DEADLOCK_ROOT_FIXED);
    if ((read->kind == DEADLOCK_ROOT_STACK) != (write->kind == DEADLOCK_ROOT_STACK))
        return read->kind == DEADLOCK_ROOT_ANY || write->kind == DEADLOCK_ROOT_ANY;
    if (read->kind == DEADLOCK_ROOT_ARGUMENTS ||
        (read->kind == DEADLOCK_ROOT_FIXED && is_read_only(program, read->number)))
        return 0;
    if (read->kind == DEADLOCK_ROOT_FIXED && write->kind == DEADLOCK_ROOT_FIXED &&
        !fixed_may_meet(program, read->number, write->number))
        return 0;
    if (are_different_pointers(read, write) &&
        (memory->options->parameters_do_not_alias ||
         memory->function_notes[read_node] & ISA_FUNCTION_PARAMETERS_DO_NOT_ALIAS))
        return 0;
    return !is_same_root || !is_same_for_all_lanes(read) ||
           !are_apart(place_of(read), deadlock_instruction(memory->graph, read_node)->access_bytes, place_of(write),
                      deadlock_instruction(memory->graph, write_node)->access_bytes,
                      deadlock_step(read->index | write->index));
}

int deadlock_may_meet(deadlock_memory *memory, uint32_t read, uint32_t write)
{
    const deadlock_access *a = deadlock_access_at(memory, read), *b = deadlock_access_at(memory, write);
    if ((a->lock || b->lock) && (!a->lock || !b->lock || strcmp(a->lock, b->lock)))
        return 0;
    for (uint32_t i = 0; i < a->root_count; i++)
        for (uint32_t k = 0; k < b->root_count; k++)
            if (roots_may_meet(memory, &a->roots[i], read, &b->roots[k], write))
                return 1;
    return 0;
}

int deadlock_do_meet(deadlock_memory *memory, uint32_t read, uint32_t write)
{
    const isa_instruction *x = deadlock_instruction(memory->graph, read);
    const isa_instruction *y = deadlock_instruction(memory->graph, write);
    return offset_of(x) == offset_of(y) && lint_same_value(&memory->graph->flow, read, x->rs1, write, y->rs1);
}
