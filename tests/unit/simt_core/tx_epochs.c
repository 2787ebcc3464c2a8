/* SPDX-License-Identifier: MIT */
/* Attempts by number, and eras: what is on its way for an attempt is not taken for another's. */
#include "core.h"
#include "getm_rig.h"
#include "tx/tx.h"

#include <criterion/criterion.h>

#define EPOCHS 255u
#define IN_FLIGHT 251u /* attempts of a warp of which no log is applied, at most */

/* One lane, a0 = granule of its own for each of the transactions, a2 = transactions to go */
#define TRANSACTIONS(count)                                                                                            \
    {                                                                                                                  \
        lui(A0, DATA), addi(A2, ZERO, count), begin_tx(1), sw(A2, 0, A0), commit_tx(), addi(A0, A0, 32),               \
            addi(A2, A2, -1), bne(A2, ZERO, -20), ret(), 0                                                             \
    }

Test(tx_epochs, attempts_are_numbered_from_1_to_255_and_again)
{
    const uint32_t words[] = TRANSACTIONS(300);
    getm_rig *g = getm_rig_create(NULL, words);
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_assert_eq(g->commits, 300);
    for (uint32_t i = 0; i < g->commits; i++) {
        cr_expect_eq(g->commit[i].told.epoch, (g->commit[i].told.attempt - 1) % EPOCHS + 1);
        cr_expect_eq(rig_word(g->rig, DATA + 32 * i), 300 - i);
    }
    cr_expect_eq(g->last_epoch, 300 - EPOCHS);
    getm_rig_destroy(g);
}

/* Nothing is applied: the warp does not begin an attempt whose number may still stand somewhere. */
Test(tx_epochs, a_number_is_not_used_again_while_a_log_with_it_is_on_its_way)
{
    const uint32_t words[] = TRANSACTIONS(400);
    getm_rig *g = getm_rig_create(NULL, words);
    g->hold = 100000;
    getm_rig_launch(g, 1);
    kit_drain(rig_kit(g->rig), kit_edge(rig_kit(g->rig), 15000));
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), IN_FLIGHT, "%lu", getm_rig_statistic(g, "tx_commits"));
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"), IN_FLIGHT);
    getm_rig_finish(g);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 400);
    getm_rig_destroy(g);
}

/* ---- Clocks begin anew --------------------------------------------------------------------------------------------- */

/* a1 = DATA + 128 * lane, t0 = 1 */
#define PROLOGUE lui(A0, DATA), csrr(S0, 0xCCC), slli(A1, S0, 7), add(A1, A0, A1), addi(T0, ZERO, 1)

/* A clock is far ahead, and a cause further, when clocks begin anew: both are forgotten. */
Test(tx_epochs, clocks_and_causes_are_forgotten_with_their_era)
{
    const char *const paper[] = {"tx.getm.tie_break=paper", NULL};
    const uint32_t words[] = {PROLOGUE,      begin_tx(1),    lw(T1, 0, A1), commit_tx(), begin_tx(1),
                              lw(T1, 0, A1), lw(T1, 32, A1), commit_tx(),   ret(),       0};
    getm_rig *g = getm_rig_create(paper, words);
    g->refuse = 2; /* of lane 0, of lane 0 again */
    g->causes[0] = 20;
    g->causes[1] = 40;
    g->rollover_at = 5; /* two for a lane that is refused, two for the other lane, two in the second transaction */
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_expect_eq(g->seen.rolled_over, 1);
    cr_expect_eq(g->last.era, 1);
    cr_expect_eq(g->last.timestamp, 0, "%lu", g->last.timestamp);
    getm_rig_destroy(g);
}

