/* SPDX-License-Identifier: MIT */
/* Definitions and uses of registers: from each instruction a walk along the edges, or against them, until the value ends. */
#include "definitions.h"

#include "control_flow_graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RISC-V ABIs, 1.1 and 1.2: x in the low half, f in the high half. */
#define CALLER_SAVED UINT64_C(0xF003FCFFF003FCE2) /* x1, x5-x7, x10-x17, x28-x31; f0-f7, f10-f17, f28-f31 */
#define ARGUMENTS UINT64_C(0x0003FC000003FC1C)    /* x2-x4, which no callee changes; x10-x17; f10-f17 */
#define RESULTS UINT64_C(0x00000C0000000C00)      /* x10, x11; f10, f11 */
#define X0 UINT64_C(1)

uint64_t isa_changes(const isa_instruction *instruction)
{
    return instruction->writes | (instruction->flags & ISA_FLAG_CALL ? CALLER_SAVED : 0);
}

uint64_t isa_needs(const isa_instruction *instruction)
{
    const uint32_t has_target = instruction->flags & ISA_FLAG_RECOVERED;
    if (instruction->flags & ISA_FLAG_CALL)
        return instruction->reads | ARGUMENTS;
    if (instruction->instruction_class != ISA_CLASS_JUMP_REGISTER || has_target)
        return instruction->reads;
    const uint64_t kept = ~CALLER_SAVED & ~X0;
    return instruction->reads | kept | RESULTS | (instruction->flags & ISA_FLAG_RETURN ? 0 : ARGUMENTS);
}

/* The graph by its edges, both ways. Node i is word i of the text. */
typedef struct edges {
    uint32_t *first; /* [count + 1]: those of node n are node[first[n]] .. */
    uint32_t *node;
} edges;

typedef struct walker {
    control_flow flow;
    edges edges;       /* along which it walks */
    uint8_t *is_entry; /* [count]; NULL: that does not matter in this direction */
    uint32_t *stack;   /* [count] */
    uint32_t *seen;    /* [count]: number of the last walk that was here */
    uint32_t walk;
    uint64_t (*starts)(const isa_instruction *instruction); /* registers that walks are made for */
    uint64_t (*ends)(const isa_instruction *instruction);   /* registers whose value ends here in this direction */
    uint64_t (*found)(const isa_instruction *instruction);  /* registers whose walks name this node */
    /* What has been found: of each node that has something, in ascending order of its registers, a header and the pcs. */
    uint32_t *pool;
    uint32_t used, capacity;
} walker;

#define OPEN UINT32_C(0x80000000) /* in a header, beside the number of pcs */

static const isa_instruction *instruction_of(const walker *w, uint32_t node)
{
    return &w->flow.program->instructions[node];
}

/* Successors that are nodes. */
static uint32_t next_nodes(const walker *w, uint32_t node, uint32_t next[2])
{
    uint32_t found = 0, all[2];
    const uint32_t count = w->flow.reachable[node] ? flow_successors(&w->flow, node, all) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (all[i] != w->flow.count)
            next[found++] = all[i];
    return found;
}

/* Counted one place on, then filled from the end of each list. */
static void link_edges(const walker *w, uint32_t is_backward)
{
    const edges *e = &w->edges;
    uint32_t next[2];
    for (uint32_t node = 0; node < w->flow.count; node++)
        for (uint32_t i = next_nodes(w, node, next); i > 0; i--)
            e->first[is_backward ? next[i - 1] : node]++;
    for (uint32_t node = 1; node <= w->flow.count; node++)
        e->first[node] += e->first[node - 1];
    for (uint32_t node = 0; node < w->flow.count; node++)
        for (uint32_t i = next_nodes(w, node, next); i > 0; i--)
            e->node[--e->first[is_backward ? next[i - 1] : node]] = is_backward ? node : next[i - 1];
}

static void mark_entry(void *context, uint32_t node)
{
    ((walker *)context)->is_entry[node] = 1;
}

