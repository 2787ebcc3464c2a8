/* SPDX-License-Identifier: MIT */
/* What the core does for transactions whatever the protocol, seen through GETM. */
#include "getm_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define RESULTS (DATA + 0x2000u) /* in other slots of the ownership table */
#define ATTEMPT 0xCD0

/* a0 = DATA, a1 = DATA + 32 * lane, s0 = lane, s1 = RESULTS + 4 * lane, t0 = 1 */
#define PROLOGUE                                                                                                       \
    lui(A0, DATA), csrr(S0, 0xCCC), slli(A1, S0, 5), add(A1, A0, A1), addi(T0, ZERO, 1), lui(S1, RESULTS),             \
        slli(T2, S0, 2), add(S1, S1, T2)

static getm_rig *run(const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    getm_rig *g = getm_rig_create(parameters, words);
    getm_rig_launch(g, threads);
    getm_rig_finish(g);
    return g;
}

static void expect_results(getm_rig *g, uint32_t lanes, uint32_t (*expected)(uint32_t lane))
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        cr_expect_eq(rig_word(g->rig, RESULTS + 4 * lane), expected(lane), "lane %u: %u", lane,
                     rig_word(g->rig, RESULTS + 4 * lane));
}

static uint32_t by_parity(uint32_t lane)
{
    return lane & 1 ? 5 : 9;
}

Test(tx_core, lanes_part_and_meet_within_a_transaction)
{
    const uint32_t words[] = {PROLOGUE,
                              andi(T1, S0, 1),
                              begin_tx(1),
                              beq(T1, ZERO, 12),
                              addi(A2, ZERO, 5),
                              jal(ZERO, 8),
                              addi(A2, ZERO, 9),
                              sw(A2, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = run(NULL, words, 32);
    expect_results(g, 32, by_parity);
    cr_expect_eq(getm_rig_statistic(g, "divergent_branches"), 1);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    getm_rig_destroy(g);
}

Test(tx_core, nested_transactions_are_part_of_the_outermost)
{
    const uint32_t words[] = {PROLOGUE,    begin_tx(1),     lw(T1, 0, A1), begin_tx(1), addi(T1, T1, 1), sw(T1, 0, A1),
                              commit_tx(), addi(T1, T1, 1), sw(T1, 0, A1), commit_tx(), ret(),           0};
    getm_rig *g = run(NULL, words, 32);
    for (uint32_t lane = 0; lane < 32; lane++)
        cr_expect_eq(rig_word(g->rig, DATA + 32 * lane), 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 32);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    getm_rig_destroy(g);
}

static uint32_t attempts_by_parity(uint32_t lane)
{
    return lane & 1 ? 0x1002 : 0x1001;
}

/* Odd lanes give their first attempt up. Registers are as at tx.begin: a3 is counted once; the attempt is not a register. */
Test(tx_core, some_lanes_try_again_with_the_registers_that_they_had)
{
    const uint32_t words[] = {PROLOGUE,
                              lui(A3, 0x1000),
                              begin_tx(1),
                              lw(T1, 0, A1),
                              add(A3, A3, T0),
                              sw(A3, 0, A1),
                              csrr(T2, ATTEMPT),
                              andi(A2, S0, 1),
                              beq(A2, ZERO, 12),
                              bne(T2, T0, 8),
                              abort_tx(3),
                              add(A4, T2, ZERO),
                              commit_tx(),
                              lui(A5, 0x1000),
                              sub(A3, A3, A5),
                              sub(A3, A3, T0),
                              bne(A3, ZERO, 12),
                              add(A5, A5, A4),
                              sw(A5, 0, S1),
                              ret(),
                              0};
    getm_rig *g = run(NULL, words, 32);
    expect_results(g, 32, attempts_by_parity);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_program"), 16);
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"), 48);
    cr_expect_eq(getm_rig_statistic(g, "tx_retries"), 1);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    cr_expect_eq(g->seen.cleanups, 16, "each granule has one lane");
    getm_rig_destroy(g);
}

static uint32_t three(uint32_t lane)
{
    (void)lane;
    return 3;
}

/* All lanes give two attempts up, in two places. */
Test(tx_core, all_lanes_abort_and_start_again_at_once)
{
    const char *const at_once[] = {"tx.back_off.base=0 cycles", NULL};
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              addi(T1, ZERO, 3),
                              beq(T2, T1, 24),
                              andi(A2, S0, 3),
                              beq(A2, ZERO, 12),
                              abort_tx(1),
                              jal(ZERO, 8),
                              abort_tx(2),
                              sw(T2, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = run(at_once, words, 32);
    expect_results(g, 32, three);
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"), 96);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts"), 64);
    cr_expect_eq(getm_rig_statistic(g, "tx_retries"), 2);
    cr_expect_eq(g->seen.logs, 2, "four granules of one partition");
    getm_rig_destroy(g);
}

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
        getm_rig *g = run(machines[i], words, 32);
        expect_results(g, 32, counted);
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
    expect_results(g, 32, half);
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
    getm_rig *g = run(NULL, words, 32);
    /* read entry 1, write entry 2, walk to what was stored 1 + 1, conflicts 1 + 1 + 1, what is sent 1 + 1 */
    cr_expect_eq(getm_rig_statistic(g, "log_hits"), 1 + 2 + 2 + 3 + 2);
    cr_expect_eq(getm_rig_statistic(g, "log_misses"), 0);
    getm_rig_destroy(g);
    g = run(short_lines, words, 32);
    cr_expect_eq(getm_rig_statistic(g, "log_hits"), 2 * (1 + 2 + 2 + 3 + 2));
    getm_rig_destroy(g);
    g = run(free_of_cost, words, 32);
    cr_expect_eq(getm_rig_statistic(g, "log_hits") + getm_rig_statistic(g, "log_misses"), 0);
    getm_rig_destroy(g);
}

