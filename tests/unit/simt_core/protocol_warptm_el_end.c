/* SPDX-License-Identifier: MIT */
/* The end of attempts under `tx: warptm_el`: lanes are compared once more, requests to commit come late, logs leave in turn; and what begins anew. */
#include "protocol_warptm_el_rig.h"
#include "tx_program.h"

#include <criterion/criterion.h>

/* Each lane counts in a word of its own, 32 bytes apart. */
#define COUNTS_APART                                                                                                   \
    ((const uint32_t[]){PROLOGUE, begin_tx(1), lw(T1, 0, A1), addi(T1, T1, 1), sw(T1, 0, A1), commit_tx(), ret(), 0})

/* The stranger counts while the lane's request to commit is under way: both count. */
static void count_at_commit(el_rig *g, const hd_packet *packet)
{
    (void)packet;
    if (g->count[0]++ == 0)
        el_rig_strange_word(g, DATA, rig_word(g->rig, DATA) + 1, 15, 0);
}

Test(tx_warptm_el_end, who_comes_late_is_compared_again)
{
    el_rig *g = el_rig_create(NULL, COUNTS_APART);
    g->at_commit = count_at_commit;
    el_rig_launch(g, 8);
    el_rig_finish(g);
    cr_expect_eq(g->seen.late, 1);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_outdated"), 1, "lane 0");
    cr_expect_eq(g->seen.commits, 2, "seven lanes, and then lane 0");
    cr_expect_eq(rig_word(g->rig, DATA), 2);
    el_rig_destroy(g);
}

static void commit_same_value_at_commit(el_rig *g, const hd_packet *packet)
{
    (void)packet;
    if (g->count[0]++ < 3)
        el_rig_strange_word(g, DATA, 0, 15, 0);
}

/* Again and again, but nobody loses by it. */
Test(tx_warptm_el_end, who_comes_late_for_nothing_commits)
{
    el_rig *g = el_rig_create(NULL, COUNTS_APART);
    g->at_commit = commit_same_value_at_commit;
    el_rig_launch(g, 8);
    el_rig_finish(g);
    cr_expect_eq(g->seen.late, 3);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 0);
    cr_expect_eq(g->seen.commits, 1);
    el_rig_destroy(g);
}

static void hold_credits(el_rig *g)
{
    kit_hold_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 1);
}

static void release_credits(el_rig *g)
{
    kit_hold_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 0);
    kit_release_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 8, kit_now(rig_kit(g->rig)));
}

/* A request of two parts, for the first of which there is a credit. What changes before the second has left is not compared. */
Test(tx_warptm_el_end, a_change_between_two_parts_of_a_request_comes_late)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1),   lw(T1, 0, A1), addi(T1, T1, 1), sw(T1, 0, A1),
                              sw(T0, 4, A1), sw(T0, 8, A1), commit_tx(),   ret(),           0};
    el_rig *g = el_rig_create(NULL, words);
    hold_credits(g);
    el_rig_launch(g, 32);
    el_rig_pass(g, 3000);
    cr_assert_eq(g->seen.reads, 8, "all credits");
    kit_release_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 1, kit_now(rig_kit(g->rig)));
    el_rig_pass(g, 100);
    cr_assert_eq(g->seen.parts, 1);
    el_rig_strange_word(g, DATA, 50, 15, 0);
    el_rig_pass(g, 100);
    release_credits(g);
    el_rig_finish(g);
    cr_expect_eq(g->seen.late, 1);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_outdated"), 1);
    cr_expect_eq(rig_word(g->rig, DATA), 51);
    el_rig_destroy(g);
}

/* All is written, but the block cannot be told: that is part of the last write, and not of the decision. */
Test(tx_warptm_el_end, waits_for_a_credit_to_tell_what_is_written)
{
    el_rig *g = el_rig_create(NULL, COUNTS_APART);
    hold_credits(g);
    el_rig_launch(g, 32);
    el_rig_pass(g, 300);
    cr_assert_eq(g->seen.reads, 8, "all credits");
    kit_release_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 1, kit_now(rig_kit(g->rig)));
    el_rig_pass(g, 2000);
    cr_expect_eq(g->seen.committed, 4);
    cr_expect_eq(g->seen.written, 0);
    release_credits(g);
    el_rig_finish(g);
    cr_expect_eq(g->seen.written, 1);
    cr_expect_gt(el_rig_statistic(g, "tx_el_write_cycles"), 1500);
    cr_expect_lt(el_rig_statistic(g, "tx_el_decision_cycles"), 500);
    el_rig_destroy(g);
}

/* Loads wait for a credit to be registered, and logs leave although loads cannot. */
Test(tx_warptm_el_end, loads_wait_for_a_credit_to_be_registered)
{
    el_rig *g = el_rig_create((const char *[]){"tx.concurrency=0", NULL}, COUNTS_APART);
    hold_credits(g);
    el_rig_launch(g, 96);
    el_rig_pass(g, 2000);
    cr_expect_eq(g->seen.reads, 8);
    release_credits(g);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_commits"), 96);
    cr_expect_eq(rig_word(g->rig, DATA + 32), 3, "three warps");
    el_rig_destroy(g);
}

