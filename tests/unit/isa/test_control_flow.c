/* SPDX-License-Identifier: MIT */
#include "analysis.h"
#include "assemble.h"

#include <criterion/criterion.h>

#define AT_RETURN (-1)

/* The branch at word `branch` reconverges at word `expected`. */
static void expect_at(const isa_program *program, uint32_t branch, int expected)
{
    uint32_t pc = expected == AT_RETURN ? ISA_RECONVERGE_AT_RETURN : TEXT + 4 * (uint32_t)expected;
    const uint32_t *meetings = isa_program_table(program, "reconvergence");
    cr_expect_eq(meetings[branch], pc, "word %u reconverges at 0x%08x, not 0x%08x", branch, meetings[branch], pc);
}

#define EXPECT(words, branch, expected)                                                                                \
    do {                                                                                                               \
        isa_program *program = load_words(words, COUNT_OF(words));                                                     \
        expect_at(program, branch, expected);                                                                          \
        isa_program_free(program);                                                                                     \
    } while (0)

Test(reconvergence, of_an_if_is_the_instruction_after_it)
{
    const uint32_t words[] = {BRANCH_WORD(8), NOP_WORD, NOP_WORD, RETURN_WORD};
    EXPECT(words, 0, 2);
}

Test(reconvergence, of_if_and_else_is_where_they_join)
{
    const uint32_t words[] = {BRANCH_WORD(12), NOP_WORD, JUMP_WORD(8), NOP_WORD, NOP_WORD, RETURN_WORD};
    EXPECT(words, 0, 4);
}

Test(reconvergence, of_a_loop_is_behind_it)
{
    const uint32_t words[] = {NOP_WORD, NOP_WORD, BRANCH_WORD(-4), NOP_WORD, RETURN_WORD};
    EXPECT(words, 2, 3);
}

Test(reconvergence, of_branches_to_several_returns_is_the_return)
{
    const uint32_t words[] = {BRANCH_WORD(8), RETURN_WORD, NOP_WORD, RETURN_WORD};
    EXPECT(words, 0, AT_RETURN);
}

Test(reconvergence, of_the_worked_example_of_nested_branches)
{
    /* A: branch to F; B: branch to D; C; D; E; G; as in Fung 2015, figure 2.3 */
    const uint32_t words[] = {
        BRANCH_WORD(24), /* A: to F */
        BRANCH_WORD(12), /* B: to D */
        NOP_WORD,        /* C */
        JUMP_WORD(8),    /*    to E */
        NOP_WORD,        /* D */
        JUMP_WORD(8),    /* E: to G */
        NOP_WORD,        /* F */
        RETURN_WORD,     /* G */
    };
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_at(program, 0, 7);
    expect_at(program, 1, 5);
    isa_program_free(program);
}

Test(reconvergence, goes_over_a_call_that_returns)
{
    const uint32_t words[] = {BRANCH_WORD(8), CALL_WORD(12), NOP_WORD, RETURN_WORD, NOP_WORD, RETURN_WORD};
    EXPECT(words, 0, 2);
}

/* Word 1 calls word 5. If that returned, the arms would end in two returns; as it does not, only one arm goes on. */
Test(reconvergence, does_not_wait_for_a_call_that_loops_for_ever)
{
    const uint32_t words[] = {BRANCH_WORD(12), CALL_WORD(16),  RETURN_WORD, NOP_WORD,
                              RETURN_WORD,     BRANCH_WORD(8), NOP_WORD,    JUMP_WORD(-8)};
    EXPECT(words, 0, 3);
}

Test(reconvergence, does_not_wait_for_a_call_that_traps)
{
    const uint32_t words[] = {BRANCH_WORD(12), CALL_WORD(16), RETURN_WORD, NOP_WORD, RETURN_WORD, WORD(EBREAK)};
    EXPECT(words, 0, 3);
}

Test(reconvergence, does_not_wait_for_a_call_of_a_call_that_traps)
{
    const uint32_t words[] = {BRANCH_WORD(12), CALL_WORD(16), RETURN_WORD, NOP_WORD,
                              RETURN_WORD,     CALL_WORD(8),  RETURN_WORD, WORD(EBREAK)};
    EXPECT(words, 0, 3);
}

