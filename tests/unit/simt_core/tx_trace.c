/* SPDX-License-Identifier: MIT */
/* Transactions on a time axis: what warps and paths show while they wait, held against statistics. */
#include "tx_program.h"

#include <criterion/criterion.h>
#include <string.h>

/* Traced, one block of so many threads; *refuse accesses are refused. */
static getm_rig *traced(const char *const *parameters, const uint32_t *words, uint32_t threads, uint32_t refuse)
{
    rig_record(1);
    getm_rig *g = getm_rig_create(parameters, words);
    rig_record(0);
    g->refuse = refuse;
    g->winner_pc = CODE;
    getm_rig_launch(g, threads);
    getm_rig_finish(g);
    return g;
}

/* Cycles in spans of this name on tracks that begin so. */
static uint64_t cycles_of(getm_rig *g, const char *event, const char *track)
{
    uint32_t count;
    const kit_traced *all = kit_recorded(rig_kit(g->rig), &count);
    hd_time sum = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(all[i].event, event) && !strncmp(all[i].track, track, strlen(track)) && all[i].form <= 1)
            sum += all[i].form ? all[i].t : -all[i].t;
    return sum / kit_cycles(rig_kit(g->rig), 1);
}

static const kit_traced *find(getm_rig *g, const char *event, uint32_t number)
{
    uint32_t count;
    const kit_traced *all = kit_recorded(rig_kit(g->rig), &count);
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(all[i].event, event) && number-- == 0)
            return &all[i];
    cr_assert_fail("no %s", event);
    return NULL;
}

/* A store is held until the one before it is approved; a path shows it, and nothing else does. */
Test(tx_trace, a_path_shows_that_its_instruction_is_held)
{
    const uint32_t words[] = {PROLOGUE,    begin_tx(1),   sw(S0, 0, A1), sw(S0, 4, A1),
                              commit_tx(), sw(S0, 8, A1), ret(),         0};
    const uint32_t plain[] = {PROLOGUE, sw(S0, 0, A1), sw(S0, 4, A1), sw(S0, 8, A1), ret(), 0};
    getm_rig *g = traced(NULL, words, 1, 0);
    /* the second store, tx.commit, and the plain store, which waits for the log to be applied */
    cr_expect_eq(kit_recorded_count(rig_kit(g->rig), "path.held"), 3);
    cr_expect_gt(cycles_of(g, "path.held", "path["), 3 * 20, "an answer each");
    cr_expect_eq(cycles_of(g, "path.held", "warp["), 0);
    getm_rig_destroy(g);
    g = traced(NULL, plain, 1, 0);
    cr_expect_eq(kit_recorded_count(rig_kit(g->rig), "path.held"), 0);
    cr_expect_eq(kit_recorded_count(rig_kit(g->rig), "path.transaction"), 0);
    getm_rig_destroy(g);
}

/* From tx.begin until it takes place, and from tx.commit until the warp goes on: all that the statistics count as waiting. */
Test(tx_trace, a_path_shows_that_it_begins_commits_or_retries)
{
    const char *const parameters[] = {"tx.concurrency=1", "tx.back_off.base=600 cycles", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A1), sw(T1, 0, A1), commit_tx(), ret(), 0};
    getm_rig *g = traced(parameters, words, 64, 32);
    const uint64_t waited = getm_rig_statistic(g, "tx_wait_cycles");
    cr_expect_gt(getm_rig_statistic(g, "tx_token_cycles"), 0);
    cr_expect_gt(getm_rig_statistic(g, "tx_retry_cycles"), 0);
    cr_expect_eq(cycles_of(g, "path.transaction", "path["), waited, "%lu, not %lu",
                 cycles_of(g, "path.transaction", "path["), waited);
    getm_rig_destroy(g);
}

Test(tx_trace, spans_of_a_warp_are_the_cycles_of_the_statistics)
{
    static const char *const spans[][2] = {{"tx.execute", "tx_execute_cycles"},
                                           {"tx.token", "tx_token_cycles"},
                                           {"tx.resolve", "tx_resolve_cycles"},
                                           {"tx.commit", "tx_commit_cycles"},
                                           {"tx.retry", "tx_retry_cycles"}};
    const char *const parameters[] = {"tx.concurrency=1", "tx.checkpoint=7 cycles", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), sw(T1, 0, A1), commit_tx(), ret(), 0};
    getm_rig *g = traced(parameters, words, 64, 1);
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        cr_expect_gt(getm_rig_statistic(g, spans[i][1]), 0, "%s", spans[i][1]);
        cr_expect_eq(cycles_of(g, spans[i][0], "warp["), getm_rig_statistic(g, spans[i][1]), "%s", spans[i][0]);
        sum += cycles_of(g, spans[i][0], "warp[");
    }
    cr_expect_eq(cycles_of(g, "transaction", "warp["), sum, "each transaction is made of these");
    cr_expect_eq(kit_recorded_count(rig_kit(g->rig), "transaction"), 2);
    getm_rig_destroy(g);
}

/* Lane 2 of 3 gives up by itself, after a refusal of all. */
Test(tx_trace, an_abort_tells_why_and_which_lanes)
{
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              lw(T1, 0, A0),
                              csrr(T2, ATTEMPT),
                              add(T2, T2, S0),
                              addi(A2, ZERO, 4),
                              bne(T2, A2, 8),
                              abort_tx(1),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = traced(NULL, words, 3, 1);
    cr_expect_eq(kit_recorded_count(rig_kit(g->rig), "tx.abort"), 2);
    const kit_traced *refused = find(g, "tx.abort", 0), *gave_up = find(g, "tx.abort", 1);
    cr_expect_eq(refused->values[0], 4, "a load of what was written");
    cr_expect_eq(refused->values[1], CODE + 4 * 9);
    cr_expect_eq(refused->values[2], 7);
    cr_expect_eq(refused->values[3], 7, "the warp that is named");
    cr_expect_eq(gave_up->values[0], 1, "by the program");
    cr_expect_eq(gave_up->values[1], CODE + 4 * 14);
    cr_expect_eq(gave_up->values[2], 4);
    cr_expect_eq(kit_recorded_count(rig_kit(g->rig), "refusal"), 1, "one arrow");
    cr_expect_eq(find(g, "tx.execute", 0)->values[1], 7);
    getm_rig_destroy(g);
}
