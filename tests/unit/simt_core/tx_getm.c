/* SPDX-License-Identifier: MIT */
/* A core that runs transactions by GETM. */
#include "getm_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* a0 = DATA, a1 = lane, a2 = DATA + 4 * lane, t0 = 1 */
#define PROLOGUE lui(A0, DATA), csrr(A1, 0xCCC), slli(A2, A1, 2), add(A2, A0, A2), addi(T0, ZERO, 1)

Test(tx_getm, adds_one_for_every_thread_of_one_warp_to_words_of_their_own)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A2), addi(T1, T1, 1),
                              sw(T1, 0, A2), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create(NULL, words);
    for (uint32_t i = 0; i < 32; i++)
        getm_rig_set(g, DATA + 4 * i, 100 + i);
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    for (uint32_t i = 0; i < 32; i++)
        cr_expect_eq(rig_word(g->rig, DATA + 4 * i), 101 + i);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 32);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts"), 0);
    cr_expect_eq(g->seen.loads, 4, "a granule is 32 bytes");
    cr_expect_eq(g->seen.stores, 4);
    cr_expect_eq(g->seen.regions, 4);
    cr_expect_eq(g->seen.logs, 2, "52 bytes with the header, two in a packet");
    getm_rig_destroy(g);
}

Test(tx_getm, a_word_may_be_a_granule)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A2), sw(T1, 0, A2), commit_tx(), ret(), 0};
    static const uint32_t granules[] = {4, 8};
    for (uint32_t i = 0; i < 2; i++) {
        char granule[32];
        snprintf(granule, sizeof granule, "tx.getm.granule=%u B", granules[i]);
        getm_rig *g = getm_rig_create((const char *[]){granule, NULL}, words);
        getm_rig_launch(g, 32);
        getm_rig_finish(g);
        const uint32_t expected = 128 / granules[i];
        cr_expect_eq(g->seen.loads, expected);
        cr_expect_eq(g->seen.stores, expected);
        cr_expect_eq(g->seen.regions, expected);
        cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 32);
        getm_rig_destroy(g);
    }
}

Test(tx_getm, counts_all_threads_of_many_warps_in_one_word)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create(NULL, words);
    getm_rig_set(g, DATA, 7);
    getm_rig_launch(g, 256);
    getm_rig_finish(g);
    cr_expect_eq(rig_word(g->rig, DATA), 7 + 256);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 256);
    cr_expect_gt(getm_rig_statistic(g, "tx_aborts_intra_warp"), 0);
    getm_rig_destroy(g);
}

Test(tx_getm, a_clock_goes_beyond_the_highest_cause_of_the_attempt)
{
    const char *const paper[] = {"tx.getm.tie_break=paper", "tx.getm.clock_seed=slot", NULL};
    const uint32_t words[] = {PROLOGUE,      slli(A3, A1, 7), add(A3, A0, A3), begin_tx(1),
                              lw(T1, 0, A3), commit_tx(),     ret(),           0};
    getm_rig *g = getm_rig_create(paper, words);
    g->refuse = 3; /* of four lanes in four lines */
    g->causes[0] = 20;
    g->causes[1] = 33;
    g->causes[2] = 7;
    getm_rig_launch(g, 4);
    getm_rig_finish(g);
    cr_expect_eq(g->seen.loads, 7);
    cr_expect_eq(g->last.timestamp, 34);
    cr_expect_eq(getm_rig_statistic(g, "tx_clock_steps"), 34);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_load_written"), 3);
    getm_rig_destroy(g);
}

Test(tx_getm, a_cause_that_is_none_leaves_the_clock)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    g->refuse = 1;
    g->causes[0] = HD_GETM_NO_CAUSE;
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_expect_eq(g->last.timestamp, 0);
    cr_expect_eq(g->last_epoch, 2);
    getm_rig_destroy(g);
}

/* 48 warps of one core: 6 bits say whose a timestamp is. */
Test(tx_getm, clocks_of_different_warps_are_never_equal)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    g->refuse = 1;
    g->causes[0] = 5 << 6 | 9;
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_expect_eq(g->last.timestamp, 6 << 6);
    getm_rig_destroy(g);
}

