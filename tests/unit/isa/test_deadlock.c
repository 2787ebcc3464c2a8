/* SPDX-License-Identifier: MIT */
/* What keeps lanes of a warp waiting for each other, in words; firmware/tests/deadlock has what compilers make. */
#include "allocations.h"
#include "deadlock_words.h"
#include "lanes.h"
#include "lint.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(deadlock, a_finding_names_branch_side_meeting_loop_read_and_write)
{
    isa_deadlock f = {0};
    cr_expect_eq(FOUND_AS(&of_stack, &f, NOP_WORD, NOP_WORD, LOAD(6, 10, 0), BACK_IF_ZERO(6, 2), NOP_WORD, STORE(10, 0),
                          RETURN_WORD),
                 1);
    cr_expect_eq(f.branch, PC(3));
    cr_expect_eq(f.side, PC(1));
    cr_expect_eq(f.meeting, PC(4));
    cr_expect_eq(f.loop, PC(1));
    cr_expect_eq(f.loop_end, PC(3));
    cr_expect_eq(f.read, PC(2));
    cr_expect_eq(f.write, PC(5));
    cr_expect_eq(f.read_count, 1);
    cr_expect_eq(f.write_count, 1);
}

Test(deadlock, a_wait_without_a_write_that_is_kept_is_none)
{
    cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), RETURN_WORD), 0);
    cr_expect_eq(FOUND(STORE(10, 0), LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), RETURN_WORD), 0);
    cr_expect_eq(FOUND(LOAD(6, 10, 0), STORE(10, 0), BACK_IF_ZERO(6, 2), RETURN_WORD), 0);
}

Test(deadlock, the_other_side_of_a_branch_is_kept_by_a_stack_only)
{
    /* Odd lanes wait, even lanes write, and then all return. */
    const uint32_t words[] = {READ_CSR(5, ISA_CSR_THREAD_X),
                              SKIP_IF_ZERO(5, 4),
                              LOAD(6, 10, 0),
                              BACK_IF_ZERO(6, 1),
                              JUMP_WORD(8),
                              STORE(10, 0),
                              RETURN_WORD};
    isa_deadlock f = {0};
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &of_stack, &f), 1);
    cr_expect_eq(f.branch, PC(1));
    cr_expect_eq(f.side, PC(2));
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &of_splits, NULL), 0);
}

Test(deadlock, code_behind_the_meeting_point_is_kept_by_both)
{
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD};
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &of_stack, NULL), 1);
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &of_splits, NULL), 1);
}

Test(deadlock, nothing_is_kept_behind_what_the_whole_warp_waits_at)
{
    const uint32_t stops[] = {WORD(BAR_SYNC), WORD(WARP_SYNC)};
    for (uint32_t i = 0; i < COUNT_OF(stops); i++) {
        cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), stops[i], STORE(10, 0), RETURN_WORD), 0);
        cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), stops[i], RETURN_WORD), 1);
    }
}

/* Those who go round again wait for others at this word. */
static uint32_t found_if_waiting_at(const uint32_t *words, uint32_t count, uint32_t word)
{
    const isa_deadlock_change change = {.from = PC(1), .to = PC(0), .wait = PC(word)};
    const isa_deadlock_options options = {.changes = &change, .change_count = 1};
    return found_in(words, count, NULL, 0, &options, NULL);
}

Test(deadlock, lanes_that_wait_before_the_write_keep_others_from_it_all_the_same)
{
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), NOP_WORD, STORE(10, 0), NOP_WORD, RETURN_WORD};
    cr_expect_eq(found_if_waiting_at(words, COUNT_OF(words), 2), 1);
    cr_expect_eq(found_if_waiting_at(words, COUNT_OF(words), 3), 1);
    cr_expect_eq(found_if_waiting_at(words, COUNT_OF(words), 4), 0);
}

Test(deadlock, lanes_that_wait_at_other_places_do_not_wait_for_each_other)
{
    /* Each side waits for the other's write, and returns by itself. */
    const uint32_t words[] = {SKIP_IF_ZERO(5, 5), LOAD(6, 10, 0),     BACK_IF_ZERO(6, 1), STORE(11, 0), RETURN_WORD,
                              LOAD(6, 11, 0),     BACK_IF_ZERO(6, 1), STORE(10, 0),       RETURN_WORD};
    const isa_deadlock_change apart[] = {{PC(2), PC(1), PC(4)}, {PC(6), PC(5), PC(8)}};
    const isa_deadlock_change together[] = {
        {PC(2), PC(1), PC(4)}, {PC(6), PC(5), PC(4)}, {PC(8), ISA_RECONVERGE_AT_RETURN, PC(4)}};
    const isa_deadlock_options at_two = {.changes = apart, .change_count = 2};
    const isa_deadlock_options at_one = {.changes = together, .change_count = 3};
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &at_two, NULL), 1);
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL, 0, &at_one, NULL), 0);
}

