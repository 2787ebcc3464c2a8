/* SPDX-License-Identifier: MIT */
/* What the core sends for one warp by Kilo TM and by WarpTM, counted by hand (Fung 2015 §4.2, §6.2), and what becomes of its lanes. */
#include "protocol_kilo_rig.h"
#include "scattered.h"

#include <criterion/criterion.h>
#include <string.h>

#define ATTEMPT 0xCD0
#define TIMESTAMP 0xCD1
#define OWN_WORD lui(A0, DATA), csrr(S0, 0xCCC), slli(S1, S0, 2), add(S1, A0, S1), addi(T0, ZERO, 1)

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

/* ---- Schedules that have a name (Fung 2015 §5) ---------------------------------------------------------------------------- */

/* Two increments of one word, by lanes of two warps: both count, and one is tried again. */
Test(tx_kilo, no_update_is_lost)
{
    const uint32_t words[] = {
        OWN_WORD, bne(S0, ZERO, 24), begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1), sw(T1, 0, A0), commit_tx(), ret(), 0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = kilo_rig_create(NULL, aggregates, words);
        rig_launch(k->rig, 64, 0);
        kilo_rig_finish(k);
        cr_expect_eq(rig_word(k->rig, DATA), 2);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_validation"), 1);
        kilo_rig_destroy(k);
    }
}

/* All lanes of a warp count in one word: the units find it out by value, or the core before it asks. */
Test(tx_kilo, conflicts_within_the_warp_are_found_in_the_units_or_in_the_core)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = kilo_rig_create(NULL, aggregates, words);
        rig_launch(k->rig, LANES, 0);
        kilo_rig_finish(k);
        cr_expect_eq(rig_word(k->rig, DATA), LANES);
        cr_expect_eq(kilo_rig_statistic(k, aggregates ? "tx_aborts_intra_warp" : "tx_aborts_validation"),
                     LANES * (LANES - 1) / 2);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), LANES * (LANES - 1) / 2);
        kilo_rig_destroy(k);
    }
}

/* If b is 0, a becomes 1; if a is 0, b does: never both. */
Test(tx_kilo, writes_do_not_skew)
{
    const uint32_t program[] = {lui(A0, DATA),
                                csrr(S0, 0xCC0),
                                andi(T2, S0, 31),
                                bne(T2, ZERO, 48),
                                addi(A1, A0, 512),
                                beq(S0, ZERO, 16),
                                add(A2, A1, ZERO),
                                add(A1, A0, ZERO),
                                add(A0, A2, ZERO),
                                addi(T0, ZERO, 1),
                                begin_tx(1),
                                lw(T1, 0, A1),
                                bne(T1, ZERO, 8),
                                sw(T0, 0, A0),
                                commit_tx(),
                                ret(),
                                0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = kilo_rig_create(NULL, aggregates, program);
        rig_launch(k->rig, 64, 0);
        kilo_rig_finish(k);
        cr_expect_eq(rig_word(k->rig, DATA) + rig_word(k->rig, DATA + 512), 1);
        kilo_rig_destroy(k);
    }
}

/* A value that has changed and changed back has not changed; one that was read in two ways never was. */
static kilo_rig *start_with_a_pause(void)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              lw(T1, 0, A0),
                              divu(A2, T1, T0),
                              divu(A2, A2, T0),
                              divu(A2, A2, T0),
                              divu(A2, A2, T0),
                              lw(T2, 0, A0),
                              add(T1, T1, T2),
                              sw(T1, 4, A0),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    rig_set_word(k->rig, DATA, 5);
    rig_launch(k->rig, 1, 0);
    while (!k->first_load)
        kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 1));
    return k;
}

Test(tx_kilo, what_is_changed_and_changed_back_commits)
{
    kilo_rig *k = start_with_a_pause();
    kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 2));
    rig_set_word(k->rig, DATA, 7);
    kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 2));
    rig_set_word(k->rig, DATA, 5);
    kilo_rig_finish(k);
    cr_expect_eq(rig_word(k->rig, DATA + 4), 10);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
    kilo_rig_destroy(k);
}

Test(tx_kilo, who_has_read_two_values_of_a_word_never_commits)
{
    kilo_rig *k = start_with_a_pause();
    kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 2));
    rig_set_word(k->rig, DATA, 7);
    kilo_rig_finish(k);
    cr_expect_eq(rig_word(k->rig, DATA + 4), 14);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_validation"), 1);
    kilo_rig_destroy(k);
}

