/* SPDX-License-Identifier: MIT */
/*
 * Convergent instructions (barriers, votes, shuffles, warp.sync) that the compiler has copied. firmware/include/simt.h
 * records in .heddle.convergent the pc of each, and a number of its use in the source.
 *
 * One use in two functions is an inlined or cloned helper: two calls in the source. One use twice in one function is a
 * copy, of which lanes that part before it may execute different ones; a vote then sees some of its lanes only. Copies that all lanes
 * execute in turns, those of an unrolled loop, do no harm.
 */
#include "control_equivalence.h"
#include "control_flow.h"
#include "loading.h"

#include <stdlib.h>
#include <string.h>

#define SECTION ".heddle.convergent"
#define COLD ".cold" /* gcc's part of a function that is laid elsewhere */

typedef struct site {
    uint32_t pc;
    uint32_t number;
    const char *function;
    size_t function_bytes; /* of its name, without COLD */
} site;

static int is_convergent(const isa_program *program, uint32_t pc)
{
    const isa_instruction *instruction = isa_program_at(program, pc);
    uint32_t class = instruction ? instruction->instruction_class : ISA_CLASS_ILLEGAL;
    return class == ISA_CLASS_BARRIER || class == ISA_CLASS_WARP_SYNC || class == ISA_CLASS_CROSS_LANE;
}

static site read_site(const isa_program *program, const uint8_t *record)
{
    site found = {.function = ""};
    uint32_t offset;
    memcpy(&found.pc, record, sizeof found.pc);
    memcpy(&found.number, record + sizeof found.pc, sizeof found.number);
    const char *name = isa_program_symbol_at(program, found.pc, &offset);
    if (!name)
        return found;
    size_t bytes = strlen(name), cold = strlen(COLD);
    found.function = name;
    found.function_bytes = bytes > cold && !strcmp(name + bytes - cold, COLD) ? bytes - cold : bytes;
    return found;
}

static int compare_functions(const site *a, const site *b)
{
    size_t both = a->function_bytes < b->function_bytes ? a->function_bytes : b->function_bytes;
    int order = memcmp(a->function, b->function, both);
    return order ? order : (a->function_bytes > b->function_bytes) - (a->function_bytes < b->function_bytes);
}

static int by_use(const void *a, const void *b)
{
    const site *x = a, *y = b;
    if (x->number != y->number)
        return x->number > y->number ? 1 : -1;
    int order = compare_functions(x, y);
    return order ? order : (x->pc > y->pc) - (x->pc < y->pc);
}

static int refuse_copy(const isa_program *program, const site *a, const site *b, char *error, size_t error_bytes)
{
    char first[128], second[128];
    isa_program_place(program, a->pc, first, sizeof first);
    isa_program_place(program, b->pc, second, sizeof second);
    return isa_fail(error, error_bytes,
                    "the compiler has copied one %s of the source to pc %s and pc %s: lanes that part before it would "
                    "not meet; compile with the flags of docs/isa.md, and make a helper that is inlined twice noinline",
                    isa_mnemonic(isa_program_at(program, a->pc)->operation), first, second);
}

/* By use. */
static int read_sites(const isa_program *program, const uint8_t *records, site *sites, uint32_t count, char *error,
                      size_t error_bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        sites[i] = read_site(program, records + i * sizeof(uint32_t[2]));
        if (!is_convergent(program, sites[i].pc))
            return isa_fail(error, error_bytes, "damaged: %s names 0x%08x, where there is no convergent instruction",
                            SECTION, sites[i].pc);
    }
    qsort(sites, count, sizeof *sites, by_use);
    for (uint32_t i = 1; i < count; i++)
        if (sites[i].number == sites[i - 1].number && sites[i].pc == sites[i - 1].pc)
            return isa_fail(error, error_bytes, "damaged: %s names 0x%08x twice", SECTION, sites[i].pc);
    return 0;
}

static int is_copy(const site *a, const site *b)
{
    return a->number == b->number && !compare_functions(a, b);
}

/* Does the use of the last of them have copies, and if so, do lanes take turns at all? The sites of a use lie side by side. */
static int check_last(const isa_program *program, const site *sites, uint32_t count, char *error, size_t error_bytes)
{
    const site *last = &sites[count - 1];
    for (const site *other = last; other-- > sites && is_copy(other, last);) {
        const int is_harmless = isa_control_equivalent(program, other->pc, last->pc);
        if (is_harmless < 0)
            return isa_fail(error, error_bytes, "out of memory");
        if (!is_harmless)
            return refuse_copy(program, other, last, error, error_bytes);
    }
    return 0;
}

static int has_copies(const site *sites, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (is_copy(&sites[i - 1], &sites[i]))
            return 1;
    return 0;
}

/* Where code leads is not known yet at this step, and hardly any program has copies. */
static int check_copies(isa_program *program, const site *sites, uint32_t count, char *error, size_t error_bytes)
{
    int failed = isa_control_flow(program, error, error_bytes);
    for (uint32_t i = 1; i <= count && !failed; i++)
        failed = check_last(program, sites, i, error, error_bytes);
    isa_program_forget_analysis(program);
    return failed;
}

int isa_check_convergent(isa_program *program, char *error, size_t error_bytes)
{
    const isa_section *section = isa_program_section(program, SECTION);
    if (!section)
        return 0;
    if (section->size % sizeof(uint32_t[2]))
        return isa_fail(error, error_bytes, "damaged: %s has %u bytes, which are no records of %zu", SECTION,
                        section->size, sizeof(uint32_t[2]));
    uint32_t count = (uint32_t)(section->size / sizeof(uint32_t[2]));
    site *sites = malloc(count * sizeof *sites);
    int failed = sites ? read_sites(program, section->bytes, sites, count, error, error_bytes)
                       : isa_fail(error, error_bytes, "out of memory");
    if (!failed && has_copies(sites, count))
        failed = check_copies(program, sites, count, error, error_bytes);
    free(sites);
    return failed;
}