Test(deadlock, what_is_done_while_lanes_go_round_to_wait_decides_too)
{
    /* The outer loop ends by what is set in the inner one, if what is read there says so. */
    const uint32_t words[] = {LOAD(6, 10, 0),
                              WORD(BNE, .rs1 = 6, .rs2 = 0, .immediate = 20),
                              LOAD(7, 11, 0),
                              SKIP_IF_ZERO(7, 2),
                              WORD(ADDI, .rd = 28, .immediate = 1),
                              JUMP_WORD(-20),
                              STORE(10, 0),
                              BACK_IF_ZERO(28, 7),
                              STORE(11, 0),
                              NOP_WORD,
                              RETURN_WORD};
    const isa_deadlock_change change = {.from = PC(5), .to = PC(0), .wait = PC(9)};
    const isa_deadlock_options options = {.changes = &change, .change_count = 1};
    isa_deadlock f = {0};
    cr_expect_gt(found_in(words, COUNT_OF(words), NULL, 0, &options, &f), 0);
    cr_expect_eq(f.branch, PC(1));
    cr_expect_eq(f.read_count, 2);
}

Test(deadlock, the_way_to_the_end_of_a_loop_decides_too)
{
    /* The flag that ends the loop is set where the read says so: it is decided by the read, not computed from it. */
    cr_expect_eq(FOUND(WORD(ADDI, .rd = 7), LOAD(6, 10, 0), SKIP_IF_ZERO(6, 2), WORD(ADDI, .rd = 7, .immediate = 1),
                       BACK_IF_ZERO(7, 3), STORE(10, 0), RETURN_WORD),
                 1);
    /* The read decides nothing. */
    cr_expect_eq(FOUND(LOAD(6, 10, 0), WORD(ADDI, .rd = 7, .rs1 = 7, .immediate = 1), BACK_IF_ZERO(7, 2), STORE(10, 0),
                       RETURN_WORD),
                 0);
}

/* ---- Compare-and-swaps of lr and sc -------------------------------------------------------------------------------- */

#define LR(to, base) WORD(LR_W, .rd = (to), .rs1 = (base))
/* What it stores is what the lr has read. */
#define SC(to, base) WORD(SC_W, .rd = (to), .rs1 = (base), .rs2 = 6)
#define RETRY(of, words) WORD(BNE, .rs1 = (of), .rs2 = 0, .immediate = -4 * (words))

/* Three words between lr and sc, one between sc and the branch back; a write to the word behind. */
static uint32_t found_in_retry(uint32_t before, uint32_t store, uint32_t after, uint32_t retry)
{
    return FOUND(LR(6, 10), before, store, after, retry, STORE(10, 0), RETURN_WORD);
}

Test(deadlock, a_compare_and_swap_of_lr_and_sc_is_no_loop)
{
    const uint32_t out = WORD(BNE, .rs1 = 6, .rs2 = 12, .immediate = 16);
    cr_expect_eq(found_in_retry(NOP_WORD, SC(7, 10), NOP_WORD, RETRY(7, 4)), 0);
    cr_expect_eq(found_in_retry(out, SC(7, 10), NOP_WORD, RETRY(7, 4)), 0);
}

Test(deadlock, whatever_is_no_compare_and_swap_is_a_loop)
{
    const uint32_t out = WORD(BNE, .rs1 = 6, .rs2 = 12, .immediate = 16);
    const uint32_t moves = WORD(ADDI, .rd = 10, .rs1 = 10, .immediate = 4), spoils = WORD(ADDI, .rd = 7, .rs1 = 6);
    const uint32_t equal = WORD(BEQ, .rs1 = 7, .rs2 = 0, .immediate = -16);
    cr_expect_gt(found_in_retry(out, SC(7, 10), LOAD(28, 12, 0), RETRY(7, 4)), 0, "another access");
    cr_expect_eq(found_in_retry(moves, SC(7, 10), NOP_WORD, RETRY(7, 4)), 1, "another address");
    cr_expect_eq(found_in_retry(NOP_WORD, SC(7, 11), NOP_WORD, RETRY(7, 4)), 1, "sc to another address");
    cr_expect_eq(found_in_retry(NOP_WORD, SC(7, 10), spoils, RETRY(7, 4)), 1, "not the result of the sc");
    cr_expect_eq(found_in_retry(NOP_WORD, SC(7, 10), NOP_WORD, equal), 1, "another condition");
    cr_expect_eq(found_in_retry(SC(28, 10), SC(7, 10), NOP_WORD, RETRY(7, 4)), 1, "two sc");
    cr_expect_eq(found_in_retry(NOP_WORD, NOP_WORD, NOP_WORD, RETRY(6, 4)), 1, "no sc");
    cr_expect_eq(found_in_retry(READ_CSR(28, 0xC00), SC(7, 10), NOP_WORD, RETRY(7, 4)), 1, "a csr");
}

