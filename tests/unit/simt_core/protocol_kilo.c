/* SPDX-License-Identifier: MIT */
/* What the core sends for one warp by Kilo TM and by WarpTM, counted by hand (Fung 2015 §4.2, §6.2), and what becomes of its lanes. */
#include "protocol_kilo_rig.h"
#include "scattered.h"

#include <criterion/criterion.h>

static kilo_rig *run(const char *const *parameters, uint32_t aggregates,
                     uint32_t (*refuses)(uint32_t, uint32_t, uint32_t, uint32_t), uint32_t keep)
{
    kilo_rig *k = kilo_rig_create(parameters, aggregates, scattered_words());
    k->refuses = refuses;
    k->keep = keep;
    scattered_launch(k->rig);
    kilo_rig_finish(k);
    scattered_expect(k->rig);
    return k;
}

/* ---- Messages ---------------------------------------------------------------------------------------------------------- */

Test(tx_kilo, sends_what_kilo_tm_sends)
{
    kilo_rig *k = run(NULL, 0, NULL, UINT32_MAX);
    cr_expect_eq(k->sent[KIND_TAKE_IDS], 1);
    cr_expect_eq(k->next_id, 1 + LANES);
    cr_expect_eq(k->sent[KIND_READ_SET], 3 + 4);
    cr_expect_eq(k->flits[KIND_READ_SET], 3 * 2 + 2 + 2 + 1 + 1, "8 bytes and 4 words of 8, or 2");
    cr_expect_eq(k->sent[KIND_WRITE_SET], 1);
    cr_expect_eq(k->flits[KIND_WRITE_SET], 2, "8 bytes and 6 words of 8");
    cr_expect_eq(k->sent[KIND_DONE_SKIP], KILO_PARTITIONS, "to those that nobody touches too");
    cr_expect_eq(k->sent[KIND_VERDICT], 1 + 1 + 2 + 2 + 3 + 2 + 3 + 2 + 2 + 2 + 3 + 2, "partitions of each lane");
    cr_expect_eq(k->sent[KIND_OUTCOME], k->sent[KIND_VERDICT]);
    cr_expect_eq(k->sent[KIND_COMMITTED], LANES / 2, "one per transaction and unit that it writes to");
    kilo_rig_destroy(k);
}

Test(tx_kilo, sends_what_warp_tm_sends)
{
    kilo_rig *k = run(NULL, 1, NULL, UINT32_MAX);
    cr_expect_eq(k->sent[KIND_TAKE_IDS], 1);
    cr_expect_eq(k->sent[KIND_READ_SET], 3 + 4);
    cr_expect_eq(k->sent[KIND_WRITE_SET], 1);
    cr_expect_eq(k->sent[KIND_DONE_SKIP], KILO_PARTITIONS);
    cr_expect_eq(k->sent[KIND_VERDICT], 4, "one per warp and unit");
    cr_expect_eq(k->sent[KIND_OUTCOME], 4);
    cr_expect_eq(k->sent[KIND_COMMITTED], 1);
    kilo_rig_destroy(k);
}

/* Sets of one word at most are kept: each lane with two words at one unit is asked for the second. */
Test(tx_kilo, sends_again_what_a_unit_has_not_kept)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              lw(T1, 0, S1),
                              lw(T2, 128, S1),
                              sw(T1, 0, S1),
                              sw(T2, 128, S1),
                              sw(T0, 1024, S1),
                              lw(T1, 1152, S1),
                              commit_tx(),
                              ret(),
                              0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = kilo_rig_create(NULL, aggregates, words);
        k->keep = 1;
        rig_launch(k->rig, LANES, 0);
        kilo_rig_finish(k);
        cr_expect_eq(k->sent[KIND_RESEND], 2 * LANES);
        cr_expect_eq(k->sent[KIND_RESENT], 2 * LANES);
        cr_expect_eq(kilo_rig_statistic(k, "tx_resent_words"), (2 + 2) * LANES, "3 reads and 3 writes, the first kept");
        cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), LANES);
        kilo_rig_destroy(k);
    }
}

/* More words than a packet of 128 bytes has room for. */
Test(tx_kilo, sends_again_in_packets_of_15_words)
{
    uint32_t words[64] = {OWN_WORD, begin_tx(1)}, n = 6;
    for (int32_t i = 0; i < 40; i++)
        words[n++] = lw(T1, 4 * i, A0);
    words[n++] = commit_tx();
    words[n++] = ret();
    kilo_rig *k = kilo_rig_create(NULL, 0, words);
    k->keep = 2;
    rig_launch(k->rig, 1, 0);
    kilo_rig_finish(k);
    cr_expect_eq(k->sent[KIND_RESENT], 1);
    cr_expect_eq(k->sent[KIND_READ_SET], 40 + 3);
    cr_expect_eq(kilo_rig_statistic(k, "tx_resent_words"), 38);
    kilo_rig_destroy(k);
}

/* Lanes of warp 0 have two words each, of which the second is asked for again, while all of warp 1 have been judged: their outcomes leave
 * behind those words, in the order of IDs. */