/* Of two lanes one is refused, the other meets the end of the era before the attempt is over. */
Test(tx_epochs, a_cause_of_the_attempt_is_forgotten_with_its_era)
{
    const char *const paper[] = {"tx.getm.tie_break=paper", NULL};
    const uint32_t words[] = {PROLOGUE,       begin_tx(1), lw(T1, 0, A1), add(T1, T1, T1),
                              lw(T1, 32, A1), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create(paper, words);
    g->refuse = 1;
    g->causes[0] = 40;
    g->rollover_at = 3;
    getm_rig_launch(g, 2);
    getm_rig_finish(g);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_rollover"), 1);
    cr_expect_eq(g->last.era, 1);
    cr_expect_eq(g->last.timestamp, 0, "%lu", g->last.timestamp);
    getm_rig_destroy(g);
}

/* What was committed in the old era is written before the new one begins. */
Test(tx_epochs, an_era_ends_when_its_logs_are_applied)
{
    const uint32_t words[] = {
        PROLOGUE, begin_tx(1), sw(T0, 0, A1), commit_tx(), begin_tx(1), lw(T1, 32, A1), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    g->hold = 1000;
    g->holds_on = 1;
    g->rollover_at = 2;
    getm_rig_launch(g, 1);
    kit_run_until(rig_kit(g->rig), kit_edge(rig_kit(g->rig), 5000));
    cr_expect_eq(getm_rig_statistic(g, "tx_rollovers"), 1);
    cr_expect_eq(g->seen.rolled_over, 0, "a log is on its way");
    cr_assert_eq(g->held_count, 1);
    g->held_for[0] = 0;
    getm_rig_apply_due(g, kit_now(rig_kit(g->rig)));
    getm_rig_finish(g);
    cr_expect_eq(g->seen.rolled_over, 1);
    getm_rig_destroy(g);
}

/*
 * Answers that were on their way when clocks began anew come to accesses that have been given up. Some of these still wait for
 * lanes that had aborted before they were asked for.
 */
Test(tx_epochs, late_answers_are_for_nobody)
{
    const uint32_t loads[] = {PROLOGUE,
                              begin_tx(1),
                              lw(T1, 0, A1),
                              addi(T1, T1, 1),
                              sw(T1, 0, A1),
                              lw(T2, 32, A1),
                              addi(T2, T2, 1),
                              sw(T2, 32, A1),
                              commit_tx(),
                              ret(),
                              0};
    uint64_t late = 0, refused = 0;
    for (uint32_t at = 2; at < 200; at += 3) {
        const char *const parameters[] = {at % 2 ? "tx.store_blocking=false" : "tx.store_blocking=true", NULL};
        getm_rig *g = getm_rig_create(parameters, loads);
        g->rollover_at = at;
        g->late = 1 + at % 9;
        g->late_refusals = at % 4 == 0;
        getm_rig_launch(g, 64);
        getm_rig_finish(g);
        for (uint32_t lane = 0; lane < 32; lane++) {
            cr_assert_eq(rig_word(g->rig, DATA + 128 * lane), 2, "request %u, lane %u", at, lane);
            cr_assert_eq(rig_word(g->rig, DATA + 128 * lane + 32), 2, "request %u, lane %u", at, lane);
        }
        cr_assert_eq(g->seen.rolled_over, 1);
        cr_assert_eq(getm_rig_statistic(g, "late_replies"), g->seen.late, "request %u", at);
        cr_assert_eq(getm_rig_statistic(g, "tx_commits"), 64);
        cr_assert_eq(getm_rig_statistic(g, "tx_attempts"), 64 + getm_rig_statistic(g, "tx_aborts"));
        late += g->seen.late;
        refused += g->late_refusals;
        getm_rig_destroy(g);
    }
    cr_expect_gt(late, 100);
    cr_expect_gt(refused, 10);
}

/* ---- Counts that a loop drives -------------------------------------------------------------------------------------- */

/* What a lane has reserved by one word is given back, however often it has stored to it. */
Test(tx_epochs, all_stores_to_a_word_are_given_back)
{
    const uint32_t words[] = {PROLOGUE,
                              lui(A2, 0x10000),
                              addi(A2, A2, 1),
                              begin_tx(1),
                              addi(A3, A2, 0),
                              sw(A3, 0, A1),
                              addi(A3, A3, -1),
                              bne(A3, ZERO, -8),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = getm_rig_create(NULL, words);
    getm_rig_launch(g, 2);
    getm_rig_finish(g);
    cr_expect_eq(g->seen.stores, 2 * 65537);
    cr_expect_eq(g->region[0].count, 65537);
    cr_expect_eq(rig_word(g->rig, DATA), 1);
    cr_expect_eq(rig_word(g->rig, DATA + 128), 1);
    getm_rig_destroy(g);
}

/* An attempt has a number until the counter is full, and is then the last of them: 0 would be no transaction. */
Test(tx_epochs, the_number_of_an_attempt_stays_at_its_largest)
{
    const uint32_t words[] = {PROLOGUE,        begin_tx(1), lw(T1, 0, A0), csrr(T2, 0xCD0),
                              sw(T2, 128, A0), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create((const char *[]){"tx.back_off.base=0 cycles", NULL}, words);
    g->refuse = 4;
    getm_rig_launch(g, 1);
    while (!g->seen.loads)
        kit_run_until(rig_kit(g->rig), kit_now(rig_kit(g->rig)) + kit_cycles(rig_kit(g->rig), 10));
    simt_core *core = (simt_core *)kit_instance(rig_kit(g->rig));
    core->tx.transactions->warps[0].attempts[0] = UINT32_MAX - 1;
    getm_rig_finish(g);
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"), 3);
    cr_expect_eq(rig_word(g->rig, DATA + 128), UINT32_MAX);
    getm_rig_destroy(g);
}
