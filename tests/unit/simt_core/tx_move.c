/* SPDX-License-Identifier: MIT */
/*
 * Thread blocks with transactions stop and move (hd_context.h): a transaction that has begun, or waits to, comes to its end
 * first, and what it has committed is in memory before the block is at rest.
 */
#include "tx_move.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define ATTEMPT 0xCD0
#define STACK_SUM (DATA + 0x1000u)
#define REGISTER_SUM (DATA + 0x2000u)
#define TRANSACTIONS 3u
#define THREADS 64u /* of a block: two warps */

/* Each thread counts in its lane's granule, on its stack and in a register, three times, in transactions of which odd lanes give
 * the first attempt up; then it adds what it has counted itself to two sums. */
#define COUNTS                                                                                                         \
    {                                                                                                                  \
        lui(A0, DATA), csrr(S0, 0xCCC), slli(A1, S0, 5), add(A1, A0, A1), andi(A2, S0, 1),                             \
            addi(A3, ZERO, TRANSACTIONS), sw(ZERO, -4, SP), addi(A6, ZERO, 0), lui(A4, STACK_SUM),                     \
            lui(A5, REGISTER_SUM), begin_tx(1), lw(T1, 0, A1), lw(T2, -4, SP), addi(T1, T1, 1), addi(T2, T2, 1),       \
            sw(T2, -4, SP), sw(T1, 0, A1), addi(A6, A6, 1), csrr(T2, ATTEMPT), blt(A2, T2, 8), abort_tx(1),            \
            commit_tx(), addi(A3, A3, -1), bne(A3, ZERO, -52), lw(T2, -4, SP), amoadd(ZERO, T2, A4),                   \
            amoadd(ZERO, A6, A5), ret(), 0                                                                             \
    }

static uint64_t commits_of(const getm_rig *g, uint32_t first, uint32_t warps)
{
    uint64_t commits = 0;
    for (uint32_t i = 0; i < g->commits; i++)
        commits += g->commit[i].told.warp - first < warps;
    return commits;
}

/* The block in warps 0 and 1 of core 0 has stopped: of its transactions nothing is open, reserved or on its way. */
static void expect_rest(getm_rig *g, uint32_t at)
{
    const uint64_t commits = commits_of(g, 0, 2);
    cr_assert_eq(commits % 32, 0, "stopped at %u: a warp is in a transaction of which some lanes have committed", at);
    for (uint32_t i = 0; i < GETM_GRANULES; i++)
        cr_assert(!g->granules[i].writes || g->granules[i].owner >> 8 > 1, "stopped at %u: something is reserved", at);
    for (uint32_t i = 0; i < g->waiters; i++)
        cr_assert_gt(g->waiting[i].packet->flow, 1);
    pair_run(g->pair, 500);
    cr_assert_eq(commits_of(g, 0, 2), commits, "stopped at %u", at);
}

static void expect_counts(getm_rig *g, uint32_t threads)
{
    getm_rig_expect_over(g);
    for (uint32_t lane = 0; lane < 32; lane++)
        cr_assert_eq(rig_word(g->rig, DATA + 32 * lane), threads / 32 * TRANSACTIONS, "lane %u", lane);
    cr_assert_eq(rig_word(g->rig, STACK_SUM), threads * TRANSACTIONS);
    cr_assert_eq(rig_word(g->rig, REGISTER_SUM), threads * TRANSACTIONS);
    getm_rig_destroy(g);
}

/* One of two blocks is stopped, at every stage of its transactions, and goes on in the other core. */
Test(tx_move, a_block_stops_when_its_transactions_are_over, .timeout = 3000)
{
    const uint32_t words[] = COUNTS;
    uint32_t within = 0, moved = 0;
    for (uint32_t at = 10; at < 3000; at += 59) {
        getm_rig *g = getm_rig_create_pair(tx_move_machines[at % TX_MOVE_MACHINES], words);
        pair_launch(g->pair, 0, THREADS, 0);
        pair_launch(g->pair, 0, THREADS, 0);
        pair_run(g->pair, at);
        const uint32_t is_there = pair_state(g->pair, 0, 0) == HD_CONTEXT_RUNNING;
        within += is_there && getm_rig_statistic(g, "tx_attempts") > g->commits + getm_rig_statistic(g, "tx_aborts");
        if (is_there && pair_rest(g->pair, 0, 0)) {
            expect_rest(g, at);
            pair_save(g->pair, 0, 0);
            pair_release(g->pair, 0, 0);
            cr_assert(pair_restore(g->pair, 1), "%s", g->pair->error);
            pair_resume(g->pair, 1, 0);
            moved++;
        }
        pair_finish(g->pair, 2);
        expect_counts(g, 2 * THREADS);
    }
    cr_expect(within > 15 && moved > 25, "%u within transactions, %u moved", within, moved);
}

