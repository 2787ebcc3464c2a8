/* SPDX-License-Identifier: MIT */
/* Which backward branches wait for others: what the source says, and what the code looks like. */
#include "analysis.h"
#include "assemble.h"
#include "spin_loops.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { WORDS = 7, INNER = 3, OUTER = 5, NOWHERE = 6 };

/* A loop of words 2 to 3 in one of words 0 to 5. */
static isa_program *load_marked(const uint32_t *pcs, uint32_t bytes)
{
    static const test_function kernel = {"kernel", 0};
    const uint32_t words[WORDS] = {WORD(AMOSWAP_W, .rd = 10, .rs1 = 12, .rs2 = 13),
                                   NOP_WORD,
                                   WORD(AMOSWAP_W, .rd = 0, .rs1 = 12, .rs2 = 13),
                                   BRANCH_WORD(-4),
                                   NOP_WORD,
                                   JUMP_WORD(-20),
                                   RETURN_WORD};
    const test_section marks = {".heddle.spin", pcs, bytes};
    char error[256] = "";
    size_t size;
    uint8_t *file = make_elf(words, WORDS, &kernel, 1, &size);
    file = add_sections(file, &size, &marks, 1);
    isa_program *program = isa_program_load(file, size, error, sizeof error);
    free(file);
    cr_assert(program, "%s", error);
    return program;
}

static void expect_loops(const isa_analysis *analysis, const uint32_t *pcs, uint32_t bytes, uint32_t expected)
{
    char error[256] = "";
    isa_program *program = load_marked(pcs, bytes);
    cr_assert_not(isa_program_require(program, analysis, error, sizeof error), "%s", error);
    const uint32_t *table = isa_program_table(program, analysis->name);
    for (uint32_t word = 0; word < WORDS; word++)
        cr_expect_eq(isa_table_value(program, table, TEXT + 4 * word), expected >> word & 1, "word %u", word);
    isa_program_free(program);
}

static void expect_refusal(uint32_t pc, uint32_t bytes, const char *expected)
{
    char error[256] = "";
    isa_program *program = load_marked(&pc, bytes);
    cr_expect_eq(isa_program_require(program, &isa_spin_marked, error, sizeof error), -1);
    cr_expect_str_eq(error, expected);
    isa_program_free(program);
}

Test(spin_loops, a_mark_is_of_the_smallest_loop_around_it)
{
    const uint32_t pcs[] = {TEXT + 8, TEXT + 16};
    expect_loops(&isa_spin_marked, pcs, 4, 1u << INNER);
    expect_loops(&isa_spin_marked, pcs + 1, 4, 1u << OUTER);
    expect_loops(&isa_spin_marked, pcs, 8, 1u << INNER | 1u << OUTER);
}

Test(spin_loops, an_atomic_whose_result_is_used_may_wait)
{
    const uint32_t pc = TEXT + 8;
    expect_loops(&isa_spin_static, &pc, 4, 1u << OUTER);
}

Test(spin_loops, marks_that_fit_no_code_are_refused)
{
    expect_refusal(TEXT + 4 * NOWHERE, 4,
                   "damaged: .heddle.spin says that a loop waits at 0x10000018 (kernel+0x18), which is in no loop");
    expect_refusal(TEXT + 4 * WORDS, 4, "damaged: .heddle.spin names pc 0x1000001c, where there is no code");
    expect_refusal(TEXT + 2, 4, "damaged: .heddle.spin names pc 0x10000002, where there is no code");
    expect_refusal(TEXT, 3, "damaged: .heddle.spin has 3 bytes, which are no words");
}
