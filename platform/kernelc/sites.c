/* SPDX-License-Identifier: MIT */
#include "sites.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define RECORD "\\0A\\09.pushsection .heddle.convergent\\0A\\09.word 0b, $%u\\0A\\09.popsection"

/* Instructions of docs/isa.md. Operand 0 is the result if there is one, then come the parameters; the last is the number. */
typedef struct operation {
    const char *name;
    const char *instruction; /* with its operands */
    uint32_t parameters;     /* of 32 bits */
    uint32_t has_result;
    uint32_t is_convergent; /* it is recorded for the loader */
    uint32_t has_flags;     /* its parameter is one of mem_fence, which comes first */
} operation;

static const operation operations[] = {
    {"@_Z7barrierj", ".insn i 0x0B, 3, x0, x0, 0", 1, 0, 1, 1},
    {"@heddle_warp_sync", ".insn i 0x0B, 5, x0, x0, 0", 0, 0, 1, 0},
    {"@heddle_vote_any", ".insn r 0x0B, 4, 0, $0, $1, x0", 1, 1, 1, 0},
    {"@heddle_vote_all", ".insn r 0x0B, 4, 1, $0, $1, x0", 1, 1, 1, 0},
    {"@heddle_ballot_low", ".insn r 0x0B, 4, 2, $0, $1, x0", 1, 1, 1, 0},
    {"@heddle_ballot_high", ".insn r 0x0B, 4, 3, $0, $1, x0", 1, 1, 1, 0},
    {"@heddle_shuffle", ".insn r 0x0B, 4, 4, $0, $1, $2", 2, 1, 1, 0},
    {"@heddle_shuffle_up", ".insn r 0x0B, 4, 5, $0, $1, $2", 2, 1, 1, 0},
    {"@heddle_shuffle_down", ".insn r 0x0B, 4, 6, $0, $1, $2", 2, 1, 1, 0},
    {"@heddle_shuffle_xor", ".insn r 0x0B, 4, 7, $0, $1, $2", 2, 1, 1, 0},
    {"@tm_begin", ".insn i 0x0B, 0, x0, x0, 1", 0, 0, 0, 0},
    {"@tm_begin_scratchpad", ".insn i 0x0B, 0, x0, x0, 2", 0, 0, 0, 0},
    {"@tm_commit", ".insn i 0x0B, 1, x0, x0, 0", 0, 0, 0, 0},
};

static const operation *find(ir_piece name)
{
    for (size_t i = 0; i < COUNT_OF(operations); i++)
        if (ir_equals(name, operations[i].name))
            return &operations[i];
    return NULL;
}

int sites_has(ir_piece name)
{
    return find(name) != NULL;
}

/* ---- The function of a call ------------------------------------------------------------------------------------------ */

static void add_instruction(hd_text *program, const operation *of, uint32_t number)
{
    const uint32_t operands = of->has_flags ? 0 : of->parameters;
    hd_text_add(program, "  %scall %s asm sideeffect \"0:\\09%s", of->has_result ? "%result = " : "",
                of->has_result ? "i32" : "void", of->instruction);
    hd_text_add(program, of->is_convergent ? RECORD : "\\09# $%u", of->has_result + operands);
    hd_text_add(program, "\", \"%s", of->has_result ? "=r," : "");
    for (uint32_t i = 0; i < operands; i++)
        hd_text_add(program, "r,");
    hd_text_add(program, "i,~{memory}\"(");
    for (uint32_t i = 0; i < operands; i++)
        hd_text_add(program, "i32 %%a%u, ", i);
    hd_text_add(program, "i32 %u) convergent nounwind\n", number);
}

void sites_add(ir_sites *sites, ir_piece name, char *text)
{
    const operation *of = find(name);
    const uint32_t number = sites->count++;
    snprintf(text, SITE_NAME_BYTES, "heddle.site.%u", number);
    hd_text_add(&sites->defined, "define internal %s @%s(", of->has_result ? "i32" : "void", text);
    for (uint32_t i = 0; i < of->parameters; i++)
        hd_text_add(&sites->defined, "%si32 %%a%u", i ? ", " : "", i);
    hd_text_add(&sites->defined, ") alwaysinline convergent nounwind {\n");
    if (of->has_flags)
        hd_text_add(&sites->defined, "  call void @_Z9mem_fencej(i32 %%a0)\n");
    add_instruction(&sites->defined, of, number);
    hd_text_add(&sites->defined, of->has_result ? "  ret i32 %%result\n}\n" : "  ret void\n}\n");
}

/* ---- Who has some, and is called twice ------------------------------------------------------------------------------- */

typedef struct function {
    ir_piece name;
    uint32_t calls;
    int has_sites;
} function;

typedef struct functions {
    function *items;
    uint32_t count, capacity;
} functions;

static uint32_t number_of(const functions *all, ir_piece name)
{
    uint32_t i = 0;
    while (i < all->count && !ir_same(all->items[i].name, name))
        i++;
    return i;
}

static void list_functions(arena *memory, ir_piece program, functions *all)
{
    ir_piece line;
    for (ir_piece rest = program; ir_next_line(&rest, &line);) {
        const char *at = ir_starts_with(line, "define ") ? ir_find(line, "@") : NULL;
        if (!at)
            continue;
        all->items = arena_grow(memory, all->items, all->count, &all->capacity, sizeof *all->items);
        all->items[all->count++] = (function){.name = ir_name_at(at, line.text + line.bytes)};
    }
}

/* Goes through all calls; returns whether a function turned out to have some. */
static int follow_calls(functions *all, ir_piece program, int counts)
{
    function *in = NULL;
    int is_news = 0;
    ir_piece line;
    for (ir_piece rest = program; ir_next_line(&rest, &line);) {
        const char *at = ir_find(line, "@");
        if (!at)
            continue;
        const ir_piece name = ir_name_at(at, line.text + line.bytes);
        if (ir_starts_with(line, "define ")) {
            in = &all->items[number_of(all, name)];
        } else if (in && ir_starts_with(line, "  ") && ir_find(line, "call ")) {
            const uint32_t callee = number_of(all, name);
            const int has = callee < all->count ? all->items[callee].has_sites : sites_has(name);
            is_news |= has && !in->has_sites;
            in->has_sites |= has;
            if (counts && callee < all->count)
                all->items[callee].calls++;
        }
    }
    return is_news;
}

ir_list sites_shared_functions(arena *memory, ir_piece program)
{
    functions all = {0};
    ir_list shared = {0};
    uint32_t capacity = 0;
    list_functions(memory, program, &all);
    for (int counts = 1; follow_calls(&all, program, counts); counts = 0)
        ;
    for (uint32_t i = 0; i < all.count; i++)
        if (all.items[i].has_sites && all.items[i].calls > 1) {
            shared.items = arena_grow(memory, shared.items, shared.count, &capacity, sizeof *shared.items);
            shared.items[shared.count++] = all.items[i].name;
        }
    return shared;
}
