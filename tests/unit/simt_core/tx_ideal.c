/* SPDX-License-Identifier: MIT */
/* The core's side of ideal transactions: what it registers, reads, commits, and gives up. */
#include "ideal_rig.h"
#include "tx_program.h"

#include <criterion/criterion.h>

static ideal_rig *run(const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    ideal_rig *g = ideal_rig_create(parameters, words);
    ideal_rig_launch(g, threads);
    ideal_rig_finish(g);
    return g;
}

/* Each lane counts in a word of its own. */
#define COUNTS_APART                                                                                                   \
    ((const uint32_t[]){PROLOGUE, begin_tx(1), lw(T1, 0, A1), addi(T1, T1, 1), sw(T1, 0, A1), commit_tx(), ret(), 0})
/* All in one. */
#define COUNTS_TOGETHER                                                                                                \
    ((const uint32_t[]){PROLOGUE, begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1), sw(T1, 0, A0), commit_tx(), ret(), 0})

Test(tx_ideal, registers_loads_by_lines_and_stores_not_at_all)
{
    ideal_rig *g = run(NULL, COUNTS_APART, 32);
    cr_expect_eq(g->seen.reads, 8, "four lanes in a line");
    cr_expect_eq(g->last.lanes, 0xF0000000);
    cr_expect_eq(g->last.word[31], 24);
    cr_expect_eq(g->last.pc, CODE + 4 * 9);
    cr_expect_eq(g->seen.commits, 1);
    cr_expect_eq(g->last_lanes, UINT32_MAX);
    cr_expect_eq(ideal_rig_statistic(g, "tx_requests"), 8);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 32);
    cr_expect_eq(ideal_rig_statistic(g, "tx_aborts"), 0);
    cr_expect_eq(ideal_rig_statistic(g, "packets_sent_global"), 8, "loads; the block writes");
    cr_expect_eq(ideal_rig_statistic(g, "packets_sent_transaction"), 0);
    for (uint32_t lane = 0; lane < 32; lane++)
        cr_expect_eq(rig_word(g->rig, DATA + 32 * lane), 1);
    ideal_rig_destroy(g);
}

/* One lane of a warp in each round. */
Test(tx_ideal, counts_all_threads_in_one_word)
{
    ideal_rig *g = run((const char *[]){"tx.concurrency=0", NULL}, COUNTS_TOGETHER, 96);
    cr_expect_eq(rig_word(g->rig, DATA), 96);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 96);
    cr_expect_gt(ideal_rig_statistic(g, "tx_aborts_intra_warp"), 0);
    cr_expect_gt(ideal_rig_statistic(g, "tx_aborts_read_committed"), 0);
    cr_expect_eq(ideal_rig_statistic(g, "tx_resolve_cycles"), 0, "there is nothing to resolve");
    ideal_rig_destroy(g);
}

Test(tx_ideal, a_load_leaves_when_it_is_registered)
{
    ideal_rig *g = ideal_rig_create(NULL, COUNTS_APART);
    g->mute = 1;
    ideal_rig_launch(g, 32);
    ideal_rig_pass(g, 1000);
    cr_expect_eq(g->seen.reads, 8);
    cr_expect_eq(ideal_rig_statistic(g, "packets_sent_global"), 0);
    ideal_rig_answer(g);
    ideal_rig_finish(g);
    cr_expect_eq(ideal_rig_statistic(g, "packets_sent_global"), 8);
    cr_expect_eq(ideal_rig_statistic(g, "withheld_requests"), 0);
    ideal_rig_destroy(g);
}

/* Bytes 1 and 2 are committed by somebody and not in memory, byte 2 has been written by the lane itself. */
Test(tx_ideal, reads_its_own_bytes_over_those_committed_over_those_in_memory)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1),   sb(T0, 2, A0), lw(T1, 0, A0), lb(T2, 1, A0),
                              sw(T1, 0, S1), sw(T2, 4, S1), commit_tx(),   ret(),         0};
    ideal_rig *g = ideal_rig_create(NULL, words);
    ideal_rig_set(g, DATA, 0x44332211);
    g->hold = 1000;
    ideal_rig_commit_word(g, DATA, 0x00BBAA00, 6);
    getm_rig_set(&g->record, DATA, 0x44332211);
    ideal_rig_launch(g, 1);
    ideal_rig_pass(g, 2000);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 1);
    cr_expect_eq(rig_word(g->rig, DATA), 0x44332211, "nothing is in memory yet");
    ideal_rig_apply(g);
    ideal_rig_pass(g, 1000);
    cr_expect_eq(rig_word(g->rig, RESULTS), 0x4401AA11);
    cr_expect_eq(rig_word(g->rig, RESULTS + 4), 0xFFFFFFAA);
    cr_expect_eq(rig_word(g->rig, DATA), 0x4401AA11);
    ideal_rig_destroy(g);
}

