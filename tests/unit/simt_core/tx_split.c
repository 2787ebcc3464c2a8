/* SPDX-License-Identifier: MIT */
/* Transactions of warps with two paths (split_stack.c): one is in a transaction, while the other runs on outside, or waits to begin. */
#include "tx_program.h"

#include <criterion/criterion.h>

#define LANES 32u

static uint32_t one(uint32_t lane)
{
    (void)lane;
    return 1;
}

Test(tx_split, each_path_has_a_transaction_of_its_own)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, S1), add(T1, T1, T0),
                              sw(T1, 0, S1), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_run(NULL, words, LANES);
    tx_expect_results(g, LANES, one);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), LANES);
    cr_expect_eq(getm_rig_statistic(g, "tx_maximum_warps"), 1, "a warp is in one at most");
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"), LANES, "so the halves are not in each other's way");
    getm_rig_destroy(g);
}

static uint32_t attempt_of_half(uint32_t lane)
{
    return lane < LANES / 2 ? 2 : 7;
}

/* The lower half gives its first attempt up; the upper one stores past it, and reads no attempt. */
Test(tx_split, a_path_beside_a_transaction_is_not_in_it)
{
    const uint32_t words[] = {PROLOGUE,        addi(T1, ZERO, LANES / 2),
                              blt(S0, T1, 24), csrr(T2, ATTEMPT),
                              addi(T2, T2, 7), sw(T2, 0, S1),
                              fence(),         ret(),
                              begin_tx(1),     csrr(T2, ATTEMPT),
                              bne(T2, T0, 8),  abort_tx(1),
                              sw(T2, 0, S1),   commit_tx(),
                              ret(),           0};
    getm_rig *g = getm_rig_run(NULL, words, LANES);
    tx_expect_results(g, LANES, attempt_of_half);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_program"), LANES / 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), LANES / 2);
    getm_rig_destroy(g);
}

/* Nothing else of the first path's happens at which the second could look again. */
Test(tx_split, a_path_that_waits_begins_when_the_other_has_ended)
{
    const uint32_t words[] = {begin_tx(1), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_run(NULL, words, LANES);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), LANES);
    getm_rig_destroy(g);
}

/* Both halves count in one word: who waits to begin sees what the other has committed. */
Test(tx_split, paths_of_a_warp_count_in_turn)
{
    const char *const one_lane[] = {"lanes=2", "simd_width=2", "warps=4", NULL};
    const uint32_t words[] = {
        PROLOGUE, lui(S1, RESULTS), begin_tx(1), lw(T1, 0, S1), add(T1, T1, T0), sw(T1, 0, S1), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_run(one_lane, words, 2);
    cr_expect_eq(rig_word(g->rig, RESULTS), 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 2);
    getm_rig_destroy(g);
}