/* A load of an own word is not validated; bytes of it that another has written are. */
Test(tx_kilo, own_writes_are_read_and_not_validated)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              sw(T0, 0, S1),
                              lw(T1, 0, S1),
                              sb(T0, 257, S1),
                              lw(T2, 256, S1),
                              add(T1, T1, T2),
                              sw(T1, 512, S1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    for (uint32_t lane = 0; lane < LANES; lane++)
        rig_set_word(k->rig, DATA + 256 + 4 * lane, 0x11223344);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        cr_expect_eq(rig_word(k->rig, DATA + 512 + 4 * lane), 1 + 0x11220144);
        cr_expect_eq(rig_word(k->rig, DATA + 256 + 4 * lane), 0x11220144);
    }
    cr_expect_eq(k->sent[KIND_READ_SET], 1);
    cr_expect_eq(k->groups[0].reads[1].words[0].byte_mask, 0xD, "but for the byte that it has written");
    kilo_rig_destroy(k);
}

/* Its first attempt never ends by itself. */
Test(tx_kilo, the_watchdog_ends_attempts)
{
    const char *const parameters[] = {"tx.watchdog=500 cycles", "tx.back_off.base=0 cycles", NULL};
    const uint32_t words[] = {OWN_WORD,       begin_tx(1),   addi(A2, ZERO, 2), lw(T1, 0, S1), csrr(T2, ATTEMPT),
                              blt(T2, A2, 0), sw(T2, 0, S1), commit_tx(),       ret(),         0};
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_watchdog"), LANES);
    cr_expect_eq(k->next_id, 1 + LANES);
    kilo_rig_destroy(k);
}

/* ---- Taking turns -------------------------------------------------------------------------------------------------------- */

/* Warps that commit together send in turn, and each waits for nobody else's answers. */
Test(tx_kilo, warps_commit_side_by_side)
{
    const uint32_t words[] = {OWN_WORD,
                              csrr(S0, 0xCC0),
                              slli(S1, S0, 2),
                              add(S1, A0, S1),
                              begin_tx(1),
                              lw(T1, 0, S1),
                              addi(T1, T1, 1),
                              sw(T1, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    const char *const alone[] = {"tx.concurrency=1", NULL};
    uint64_t cycles[2];
    uint32_t turns[2];
    for (uint32_t i = 0; i < 2; i++) {
        kilo_rig *k = kilo_rig_create(i ? alone : NULL, 1, words);
        rig_launch(k->rig, 256, 0);
        kilo_rig_finish(k);
        cycles[i] = rig_ended(k->rig);
        for (uint32_t thread = 0; thread < 256; thread++)
            cr_expect_eq(rig_word(k->rig, DATA + 4 * thread), 1);
        cr_expect_eq(k->sent[KIND_TAKE_IDS], 8);
        turns[i] = k->turns;
        kilo_rig_destroy(k);
    }
    cr_expect_lt(cycles[0], cycles[1] / 2);
    cr_expect_eq(turns[1], 8 - 1, "one after the other");
    cr_expect_gt(turns[0], 3 * 8, "in turn: %u", turns[0]);
}

/* Commit IDs that come late are waited for, and so are verdicts and writes. */
Test(tx_kilo, says_what_it_waits_for)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, S1), sw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    k->id_delay = 300;
    k->delay = 500;
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    const uint64_t ids = kilo_rig_statistic(k, "tx_id_cycles"), sends = kilo_rig_statistic(k, "tx_send_cycles");
    cr_expect(ids >= 300 && ids < 310, "%lu", ids);
    cr_expect_eq(sends, 1 + 1 + KILO_PARTITIONS - 1, "a packet a cycle");
    cr_expect_geq(kilo_rig_statistic(k, "tx_verdict_cycles"), 500);
    cr_expect_geq(kilo_rig_statistic(k, "tx_write_cycles"), 500);
    cr_expect_lt(kilo_rig_statistic(k, "tx_verdict_cycles") + kilo_rig_statistic(k, "tx_write_cycles"), 1040);
    kilo_rig_destroy(k);
}

