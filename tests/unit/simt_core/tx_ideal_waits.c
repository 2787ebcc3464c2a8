/* SPDX-License-Identifier: MIT */
/* What waits for what: credits of the port for transactions, and memory for what is committed. */
#include "ideal_rig.h"
#include "tx_program.h"

#include <criterion/criterion.h>

#define COUNTS_APART                                                                                                   \
    ((const uint32_t[]){PROLOGUE, begin_tx(1), lw(T1, 0, A1), addi(T1, T1, 1), sw(T1, 0, A1), commit_tx(), ret(), 0})

Test(tx_ideal, loads_wait_for_a_credit_to_be_registered)
{
    ideal_rig *g = ideal_rig_create(NULL, COUNTS_APART);
    kit_hold_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 1);
    ideal_rig_launch(g, 96); /* 24 lines; there are 8 credits */
    ideal_rig_pass(g, 2000);
    cr_expect_eq(g->seen.reads, 8);
    kit_release_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 1, kit_now(rig_kit(g->rig)));
    ideal_rig_pass(g, 200);
    cr_expect_eq(g->seen.reads, 9);
    kit_hold_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 0);
    kit_release_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 8, kit_now(rig_kit(g->rig)));
    ideal_rig_finish(g);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 96);
    cr_expect_eq(rig_word(g->rig, DATA + 32), 3, "three warps");
    ideal_rig_destroy(g);
}

/* 32 lanes write 5 words each: three packets of 63 at most; without credits in between. */
Test(tx_ideal, a_commit_comes_in_parts)
{
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              sw(T0, 0, A1),
                              sw(T0, 4, A1),
                              sw(T0, 8, A1),
                              sw(T0, 12, A1),
                              sw(T0, 16, A1),
                              sw(S0, 16, A1),
                              commit_tx(),
                              ret(),
                              0};
    for (uint32_t held = 0; held < 2; held++) {
        ideal_rig *g = ideal_rig_create(NULL, words);
        kit_hold_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, held);
        ideal_rig_launch(g, 4 * 32);
        ideal_rig_pass(g, 2000);
        cr_expect_eq(g->seen.parts, held ? 8 : 12);
        cr_expect_eq(g->seen.commits, held ? 2 : 4);
        kit_hold_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 0);
        kit_release_credits(rig_kit(g->rig), TRANSACTION_REQUEST, 0, 8, kit_now(rig_kit(g->rig)));
        ideal_rig_finish(g);
        cr_expect_eq(g->seen.commits, 4);
        cr_expect_eq(ideal_rig_statistic(g, "tx_logs"), 12);
        cr_expect_eq(rig_word(g->rig, DATA + 5 * 32 + 16), 5);
        ideal_rig_destroy(g);
    }
}

Test(tx_ideal, a_plain_load_waits_for_what_the_warp_has_committed)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1),   sw(T0, 0, A0), commit_tx(),
                              lw(T1, 0, A0), sw(T1, 4, A0), ret(),         0};
    ideal_rig *g = ideal_rig_create(NULL, words);
    g->hold = 1000;
    ideal_rig_launch(g, 1);
    ideal_rig_pass(g, 2000);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 1);
    cr_expect_eq(ideal_rig_statistic(g, "packets_sent_global"), 0);
    ideal_rig_apply(g);
    ideal_rig_pass(g, 2000);
    cr_expect_eq(rig_word(g->rig, DATA + 4), 1);
    cr_expect_eq(rig_done(g->rig), 1);
    ideal_rig_destroy(g);
}

Test(tx_ideal, a_block_ends_when_its_words_are_in_memory)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), sw(T0, 0, A1), commit_tx(), ret(), 0};
    ideal_rig *g = ideal_rig_create(NULL, words);
    g->hold = 1000;
    ideal_rig_launch(g, 32);
    ideal_rig_pass(g, 3000);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 32);
    cr_expect_eq(rig_done(g->rig), 0);
    ideal_rig_finish(g);
    cr_expect_eq(rig_done(g->rig), 1);
    cr_expect_eq(g->seen.settled, 1);
    ideal_rig_destroy(g);
}

/* The rig looks at every epoch that comes; 400 transactions commit while the first one's word is on its way. */
Test(tx_ideal, an_epoch_does_not_come_again_before_its_words_are_in_memory)
{
    const uint32_t words[] = {PROLOGUE,
                              addi(A2, ZERO, 400),
                              begin_tx(1),
                              sw(A2, 0, A0),
                              commit_tx(),
                              addi(A2, A2, -1),
                              bne(A2, ZERO, -16),
                              ret(),
                              0};
    ideal_rig *g = ideal_rig_create(NULL, words);
    g->hold = 100000;
    ideal_rig_launch(g, 1);
    ideal_rig_pass(g, 40000);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 251, "it waits");
    ideal_rig_finish(g);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 400);
    ideal_rig_destroy(g);
}

Test(tx_ideal, logs_may_take_their_turns_in_the_l1)
{
    static const char *const traffic[] = {"tx.log_traffic=none", "tx.log_traffic=l1"};
    uint64_t hits[2];
    for (uint32_t i = 0; i < 2; i++) {
        ideal_rig *g = ideal_rig_create((const char *[]){traffic[i], NULL}, COUNTS_APART);
        ideal_rig_launch(g, 64);
        ideal_rig_finish(g);
        hits[i] = ideal_rig_statistic(g, "log_hits");
        ideal_rig_destroy(g);
    }
    cr_expect_eq(hits[0], 0);
    cr_expect_gt(hits[1], 0);
}