#define INCREMENTS                                                                                                     \
    {                                                                                                                  \
        PROLOGUE, begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1), sw(T1, 0, A0), commit_tx(), ret(), 0                    \
    }

Test(tx_core, conflicts_within_a_warp_are_resolved_in_every_way)
{
    const uint32_t increments[] = INCREMENTS;
    static const char *const ways[][4] = {
        {"tx.intra_warp=2pcr", NULL},  {"tx.intra_warp=2pcr", "tx.ownership=0 B", NULL},
        {"tx.intra_warp=scr", NULL},   {"tx.intra_warp=perfect", NULL},
        {"tx.intra_warp=eager", NULL}, {"tx.intra_warp=2pcr", "tx.resolutions=1", NULL}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        getm_rig *g = run(ways[i], increments, 128);
        cr_expect_eq(rig_word(g->rig, DATA), 128, "%s", ways[i][0]);
        cr_expect_geq(getm_rig_statistic(g, "tx_aborts_intra_warp"), 4 * 31, "%s", ways[i][0]);
        getm_rig_destroy(g);
    }
}

Test(tx_core, as_many_warps_as_may_are_in_transactions)
{
    const uint32_t increments[] = INCREMENTS;
    static const struct {
        const char *concurrency;
        uint32_t warps;
    } rows[] = {{"tx.concurrency=1", 1}, {"tx.concurrency=3", 3}, {"tx.concurrency=0", 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t released = 0; released < 2; released++) {
            const char *const parameters[] = {rows[i].concurrency,
                                              released ? "tx.token_hold=false" : "tx.token_hold=true", NULL};
            getm_rig *g = run(parameters, increments, 256);
            cr_expect_eq(rig_word(g->rig, DATA), 256);
            cr_expect_eq(getm_rig_statistic(g, "tx_maximum_warps"), rows[i].warps, "%s", rows[i].concurrency);
            cr_expect_eq(getm_rig_statistic(g, "tx_token_cycles") != 0, rows[i].warps != 8, "%s", rows[i].concurrency);
            cr_expect_eq(getm_rig_statistic(g, "tx_wait_cycles"),
                         getm_rig_statistic(g, "tx_token_cycles") + getm_rig_statistic(g, "tx_resolve_cycles") +
                             getm_rig_statistic(g, "tx_commit_cycles") + getm_rig_statistic(g, "tx_retry_cycles"));
            getm_rig_destroy(g);
        }
    }
}