/* Bytes of the scratchpad that would move of a warp that has copied a word for each thread, and has gone through a transaction or not. */
static uint64_t bytes_behind(uint32_t begins)
{
    static const char *const arrays[] = {"context.engine=stream", "context.scratchpad=arrays", NULL};
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              slli(T2, T0, 2),
                              lui(A4, HD_SCRATCHPAD_BASE),
                              add(A4, A4, T2),
                              lui(A5, STACK_SUM),
                              add(A5, A5, T2),
                              lw(A0, 0, A5),
                              sw(A0, 0, A4),
                              lui(A1, DATA),
                              slli(A2, T0, 5),
                              add(A1, A1, A2),
                              jal(ZERO, begins ? 4 : 24),
                              begin_tx(1),
                              lw(A2, 0, A1),
                              addi(A2, A2, 1),
                              sw(A2, 0, A1),
                              commit_tx(),
                              DELAY(1000),
                              ret(),
                              0};
    getm_rig *g = getm_rig_create_pair(arrays, words);
    pair_launch(g->pair, 0, 32, 1024);
    pair_run(g->pair, 3000);
    cr_assert(pair_rest(g->pair, 0, 0));
    cr_expect_eq(rig_word(g->rig, DATA + 32), begins);
    const uint64_t bytes = pair_size(g->pair, 0, 0).scratchpad_bytes;
    pair_resume(g->pair, 0, 0);
    pair_finish(g->pair, 1);
    getm_rig_destroy(g);
    return bytes;
}

/* An entry of 16 B, and the words only if they may not be what is in memory. */
Test(tx_move, a_commit_ends_the_arrays_of_its_block)
{
    cr_expect_eq(bytes_behind(0), 16);
    cr_expect_eq(bytes_behind(1), 16 + 32 * 4);
}

typedef struct given_up {
    uint64_t transactions, attempts, cycles; /* until it stands still */
} given_up;

/* The first of so many blocks is stopped at this cycle, and goes on in the other core. */
static void stop_one(const char *const *parameters, uint32_t blocks, uint32_t threads, uint32_t at, given_up *sum)
{
    const uint32_t words[] = COUNTS;
    getm_rig *g = getm_rig_create_pair(parameters, words);
    for (uint32_t block = 0; block < blocks; block++)
        pair_launch(g->pair, 0, threads, 0);
    pair_run(g->pair, at);
    const hd_time begun = pair_now(g->pair);
    if (pair_state(g->pair, 0, 0) == HD_CONTEXT_RUNNING && pair_rest(g->pair, 0, 0)) {
        sum->cycles += (pair_now(g->pair) - begun) / kit_cycles(rig_kit(g->rig), 1);
        expect_rest(g, at);
        pair_save(g->pair, 0, 0);
        pair_release(g->pair, 0, 0);
        cr_assert(pair_restore(g->pair, 1), "%s", g->pair->error);
        pair_resume(g->pair, 1, 0);
    }
    pair_finish(g->pair, blocks);
    sum->transactions += getm_rig_statistic(g, "tx_withdrawals");
    sum->attempts += getm_rig_statistic(g, "tx_aborts_preempted");
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"),
                 getm_rig_statistic(g, "tx_commits") + getm_rig_statistic(g, "tx_aborts"));
    cr_expect_eq(32 * getm_rig_statistic(g, "tx_begins"),
                 getm_rig_statistic(g, "tx_commits") + 32 * getm_rig_statistic(g, "tx_withdrawals"));
    expect_counts(g, blocks * threads);
}

/* What is open is completed, or given up after a while or at once: the block stops the sooner, and no lane is left between. */
Test(tx_move, a_block_gives_its_open_transactions_up, .timeout = 3000)
{
    static const char *const policies[][3] = {
        {"context.tx_policy=drain", NULL},
        {"context.tx_policy=drain_then_abort", "context.tx_drain=60 cycles", NULL},
        {"context.tx_policy=abort", NULL}};
    given_up sums[3] = {{0}};
    for (uint32_t at = 10; at < 3000; at += 97) {
        for (uint32_t policy = 0; policy < 3; policy++) {
            const char *parameters[TX_MOVE_PARAMETERS];
            tx_move_combine(parameters, tx_move_machines[at % TX_MOVE_MACHINES], policies[policy]);
            stop_one(parameters, 2, THREADS, at, &sums[policy]);
        }
    }
    for (uint32_t policy = 0; policy < 3; policy++)
        fprintf(stderr, "%s: %lu transactions and %lu attempts given up, %lu cycles to stop\n", policies[policy][0],
                sums[policy].transactions, sums[policy].attempts, sums[policy].cycles);
    cr_expect(!sums[0].transactions && !sums[0].attempts);
    cr_expect(sums[1].transactions > 2 && sums[2].transactions > sums[1].transactions);
    cr_expect(sums[1].attempts > 20 && sums[2].attempts > sums[1].attempts);
    cr_expect(sums[2].cycles < sums[1].cycles && sums[1].cycles < sums[0].cycles);
}

/* No cycle passes between the end of an attempt and the next: private memory is back at the edge at which that would begin. One warp:
 * without a back-off, others would keep each other from committing for ever. */