static int reserve(walker *w, uint32_t more)
{
    if (w->used + (uint64_t)more <= w->capacity)
        return 0;
    const uint64_t capacity = 2 * (w->used + (uint64_t)more);
    uint32_t *pool = capacity < OPEN ? realloc(w->pool, capacity * sizeof *pool) : NULL;
    if (!pool)
        return -1;
    w->pool = pool;
    w->capacity = (uint32_t)capacity;
    return 0;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* For one register of one node: its header and pcs are put into the pool. */
static int walk(walker *w, uint32_t start, uint64_t register_bit)
{
    uint32_t depth = 0, is_open = 0;
    const uint32_t header = w->used;
    if (reserve(w, 1))
        return -1;
    w->used++;
    w->walk++;
    w->stack[depth++] = start;
    while (depth) {
        const uint32_t at = w->stack[--depth];
        is_open |= w->is_entry && w->is_entry[at];
        for (uint32_t edge = w->edges.first[at]; edge < w->edges.first[at + 1]; edge++) {
            const uint32_t to = w->edges.node[edge];
            const isa_instruction *instruction = instruction_of(w, to);
            if (w->seen[to] == w->walk)
                continue;
            w->seen[to] = w->walk;
            if (w->found(instruction) & register_bit) {
                if (reserve(w, 1))
                    return -1;
                w->pool[w->used++] = flow_pc(&w->flow, to);
            }
            if (!(w->ends(instruction) & register_bit))
                w->stack[depth++] = to;
        }
    }
    const uint32_t count = w->used - header - 1;
    qsort(w->pool + header + 1, count, sizeof *w->pool, ascending);
    w->pool[header] = count | (is_open ? OPEN : 0);
    return 0;
}

static int walk_all(walker *w, uint32_t *values)
{
    w->used = 1; /* place 0: nothing to say */
    if (reserve(w, 0))
        return -1;
    for (uint32_t node = 0; node < w->flow.count; node++) {
        uint64_t left = w->flow.reachable[node] ? w->starts(instruction_of(w, node)) : 0;
        values[node] = left ? w->used : 0;
        for (; left; left &= left - 1)
            if (walk(w, node, left & -left))
                return -1;
    }
    return 0;
}

static int run(walker *w, uint32_t is_backward, uint32_t *values, uint32_t **list)
{
    const size_t count = w->flow.count;
    w->edges.first = calloc(count + 1, sizeof *w->edges.first);
    w->edges.node = malloc((2 * count + 1) * sizeof *w->edges.node);
    w->stack = malloc((count + 1) * sizeof *w->stack);
    w->seen = calloc(count + 1, sizeof *w->seen);
    w->is_entry = is_backward ? calloc(count + 1, 1) : NULL;
    int failed = !w->edges.first || !w->edges.node || !w->stack || !w->seen || (is_backward && !w->is_entry);
    if (!failed) {
        link_edges(w, is_backward);
        if (is_backward)
            flow_each_entry(&w->flow, mark_entry, w);
        failed = walk_all(w, values);
    }
    free(w->edges.first);
    free(w->edges.node);
    free(w->stack);
    free(w->seen);
    free(w->is_entry);
    *list = w->pool;
    return failed ? flow_fail(&w->flow, "out of memory") : 0;
}

static int list_definitions(const isa_program *program, uint32_t *values, uint32_t **list, char *error,
                            size_t error_bytes)
{
    walker w = {.flow = flow_of_program(program, error, error_bytes),
                .starts = isa_needs,
                .ends = isa_changes,
                .found = isa_changes};
    return run(&w, 1, values, list);
}

static int list_uses(const isa_program *program, uint32_t *values, uint32_t **list, char *error, size_t error_bytes)
{
    walker w = {.flow = flow_of_program(program, error, error_bytes),
                .starts = isa_changes,
                .ends = isa_changes,
                .found = isa_needs};
    return run(&w, 0, values, list);
}

static isa_places places_of(const isa_program *program, const char *table, uint64_t registers, uint32_t pc,
                            uint32_t register_number)
{
    const uint32_t *values = isa_program_table(program, table), *list = isa_program_lists(program, table);
    uint32_t at = isa_table_value(program, values, pc);
    if (!at || register_number >= ISA_REGISTER_COUNT || !(registers >> register_number & 1))
        return (isa_places){0};
    for (uint64_t before = registers & ((UINT64_C(1) << register_number) - 1); before; before &= before - 1)
        at += 1 + (list[at] & ~OPEN);
    return (isa_places){.pcs = list + at + 1, .count = list[at] & ~OPEN, .is_open = (list[at] & OPEN) != 0};
}

isa_places isa_definitions_of(const isa_program *program, uint32_t pc, uint32_t register_number)
{
    return places_of(program, isa_definitions.name, isa_needs(isa_program_at(program, pc)), pc, register_number);
}

isa_places isa_uses_of(const isa_program *program, uint32_t pc, uint32_t register_number)
{
    return places_of(program, isa_uses.name, isa_changes(isa_program_at(program, pc)), pc, register_number);
}

typedef struct line {
    char *text;
    size_t bytes;
    int length; /* what has no room included */
} line;

static __attribute__((format(printf, 2, 3))) void append(line *to, const char *format, ...)
{
    const size_t used = (size_t)to->length < to->bytes ? (size_t)to->length : to->bytes;
    va_list arguments;
    va_start(arguments, format);
    to->length += vsnprintf(to->text + used, to->bytes - used, format, arguments);
    va_end(arguments);
}

/* "a0: 0x10000004 0x1000000c, t1: on entry". Returns its length, what has no room included. */
static int describe(const isa_program *program, uint64_t registers, uint32_t pc,
                    isa_places (*places_at)(const isa_program *program, uint32_t pc, uint32_t register_number),
                    char *text, size_t bytes)
{
    line to = {.text = text, .bytes = bytes};
    for (uint64_t left = registers; left; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        const isa_places places = places_at(program, pc, number);
        append(&to, "%s%s:", to.length ? ", " : "", isa_register_name(number));
        for (uint32_t i = 0; i < places.count; i++)
            append(&to, " 0x%08x", places.pcs[i]);
        if (places.is_open)
            append(&to, " on entry");
        else if (!places.count)
            append(&to, " nowhere");
    }
    return to.length;
}

static int describe_definitions(const isa_program *program, uint32_t pc, char *text, size_t bytes)
{
    return describe(program, isa_needs(isa_program_at(program, pc)), pc, isa_definitions_of, text, bytes);
}

static int describe_uses(const isa_program *program, uint32_t pc, char *text, size_t bytes)
{
    return describe(program, isa_changes(isa_program_at(program, pc)), pc, isa_uses_of, text, bytes);
}

const isa_analysis isa_definitions = {
    .name = "definitions",
    .doc = "where the values may have been made that it needs",
    .fill_lists = list_definitions,
    .describe = describe_definitions,
};

const isa_analysis isa_uses = {
    .name = "uses",
    .doc = "where the values may be needed that it makes",
    .fill_lists = list_uses,
    .describe = describe_uses,
};
