/* SPDX-License-Identifier: MIT */
/* Random transactions of many warps: what commits replays, however the machine is built, and whoever calls it when. */
#include "getm_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 200u
#define S2 18u
#define S3 19u
#define COUNTER (DATA + 0x3000u)

typedef struct generator {
    uint64_t state;
    uint32_t words[WORDS];
    uint32_t count;
    uint32_t mask; /* shared words - 1 */
} generator;

static uint32_t pick(generator *g, uint32_t choices)
{
    return (uint32_t)(kit_random(&g->state) % choices);
}

static void emit(generator *g, uint32_t word)
{
    cr_assert_lt(g->count, WORDS - 1);
    g->words[g->count++] = word;
}

/* t1 = one of the shared words, chosen by each thread for itself. */
static void address(generator *g)
{
    emit(g, mul(S2, S2, S3));
    emit(g, addi(S2, S2, 1 + (int32_t)pick(g, 1000)));
    emit(g, i_type(0x13, 5, T1, S2, 20)); /* srli */
    emit(g, andi(T1, T1, (int32_t)g->mask));
    emit(g, slli(T1, T1, 2));
    emit(g, add(T1, A0, T1));
}

static void operation(generator *g)
{
    const int32_t byte = (int32_t)pick(g, 4);
    address(g);
    switch (pick(g, 8)) {
    case 0: emit(g, sw(S2, 0, T1)); break;
    case 1: emit(g, sb(S2, byte, T1)); break;
    case 2: emit(g, sh(S2, byte & 2, T1)); break;
    case 3:
        emit(g, lb(T2, byte, T1));
        emit(g, add(S2, S2, T2));
        break;
    case 4:
    case 5:
        emit(g, lw(T2, 0, T1));
        emit(g, addi(T2, T2, 1));
        emit(g, sw(T2, 0, T1));
        break;
    case 6: /* private memory is counted too, and decides */
        emit(g, lw(T2, -4, SP));
        emit(g, addi(T2, T2, 1));
        emit(g, sw(T2, -4, SP));
        emit(g, add(S2, S2, T2));
        break;
    default:
        emit(g, lw(T2, 0, T1));
        emit(g, add(S2, S2, T2));
        break;
    }
}

static void maybe(generator *g)
{
    emit(g, andi(T2, S2, 3));
    const uint32_t branch = g->count;
    emit(g, 0);
    operation(g);
    if (pick(g, 2))
        operation(g);
    g->words[branch] = beq(T2, ZERO, (int32_t)(4 * (g->count - branch)));
}

static void transaction(generator *g)
{
    const uint32_t operations = 1 + pick(g, 5);
    emit(g, begin_tx(1));
    for (uint32_t i = 0; i < operations; i++) {
        if (pick(g, 3))
            operation(g);
        else
            maybe(g);
    }
    if (!pick(g, 3)) { /* some lanes give their first attempt up */
        emit(g, csrr(T2, 0xCD0));
        emit(g, andi(T1, S2, 16));
        emit(g, slli(T2, T2, 4));
        emit(g, bne(T1, T2, 8));
        emit(g, abort_tx(1));
    }
    emit(g, lw(T1, 0, A2));
    emit(g, addi(T1, T1, 1));
    emit(g, sw(T1, 0, A2));
    emit(g, commit_tx());
}

static uint32_t make(generator *g, uint64_t seed)
{
    *g = (generator){.state = seed};
    const uint32_t transactions = 1 + pick(g, 3);
    g->mask = (4u << pick(g, 6)) - 1;
    emit(g, lui(A0, DATA));
    emit(g, lui(A2, COUNTER));
    emit(g, csrr(S2, 0xCC0));
    emit(g, lui(S3, 0x41C65000));
    emit(g, addi(S3, S3, 0x66D));
    emit(g, csrr(T1, 0xCCD)); /* counters of warps, 64 bytes apart; four warps share one */
    emit(g, andi(T1, T1, 1));
    emit(g, slli(T1, T1, 6));
    emit(g, add(A2, A2, T1));
    for (uint32_t i = 0; i < transactions; i++)
        transaction(g);
    emit(g, ret());
    g->words[g->count] = 0;
    return transactions;
}

