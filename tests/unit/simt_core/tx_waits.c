/* SPDX-License-Identifier: MIT */
/* What warps in transactions wait for: each other, their own lanes, time. */
#include "tx_program.h"

#include <criterion/criterion.h>

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
        getm_rig *g = getm_rig_run(ways[i], increments, 128);
        cr_expect_eq(rig_word(g->rig, DATA), 128, "%s", ways[i][0]);
        cr_expect_geq(getm_rig_statistic(g, "tx_aborts_intra_warp"), 4 * 31, "%s", ways[i][0]);
        getm_rig_destroy(g);
    }
}

/* Lane 1 has read what lane 0 stores to: in the order of lanes it would have had to come second. */
Test(tx_core, a_store_to_what_another_lane_has_read_is_a_conflict_at_once)
{
    const char *const eager[] = {"tx.intra_warp=eager", NULL};
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              beq(S0, ZERO, 8),
                              lw(T1, 0, A0),
                              bne(S0, ZERO, 8),
                              sw(T0, 0, A0),
                              addi(A2, T1, 10),
                              sw(A2, 0, A1),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = getm_rig_create(eager, words);
    getm_rig_launch(g, 2);
    getm_rig_finish(g);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_intra_warp"), 1);
    cr_expect_eq(rig_word(g->rig, DATA + 32), 10, "lane 1 has read what was there before");
    getm_rig_destroy(g);
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
            getm_rig *g = getm_rig_run(parameters, increments, 256);
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

Test(tx_core, a_checkpoint_can_cost_time)
{
    const char *const costs[] = {"tx.checkpoint=100 cycles", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_run(NULL, words, 32), *slow = getm_rig_run(costs, words, 32);
    cr_expect_eq(rig_ended(slow->rig), rig_ended(g->rig) + 99, "the issue port is free by then");
    cr_expect_eq(getm_rig_statistic(slow, "tx_execute_cycles"), getm_rig_statistic(g, "tx_execute_cycles") + 99);
    getm_rig_destroy(g);
    getm_rig_destroy(slow);
}

/* The first two attempts never end by themselves. */
Test(tx_core, the_watchdog_ends_each_attempt_that_runs_for_too_long)
{
    const char *const watchdog[] = {"tx.watchdog=500 cycles", NULL};
    const uint32_t words[] = {PROLOGUE,          begin_tx(1),    addi(A2, ZERO, 3),
                              csrr(T2, ATTEMPT), blt(T2, A2, 0), sw(T2, 0, S1),
                              commit_tx(),       ret(),          0};
    getm_rig *g = getm_rig_run(watchdog, words, 32);
    cr_expect_eq(rig_word(g->rig, RESULTS), 3);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_watchdog"), 2 * 32);
    getm_rig_destroy(g);
}

Test(tx_core, the_watchdog_counts_the_checkpoint)
{
    const char *const watchdog[] = {"tx.watchdog=50 cycles", "tx.checkpoint=100 cycles", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), csrr(T2, ATTEMPT), commit_tx(), sw(T2, 0, S1), ret(), 0};
    getm_rig *g = getm_rig_run(watchdog, words, 32);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_watchdog"), 32);
    cr_expect_eq(rig_word(g->rig, RESULTS), 2, "which needs no checkpoint");
    getm_rig_destroy(g);
}

static hd_time committed_at(const getm_rig *g, uint32_t warp)
{
    for (uint32_t i = 0; i < g->commits; i++)
        if (g->commit[i].told.warp == warp)
            return g->commit[i].told.committed;
    cr_assert_fail("warp %u has not committed", warp);
    return 0;
}

/* Warp 0 gives its first attempt up, and backs off for long; warp 1 waits for its token. */
Test(tx_core, a_warp_that_backs_off_keeps_its_token_or_not)
{
    const uint32_t words[] = {PROLOGUE,        csrr(A2, 0xCCD),
                              begin_tx(1),     csrr(T2, ATTEMPT),
                              add(T2, T2, A2), bne(T2, T0, 8),
                              abort_tx(1),     commit_tx(),
                              ret(),           0};
    for (uint32_t hold = 0; hold < 2; hold++) {
        const char *const parameters[] = {"tx.concurrency=1", "tx.back_off.base=60000 cycles", "tx.back_off.exponent=0",
                                          hold ? "tx.token_hold=true" : "tx.token_hold=false", NULL};
        getm_rig *g = getm_rig_run(parameters, words, 64);
        cr_expect_eq(committed_at(g, 0) < committed_at(g, 1), hold);
        cr_expect_eq(getm_rig_statistic(g, "tx_maximum_warps"), 1);
        getm_rig_destroy(g);
    }
}

/* Three warps reach their commits together, and none is in another's way. */
Test(tx_core, as_many_warps_as_may_resolve_conflicts_at_once)
{
    const uint32_t words[] = {csrr(S0, 0xCC0), slli(S0, S0, 5), lui(A0, DATA),
                              add(A0, A0, S0), begin_tx(1),     sw(S0, 0, A0),
                              commit_tx(),     ret(),           0};
    static const char *const limits[] = {"tx.resolutions=1", "tx.resolutions=2", "tx.resolutions=3",
                                         "tx.resolutions=0"};
    uint64_t cycles[4];
    for (uint32_t i = 0; i < 4; i++) {
        const char *const parameters[] = {limits[i], NULL};
        getm_rig *g = getm_rig_run(parameters, words, 96);
        cycles[i] = getm_rig_statistic(g, "tx_resolve_cycles");
        cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 96);
        getm_rig_destroy(g);
    }
    cr_expect(cycles[0] > cycles[1] && cycles[1] >= cycles[2] && cycles[2] == cycles[3], "%lu, %lu, %lu, %lu",
              cycles[0], cycles[1], cycles[2], cycles[3]);
}

