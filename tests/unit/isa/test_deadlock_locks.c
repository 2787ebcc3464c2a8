/* SPDX-License-Identifier: MIT */
/* Locks that are given back by who takes them, and where lanes meet then. */
#include "analysis.h"
#include "deadlock_words.h"

#include <criterion/criterion.h>

/* In a loop over elements (a2, downwards): a loop that tries the lock at a0 until a flag (t2) says that it has had it. */
#define TRY_LOCK WORD(AMOSWAP_W, .rd = 6, .rs1 = 10, .rs2 = 28)
#define SKIP_IF_TAKEN(words) WORD(BNE, .rs1 = 6, .rs2 = 0, .immediate = 4 * (words))
#define GIVE_BACK(base) WORD(AMOSWAP_W, .rd = 0, .rs1 = (base), .rs2 = 0)
#define NEXT_ELEMENT(words) WORD(ADDI, .rd = 12, .rs1 = 12, .immediate = -1), BACK_IF_ZERO(12, words), RETURN_WORD

Test(deadlock, who_has_to_take_a_lock_first_is_not_waited_for_to_give_it_back)
{
    const isa_deadlock_options all = {.keep_own_locks = 1};
    const isa_deadlock_options *const units[] = {&of_stack, &of_splits};
    for (uint32_t i = 0; i < COUNT_OF(units); i++) {
        cr_expect_eq(FOUND_AS(units[i], NULL, LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1),
                              BACK_IF_ZERO(7, 4), NEXT_ELEMENT(7)),
                     0);
        /* The address of the lock is computed again, from what nothing has changed. */
        cr_expect_eq(FOUND_AS(units[i], NULL, LI(28, 1), LI(7, 0), WORD(ADDI, .rd = 5, .rs1 = 10, .immediate = 8),
                              WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 28), SKIP_IF_TAKEN(4),
                              WORD(ADDI, .rd = 11, .rs1 = 10, .immediate = 8), GIVE_BACK(11), LI(7, 1),
                              BACK_IF_ZERO(7, 6), NEXT_ELEMENT(9)),
                     0);
    }
    cr_expect_eq(FOUND_AS(&all, NULL, LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1),
                          BACK_IF_ZERO(7, 4), NEXT_ELEMENT(7)),
                 1);
}

/* Each of these differs from the first one above in one thing. */
Test(deadlock, whoever_may_hold_the_lock_where_it_is_kept_is_waited_for)
{
    /* It is given back behind the loop. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(2), LI(7, 1), BACK_IF_ZERO(7, 3), GIVE_BACK(10),
                       NEXT_ELEMENT(7)),
                 1);
    /* What is given back may be another lock, */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(11), LI(7, 1), BACK_IF_ZERO(7, 4),
                       NEXT_ELEMENT(7)),
                 1);
    /* as its pointer has moved meanwhile, */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(4), WORD(ADDI, .rd = 10, .rs1 = 10, .immediate = 4),
                       GIVE_BACK(10), LI(7, 1), BACK_IF_ZERO(7, 5), NEXT_ELEMENT(8)),
                 1);
    /* and the word beside the lock is another too. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), STORE(10, 4), LI(7, 1), BACK_IF_ZERO(7, 4),
                       NEXT_ELEMENT(7)),
                 1);
    /* Whoever has not got it gives it back as well. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(2), LI(7, 1), GIVE_BACK(10), BACK_IF_ZERO(7, 4),
                       NEXT_ELEMENT(7)),
                 1);
    /* To take it may free it. */
    cr_expect_eq(FOUND(LI(28, 0), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1), BACK_IF_ZERO(7, 4),
                       NEXT_ELEMENT(7)),
                 1);
    /* The loop ends by what has been read, too. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1), SKIP_IF_ZERO(7, 2),
                       JUMP_WORD(8), BACK_IF_ZERO(6, 6), NEXT_ELEMENT(9)),
                 2);
    /* The other address was computed from what has changed since, or from what may be another each time. */
    cr_expect_eq(FOUND(LI(28, 1), WORD(ADDI, .rd = 11, .rs1 = 10, .immediate = 8), LI(7, 0),
                       WORD(ADDI, .rd = 5, .rs1 = 10, .immediate = 8), WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 28),
                       SKIP_IF_TAKEN(3), GIVE_BACK(11), LI(7, 1), BACK_IF_ZERO(7, 5),
                       WORD(ADDI, .rd = 10, .rs1 = 10, .immediate = 16), NEXT_ELEMENT(9)),
                 1);
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), READ_CSR(5, 0xC00), WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 28),
                       SKIP_IF_TAKEN(4), READ_CSR(11, 0xC00), GIVE_BACK(11), LI(7, 1), BACK_IF_ZERO(7, 6),
                       NEXT_ELEMENT(9)),
                 1);
    /* Somebody comes to the test without the lock. */
    cr_expect_eq(FOUND(LI(28, 1), LI(7, 0), SKIP_IF_ZERO(11, 2), TRY_LOCK, SKIP_IF_TAKEN(3), GIVE_BACK(10), LI(7, 1),
                       BACK_IF_ZERO(7, 5), NEXT_ELEMENT(8)),
                 1);
}