/* One lane, whose access is refused n times: how long it waits between the first request and the last. */
static uint64_t cycles_of_retries(const char *base, const char *exponent, uint32_t retries)
{
    const char *const parameters[] = {base, exponent, "tx.log_traffic=none", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(parameters, words);
    g->refuse = retries;
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_assert_eq(g->seen.loads, retries + 1);
    const uint64_t cycles = (g->last_at - g->first_at) / kit_cycles(rig_kit(g->rig), 1);
    getm_rig_destroy(g);
    return cycles;
}

Test(tx_core, retries_wait_longer_and_longer)
{
    const uint64_t least = cycles_of_retries("tx.back_off.base=0 cycles", "tx.back_off.exponent=7", 5);
    const uint64_t flat = cycles_of_retries("tx.back_off.base=64 cycles", "tx.back_off.exponent=0", 5);
    const uint64_t growing = cycles_of_retries("tx.back_off.base=64 cycles", "tx.back_off.exponent=7", 5);
    const uint64_t bounded = cycles_of_retries("tx.back_off.base=64 cycles", "tx.back_off.exponent=2", 5);
    cr_expect(flat > least && flat < least + 5 * 64, "%lu, %lu", least, flat);
    cr_expect(growing > bounded && growing < least + 64 * (2 + 4 + 8 + 16 + 32), "%lu", growing);
    cr_expect(bounded > flat && bounded < least + 64 * (2 + 4 + 4 + 4 + 4), "%lu", bounded);
}

Test(tx_core, a_checkpoint_can_cost_time)
{
    const char *const costs[] = {"tx.checkpoint=100 cycles", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), commit_tx(), ret(), 0};
    getm_rig *g = run(NULL, words, 32), *slow = run(costs, words, 32);
    cr_expect_eq(rig_ended(slow->rig), rig_ended(g->rig) + 99, "the issue port is free by then");
    cr_expect_eq(getm_rig_statistic(slow, "tx_execute_cycles"), getm_rig_statistic(g, "tx_execute_cycles") + 99);
    getm_rig_destroy(g);
    getm_rig_destroy(slow);
}