/* Whatever a warp waits for: a credit, the block, its turn, units. */
Test(tx_warptm_el_end, begins_anew_after_a_reset_in_the_middle)
{
    el_rig *g = el_rig_create((const char *[]){"tx.concurrency=0", NULL}, COUNTS_APART);
    for (uint32_t cycles = 20; cycles < 400; cycles += 15) {
        g->mute = cycles % 2;
        el_rig_launch(g, 96);
        el_rig_pass(g, cycles);
        el_rig_reset(g);
        g->mute = 0;
    }
    hold_credits(g);
    el_rig_launch(g, 96);
    el_rig_pass(g, 300);
    el_rig_reset(g);
    release_credits(g);
    el_rig_launch(g, 96);
    el_rig_finish(g);
    cr_expect_eq(rig_word(g->rig, DATA + 32), 3);
    el_rig_destroy(g);
}

/* Warps that commit at the same time send in turn. */
Test(tx_warptm_el_end, warps_take_turns)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), sw(T0, 0, A1), sw(T0, 4, A1),
                              sw(T0, 8, A1), commit_tx(), ret(),         0};
    el_rig *g = el_rig_create((const char *[]){"tx.concurrency=0", "tx.log_traffic=none", NULL}, words);
    el_rig_launch(g, 64);
    el_rig_finish(g);
    cr_expect_gt(g->turns, 12, "%u of 32 packets are of another warp than the one before", g->turns);
    cr_expect_eq(g->seen.write_sets, 24);
    el_rig_destroy(g);
}

/* The first attempt loads; the next 254 give up before they have sent anything. The one behind them would have the epoch of the
 * first, which the block still knows and has told of a change. */
Test(tx_warptm_el_end, attempts_that_say_nothing_are_not_taken_for_others)
{
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              addi(A2, T2, -1),
                              bne(A2, ZERO, 16),
                              lw(T1, 0, A0),
                              add(T1, T1, T1),
                              abort_tx(1),
                              addi(A2, T2, -256),
                              beq(A2, ZERO, 8),
                              abort_tx(1),
                              sw(T0, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    el_rig *g = el_rig_create((const char *[]){"tx.back_off.base=0 cycles", NULL}, words);
    g->change_at = 1;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_program"), 255);
    cr_expect_eq(g->seen.reads, 1);
    cr_expect_eq(g->seen.late, 0);
    cr_expect_eq(rig_word(g->rig, RESULTS), 1);
    el_rig_destroy(g);
}

/* Behind the last access, and before the end: 32 divisions are in between. */
#define DIVIDES_LONG                                                                                                   \
    ((const uint32_t[]){PROLOGUE, begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1), sw(T1, 0, A0), divu(T2, T1, T0),        \
                        divu(T2, T2, T0), divu(T2, T2, T0), divu(T2, T2, T0), commit_tx(), ret(), 0})

static el_rig *run_with_a_late_change(const char *const *parameters)
{
    el_rig *g = el_rig_create(parameters, DIVIDES_LONG);
    el_rig_launch(g, 1);
    while (!g->seen.reads)
        el_rig_pass(g, 1);
    el_rig_pass(g, 200);
    cr_assert_eq(g->seen.parts, 0, "it still divides");
    el_rig_strange_word(g, DATA, 50, 15, 0);
    return g;
}

Test(tx_warptm_el_end, a_change_behind_the_last_access_is_found_at_the_end)
{
    el_rig *g = run_with_a_late_change(NULL);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_outdated"), 1);
    cr_expect_eq(rig_word(g->rig, DATA), 51);
    el_rig_destroy(g);
}

/* The plain reading, "each access is validated, and the write half remains": the stranger's count is lost. */
Test(tx_warptm_el_end, loses_updates_if_the_last_comparison_is_at_an_access)
{
    el_rig *g = run_with_a_late_change((const char *[]){"tx.warptm_el.test.last=access", NULL});
    el_rig_pass(g, 3000);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 0);
    cr_expect_eq(rig_word(g->rig, DATA), 1);
    el_rig_destroy(g);
}

/* Readers are compared too. */
Test(tx_warptm_el_end, readers_that_are_outdated_do_not_commit)
{
    const uint32_t words[] = {
        PROLOGUE, begin_tx(1), lw(T1, 0, A0), lw(T2, 256, A0), add(T1, T1, T2), commit_tx(), sw(T1, 0, S1), ret(), 0};
    el_rig *g = el_rig_create(NULL, words);
    g->change_at = 2;
    el_rig_launch(g, 4);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_outdated"), 4);
    cr_expect_eq(g->silent, 4);
    cr_expect_eq(rig_word(g->rig, RESULTS), 100);
    el_rig_destroy(g);
}
