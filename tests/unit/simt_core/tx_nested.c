/* SPDX-License-Identifier: MIT */
/* Transactions within transactions are part of the outermost one, wherever its lanes part, call or give up. */
#include "tx_program.h"

#include <criterion/criterion.h>

Test(tx_core, nested_transactions_are_part_of_the_outermost)
{
    const uint32_t words[] = {PROLOGUE,    begin_tx(1),     lw(T1, 0, A1), begin_tx(1), addi(T1, T1, 1), sw(T1, 0, A1),
                              commit_tx(), addi(T1, T1, 1), sw(T1, 0, A1), commit_tx(), ret(),           0};
    getm_rig *g = getm_rig_run(NULL, words, 32);
    for (uint32_t lane = 0; lane < 32; lane++)
        cr_expect_eq(rig_word(g->rig, DATA + 32 * lane), 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 32);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    getm_rig_destroy(g);
}

/* The first word of each lane's granule is the attempt that has committed, counted on behind the inner transaction. */
static void expect_attempts(getm_rig *g, uint32_t lanes, uint32_t (*expected)(uint32_t lane))
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        cr_expect_eq(rig_word(g->rig, DATA + 32 * lane), expected(lane) + 1, "lane %u: %u", lane,
                     rig_word(g->rig, DATA + 32 * lane));
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), lanes);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    cr_expect_eq(g->commits, lanes);
    getm_rig_destroy(g);
}

static uint32_t two(uint32_t lane)
{
    (void)lane;
    return 2;
}

/* All lanes give up two levels deep; the next attempt begins at the outermost, and ends there. */
Test(tx_core, an_attempt_that_is_given_up_in_a_nested_transaction_starts_again_outside)
{
    const uint32_t words[] = {PROLOGUE,        begin_tx(1),   begin_tx(1), begin_tx(1), csrr(T1, ATTEMPT),
                              bne(T1, T0, 8),  abort_tx(1),   commit_tx(), commit_tx(), sw(T1, 0, A1),
                              addi(T1, T1, 1), sw(T1, 0, A1), commit_tx(), ret(),       0};
    expect_attempts(getm_rig_run(NULL, words, 32), 32, two);
}

static uint32_t even_twice(uint32_t lane)
{
    return lane & 1 ? 1 : 2;
}

/* Even lanes go into a nested transaction, and give up there; odd lanes have never been in it. */
Test(tx_core, lanes_that_are_not_in_a_nested_transaction_commit_without_it)
{
    const uint32_t words[] = {PROLOGUE,
                              andi(A2, S0, 1),
                              begin_tx(1),
                              csrr(T1, ATTEMPT),
                              bne(A2, ZERO, 20),
                              begin_tx(1),
                              bne(T1, T0, 8),
                              abort_tx(1),
                              commit_tx(),
                              sw(T1, 0, A1),
                              addi(T1, T1, 1),
                              sw(T1, 0, A1),
                              commit_tx(),
                              ret(),
                              0};
    expect_attempts(getm_rig_run(NULL, words, 32), 32, even_twice);
}

static uint32_t once(uint32_t lane)
{
    (void)lane;
    return 1;
}

/* The transaction calls the function that it is in: the inner tx.commit is the same instruction, one call deeper. */
Test(tx_core, a_transaction_may_call_the_function_that_it_is_in)
{
    const uint32_t words[] = {PROLOGUE, addi(A2, ZERO, 2), /* levels */
                              add(A5, RA, ZERO), jal(RA, 12), add(RA, A5, ZERO), ret(),
                              /* the function */
                              addi(SP, SP, -16), sw(RA, 0, SP), addi(A2, A2, -1), begin_tx(1), beq(A2, ZERO, 8),
                              jal(RA, -20), csrr(T1, ATTEMPT), sw(T1, 0, A1), addi(T1, T1, 1), sw(T1, 0, A1),
                              commit_tx(), lw(RA, 0, SP), addi(SP, SP, 16), ret(), 0};
    getm_rig *g = getm_rig_run(NULL, words, 32);
    cr_expect_eq(g->seen.stores, 2 * 2 * 32, "two levels, two stores each");
    expect_attempts(g, 32, once);
}