Test(deadlock, an_lr_reads_and_an_sc_writes)
{
    const uint32_t stores = WORD(SC_W, .rd = 7, .rs1 = 10, .rs2 = 11);
    cr_expect_eq(FOUND(stores, BACK_IF_ZERO(7, 1), STORE(10, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), LR(7, 10), RETURN_WORD), 0);
    cr_expect_eq(FOUND(LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), stores, RETURN_WORD), 1);
}

/* A lock in an outer loop comes to its own read again; that would not tell where it is given back. */
Test(deadlock, the_write_that_is_told_is_another_access_than_the_read)
{
    isa_deadlock f = {0};
    cr_expect_eq(FOUND_AS(&of_stack, &f, WORD(AMOSWAP_W, .rd = 6, .rs1 = 10, .rs2 = 11), BACK_IF_ZERO(6, 1),
                          WORD(AMOSWAP_W, .rd = 0, .rs1 = 10, .rs2 = 0),
                          WORD(ADDI, .rd = 12, .rs1 = 12, .immediate = -1), BACK_IF_ZERO(12, 4), RETURN_WORD),
                 1);
    cr_expect_eq(f.read, PC(0));
    cr_expect_eq(f.write, PC(2));
}

/* ---- The stack ----------------------------------------------------------------------------------------------------- */

#define TO_STACK(of, at) WORD(SW, .rs1 = 2, .rs2 = (of), .immediate = (at))

Test(deadlock, values_are_followed_through_the_stack)
{
    const uint32_t frame = WORD(ADDI, .rd = 2, .rs1 = 2, .immediate = -16);
    /* What is read goes to the stack and comes back, by another register. */
    const uint32_t base = WORD(ADDI, .rd = 8, .rs1 = 2, .immediate = 16);
    cr_expect_eq(FOUND(frame, base, LOAD(6, 10, 0), TO_STACK(6, 4), LOAD(7, 8, -12), BACK_IF_ZERO(7, 3), STORE(10, 0),
                       RETURN_WORD),
                 1);
    /* What comes back is something else. */
    cr_expect_eq(FOUND(frame, base, LOAD(6, 10, 0), TO_STACK(6, 4), LOAD(7, 8, -8), BACK_IF_ZERO(7, 3), STORE(10, 0),
                       RETURN_WORD),
                 0);
    /* It has been overwritten. */
    cr_expect_eq(FOUND(frame, base, LOAD(6, 10, 0), TO_STACK(6, 4), TO_STACK(11, 4), LOAD(7, 8, -12),
                       BACK_IF_ZERO(7, 4), STORE(10, 0), RETURN_WORD),
                 0);
}