/* The first attempt never ends by itself. */
Test(tx_core, the_watchdog_ends_what_runs_for_too_long)
{
    const char *const watchdog[] = {"tx.watchdog=500 cycles", NULL};
    const uint32_t words[] = {
        PROLOGUE, begin_tx(1), csrr(T2, ATTEMPT), beq(T2, T0, -4 + 4), sw(T2, 0, S1), commit_tx(), ret(), 0};
    getm_rig *g = run(watchdog, words, 32);
    cr_expect_eq(rig_word(g->rig, RESULTS), 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_watchdog"), 32);
    getm_rig_destroy(g);
}

static void expect_fault(const uint32_t *words, const char *const *parameters, const char *text)
{
    getm_rig *g = getm_rig_create(parameters, words);
    kit_expect_fault(rig_kit(g->rig));
    getm_rig_launch(g, 32);
    rig_finish(g->rig);
    cr_expect_not_null(kit_fault_text(rig_kit(g->rig)), "%s", text);
    if (kit_fault_text(rig_kit(g->rig)))
        cr_expect_not_null(strstr(kit_fault_text(rig_kit(g->rig)), text), "%s: %s", text,
                           kit_fault_text(rig_kit(g->rig)));
    getm_rig_destroy(g);
}

#define ECALL 0x00000073u

Test(tx_core, what_may_not_be_in_a_transaction_traps)
{
    static const struct {
        uint32_t word;
        const char *text;
    } rows[] = {{0x00C5A02F /* amoadd.w zero, a2, (a1) */, "an atomic operation in a transaction"},
                {0x1005A2AF /* lr.w t0, (a1) */, "an atomic operation in a transaction"},
                {0x0000300B /* bar.sync 0 */, "a barrier in a transaction"},
                {0x0000500B /* warp.sync */, "warp.sync in a transaction"},
                {ECALL, "ecall"},
                {0x0007A023 /* sw zero, 0(a5) */, "a store to the scratchpad"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t words[] = {PROLOGUE, lui(A5, HD_SCRATCHPAD_BASE), begin_tx(1), rows[i].word, commit_tx(), ret(),
                                  0};
        expect_fault(words, NULL, rows[i].text);
    }
}

Test(tx_core, domains_without_transactions_trap)
{
    const uint32_t scratchpad[] = {begin_tx(2), commit_tx(), ret(), 0};
    const uint32_t both[] = {begin_tx(3), commit_tx(), ret(), 0};
    expect_fault(scratchpad, NULL, "tx.begin of the scratchpad");
    expect_fault(both, NULL, "more than one");
}

Test(tx_core, logs_that_are_full_are_said)
{
    const char *const small[] = {"tx.log_bytes=64 B", NULL};
    const char *const huge[] = {"tx.log_bytes=65536 B", NULL};
    const uint32_t writes[] = {PROLOGUE,       begin_tx(1),    sw(T0, 0, A1), sw(T0, 4, A1), sw(T0, 8, A1),
                               sw(T0, 12, A1), sw(T0, 16, A1), commit_tx(),   ret(),         0};
    const uint32_t reads[] = {PROLOGUE,       begin_tx(1),    lw(T1, 0, A1), lw(T1, 4, A1), lw(T1, 8, A1),
                              lw(T1, 12, A1), lw(T1, 16, A1), commit_tx(),   ret(),         0};
    const uint32_t stack[] = {PROLOGUE,        begin_tx(1),     sw(T0, -4, SP), sw(T0, -8, SP), sw(T0, -12, SP),
                              sw(T0, -16, SP), sw(T0, -20, SP), commit_tx(),    ret(),          0};
    expect_fault(writes, small, "the write log of a transaction is full with 4 words: raise tx.log_bytes");
    expect_fault(reads, small, "the read log of a transaction is full with 4 words");
    expect_fault(stack, small, "overwrites more than 4 words of private memory");
    getm_rig *g = getm_rig_create(huge, writes);
    kit_expect_fault(rig_kit(g->rig));
    hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {512, 1, 1}, .private_bytes = 1024};
    rig_launch_grid(g->rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(g->rig);
    cr_expect_not_null(strstr(kit_fault_text(rig_kit(g->rig)), "exceed its context slot"));
    getm_rig_destroy(g);
}

Test(tx_core, a_machine_without_transactions_says_so)
{
    const uint32_t words[] = {begin_tx(1), commit_tx(), ret(), 0};
    const char *const none[] = {NULL};
    core_rig *rig = rig_create(none, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_not_null(strstr(kit_fault_text(rig_kit(rig)), "this machine has no transactional memory"));
    rig_destroy(rig);
}

Test(tx_core, refuses_what_nobody_has_defined)
{
    static const struct {
        const char *parameters[4];
        const char *text;
    } rows[] = {{{"tx=getm", "reconvergence=mimd"}, "reconvergence 'mimd' has no transactions"},
                {{"tx=getm", "l1.global=cache"}, "l1.global must be bypass"},
                {{"tx=getm", "lanes=64", "warps=24"}, "at most 32 lanes"},
                {{"tx=getm", "tx.ownership=100 B"}, "a power of two"},
                {{"tx=getm", "tx.granule=48 B"}, "tx.granule must be a power of two"},
                {{"tx=getm", "memory.queue=1"}, "a memory.queue of 2"},
                {{"tx=getm", "memory.accesses=1"}, "memory.accesses of 2"},
                {{"tx=getm", "l1.private=bypass"}, "l1.private must be cache"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char error[256] = "";
        cr_expect(kit_refuses(&hd_simt_core_timed, rows[i].parameters, error, sizeof error), "%s", rows[i].text);
        cr_expect_not_null(strstr(error, rows[i].text), "%s: %s", rows[i].text, error);
    }
}
