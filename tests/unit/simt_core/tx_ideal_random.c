/* SPDX-License-Identifier: MIT */
/* Random transactions of many warps under `tx: ideal`: what commits replays, whoever calls the core when. */
#include "ideal_rig.h"
#include "tx_random_program.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define PROGRAMS 48u

static const char *const machines[][16] = {
    {"tx.concurrency=0", "tx.log_traffic=none", "tx.back_off.base=0 cycles", NULL},
    {"tx.concurrency=2", "tx.token_hold=false", "tx.own_reads=validate", "tx.back_off.base=32 cycles", NULL},
    {"lanes=64", "warps=24", "tx.checkpoint=3 cycles", "scheduler=lrr", "memory.sector=64 B", NULL},
    {"lanes=5", "simd_width=2", "warps=70", "schedulers=3", "memory.accesses=3", "memory.queue=2", "l1.bytes=768 B",
     "l1.mshrs=1", "l1.mshr_merges=1", "scoreboard=simple", "register_read.latency=0 cycles", NULL},
};
#define MACHINES (sizeof machines / sizeof *machines)

static uint64_t run(const char *const *parameters, uint64_t seed, uint64_t disturbance)
{
    uint32_t words[TX_RANDOM_WORDS];
    const uint32_t transactions = random_transactions(seed, words);
    const uint32_t threads = 8 + (uint32_t)(seed * 31 % 72);
    ideal_rig *g = ideal_rig_create(parameters, words);
    kit_disturb(rig_kit(g->rig), disturbance);
    kit_renew(rig_kit(g->rig), disturbance, 0);
    g->hold = seed % 5 * 7;
    g->delay = 1 + seed % 3 * 5;
    ideal_rig_launch(g, threads);
    ideal_rig_finish(g);
    random_transactions_are_done(g->rig, (uint64_t)threads * transactions, seed);
    const uint64_t fingerprint = kit_fingerprint(rig_kit(g->rig));
    ideal_rig_destroy(g);
    return fingerprint;
}

Test(tx_ideal_random, what_commits_replays_on_every_machine, .timeout = 3000)
{
    const uint64_t first = 20261122;
    fprintf(stderr, "random transactions, ideal: seeds %lu to %lu\n", first, first + PROGRAMS - 1);
    for (uint64_t seed = first; seed < first + PROGRAMS; seed++) {
        const uint64_t expected = run(machines[seed % MACHINES], seed, 0);
        cr_assert_eq(run(machines[seed % MACHINES], seed, seed), expected, "seed %lu: other horizons", seed);
    }
}