Test(reconvergence, of_a_loop_before_an_endless_one_is_the_endless_one)
{
    const uint32_t words[] = {NOP_WORD, BRANCH_WORD(-4), NOP_WORD, BRANCH_WORD(8), NOP_WORD, JUMP_WORD(-12)};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_at(program, 1, 2);
    expect_at(program, 3, 5);
    isa_program_free(program);
}

Test(reconvergence, does_not_wait_for_a_trap)
{
    const uint32_t words[] = {BRANCH_WORD(8), WORD(EBREAK), NOP_WORD, BRANCH_WORD(8), 0, NOP_WORD, RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_at(program, 0, 2);
    expect_at(program, 3, 5);
    isa_program_free(program);
}

Test(reconvergence, in_an_endless_loop_is_its_next_turn)
{
    const uint32_t words[] = {NOP_WORD, BRANCH_WORD(12), NOP_WORD, JUMP_WORD(-12), NOP_WORD, JUMP_WORD(-20)};
    EXPECT(words, 1, 0);
}

Test(reconvergence, of_a_branch_into_an_endless_loop_is_the_return)
{
    const uint32_t words[] = {BRANCH_WORD(8), RETURN_WORD, NOP_WORD, JUMP_WORD(-4)};
    EXPECT(words, 0, AT_RETURN);
}

Test(reconvergence, of_a_tail_call_is_the_function_called)
{
    /* Both ways end in a jump to `helper`, which runs at the same call depth. */
    const uint32_t words[] = {BRANCH_WORD(8), JUMP_WORD(12), NOP_WORD, JUMP_WORD(4), NOP_WORD, RETURN_WORD};
    const test_function functions[] = {{"kernel", 0}, {"helper", 4}};
    isa_program *program = load_functions(words, COUNT_OF(words), functions, COUNT_OF(functions));
    expect_at(program, 0, 4);
    isa_program_free(program);
}

Test(reconvergence, of_an_unknown_indirect_jump_is_the_return)
{
    const uint32_t words[] = {BRANCH_WORD(8), WORD(JALR, .rs1 = 6), NOP_WORD, RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_at(program, 0, AT_RETURN);
    expect_at(program, 1, AT_RETURN);
    isa_program_free(program);
}

Test(reconvergence, follows_a_jump_whose_two_halves_stand_together)
{
    const uint32_t words[] = {BRANCH_WORD(12), WORD(AUIPC, .rd = 6), WORD(JALR, .rs1 = 6, .immediate = 12), NOP_WORD,
                              NOP_WORD,        RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_at(program, 0, 4);
    cr_expect(isa_program_at(program, TEXT + 8)->flags & ISA_FLAG_RECOVERED);
    isa_program_free(program);
}

Test(reconvergence, does_not_trust_two_halves_that_are_jumped_between)
{
    const uint32_t words[] = {BRANCH_WORD(8), WORD(AUIPC, .rd = 6), WORD(JALR, .rs1 = 6, .immediate = 8), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    cr_expect_not(isa_program_at(program, TEXT + 8)->flags & ISA_FLAG_RECOVERED);
    isa_program_free(program);
}

Test(reconvergence, far_calls_lead_to_code_and_come_back)
{
    const uint32_t words[] = {BRANCH_WORD(12), WORD(AUIPC, .rd = 1), WORD(JALR, .rd = 1, .rs1 = 1, .immediate = 16),
                              NOP_WORD,        RETURN_WORD,          BRANCH_WORD(8),
                              NOP_WORD,        RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_at(program, 0, 3);
    expect_at(program, 5, 7); /* found through the call alone */
    isa_program_free(program);
}

Test(reconvergence, of_recursion_is_found)
{
    const uint32_t words[] = {BRANCH_WORD(8), CALL_WORD(-4), NOP_WORD, RETURN_WORD};
    EXPECT(words, 0, 2);
}

Test(reconvergence, code_that_falls_off_the_end_is_no_way_to_go)
{
    const uint32_t words[] = {BRANCH_WORD(12), NOP_WORD, RETURN_WORD, NOP_WORD};
    EXPECT(words, 0, 1);
}