/* What the slice says of a word is not when it was read if it came from elsewhere: nothing is said. */
Test(tx_ideal, a_word_that_is_not_in_memory_has_no_sample)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), lw(T2, 4, A0), commit_tx(), ret(), 0};
    ideal_rig *g = ideal_rig_create(NULL, words);
    g->hold = 1000;
    ideal_rig_commit_word(g, DATA, 5, 15);
    ideal_rig_launch(g, 1);
    ideal_rig_pass(g, 2000);
    cr_assert_eq(g->record.commits, 1);
    cr_assert_eq(g->record.commit[0].told.read_count, 2);
    cr_expect_eq(g->record.commit[0].reads[0].value, 5);
    cr_expect_eq(g->record.commit[0].reads[0].sample, HD_NO_SAMPLE);
    cr_expect_eq(g->record.commit[0].reads[1].sample, DATA + 4);
    cr_expect_eq(g->record.commit[0].told.order, 1);
    ideal_rig_destroy(g);
}

Test(tx_ideal, lanes_that_are_doomed_run_again_and_say_why)
{
    ideal_rig *g = ideal_rig_create(NULL, COUNTS_APART);
    g->doom_at = 3;
    ideal_rig_launch(g, 32);
    ideal_rig_finish(g);
    cr_expect_eq(ideal_rig_statistic(g, "tx_aborts_read_committed"), 4);
    cr_expect_eq(ideal_rig_statistic(g, "tx_aborts"), 4);
    cr_expect_eq(ideal_rig_statistic(g, "tx_retries"), 1);
    cr_expect_eq(ideal_rig_statistic(g, "tx_commits"), 32);
    cr_expect_eq(g->seen.reads, 9, "a line again");
    cr_expect_eq(g->last_lanes, 0xF00);
    ideal_rig_destroy(g);
}

/* The attempt that was meant is over. */
Test(tx_ideal, a_doom_of_another_attempt_is_nothing)
{
    ideal_rig *g = ideal_rig_create(NULL, COUNTS_APART);
    g->doom_at = 2;
    g->doom_late = 1;
    ideal_rig_launch(g, 32);
    ideal_rig_finish(g);
    cr_expect_eq(g->seen.dooms, 1);
    cr_expect_eq(ideal_rig_statistic(g, "tx_aborts"), 0);
    ideal_rig_destroy(g);
}

/* A load takes 2000 cycles; when all lanes are doomed, nobody waits for it. */
Test(tx_ideal, what_is_in_flight_for_nobody_is_given_up)
{
    ideal_rig *g = ideal_rig_create(NULL, COUNTS_APART);
    rig_memory_delay(g->rig, 2000);
    g->doom_at = 1;
    ideal_rig_launch(g, 1);
    ideal_rig_pass(g, 1500);
    cr_expect_eq(g->seen.reads, 2);
    ideal_rig_finish(g);
    cr_expect_eq(ideal_rig_statistic(g, "given_up_requests") + ideal_rig_statistic(g, "withheld_requests"), 1);
    cr_expect_eq(ideal_rig_statistic(g, "late_replies"), ideal_rig_statistic(g, "given_up_requests"));
    cr_expect_eq(rig_word(g->rig, DATA), 1);
    ideal_rig_destroy(g);
}

/* The answer to the read comes after all its lanes are doomed: the load never leaves. */
Test(tx_ideal, a_load_of_lanes_that_have_aborted_does_not_leave)
{
    ideal_rig *g = ideal_rig_create((const char *[]){"tx.back_off.base=0 cycles", NULL}, COUNTS_APART);
    g->delay = 1;
    g->mute = 1;
    ideal_rig_launch(g, 1);
    ideal_rig_pass(g, 500);
    cr_assert_eq(g->held_count, 1);
    const hd_ideal_doom doom = {.lanes = 1, .winner = IDEAL_STRANGER};
    hd_packet *packet = kit_packet(rig_kit(g->rig), HD_IDEAL_DOOM, sizeof doom);
    packet->epoch = 1;
    *(hd_ideal_doom *)hd_body(packet) = doom;
    kit_send(rig_kit(g->rig), TRANSACTION_REPLY, 0, packet, kit_now(rig_kit(g->rig)));
    ideal_rig_pass(g, 500);
    cr_expect_eq(ideal_rig_statistic(g, "withheld_requests"), 1);
    cr_expect_eq(ideal_rig_statistic(g, "packets_sent_global"), 0);
    cr_expect_eq(g->seen.reads, 2, "it runs again");
    kit_free(rig_kit(g->rig), g->held[0]); /* of an attempt that is over: it is not answered */
    g->held[0] = g->held[1];
    g->held_count = 1;
    ideal_rig_answer(g);
    ideal_rig_finish(g);
    cr_expect_eq(rig_word(g->rig, DATA), 1);
    ideal_rig_destroy(g);
}

