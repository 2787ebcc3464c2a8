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
    getm_rig *g = getm_rig_run(NULL, words, 32), *slow = getm_rig_run(costs, words, 32);
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
    getm_rig *g = getm_rig_run(watchdog, words, 32);
    cr_expect_eq(rig_word(g->rig, RESULTS), 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_watchdog"), 32);
    getm_rig_destroy(g);
}