Test(tx_move, a_block_gives_up_what_begins_anew_at_once)
{
    given_up sum = {0};
    const char *const parameters[] = {"tx.back_off.base=0 cycles", "context.tx_policy=abort", NULL};
    for (uint32_t at = 10; at < 1200; at += 7)
        stop_one(parameters, 1, 32, at, &sum);
    fprintf(stderr, "no back-off: %lu transactions given up, %lu cycles to stop\n", sum.transactions, sum.cycles);
    cr_expect_gt(sum.transactions, 20, "%lu", sum.transactions);
    cr_expect_lt(sum.cycles, 500 * sum.transactions, "%lu cycles to stop", sum.cycles);
}

/* Both blocks are stopped, and nobody else is there to make room. */
Test(tx_move, blocks_that_wait_for_each_other_stop_both, .timeout = 3000)
{
    const uint32_t words[] = COUNTS;
    for (uint32_t at = 30; at < 1500; at += 61) {
        getm_rig *g = getm_rig_create_pair(tx_move_machines[at % TX_MOVE_MACHINES], words);
        pair_launch(g->pair, 0, THREADS, 0);
        pair_launch(g->pair, 0, THREADS, 0);
        pair_run(g->pair, at);
        pair_stop(g->pair, 0, 1);
        if (pair_state(g->pair, 0, 0) == HD_CONTEXT_RUNNING && pair_rest(g->pair, 0, 0))
            expect_rest(g, at);
        for (uint32_t cycles = 0; pair_state(g->pair, 0, 1) == HD_CONTEXT_STOPPING; cycles++) {
            cr_assert_lt(cycles, 100000, "stopped at %u, block 1 does not come to rest", at);
            pair_run(g->pair, 1);
        }
        cr_assert_eq(g->waiters, 0);
        cr_assert_eq(getm_rig_statistic(g, "tx_commits"), 32 * getm_rig_statistic(g, "tx_begins"));
        for (uint32_t tag = 0; tag < 2; tag++)
            if (pair_state(g->pair, 0, tag) == HD_CONTEXT_STOPPED)
                pair_resume(g->pair, 0, tag);
        pair_finish(g->pair, 2);
        expect_counts(g, 2 * THREADS);
    }
}

/* The transaction is over for its warp; the block is not at rest before what it has committed is in memory. */
Test(tx_move, a_block_stops_when_its_logs_are_applied)
{
    const uint32_t words[] = {lui(A0, DATA), addi(T1, ZERO, 7), begin_tx(1), sw(T1, 0, A0),
                              commit_tx(),   jal(ZERO, 0),      ret(),       0};
    getm_rig *g = getm_rig_create_pair(NULL, words);
    g->hold = 1000;
    pair_launch(g->pair, 0, 1, 0);
    pair_run(g->pair, 1000);
    cr_assert_eq(g->commits, 1);
    pair_stop(g->pair, 0, 0);
    pair_run(g->pair, 1000);
    cr_expect_eq(pair_state(g->pair, 0, 0), HD_CONTEXT_STOPPING);
    cr_assert_eq(g->held_count, 1);
    g->held_for[0] = 0;
    getm_rig_apply_due(g, pair_now(g->pair));
    pair_run(g->pair, 100);
    cr_expect_eq(pair_state(g->pair, 0, 0), HD_CONTEXT_STOPPED);
    cr_expect_eq(rig_word(g->rig, DATA), 7);
    getm_rig_destroy(g);
}

static uint64_t cycles_at(getm_rig *g, uint32_t core, const char *name)
{
    return kit_statistic(rig_kit(g->pair->rig[core]), name);
}

/* Warp 0 waits at a barrier, warp 1 counts: both do where the block goes, and neither in between. */
Test(tx_move, threads_spend_their_cycles_where_they_are)
{
    const uint32_t words[] = {csrr(S0, 0xCC0), addi(A1, ZERO, 32), blt(S0, A1, 16), DELAY(300), bar_sync(0), ret(), 0};
    getm_rig *g = getm_rig_create_pair(NULL, words);
    pair_launch(g->pair, 0, 64, 0);
    pair_run(g->pair, 200);
    cr_assert(pair_rest(g->pair, 0, 0));
    const uint64_t here = cycles_at(g, 0, "cycles");
    pair_save(g->pair, 0, 0);
    pair_release(g->pair, 0, 0);
    pair_run(g->pair, 5000);
    cr_assert(pair_restore(g->pair, 1), "%s", g->pair->error);
    pair_resume(g->pair, 1, 0);
    pair_finish(g->pair, 1);
    const uint64_t there = cycles_at(g, 1, "cycles");
    cr_expect(here > 150 && there > 1000, "%lu and %lu cycles", here, there);
    for (uint32_t core = 0; core < 2; core++) {
        const uint64_t cycles = core ? there : here;
        const uint64_t all = cycles_at(g, core, "thread_cycles"), waited = cycles_at(g, core, "thread_cycles_barrier");
        cr_expect(all + 64 * 20 > 64 * cycles && all <= 64 * cycles, "core %u: %lu of %lu", core, all, 64 * cycles);
        cr_expect(waited + 32 * 40 > 32 * cycles && waited <= 32 * cycles, "core %u: %lu of %lu", core, waited,
                  32 * cycles);
    }
    getm_rig_destroy(g);
}