/* The winner of a conflict within the warp writes one later: the loser starts beyond that. */
Test(tx_getm, a_lane_that_lost_to_another_starts_later_than_it_wrote)
{
    const char *const paper[] = {"tx.getm.tie_break=paper", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), sw(T0, 0, A0), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(paper, words);
    getm_rig_launch(g, 2);
    getm_rig_finish(g);
    cr_expect_eq(g->last.timestamp, 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts"), 1);
    getm_rig_destroy(g);
}

/* Lanes 0 and 1 store to words of one granule; lane 1 gives up: one region with data, one that only gives back. */
Test(tx_getm, what_commits_and_what_aborts_may_share_a_granule)
{
    const uint32_t program[] = {PROLOGUE,         begin_tx(1), sw(T0, 0, A2), csrr(T2, 0xCD0), bne(T2, T0, 12),
                                beq(A1, ZERO, 8), abort_tx(1), commit_tx(),   ret(),           0};
    getm_rig *g = getm_rig_create(NULL, program);
    getm_rig_launch(g, 2);
    getm_rig_finish(g);
    cr_expect_eq(g->region[0].address, DATA);
    cr_expect_eq(g->region[0].byte_mask, 0xF);
    cr_expect_eq(g->region[0].count, 1);
    cr_expect_eq(g->region[1].address, DATA);
    cr_expect_eq(g->region[1].byte_mask, 0);
    cr_expect_eq(g->region[1].count, 1);
    cr_expect_eq(g->region_packet[1], 0, "in one packet");
    cr_expect_eq(g->region[2].byte_mask, 0xF0, "the second attempt, of lane 1");
    getm_rig_destroy(g);
}

Test(tx_getm, a_packet_of_a_log_has_128_bytes_at_most)
{
    const uint32_t words[] = {PROLOGUE,      slli(A3, A1, 5), add(A3, A0, A3), begin_tx(1),
                              sw(T0, 0, A3), commit_tx(),     ret(),           0};
    const uint32_t aborts[] = {PROLOGUE,
                               slli(A3, A1, 5),
                               add(A3, A0, A3),
                               begin_tx(1),
                               sw(T0, 0, A3),
                               csrr(T2, 0xCD0),
                               bne(T2, T0, 8),
                               abort_tx(0),
                               commit_tx(),
                               ret(),
                               0};
    getm_rig *g = getm_rig_create(NULL, words);
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    cr_expect_eq(g->seen.regions, 32);
    cr_expect_eq(g->seen.logs, 6, "16 regions for each of two partitions, 7 of 16 bytes in a packet");
    getm_rig_destroy(g);
    g = getm_rig_create(NULL, aborts);
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    cr_expect_eq(g->seen.cleanups, 32);
    cr_expect_eq(g->seen.logs, 4 + 6, "15 of 8 bytes in a packet");
    getm_rig_destroy(g);
}

/* Three increments of one word in a row; what each has reserved stands until a log is applied long after. */

Test(tx_getm, the_next_transaction_does_not_take_what_the_last_one_reserved_for_its_own)
{
    uint32_t program[] = {PROLOGUE,    begin_tx(1),   lw(T1, 0, A2),    addi(T1, T1, 1), sw(T1, 0, A2),
                          commit_tx(), begin_tx(1),   lw(T1, 0, A2),    addi(T1, T1, 1), sw(T1, 0, A2),
                          commit_tx(), begin_tx(1),   lw(T1, 0, A2),    addi(T1, T1, 1), sw(T1, 0, A2),
                          commit_tx(), lw(T2, 0, A2), sw(T2, 1024, A2), ret(),           0};
    program[2] = slli(A2, A1, 5);
    program[3] = add(A2, A0, A2);
    getm_rig *g = getm_rig_create(NULL, program);
    g->hold = 40;
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    for (uint32_t i = 0; i < 32; i++) {
        cr_expect_eq(rig_word(g->rig, DATA + 32 * i), 3, "word %u: %u", i, rig_word(g->rig, DATA + 32 * i));
        cr_expect_eq(rig_word(g->rig, DATA + 32 * i + 1024), 3, "a plain load sees what has been committed");
    }
    getm_rig_destroy(g);
}

Test(tx_getm, a_block_ends_when_its_logs_are_applied)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), sw(T0, 0, A2), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    g->hold = 1000;
    getm_rig_launch(g, 32);
    kit_run_until(rig_kit(g->rig), kit_edge(rig_kit(g->rig), 5000));
    cr_expect_eq(rig_done(g->rig), 0);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 32);
    getm_rig_finish(g);
    cr_expect_eq(rig_done(g->rig), 1);
    getm_rig_destroy(g);
}

