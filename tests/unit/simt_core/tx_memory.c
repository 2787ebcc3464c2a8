/* SPDX-License-Identifier: MIT */
/* Memory of a transaction: private words are restored, loads see own stores, logs are lines of the L1. */
#include "tx_program.h"

#include <criterion/criterion.h>

static uint32_t counted(uint32_t lane)
{
    return 11 + lane;
}

/* A word and a byte on the stack are counted in each attempt; odd lanes need two, lane 1 three. */
Test(tx_core, private_memory_is_as_it_was)
{
    const uint32_t words[] = {
        PROLOGUE,        addi(T1, S0, 10), sw(T1, -4, SP),    sw(ZERO, -8, SP), begin_tx(1),    lw(T1, -4, SP),
        addi(T1, T1, 1), sw(T1, -4, SP),   lb(T1, -7, SP),    addi(T1, T1, 4),  sb(T1, -7, SP), csrr(T2, ATTEMPT),
        andi(A2, S0, 1), bne(S0, T0, 8),   addi(A2, ZERO, 2), blt(A2, T2, 8),   abort_tx(0),    commit_tx(),
        lw(T1, -4, SP),  sw(T1, 0, S1),    lw(T1, -8, SP),    sw(T1, 256, S1),  ret(),          0};
    static const char *const machines[][6] = {
        {NULL}, {"tx.log_traffic=none", "l1.private=bypass", NULL}, {"memory.queue=2", "memory.accesses=2", NULL}};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        getm_rig *g = getm_rig_run(machines[i], words, 32);
        tx_expect_results(g, 32, counted);
        for (uint32_t lane = 0; lane < 32; lane++)
            cr_expect_eq(rig_word(g->rig, RESULTS + 256 + 4 * lane), 0x400, "a byte is counted");
        cr_expect_eq(getm_rig_statistic(g, "tx_undo_words"), 2 * (32 + 16 + 1), "the first store to each word");
        cr_expect_eq(getm_rig_statistic(g, "stores"), 2 + 2 * 3 + 2, "those of the undo log are nobody's instructions");
        getm_rig_destroy(g);
    }
}

/* Memory has 0xAABBCCDD; a byte and a half of it are written, and read back in all ways. */
#define FORWARDING                                                                                                     \
    {                                                                                                                  \
        PROLOGUE, begin_tx(1), lui(T1, 0x99887000), addi(T1, T1, 0x766), sb(T1, 1, A1), lw(T2, 0, A1),                 \
            sw(T2, 256, S1), sh(T1, 2, A1), lw(T2, 0, A1), sw(T2, 512, S1), lui(T1, 0x77EF1000), sw(T1, 0, A1),        \
            i_type(0x03, 1, T2, A1, 2), sw(T2, 0, S1), i_type(0x03, 4, T2, A1, 3), sw(T2, 768, S1), commit_tx(),       \
            ret(), 0                                                                                                   \
    }

static uint32_t half(uint32_t lane)
{
    (void)lane;
    return 0x77EF;
}

static void forwards(const char *const *parameters, uint32_t loads, uint32_t own)
{
    const uint32_t words[] = FORWARDING;
    getm_rig *g = getm_rig_create(parameters, words);
    for (uint32_t lane = 0; lane < 32; lane++)
        getm_rig_set(g, DATA + 32 * lane, 0xAABBCCDD);
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    tx_expect_results(g, 32, half);
    for (uint32_t lane = 0; lane < 32; lane++) {
        cr_expect_eq(rig_word(g->rig, RESULTS + 256 + 4 * lane), 0xAABB66DD);
        cr_expect_eq(rig_word(g->rig, RESULTS + 512 + 4 * lane), 0x776666DD);
        cr_expect_eq(rig_word(g->rig, RESULTS + 768 + 4 * lane), 0x77);
    }
    cr_expect_eq(g->seen.loads, loads, "%u loads, %lu aborts", g->seen.loads, getm_rig_statistic(g, "tx_aborts"));
    cr_expect_eq(getm_rig_statistic(g, "tx_own_reads"), own, "%lu", getm_rig_statistic(g, "tx_own_reads"));
    getm_rig_destroy(g);
}

Test(tx_core, loads_see_what_the_transaction_has_stored_byte_by_byte)
{
    forwards(NULL, 64, 64);
    forwards((const char *const[]){"tx.own_reads=validate", NULL}, 128, 0);
    forwards((const char *const[]){"tx.store_blocking=false", "tx.log_traffic=none", NULL}, 64, 64);
    forwards((const char *const[]){"l1.line=32 B", "l1.bytes=768 B", "l1.mshrs=1", "l1.mshr_merges=1", NULL}, 64, 64);
}

Test(tx_core, logs_are_lines_of_private_memory)
{
    const char *const free_of_cost[] = {"tx.log_traffic=none", NULL};
    const char *const short_lines[] = {"l1.line=64 B", NULL};
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A1), sw(T1, 0, A1),
                              lw(T1, 0, A1), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_run(NULL, words, 32);
    /* read entry 1, write entry 2, walk to what was stored 1 + 1, conflicts 1 + 1 + 1, what is sent 1 + 1 */
    cr_expect_eq(getm_rig_statistic(g, "log_hits"), 1 + 2 + 2 + 3 + 2);
    cr_expect_eq(getm_rig_statistic(g, "log_misses"), 0);
    getm_rig_destroy(g);
    g = getm_rig_run(short_lines, words, 32);
    cr_expect_eq(getm_rig_statistic(g, "log_hits"), 2 * (1 + 2 + 2 + 3 + 2));
    getm_rig_destroy(g);
    g = getm_rig_run(free_of_cost, words, 32);
    cr_expect_eq(getm_rig_statistic(g, "log_hits") + getm_rig_statistic(g, "log_misses"), 0);
    getm_rig_destroy(g);
}