/* Where lanes meet that part at this word. */
static uint32_t meeting_of(const uint32_t *words, uint32_t count, uint32_t branch)
{
    char error[256] = "";
    isa_program *program = load_words(words, count);
    cr_assert_not(isa_program_require(program, &isa_delayed_reconvergence, error, sizeof error), "%s", error);
    const uint32_t *table = isa_program_table(program, isa_delayed_reconvergence.name);
    const uint32_t meeting = isa_table_value(program, table, PC(branch));
    isa_program_free(program);
    return meeting;
}

/* Word 2 tries the lock at a0, over and over, and word 3 gives back the one at `back`. */
static uint32_t meeting_in_loop_of_locks(uint32_t back)
{
    const uint32_t words[] = {LI(28, 1), TRY_LOCK, WORD(BNE, .rs1 = 6, .immediate = -4), GIVE_BACK(back),
                              NEXT_ELEMENT(4)};
    return meeting_of(words, COUNT_OF(words), 2);
}

/* The same lock, or the one at `first`, is tried once before the loop. */
static uint32_t meeting_in_peeled_loop(uint32_t first)
{
    const uint32_t words[] = {LI(28, 1),
                              WORD(AMOSWAP_W, .rd = 6, .rs1 = first, .rs2 = 28),
                              SKIP_IF_ZERO(6, 3),
                              TRY_LOCK,
                              WORD(BNE, .rs1 = 6, .immediate = -4),
                              GIVE_BACK(10),
                              NEXT_ELEMENT(6)};
    return meeting_of(words, COUNT_OF(words), 4);
}

Test(deadlock, lanes_that_have_given_their_lock_back_are_met_before_they_take_it_anew)
{
    cr_expect_eq(meeting_in_loop_of_locks(10), TEXT + 16);
    cr_expect_eq(meeting_in_loop_of_locks(11), TEXT + 24, "they may hold another one");
    cr_expect_eq(meeting_in_peeled_loop(10), PC(6));
    cr_expect_eq(meeting_in_peeled_loop(11), PC(8), "who has tried another one gives back what may be held");
}

/* An `if` around a loop whose lanes meet behind it: its lanes meet no sooner. */
Test(deadlock, lanes_that_part_around_a_loop_are_met_where_those_of_the_loop_are)
{
    const uint32_t words[] = {LI(28, 1), SKIP_IF_ZERO(11, 3), TRY_LOCK,   WORD(BNE, .rs1 = 6, .immediate = -4),
                              NOP_WORD,  GIVE_BACK(10),       RETURN_WORD};
    cr_expect_eq(meeting_of(words, COUNT_OF(words), 3), PC(6));
    cr_expect_eq(meeting_of(words, COUNT_OF(words), 1), PC(6));
}

Test(deadlock, either_side_of_a_branch_takes_it_along)
{
    const uint32_t words[] = {
        LI(28, 1), SKIP_IF_ZERO(11, 3), NOP_WORD,   JUMP_WORD(12), TRY_LOCK, WORD(BNE, .rs1 = 6, .immediate = -4),
        NOP_WORD,  GIVE_BACK(10),       RETURN_WORD};
    cr_expect_eq(meeting_of(words, COUNT_OF(words), 1), PC(8));
}

Test(deadlock, what_is_behind_a_barrier_takes_it_along_and_what_is_behind_the_meeting_does_not)
{
    const uint32_t barrier[] = {
        LI(28, 1), SKIP_IF_ZERO(11, 4), WORD(BAR_SYNC), TRY_LOCK, WORD(BNE, .rs1 = 6, .immediate = -4),
        NOP_WORD,  GIVE_BACK(10),       RETURN_WORD};
    cr_expect_eq(meeting_of(barrier, COUNT_OF(barrier), 1), PC(7));
    const uint32_t behind[] = {
        LI(28, 1),     SKIP_IF_ZERO(11, 2), NOP_WORD, TRY_LOCK, WORD(BNE, .rs1 = 6, .immediate = -4),
        GIVE_BACK(10), RETURN_WORD};
    cr_expect_eq(meeting_of(behind, COUNT_OF(behind), 1), PC(3));
}