Test(tx_getm, a_fence_waits_for_logs_in_flight)
{
    const uint32_t words[] = {PROLOGUE,    begin_tx(1),   sw(T0, 0, A0), commit_tx(), fence(), lui(A3, DATA + 0x8000),
                              begin_tx(1), lw(T1, 0, A3), commit_tx(),   ret(),       0};
    getm_rig *g = getm_rig_create(NULL, words);
    g->hold = 1000;
    getm_rig_launch(g, 1);
    kit_run_until(rig_kit(g->rig), kit_edge(rig_kit(g->rig), 5000));
    cr_expect_eq(g->seen.loads, 0);
    getm_rig_finish(g);
    cr_expect_eq(g->seen.loads, 1);
    getm_rig_destroy(g);
}

Test(tx_getm, clocks_begin_anew)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    for (uint32_t at = 1; at < 120; at += 7) {
        getm_rig *g = getm_rig_create(NULL, words);
        g->rollover_at = at;
        g->hold = at % 5;
        getm_rig_launch(g, 128);
        getm_rig_finish(g);
        cr_expect_eq(rig_word(g->rig, DATA), 128);
        cr_expect_eq(g->seen.rolled_over, 1);
        cr_expect_eq(g->last.era, 1);
        cr_expect_eq(getm_rig_statistic(g, "tx_rollovers"), 1);
        cr_expect_gt(getm_rig_statistic(g, "tx_aborts_rollover"), 0);
        getm_rig_destroy(g);
    }
}

/* Of a core of 4 warps; the second block's warps are where the first one's were. */
static uint64_t second_timestamp(const char *seed)
{
    const char *const parameters[] = {"tx.getm.tie_break=paper", "warps=4", seed, NULL};
    const uint32_t words[] = {PROLOGUE,      csrr(A3, 0xCCD), begin_tx(1), beq(A3, ZERO, 8),
                              lw(T1, 0, A0), commit_tx(),     ret(),       0};
    getm_rig *g = getm_rig_create(parameters, words);
    g->refuse = 2;
    g->causes[0] = 10;
    g->causes[1] = 20;
    getm_rig_launch(g, 3 * 32); /* warps 1 and 2 */
    getm_rig_finish(g);
    getm_rig_launch(g, 2 * 32); /* warp 1 */
    rig_finish(g->rig);
    const uint64_t timestamp = g->last.timestamp;
    getm_rig_destroy(g);
    return timestamp;
}

Test(tx_getm, the_clock_of_a_new_block_is_as_its_parameter_says)
{
    cr_expect_eq(second_timestamp("tx.getm.clock_seed=slot"), 11);
    cr_expect_eq(second_timestamp("tx.getm.clock_seed=core_max"), 21);
    cr_expect_eq(second_timestamp("tx.getm.clock_seed=zero"), 0);
}