Test(tx_kilo, words_that_are_sent_again_go_before_outcomes)
{
    const uint32_t words[] = {OWN_WORD,
                              csrr(A2, 0xCC0),
                              slli(A2, A2, 2),
                              add(S1, A0, A2),
                              begin_tx(1),
                              sw(T0, 512, S1),
                              addi(A3, ZERO, 128),
                              blt(A2, A3, 8),
                              jal(ZERO, 8),
                              sw(T0, 1536, S1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = kilo_rig_create(NULL, 0, words);
    k->keep = 1;
    k->at_once = 1;
    k->delay = 60;
    k->spread = 20;
    rig_launch(k->rig, 64, 0);
    kilo_rig_finish(k);
    cr_expect_eq(k->sent[KIND_RESENT], 32);
    cr_expect_eq(k->sent[KIND_OUTCOME], 64);
    cr_expect_lt(k->delayed, 8, "%u", k->delayed);
    cr_expect_eq(k->backward, 0);
    kilo_rig_destroy(k);
}

/* ---- Outcomes ---------------------------------------------------------------------------------------------------------- */

/* What fails validation starts again, alone, with another ID; it is told to those that it touched, and writes nothing. */
Test(tx_kilo, tries_again_what_a_unit_has_refused)
{
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = run(NULL, aggregates, scattered_refuses_lane_4_once, UINT32_MAX);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 1);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_validation"), 1);
        cr_expect_eq(kilo_rig_statistic(k, "tx_attempts"), LANES + 1);
        cr_expect_eq(k->next_id, 1 + LANES + 1);
        cr_expect_eq(k->sent[KIND_DONE_SKIP], 2 * KILO_PARTITIONS);
        cr_expect_eq(k->last.order, 1 + LANES);
        cr_expect_eq(k->last.attempt, 2);
        kilo_rig_destroy(k);
    }
}

static uint32_t refuses_at_partition_0_once(uint32_t warp, uint32_t attempt, uint32_t lane, uint32_t partition)
{
    (void)warp, (void)lane;
    return attempt == 1 && partition == 0;
}

/* One unit of two lets the lane pass: it is told that it fails, and writes nothing. */
Test(tx_kilo, a_lane_commits_everywhere_or_nowhere)
{
    const uint32_t words[] = {
        OWN_WORD, csrr(A2, ATTEMPT), begin_tx(1), csrr(A2, ATTEMPT), sw(A2, 0, S1), sw(A2, 256, S1), commit_tx(), ret(),
        0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = kilo_rig_create(NULL, aggregates, words);
        k->refuses = refuses_at_partition_0_once;
        rig_launch(k->rig, LANES, 0);
        kilo_rig_finish(k);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            cr_expect_eq(rig_word(k->rig, DATA + 4 * lane), 2);
            cr_expect_eq(rig_word(k->rig, DATA + 256 + 4 * lane), 2);
        }
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_validation"), LANES);
        cr_expect_eq(k->sent[KIND_COMMITTED], aggregates ? 2 : 2 * LANES, "of the second attempt");
        kilo_rig_destroy(k);
    }
}

/* Lanes with neither log ask nobody; those of a whole warp send nothing at all. */
Test(tx_kilo, lanes_without_accesses_take_no_ids)
{
    const uint32_t some[] = {OWN_WORD, begin_tx(1), bne(S0, ZERO, 8), sw(T0, 0, S1), commit_tx(), ret(), 0};
    const uint32_t none[] = {OWN_WORD, begin_tx(1), addi(A2, ZERO, 1), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(NULL, 1, some);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(k->next_id, 2);
    cr_expect_eq(k->silent, LANES - 1);
    kilo_rig_destroy(k);
    k = kilo_rig_create(NULL, 1, none);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(k->sent[KIND_TAKE_IDS] + k->sent[KIND_DONE_SKIP], 0);
    cr_expect_eq(k->silent, LANES);
    kilo_rig_destroy(k);
}

/* An attempt that its program gives up takes none either. */
Test(tx_kilo, attempts_that_are_given_up_are_told_nobody)
{
    const uint32_t words[] = {
        OWN_WORD, begin_tx(1), sw(T0, 0, S1), csrr(A2, ATTEMPT), bne(A2, T0, 8), abort_tx(1), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_program"), LANES);
    cr_expect_eq(k->sent[KIND_TAKE_IDS], 1);
    cr_expect_eq(k->next_id, 1 + LANES);
    kilo_rig_destroy(k);
}

/* The timestamp is the first ID of the warp's latest commit. */
Test(tx_kilo, commit_ids_are_timestamps)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1),
                              sw(T0, 0, S1), commit_tx(),
                              begin_tx(1),   csrr(A2, TIMESTAMP),
                              sw(A2, 0, S1), commit_tx(),
                              ret(),         0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    k->next_id = 77;
    rig_launch(k->rig, 2, 0);
    rig_finish(k->rig);
    cr_expect_eq(rig_word(k->rig, DATA), 77);
    cr_expect_eq(k->last.order, 79);
    kilo_rig_destroy(k);
}

/* The only unit with words has answered before all others have been told that there are none for them. */
Test(tx_kilo, verdicts_may_come_before_the_logs_have_ended)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), sw(T0, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    k->at_once = 1;
    k->delay = 0;
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_send_cycles"), 1 + KILO_PARTITIONS - 1 + 1, "and the outcome");
    cr_expect_eq(kilo_rig_statistic(k, "tx_verdict_cycles"), 0);
    cr_expect_gt(kilo_rig_statistic(k, "tx_write_cycles"), 0);
    kilo_rig_destroy(k);
}