/* Two locks at fixed addresses: who waits for the first meets behind its release, between which the second is waited for. */
Test(deadlock, what_meets_later_takes_others_along_again)
{
    const uint32_t words[] = {LI(28, 1),
                              WORD(LUI, .rd = 10, .immediate = 0x20000),
                              WORD(ADDI, .rd = 13, .rs1 = 10, .immediate = 64),
                              SKIP_IF_ZERO(11, 3),
                              TRY_LOCK,
                              WORD(BNE, .rs1 = 6, .immediate = -4),
                              WORD(AMOSWAP_W, .rd = 7, .rs1 = 13, .rs2 = 28),
                              WORD(BNE, .rs1 = 7, .immediate = -4),
                              GIVE_BACK(10),
                              NOP_WORD,
                              GIVE_BACK(13),
                              RETURN_WORD};
    cr_expect_eq(meeting_of(words, COUNT_OF(words), 7), PC(11));
    cr_expect_eq(meeting_of(words, COUNT_OF(words), 5), PC(11));
    cr_expect_eq(meeting_of(words, COUNT_OF(words), 3), PC(11));
}

#define WAIT_FOR_LOCK TRY_LOCK, WORD(BNE, .rs1 = 6, .immediate = -4)

/* Locks that are told with a finding: those that take what the writes give back. */
static uint32_t locks_in(const uint32_t *words, uint32_t count, const isa_deadlock_options *options)
{
    isa_deadlock f = {0};
    cr_expect_gt(found_in(words, count, NULL, 0, options, &f), 0);
    return f.lock_count;
}

Test(deadlock, a_lock_is_told_if_it_alone_is_waited_for)
{
    const isa_deadlock_options all = {.divergence = ISA_DIVERGENCE_SPLITS, .keep_own_locks = 1};
    const uint32_t alone[] = {LI(28, 1), WAIT_FOR_LOCK, GIVE_BACK(10), NEXT_ELEMENT(4)};
    cr_expect_eq(locks_in(alone, COUNT_OF(alone), &of_splits), 1);
    cr_expect_eq(locks_in(alone, COUNT_OF(alone), &all), 0);
    const uint32_t flag[] = {
        LI(28, 1),     LOAD(7, 11, 0), BACK_IF_ZERO(7, 1), TRY_LOCK, WORD(BNE, .rs1 = 6, .immediate = -12),
        GIVE_BACK(10), STORE(11, 0),   RETURN_WORD};
    cr_expect_eq(locks_in(flag, COUNT_OF(flag), &of_splits), 0);
    const uint32_t read[] = {LI(28, 1), LI(7, 0),           TRY_LOCK,     SKIP_IF_TAKEN(3),   GIVE_BACK(10),
                             LI(7, 1),  SKIP_IF_ZERO(7, 2), JUMP_WORD(8), BACK_IF_ZERO(6, 6), NEXT_ELEMENT(9)};
    cr_expect_eq(locks_in(read, COUNT_OF(read), &of_stack), 0);
}

/* Only branches that are come to from there, and that lead to the write, by ways without barriers. */
Test(deadlock, branches_on_other_ways_do_not_make_lanes_meet_later)
{
    const uint32_t before[] = {LI(28, 1), SKIP_IF_ZERO(11, 5), WAIT_FOR_LOCK, GIVE_BACK(10), NOP_WORD, RETURN_WORD};
    cr_expect_eq(meeting_of(before, COUNT_OF(before), 3), PC(5));
    const uint32_t behind[] = {LI(28, 1),      WAIT_FOR_LOCK,       GIVE_BACK(10),
                               WORD(BAR_SYNC), BACK_IF_ZERO(12, 2), RETURN_WORD};
    cr_expect_eq(meeting_of(behind, COUNT_OF(behind), 2), PC(4));
    const uint32_t around[] = {LI(28, 1),      WAIT_FOR_LOCK,  GIVE_BACK(10), SKIP_IF_ZERO(12, 3),
                               WORD(BAR_SYNC), JUMP_WORD(-12), RETURN_WORD};
    cr_expect_eq(meeting_of(around, COUNT_OF(around), 2), PC(4));
    const uint32_t again[] = {LI(28, 1), WAIT_FOR_LOCK, GIVE_BACK(10), NOP_WORD, BACK_IF_ZERO(12, 2), RETURN_WORD};
    cr_expect_eq(meeting_of(again, COUNT_OF(again), 2), PC(6));
}