/* Back-off grows beyond the length of an attempt, or two warps could abort each other for ever. */
static const char *const machines[][16] = {
    {NULL},
    {"tx.concurrency=0", "tx.intra_warp=eager", "tx.store_blocking=false", NULL},
    {"tx.concurrency=2", "tx.token_hold=false", "tx.intra_warp=scr", "tx.granule=128 B", "tx.back_off.base=200 cycles",
     "tx.back_off.exponent=8", NULL},
    {"lanes=5", "simd_width=2", "warps=70", "schedulers=3", "memory.accesses=3", "memory.queue=2", "l1.bytes=768 B",
     "l1.mshrs=1", "l1.mshr_merges=1", "scoreboard=simple", "tx.resolutions=1", "register_read.latency=0 cycles", NULL},
    {"tx.granule=16 B", "tx.own_reads=validate", "tx.ownership=16 B", "l1.line=32 B", "tx.checkpoint=3 cycles",
     "scheduler=lrr", "memory.sector=64 B", "tx.watchdog=3000 cycles", NULL},
    {"tx.log_traffic=none", "tx.intra_warp=perfect", "instruction_cache.bytes=512 B", "tx.back_off.base=16 cycles",
     "tx.concurrency=1", "tx.clock_start=core", NULL},
};
#define WATCHED 4u /* the one with a watchdog */

static uint64_t run(const char *const *parameters, uint64_t seed, uint64_t disturbance, uint32_t rollover)
{
    generator program;
    const uint32_t transactions = make(&program, seed);
    const uint32_t threads = 8 + (uint32_t)(seed * 31 % 72);
    getm_rig *g = getm_rig_create(parameters, program.words);
    kit_disturb(rig_kit(g->rig), disturbance);
    g->hold = parameters == machines[WATCHED] ? 0 : seed % 4 == 0; /* it would fire for ever while a log is held */
    g->stall_room = seed % 3 * 4;
    g->rollover_at = rollover;
    getm_rig_launch(g, threads);
    getm_rig_finish(g);
    cr_assert_eq(rig_word(g->rig, COUNTER) + rig_word(g->rig, COUNTER + 64), threads * transactions, "seed %lu", seed);
    cr_assert_eq(getm_rig_statistic(g, "tx_commits"), threads * transactions, "seed %lu", seed);
    cr_assert_eq(getm_rig_statistic(g, "tx_attempts"),
                 getm_rig_statistic(g, "tx_commits") + getm_rig_statistic(g, "tx_aborts"), "seed %lu", seed);
    const uint64_t fingerprint = kit_fingerprint(rig_kit(g->rig));
    getm_rig_destroy(g);
    return fingerprint;
}

Test(tx_random, what_commits_replays_on_every_machine, .timeout = 3000)
{
    const char *wanted = getenv("HEDDLE_TX_PROGRAMS");
    const uint64_t first = 20260401, programs = wanted ? strtoull(wanted, NULL, 0) : 40;
    fprintf(stderr, "random transactions: seeds %lu to %lu\n", first, first + programs - 1);
    for (uint64_t seed = first; seed < first + programs; seed++) {
        const char *const *machine = machines[seed % (sizeof machines / sizeof *machines)];
        const uint64_t expected = run(machine, seed, 0, 0);
        cr_assert_eq(run(machine, seed, seed, 0), expected, "seed %lu: other horizons", seed);
        run(machine, seed, 0, 1 + (uint32_t)(seed % 50));
        run(machines[(seed + 1) % (sizeof machines / sizeof *machines)], seed, seed, 0);
    }
}