static uint32_t twelve(uint32_t lane)
{
    return 12 + lane;
}

/* Words are stored to one after the other, and again: what is put back is what was there before the first store. */
Test(tx_core, private_words_that_are_stored_to_again_are_as_they_were)
{
    const uint32_t words[] = {PROLOGUE,
                              addi(T1, S0, 10),
                              sw(T1, -4, SP),
                              sw(S0, -8, SP),
                              begin_tx(1),
                              lw(T1, -4, SP),
                              lw(T2, -8, SP),
                              addi(T1, T1, 1),
                              addi(T2, T2, 100),
                              sw(T1, -4, SP),
                              sw(T2, -8, SP),
                              addi(T1, T1, 1),
                              sw(T1, -4, SP),
                              sw(T2, -12, SP),
                              sw(T1, -8, SP),
                              sw(T2, -8, SP),
                              csrr(T2, ATTEMPT),
                              bne(T2, T0, 8),
                              abort_tx(0),
                              commit_tx(),
                              lw(T1, -4, SP),
                              sw(T1, 0, S1),
                              lw(T1, -8, SP),
                              sw(T1, 256, S1),
                              ret(),
                              0};
    getm_rig *g = getm_rig_run(NULL, words, 32);
    tx_expect_results(g, 32, twelve);
    for (uint32_t lane = 0; lane < 32; lane++)
        cr_expect_eq(rig_word(g->rig, RESULTS + 256 + 4 * lane), 100 + lane);
    cr_expect_eq(getm_rig_statistic(g, "tx_undo_words"), 2 * 3 * 32, "each word once an attempt");
    getm_rig_destroy(g);
}

/* Bytes that the thread has stored itself are not part of what it has read. */
Test(tx_core, what_is_read_is_told_without_own_bytes)
{
    const uint32_t words[] = {
        PROLOGUE, begin_tx(1), sb(T0, 1, A1), lw(T2, 0, A1), sh(T0, 2, A1), lw(T2, 0, A1), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    getm_rig_set(g, DATA, 0xAABBCCDD);
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_assert_eq(g->commits, 1);
    cr_assert_eq(g->commit[0].told.read_count, 2);
    cr_expect_eq(g->commit[0].reads[0].byte_mask, 0xD);
    cr_expect_eq(g->commit[0].reads[0].value & 0xFFFF00FF, 0xAABB00DD);
    cr_expect_eq(g->commit[0].reads[1].byte_mask, 0x1);
    cr_assert_eq(g->commit[0].told.write_count, 1);
    cr_expect_eq(g->commit[0].writes[0].byte_mask, 0xE);
    cr_expect_eq(g->commit[0].writes[0].value & 0xFFFFFF00, 0x00010100);
    getm_rig_destroy(g);
}

#define LOG_LINES (2u * 4 * (1 + 2)) /* warps, entries, addresses of reads and of writes, values of these */

/* An L1 of six lines cannot hold the logs of two warps: their lines come out of it, no two at one place. */
Test(tx_core, no_two_entries_of_logs_share_a_line)
{
    const char *const small[] = {"l1.bytes=768 B", NULL};
    const uint32_t words[] = {csrr(S0, 0xCC0), slli(S0, S0, 7), lui(A1, DATA),  add(A1, A1, S0),
                              begin_tx(1),     lw(T1, 0, A1),   lw(T1, 32, A1), lw(T1, 64, A1),
                              lw(T1, 96, A1),  sw(T1, 4, A1),   sw(T1, 36, A1), sw(T1, 68, A1),
                              sw(T1, 100, A1), commit_tx(),     ret(),          0};
    getm_rig *g = getm_rig_create(small, words);
    getm_rig_launch(g, 64);
    getm_rig_finish(g);
    uint64_t place[LOG_LINES];
    uint32_t count, places = 0;
    const kit_event *sent = kit_trace(rig_kit(g->rig), &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t known = 0;
        if (sent[i].port != REQUEST || sent[i].packet.message != kit_message(rig_kit(g->rig), HD_GLOBAL_STORE))
            continue;
        for (uint32_t p = 0; p < places; p++)
            known |= place[p] == sent[i].packet.address;
        cr_assert(known || places < LOG_LINES, "more lines than there are entries");
        if (!known)
            place[places++] = sent[i].packet.address;
    }
    cr_expect_geq(places, LOG_LINES - 6, "%u places, and what is left in the L1", places);
    getm_rig_destroy(g);
}

/* One lane, whose load is refused after it has stored so many words to its stack; there is no back-off. */
static uint64_t retry_cycles(uint32_t stores)
{
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              stores > 0 ? sw(T0, -4, SP) : addi(ZERO, ZERO, 0),
                              stores > 1 ? sw(T0, -8, SP) : addi(ZERO, ZERO, 0),
                              lw(T1, 0, A0),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = getm_rig_create((const char *const[]){"tx.back_off.base=0 cycles", NULL}, words);
    g->refuse = 1;
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    const uint64_t cycles = getm_rig_statistic(g, "tx_retry_cycles");
    cr_expect_eq(getm_rig_statistic(g, "tx_undo_words"), 2 * stores);
    getm_rig_destroy(g);
    return cycles;
}

/* Words are given to the memory pipe in the cycle after the abort, which takes one per cycle. */
Test(tx_core, a_retry_begins_when_private_memory_is_as_it_was)
{
    for (uint32_t stores = 0; stores <= 2; stores++)
        cr_expect_eq(retry_cycles(stores), 1 + stores, "%u stores: %lu", stores, retry_cycles(stores));
}