/* Warp 0 is refused at 40 and starts anew at 41; warp 1, which waits for the one token, starts after it. */
static uint64_t start_of_the_second_warp(const char *start)
{
    const char *const parameters[] = {"tx.getm.tie_break=paper", "tx.concurrency=1", start, NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(parameters, words);
    g->refuse = 1;
    g->causes[0] = 40;
    getm_rig_launch(g, 2 * 32);
    getm_rig_finish(g);
    const uint64_t timestamp = g->last.timestamp;
    cr_expect_eq(getm_rig_statistic(g, "tx_clock_steps"), 41 + timestamp);
    getm_rig_destroy(g);
    return timestamp;
}

Test(tx_getm, a_transaction_starts_at_the_clock_that_its_parameter_says)
{
    cr_expect_eq(start_of_the_second_warp("tx.getm.clock_start=warp"), 0);
    cr_expect_eq(start_of_the_second_warp("tx.getm.clock_start=core"), 41);
}

/* Figure 7 as the core of tx2 sees it: what it asks, what is refused, what it gives back, and when it starts again. */
Test(tx_getm, follows_the_worked_example_of_two_transfers)
{
    const char *const paper[] = {"tx.getm.tie_break=paper", NULL};
    /* B, 32 bytes behind A, to A: load B, store B, load A, store A */
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              lw(T1, 32, A0),
                              addi(T1, T1, -1),
                              sw(T1, 32, A0),
                              lw(T2, 0, A0),
                              addi(T2, T2, 1),
                              sw(T2, 0, A0),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = getm_rig_create(paper, words);
    getm_rig_set(g, DATA, 100);
    getm_rig_set(g, DATA + 32, 50);
    getm_granule *a = getm_rig_granule(g, DATA), *b = getm_rig_granule(g, DATA + 32);
    *a = (getm_granule){.address = DATA, .used = 1, .wts = 21, .rts = 20}; /* tx1 has reserved and written it */
    getm_rig_launch(g, 1);
    while (!g->seen.aborts)
        kit_run_until(rig_kit(g->rig), kit_now(rig_kit(g->rig)) + kit_cycles(rig_kit(g->rig), 1));
    cr_expect_eq(b->wts, 1, "reserved at its first clock, 0");
    cr_expect_eq(b->writes, 1);
    getm_rig_finish(g);
    cr_expect_eq(g->seen.cleanups, 1);
    cr_expect_eq(g->region[0].address, DATA + 32);
    cr_expect_eq(g->region[0].count, 1);
    cr_expect_eq(g->last.timestamp, 22, "21 + 1");
    cr_expect_eq(a->wts, 23);
    cr_expect_eq(b->wts, 23);
    cr_expect_eq(a->rts, 22);
    cr_expect_eq(b->rts, 22);
    cr_expect_eq(rig_word(g->rig, DATA), 101);
    cr_expect_eq(rig_word(g->rig, DATA + 32), 49);
    getm_rig_destroy(g);
}

/* Warp 0 has reserved what the others load, four loads each; it needs one more access to get to its end. */
Test(tx_getm, who_waits_at_a_partition_leaves_room_for_who_is_waited_for)
{
    const char *const narrow[] = {"memory.accesses=6", NULL};
    const uint32_t words[] = {PROLOGUE,
                              csrr(A3, 0xCCD),
                              bne(A3, ZERO, 36),
                              begin_tx(1),
                              sw(T0, 0, A0),
                              addi(T1, ZERO, 300),
                              addi(T1, T1, -1),
                              bne(T1, ZERO, -4),
                              lw(T2, 1024, A0),
                              commit_tx(),
                              jal(ZERO, 40),
                              addi(T1, ZERO, 40),
                              addi(T1, T1, -1),
                              bne(T1, ZERO, -4),
                              begin_tx(1),
                              lw(A4, 0, A0),
                              lw(A5, 4, A0),
                              lw(A6, 8, A0),
                              lw(A7, 12, A0),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = getm_rig_create(narrow, words);
    getm_rig_launch(g, 96);
    getm_rig_finish(g);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 96);
    getm_rig_destroy(g);
}

/* ---- What the checker is told ---------------------------------------------------------------------------------------- */

/* Loads and stores in their order, with what the program gets, be it from memory, from the log, or from both. */
Test(tx_getm, tells_what_the_program_has_loaded_and_stored)
{
    static const struct {
        uint32_t is_store, offset, value, byte_mask;
    } expected[] = {{0, 0, 0x44332211, 0xF}, {1, 0, 0x0100, 0x2},     {0, 0, 0x44330111, 0xF}, {1, 4, 1, 0xF},
                    {0, 4, 1, 0xF},          {1, 4, 0x44330111, 0xF}, {0, 4, 0x0100, 0x2},     {0, 4, 0x44330000, 0xC}};
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              lw(T1, 0, A0),
                              sb(T0, 1, A0),
                              lw(T2, 0, A0),
                              sw(T0, 4, A0),
                              lw(T1, 4, A0),
                              sw(T2, 4, A0),
                              lbu(T1, 5, A0),
                              i_type(0x03, 5, T1, A0, 6) /* lhu */,
                              commit_tx(),
                              ret(),
                              0};
    static const char *const own[] = {"tx.own_reads=log", "tx.own_reads=validate"};
    for (uint32_t i = 0; i < 2; i++) {
        getm_rig *g = getm_rig_create((const char *[]){own[i], NULL}, words);
        getm_rig_set(g, DATA, 0x44332211);
        getm_rig_launch(g, 1);
        getm_rig_finish(g);
        cr_assert_eq(g->commits, 1);
        cr_assert_eq(g->commit[0].told.access_count, 8);
        for (uint32_t k = 0; k < 8; k++) {
            const hd_transaction_access *access = &g->commit[0].accesses[k];
            const uint32_t mask = expected[k].byte_mask;
            cr_expect_eq(access->is_store, expected[k].is_store, "access %u", k);
            cr_expect_eq(access->address, DATA + expected[k].offset, "access %u", k);
            cr_expect_eq(access->byte_mask, mask, "access %u", k);
            cr_expect_eq(access->value & hd_bits_of_bytes(mask), expected[k].value, "access %u: 0x%x", k,
                         access->value);
        }
        getm_rig_destroy(g);
    }
}