static uint32_t loaded(uint32_t lane)
{
    return 1000 + lane;
}

/* A load is on its way when the transaction begins: the checkpoint has its value. */
Test(tx_core, registers_that_are_on_their_way_are_part_of_the_checkpoint)
{
    const uint32_t words[] = {PROLOGUE,
                              lw(A3, 0, A1),
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              bne(T2, T0, 8),
                              abort_tx(1),
                              addi(A3, A3, 0),
                              commit_tx(),
                              sw(A3, 0, S1),
                              ret(),
                              0};
    getm_rig *g = getm_rig_create(NULL, words);
    rig_memory_delay(g->rig, 300);
    for (uint32_t lane = 0; lane < 32; lane++)
        getm_rig_set(g, DATA + 32 * lane, loaded(lane));
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    tx_expect_results(g, 32, loaded);
    getm_rig_destroy(g);
}

/* A plain store is not acknowledged yet: the transaction begins, and asks for nothing until it is. */
Test(tx_core, a_transaction_accesses_nothing_before_plain_stores_are_acknowledged)
{
    const uint32_t words[] = {PROLOGUE,    sw(S0, 0, A1), begin_tx(1), lw(T1, 0, A1),
                              commit_tx(), sw(T1, 0, S1), ret(),       0};
    getm_rig *g = getm_rig_create(NULL, words);
    kit_block *kit = rig_kit(g->rig);
    rig_memory_delay(g->rig, 1000);
    getm_rig_launch(g, 1);
    kit_run_until(kit, kit_edge(kit, 900));
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    cr_expect_eq(g->seen.loads, 0);
    kit_run_until(kit, kit_edge(kit, 1200));
    cr_expect_eq(g->seen.loads, 1);
    getm_rig_finish(g);
    getm_rig_destroy(g);
}

Test(tx_core, stores_need_not_be_waited_for)
{
    const uint32_t words[] = {
        PROLOGUE, begin_tx(1), sw(S0, 0, A1), sw(S0, 4, A1), sw(S0, 8, A1), addi(T1, ZERO, 7), commit_tx(), ret(), 0};
    uint64_t ended[2];
    for (uint32_t blocking = 0; blocking < 2; blocking++) {
        const char *const parameters[] = {blocking ? "tx.store_blocking=true" : "tx.store_blocking=false", NULL};
        getm_rig *g = getm_rig_run(parameters, words, 1);
        cr_expect_eq(rig_word(g->rig, DATA + 8), 0);
        cr_expect_eq(g->seen.stores, 3);
        ended[blocking] = rig_ended(g->rig);
        getm_rig_destroy(g);
    }
    cr_expect_geq(ended[1], ended[0] + 2 * 20, "two answers are waited for at the end only: %lu, %lu", ended[0],
                  ended[1]);
}

/* Cycles are counted as what the warp waits for. */
Test(tx_core, a_longer_back_off_is_a_longer_retry)
{
    static const char *const bases[] = {"tx.back_off.base=0 cycles", "tx.back_off.base=60000 cycles"};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    uint64_t ended[2], retry[2], wait[2];
    for (uint32_t i = 0; i < 2; i++) {
        const char *const parameters[] = {bases[i], "tx.back_off.exponent=0", NULL};
        getm_rig *g = getm_rig_create(parameters, words);
        g->refuse = 1;
        getm_rig_launch(g, 1);
        getm_rig_finish(g);
        ended[i] = rig_ended(g->rig);
        retry[i] = getm_rig_statistic(g, "tx_retry_cycles");
        wait[i] = getm_rig_statistic(g, "tx_wait_cycles");
        getm_rig_destroy(g);
    }
    cr_expect_gt(ended[1], ended[0] + 100);
    cr_expect_eq(ended[1] - ended[0], retry[1] - retry[0]);
    cr_expect_eq(ended[1] - ended[0], wait[1] - wait[0]);
}

/* A loop that only reads commits for ever. */
Test(tx_core, a_commit_without_stores_is_no_progress)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A1), commit_tx(), jal(ZERO, -12), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    getm_rig_launch(g, 32);
    kit_run_until(rig_kit(g->rig), kit_edge(rig_kit(g->rig), 1000));
    const hd_time first = kit_progress(rig_kit(g->rig));
    const uint64_t commits = getm_rig_statistic(g, "tx_commits");
    kit_run_until(rig_kit(g->rig), kit_edge(rig_kit(g->rig), 3000));
    cr_expect_gt(commits, 0);
    cr_expect_gt(getm_rig_statistic(g, "tx_commits"), commits);
    cr_expect_eq(kit_progress(rig_kit(g->rig)), first, "the first access of the first attempt");
    getm_rig_destroy(g);
}

/* Whoever looks for hangs sees that something has been achieved, although no thread ends. */
Test(tx_core, a_commit_is_progress)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), sw(T0, 0, A1), commit_tx(), jal(ZERO, 0), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    getm_rig_launch(g, 32);
    kit_run_until(rig_kit(g->rig), kit_edge(rig_kit(g->rig), 3000));
    cr_expect_eq(g->commits, 32);
    cr_expect_geq(kit_progress(rig_kit(g->rig)), g->commit[0].told.committed);
    getm_rig_destroy(g);
}
