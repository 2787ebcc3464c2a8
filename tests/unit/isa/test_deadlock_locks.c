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