/* Lanes 0 to 3 of five, in another line than lane 4: they wait for it, and their load does not leave. */
Test(tx_ideal, a_load_of_aborted_lanes_does_not_leave_while_others_run)
{
    ideal_rig *g = ideal_rig_create(NULL, COUNTS_APART);
    g->mute = 1;
    ideal_rig_launch(g, 5);
    ideal_rig_pass(g, 500);
    cr_assert_eq(g->held_count, 2);
    const hd_ideal_doom doom = {.lanes = 0xF, .winner = IDEAL_STRANGER};
    hd_packet *packet = kit_packet(rig_kit(g->rig), HD_IDEAL_DOOM, sizeof doom);
    packet->epoch = 1;
    *(hd_ideal_doom *)hd_body(packet) = doom;
    kit_send(rig_kit(g->rig), TRANSACTION_REPLY, 0, packet, kit_now(rig_kit(g->rig)));
    g->doomed[0] |= doom.lanes;
    ideal_rig_pass(g, 10);
    ideal_rig_answer(g);
    ideal_rig_finish(g);
    cr_expect_eq(ideal_rig_statistic(g, "withheld_requests"), 1);
    cr_expect_eq(ideal_rig_statistic(g, "packets_sent_global"), 2, "lane 4, and then the others");
    cr_expect_eq(ideal_rig_statistic(g, "tx_aborts_read_committed"), 4);
    ideal_rig_destroy(g);
}

/* tx.abort: the block is not told; what it says of the lane later is nothing. */
Test(tx_ideal, lanes_may_give_up_by_themselves)
{
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              lw(T1, 0, A1),
                              addi(T1, T1, 1),
                              sw(T1, 0, A1),
                              csrr(T2, ATTEMPT),
                              bne(T2, T0, 8),
                              abort_tx(1),
                              commit_tx(),
                              ret(),
                              0};
    ideal_rig *g = run(NULL, words, 32);
    cr_expect_eq(ideal_rig_statistic(g, "tx_aborts_program"), 32);
    cr_expect_eq(g->seen.commits, 1, "of the second attempt: in the first there is nobody to commit");
    for (uint32_t lane = 0; lane < 32; lane++)
        cr_expect_eq(rig_word(g->rig, DATA + 32 * lane), 1);
    ideal_rig_destroy(g);
}

static uint64_t timestamp_after(uint32_t transactions)
{
    uint32_t words[64] = {PROLOGUE};
    uint32_t count = 8;
    for (uint32_t i = 0; i < transactions; i++) {
        words[count++] = begin_tx(1);
        words[count++] = sw(T0, 0, A0);
        words[count++] = csrr(T1, 0xCD1);
        words[count++] = commit_tx();
    }
    words[count++] = sw(T1, 0, S1);
    words[count++] = ret();
    ideal_rig *g = ideal_rig_create(NULL, words);
    ideal_rig_launch(g, 1);
    ideal_rig_finish(g);
    const uint64_t seen = rig_word(g->rig, RESULTS);
    ideal_rig_destroy(g);
    return seen;
}

Test(tx_ideal, the_timestamp_is_that_of_the_commit_before)
{
    cr_expect_eq(timestamp_after(1), 0);
    cr_expect_eq(timestamp_after(4), 3);
}

/* The first attempt is doomed, and the block hears nothing of the 254 after it: it must not take the next one, whose number is
 * the first one's again, for that. */
Test(tx_ideal, an_attempt_is_not_taken_for_one_255_before_it)
{
    const uint32_t words[] = {PROLOGUE,
                              csrr(T2, ATTEMPT),
                              addi(A3, ZERO, 256),
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              beq(T2, T0, 12),
                              beq(T2, A3, 8),
                              abort_tx(1),
                              lw(T1, 0, A1),
                              addi(T1, T1, 1),
                              sw(T1, 0, A1),
                              commit_tx(),
                              ret(),
                              0};
    ideal_rig *g = ideal_rig_create((const char *[]){"tx.back_off.base=0 cycles", NULL}, words);
    g->doom_at = 1;
    ideal_rig_launch(g, 1);
    ideal_rig_finish(g);
    cr_expect_eq(g->seen.reads, 2);
    cr_expect_eq(ideal_rig_statistic(g, "tx_attempts"), 256);
    cr_expect_eq(rig_word(g->rig, DATA), 1);
    ideal_rig_destroy(g);
}