/* Lanes are judged one after the other: verdicts are waited for until the last of them has one. */
Test(tx_kilo, a_warp_waits_for_verdicts_until_all_lanes_have_theirs)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, S1), sw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(NULL, 0, words);
    k->delay = 50;
    rig_launch(k->rig, 8, 0);
    kilo_rig_finish(k);
    cr_expect_geq(kilo_rig_statistic(k, "tx_verdict_cycles"), 8 * 50);
    cr_expect_lt(kilo_rig_statistic(k, "tx_write_cycles"), 2 * 50);
    kilo_rig_destroy(k);
}

/* Bytes of logs on the network: 8 per word, whoever they go to. Words are 12 + 12 that are read, and 12 that are written. */
Test(tx_kilo, counts_the_bytes_of_its_logs)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, S1), lw(T2, 256, S1),
                              sw(T1, 0, S1), commit_tx(), ret(),         0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_logs"), 3);
    cr_expect_eq(kilo_rig_statistic(k, "transaction_bytes"), 3 * LANES * HD_KILO_WORD_WIRE_BYTES);
    cr_expect_eq(kilo_rig_statistic(k, "tx_read_words"), 2 * LANES);
    cr_expect_eq(kilo_rig_statistic(k, "tx_maximum_read_words"), 2);
    cr_expect_eq(kilo_rig_statistic(k, "tx_maximum_write_words"), 1);
    kilo_rig_destroy(k);
}

/* Two phases over the logs, a cycle per entry, and one until the result is there (Fung 2015 §6.3). */
Test(tx_kilo, resolves_in_the_cycles_of_its_logs)
{
    const char *const free_logs[] = {"tx.log_traffic=none", NULL};
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, S1), lw(T2, 256, S1),
                              sw(T1, 0, S1), commit_tx(), ret(),         0};
    kilo_rig *k = kilo_rig_create(free_logs, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_resolve_cycles"), 2 * 1 + 2 + 1);
    kilo_rig_destroy(k);
}

/* Of each transaction: two in which the first attempt is in vain. */
Test(tx_kilo, attempts_in_vain_are_those_of_one_transaction)
{
    uint64_t longest[2];
    for (uint32_t twice = 0; twice < 2; twice++) {
        const uint32_t words[] = {OWN_WORD,
                                  begin_tx(1),
                                  csrr(A2, ATTEMPT),
                                  bne(A2, T0, 8),
                                  abort_tx(1),
                                  sw(T0, 0, S1),
                                  commit_tx(),
                                  twice ? begin_tx(1) : ret(),
                                  csrr(A2, ATTEMPT),
                                  bne(A2, T0, 8),
                                  abort_tx(1),
                                  sw(T0, 0, S1),
                                  commit_tx(),
                                  ret(),
                                  0};
        kilo_rig *k = kilo_rig_create(NULL, 1, words);
        rig_launch(k->rig, LANES, 0);
        kilo_rig_finish(k);
        longest[twice] = kilo_rig_statistic(k, "tx_maximum_fruitless_cycles");
        cr_expect_eq(kilo_rig_statistic(k, "tx_retries"), 1 + twice);
        kilo_rig_destroy(k);
    }
    cr_expect(longest[0] && longest[1] < longest[0] + longest[0] / 2, "%lu and %lu", longest[0], longest[1]);
}

/* ---- Readers (TCD) --------------------------------------------------------------------------------------------------------- */

static hd_time written_at;
static uint32_t is_pending;

static hd_kilo_written when(uint64_t address, hd_time t)
{
    (void)t;
    return (hd_kilo_written){.t = address < DATA + 128 ? 0 : written_at,
                             .is_pending = address >= DATA + 256 && is_pending};
}

/* Lane 0 loads two words, the second in another line. Returns how many lanes committed silently, of one. */
static uint32_t read_two(hd_time second_written, uint32_t pending, uint32_t has_times, int32_t second)
{
    const char *const parameters[] = {has_times ? "tx.kilo.tcd=true" : "tx.kilo.tcd=false", NULL};
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, A0), lw(T2, second, A0), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    k->written = has_times ? when : NULL;
    written_at = second_written;
    is_pending = pending;
    rig_launch(k->rig, 1, 0);
    kilo_rig_finish(k);
    const uint32_t silent = k->silent;
    cr_expect_eq(kilo_rig_statistic(k, "tx_second_chances"), has_times && !silent);
    cr_expect_eq(k->next_id, silent ? 1 : 2, "who does not commit silently goes the ordinary way");
    cr_expect_eq(k->last.order, silent ? HD_NO_ORDER : 1);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
    kilo_rig_destroy(k);
    return silent;
}

