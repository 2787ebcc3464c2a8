/* SPDX-License-Identifier: MIT */
#include "analysis.h"
#include "assemble.h"

#include <criterion/criterion.h>

#define BEGIN WORD(TX_BEGIN, .immediate = 1)
#define COMMIT WORD(TX_COMMIT)

static void expect_commit(const isa_program *program, uint32_t begin, uint32_t commit)
{
    cr_expect_eq(isa_program_table(program, "commit")[begin], TEXT + 4 * commit);
}

Test(transactions, know_their_commit)
{
    const uint32_t words[] = {BEGIN, BRANCH_WORD(8), NOP_WORD, COMMIT, BEGIN, NOP_WORD, COMMIT, RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_commit(program, 0, 3);
    expect_commit(program, 4, 6);
    isa_program_free(program);
}

Test(transactions, may_be_nested)
{
    const uint32_t words[] = {BEGIN, NOP_WORD, BEGIN, NOP_WORD, COMMIT, COMMIT, RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_commit(program, 0, 5);
    expect_commit(program, 2, 4);
    isa_program_free(program);
}

Test(transactions, may_contain_loops_calls_and_traps)
{
    const uint32_t words[] = {
        BEGIN,           BRANCH_WORD(8), WORD(EBREAK), CALL_WORD(24), WORD(TX_ABORT, .immediate = 3),
        BRANCH_WORD(-8), COMMIT,         RETURN_WORD,  NOP_WORD,      RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_commit(program, 0, 6);
    isa_program_free(program);
}

Test(transactions, with_a_commit_copied_into_both_arms_are_refused)
{
    const uint32_t words[] = {BEGIN, BRANCH_WORD(12), COMMIT, JUMP_WORD(8), COMMIT, RETURN_WORD};
    cr_expect_str_eq(error_of_words(words, COUNT_OF(words)), "tx.begin at 0x10000000 (kernel+0x0) has two tx.commit, "
                                                             "at 0x10000008 (kernel+0x8) and 0x10000010 (kernel+0x10)");
}

Test(transactions, that_are_left_by_a_return_are_refused)
{
    const uint32_t words[] = {BEGIN, BRANCH_WORD(8), RETURN_WORD, COMMIT, RETURN_WORD};
    cr_expect_str_eq(
        error_of_words(words, COUNT_OF(words)),
        "tx.begin at 0x10000000 (kernel+0x0): the function is left at 0x10000008 (kernel+0x8) without a tx.commit");
}

Test(transactions, that_never_commit_are_refused)
{
    const uint32_t words[] = {NOP_WORD, BEGIN, NOP_WORD, JUMP_WORD(-4)};
    cr_expect_str_eq(error_of_words(words, COUNT_OF(words)), "tx.begin at 0x10000004 (kernel+0x4) has no tx.commit");
}

Test(transactions, with_two_begins_for_one_commit_are_refused)
{
    const uint32_t words[] = {BRANCH_WORD(12), BEGIN, JUMP_WORD(8), BEGIN, COMMIT, RETURN_WORD};
    cr_expect_str_eq(error_of_words(words, COUNT_OF(words)), "tx.commit at 0x10000010 (kernel+0x10) has two tx.begin, "
                                                             "at 0x10000004 (kernel+0x4) and 0x1000000c (kernel+0xc)");
}

Test(transactions, entered_from_the_side_are_refused)
{
    const uint32_t words[] = {BRANCH_WORD(8), BEGIN, NOP_WORD, COMMIT, RETURN_WORD};
    cr_expect_str_eq(error_of_words(words, COUNT_OF(words)),
                     "tx.commit at 0x1000000c (kernel+0xc) is reached without a tx.begin");
}

Test(transactions, nested_without_end_are_refused)
{
    const uint32_t words[] = {BEGIN, BRANCH_WORD(-4), COMMIT, RETURN_WORD};
    cr_expect_str_eq(error_of_words(words, COUNT_OF(words)),
                     "transactions are nested deeper than 8 in one function, at 0x10000000 (kernel+0x0)");
}

#define BEGIN_SCRATCHPAD WORD(TX_BEGIN, .immediate = 2)

Test(transactions, on_both_domains_may_follow_each_other)
{
    const uint32_t words[] = {BEGIN,  CALL_WORD(28), COMMIT, BEGIN_SCRATCHPAD, BEGIN_SCRATCHPAD, COMMIT,
                              COMMIT, RETURN_WORD,   BEGIN,  COMMIT,           RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    expect_commit(program, 0, 2);
    expect_commit(program, 3, 6);
    isa_program_free(program);
}

Test(transactions, within_one_on_another_domain_are_refused)
{
    const uint32_t words[] = {BEGIN, NOP_WORD, BEGIN_SCRATCHPAD, COMMIT, COMMIT, RETURN_WORD};
    cr_expect_str_eq(error_of_words(words, COUNT_OF(words)),
                     "a transaction on the scratchpad, from tx.begin at 0x10000008 (kernel+0x8), within one on global "
                     "memory, from tx.begin at 0x10000000 (kernel+0x0)");
    const uint32_t reversed[] = {BEGIN_SCRATCHPAD, BRANCH_WORD(12), BEGIN, COMMIT, COMMIT, RETURN_WORD};
    cr_expect_str_eq(error_of_words(reversed, COUNT_OF(reversed)),
                     "a transaction on global memory, from tx.begin at 0x10000008 (kernel+0x8), within one on the "
                     "scratchpad, from tx.begin at 0x10000000 (kernel+0x0)");
}

/* Blocks of a program take room for shadow memory only if it has some on the scratchpad. */
Test(transactions, of_a_program_are_known_by_their_domain)
{
    static const uint32_t domains[] = {ISA_TX_GLOBAL, ISA_TX_SCRATCHPAD};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t words[] = {NOP_WORD, i ? BEGIN_SCRATCHPAD : BEGIN, COMMIT, RETURN_WORD};
        isa_program *program = load_words(words, COUNT_OF(words));
        cr_expect_eq(isa_program_has_transactions(program, domains[i]), 1);
        cr_expect_eq(isa_program_has_transactions(program, domains[!i]), 0);
        isa_program_free(program);
    }
}

/* A function that is called from there, and one that this calls, from behind its own transaction; itself it may do the same outside. */
Test(transactions, on_another_domain_in_functions_that_one_calls_are_refused)
{
    const uint32_t words[] = {BEGIN,        CALL_WORD(12), COMMIT,           RETURN_WORD, BEGIN,      COMMIT,
                              CALL_WORD(8), RETURN_WORD,   BEGIN_SCRATCHPAD, COMMIT,      RETURN_WORD};
    cr_expect_str_eq(error_of_words(words, COUNT_OF(words)),
                     "a transaction on the scratchpad, from tx.begin at 0x10000020 (kernel+0x20), within one on global "
                     "memory, from tx.begin at 0x10000000 (kernel+0x0)");
    const uint32_t recursive[] = {BEGIN,          CALL_WORD(12), COMMIT,     RETURN_WORD,
                                  BRANCH_WORD(8), CALL_WORD(-4), RETURN_WORD};
    isa_program_free(load_words(recursive, COUNT_OF(recursive)));
    const uint32_t outside[] = {CALL_WORD(20),    BEGIN,  COMMIT,     CALL_WORD(8), RETURN_WORD,
                                BEGIN_SCRATCHPAD, COMMIT, RETURN_WORD};
    isa_program_free(load_words(outside, COUNT_OF(outside)));
}

Test(transactions, in_words_that_are_not_code_do_not_count)
{
    const uint32_t words[] = {RETURN_WORD, BEGIN, COMMIT, COMMIT};
    isa_program_free(load_words(words, COUNT_OF(words)));
}