Test(deadlock, the_stack_is_not_what_others_write)
{
    const uint32_t frame = WORD(ADDI, .rd = 2, .rs1 = 2, .immediate = -16);
    cr_expect_eq(FOUND(frame, WAIT(2, 4), STORE(10, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND(WAIT(10, 0), STORE(2, -4), RETURN_WORD), 0);
}

/* ---- Branches that a warp takes alike ------------------------------------------------------------------------------- */

/* A branch on t0 around a wait; then a write. The wait itself votes. */
#define VOTE(to, of) WORD(VOTE_ALL, .rd = (to), .rs1 = (of))

Test(deadlock, lanes_do_not_part_at_a_vote)
{
    const isa_deadlock_options all = {.keep_uniform = 1};
    cr_expect_eq(FOUND(LOAD(6, 10, 0), VOTE(7, 6), BACK_IF_ZERO(7, 2), STORE(10, 0), RETURN_WORD), 0);
    cr_expect_eq(FOUND_AS(&all, NULL, LOAD(6, 10, 0), VOTE(7, 6), BACK_IF_ZERO(7, 2), STORE(10, 0), RETURN_WORD), 1);
    /* A vote of an earlier turn is another for each lane. */
    cr_expect_eq(FOUND(LOAD(6, 10, 0), VOTE(7, 6), BACK_IF_ZERO(6, 2), NOP_WORD, SKIP_IF_ZERO(7, 3), LOAD(6, 10, 4),
                       BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD),
                 3);
}

Test(deadlock, lanes_do_not_part_at_what_is_one_for_a_warp)
{
    static const struct {
        uint32_t csr, branches;
    } cases[] = {{ISA_CSR_THREAD_X, 2},     {ISA_CSR_THREAD_X + 2, 2}, {ISA_CSR_BLOCK_X, 1},
                 {ISA_CSR_BLOCK_SIZE_X, 1}, {ISA_CSR_GRID_SIZE_X, 1},  {ISA_CSR_LANE, 2},
                 {ISA_CSR_WARP, 1},         {ISA_CSR_CORE, 1},         {0xC00 /* cycle */, 2}};
    for (uint32_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(FOUND(READ_CSR(5, cases[i].csr), SKIP_IF_ZERO(5, 3), WAIT(10, 0), STORE(10, 0), RETURN_WORD),
                     cases[i].branches, "csr %#x", cases[i].csr);
}

/* ---- As advice ------------------------------------------------------------------------------------------------------ */

static isa_finding advice_on(const uint32_t *words, uint32_t count, uint32_t kind, const test_section *section)
{
    char error[512];
    isa_finding *findings, found = {0};
    uint32_t finding_count;
    isa_program *program = load_with(words, count, section, section != NULL, error);
    cr_assert(program, "%s", error);
    cr_assert_eq(isa_lint(program, &of_stack, &findings, &finding_count), 0);
    for (uint32_t i = 0; i < finding_count; i++)
        if (findings[i].kind == kind)
            found = findings[i];
    free(findings);
    isa_program_free(program);
    return found;
}

Test(deadlock, of_several_branches_that_of_the_loop_is_told)
{
    const uint32_t words[] = {READ_CSR(5, ISA_CSR_THREAD_X), SKIP_IF_ZERO(5, 3), WAIT(10, 0), STORE(10, 0),
                              RETURN_WORD};
    const isa_finding found = advice_on(words, COUNT_OF(words), ISA_LINT_POSSIBLE_DEADLOCK, NULL);
    cr_expect_eq(found.branch_pc, PC(3));
    cr_expect_eq(found.branches, 2);
    cr_expect_eq(found.side_pc, PC(2));
    cr_expect_eq(found.meeting_pc, PC(4));
    cr_expect_eq(found.loop_pc, PC(2));
    cr_expect_eq(found.loop_end_pc, PC(3));
    cr_expect_eq(found.access_pc, PC(2));
    cr_expect_eq(found.other_pc, PC(4));
}

Test(deadlock, a_lock_whose_function_says_its_lanes_wait_on_purpose_is_no_advice)
{
    const uint32_t words[] = {LOAD(5, 10, 0), WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 7),
                              WORD(BNE, .rs1 = 6, .rs2 = 0, .immediate = -4),
                              WORD(AMOSWAP_W, .rd = 0, .rs1 = 5, .rs2 = 0), RETURN_WORD};
    const uint32_t note[] = {TEXT, 1};
    const test_section section = {".heddle.synchronization", note, sizeof note};
    cr_expect_eq(advice_on(words, COUNT_OF(words), ISA_LINT_DEADLOCK, NULL).branch_pc, PC(2));
    cr_expect_eq(advice_on(words, COUNT_OF(words), ISA_LINT_DEADLOCK, &section).branch_pc, 0);
}

/* ---- How many loops there are ------------------------------------------------------------------------------------- */

Test(deadlock, loops_are_counted_by_what_they_depend_on)
{
    const uint32_t words[] = {
        LOAD(6, 10, 0),
        WORD(ADDI, .rd = 7, .rs1 = 7, .immediate = 1),   /* counts */
        WORD(BLT, .rs1 = 7, .rs2 = 11, .immediate = -4), /* up to an argument */
        WORD(ADDI, .rd = 7, .rs1 = 7, .immediate = 1),   /* counts */
        WORD(BLT, .rs1 = 7, .rs2 = 6, .immediate = -4),  /* up to what was read before */
        WAIT(10, 64),
        BACK_IF_ZERO(7, 2),
        STORE(10, 0),
        RETURN_WORD,
    };
    char error[512];
    isa_deadlocks deadlocks;
    isa_program *program = load_with(words, COUNT_OF(words), NULL, 0, error);
    cr_assert_eq(isa_deadlocks_find(program, &of_stack, &deadlocks), 0);
    cr_expect_eq(deadlocks.filter.branches, 4);
    cr_expect_eq(deadlocks.filter.loops, 4);
    cr_expect_eq(deadlocks.filter.on_memory, 3);
    cr_expect_eq(deadlocks.filter.on_reads, 2);
    cr_expect_eq(deadlocks.filter.found, 2);
    isa_deadlocks_free(&deadlocks);
    isa_program_free(program);
}

Test(deadlock, whatever_memory_it_lacks_it_says_so)
{
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    for (uint32_t left = 0;; left++) {
        isa_deadlocks deadlocks;
        allocations_refuse(left);
        const int failed = isa_deadlocks_find(program, &of_stack, &deadlocks);
        const int refused = allocations_allow();
        cr_expect_eq(failed, refused ? -1 : 0, "without allocation %u", left);
        cr_expect_eq(deadlocks.count, !refused);
        isa_deadlocks_free(&deadlocks);
        if (!refused) {
            cr_expect_geq(left, 20);
            break;
        }
    }
    isa_program_free(program);
}