Test(tx_kilo, readers_commit_silently_where_nothing_was_written_since_their_first_load)
{
    cr_expect_eq(read_two(0, 0, 1, 128), 1);
    cr_expect_eq(read_two(0, 0, 0, 128), 0, "nobody says when anything was written");
    cr_expect_eq(read_two(HD_NEVER - 1, 0, 1, 128), 0);
    cr_expect_eq(read_two(HD_NEVER - 1, 0, 1, 64), 1, "a word that was not written");
    cr_expect_eq(read_two(0, 1, 1, 128), 1, "somebody else's word");
    cr_expect_eq(read_two(0, 1, 1, 256), 0, "somebody is about to write");
}

/* The time of the first load is when it leaves: a write at that time is not one since then. */
Test(tx_kilo, readers_compare_with_the_time_of_their_first_load)
{
    uint32_t silent = 0, first = 0;
    hd_time at = 0;
    kilo_rig *k;
    const char *const parameters[] = {"tx.kilo.tcd=true", NULL};
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    k = kilo_rig_create(parameters, 1, words);
    rig_launch(k->rig, 1, 0);
    kilo_rig_finish(k);
    at = k->first_load;
    cr_expect_eq(k->silent, 0, "a reply without a time is no proof");
    kilo_rig_destroy(k);
    /* The latest write that is none since then is at an edge of the core. */
    hd_time last = at - 8 * 714, edge = 0;
    for (hd_time step = 4096; step; step /= 2)
        last += read_two(last + step, 0, 1, 128) ? step : 0;
    k = kilo_rig_create(parameters, 1, words);
    for (uint32_t n = 0; edge < last; n++)
        edge = kit_edge(rig_kit(k->rig), n);
    cr_expect_eq(edge, last, "%lu and %lu", edge, last);
    kilo_rig_destroy(k);
    for (uint32_t before = 0; before < 4; before++) {
        const hd_time cycle = 714; /* or more */
        silent = read_two(at - before * cycle, 0, 1, 128);
        first += silent;
        cr_expect(silent || !first, "the earlier, the more so");
    }
    cr_expect(first > 0 && first < 4, "%u", first);
}

/* Who has also written is no reader; loads of the next attempt begin anew. */
Test(tx_kilo, writers_do_not_commit_silently)
{
    const char *const parameters[] = {"tx.kilo.tcd=true", NULL};
    const uint32_t words[] = {OWN_WORD,        begin_tx(1), lw(T1, 0, A0), bne(S0, ZERO, 8),
                              sw(T0, 256, A0), commit_tx(), ret(),         0};
    written_at = is_pending = 0;
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    k->written = when;
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(k->silent, LANES - 1);
    cr_expect_eq(k->next_id, 2);
    kilo_rig_destroy(k);
}

static uint32_t loads_answered;

static hd_kilo_written first_is_late(uint64_t address, hd_time t)
{
    (void)address, (void)t;
    return (hd_kilo_written){.t = loads_answered++ ? 0 : HD_NEVER - 1};
}

/* What was written after the loads of an attempt that is over is of no account. */
Test(tx_kilo, readers_begin_anew_with_each_attempt)
{
    const char *const parameters[] = {"tx.kilo.tcd=true", NULL};
    const uint32_t words[] = {
        OWN_WORD, begin_tx(1), lw(T1, 0, A0), csrr(A2, ATTEMPT), bne(A2, T0, 8), abort_tx(1), commit_tx(), ret(), 0};
    loads_answered = 0;
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    k->written = first_is_late;
    rig_launch(k->rig, 1, 0);
    kilo_rig_finish(k);
    cr_expect_eq(loads_answered, 2);
    cr_expect_eq(k->silent, 1);
    kilo_rig_destroy(k);
}

/* A load of nothing but what the lane has written is no word to compare, even if it goes to memory. */
Test(tx_kilo, own_words_are_not_compared_however_they_are_loaded)
{
    const char *const parameters[] = {"tx.own_reads=validate", NULL};
    const uint32_t words[] = {OWN_WORD,        begin_tx(1), sw(T0, 0, S1), lw(T1, 0, S1),
                              sw(T1, 256, S1), commit_tx(), ret(),         0};
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(k->sent[KIND_READ_SET], 0);
    cr_expect_eq(rig_word(k->rig, DATA + 256), 1);
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
