/* SPDX-License-Identifier: MIT */
/* Random transactions of many warps under `tx: warptm_el`: what commits replays in the order of commit IDs, whoever calls the core when. */
#include "protocol_warptm_el_rig.h"
#include "tx_random_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const machines[][16] = {
    {"tx.concurrency=0", "tx.log_traffic=none", "tx.back_off.base=0 cycles", NULL},
    {"tx.concurrency=2", "tx.token_hold=false", "tx.own_reads=validate", "tx.intra_warp=scr", NULL},
    {"lanes=32", "warps=24", "tx.checkpoint=3 cycles", "scheduler=lrr", "tx.intra_warp=eager", "memory.sector=64 B",
     NULL},
    {"lanes=5", "simd_width=2", "warps=70", "schedulers=3", "memory.accesses=3", "memory.queue=2", "l1.bytes=768 B",
     "l1.mshrs=1", "l1.mshr_merges=1", "scoreboard=simple", "register_read.latency=0 cycles", NULL},
    {"tx.concurrency=4", "tx.warptm_el.compare=end", "tx.back_off.law=linear", "tx.intra_warp=perfect", NULL},
};
#define MACHINES (sizeof machines / sizeof *machines)

static uint64_t aborts[3];

static uint64_t run(const char *const *parameters, uint64_t seed, uint64_t disturbance)
{
    static const char *const reasons[] = {"tx_aborts_access", "tx_aborts_outdated", "tx_el_late_commits"};
    uint32_t words[TX_RANDOM_WORDS];
    const uint32_t transactions = random_transactions(seed, words);
    const uint32_t threads = 8 + (uint32_t)(seed * 31 % 72);
    el_rig *g = el_rig_create(parameters, words);
    kit_disturb(rig_kit(g->rig), disturbance);
    kit_renew(rig_kit(g->rig), disturbance, 0);
    g->hold = seed % 5 * 7;
    g->delay = 1 + seed % 3 * 5;
    g->per_lane = seed % 2;
    g->parts = seed % 4;
    el_rig_launch(g, threads);
    el_rig_finish(g);
    random_transactions_are_done(g->rig, (uint64_t)threads * transactions, seed);
    for (uint32_t i = 0; i < 3; i++)
        aborts[i] += el_rig_statistic(g, reasons[i]);
    const uint64_t fingerprint = kit_fingerprint(rig_kit(g->rig));
    el_rig_destroy(g);
    return fingerprint;
}

Test(tx_warptm_el_random, what_commits_replays_on_every_machine, .timeout = 3000)
{
    const char *wanted = getenv("HEDDLE_WARPTM_EL_SCHEDULES"), *seeded = getenv("HEDDLE_WARPTM_EL_SEED");
    const uint64_t first = seeded ? strtoull(seeded, NULL, 0) : 20261126,
                   programs = wanted ? strtoull(wanted, NULL, 0) : 60;
    fprintf(stderr, "random transactions, WarpTM-EL: seeds %lu to %lu\n", first, first + programs - 1);
    for (uint64_t seed = first; seed < first + programs; seed++) {
        const uint64_t expected = run(machines[seed % MACHINES], seed, 0);
        if (seed % 4 == 0)
            cr_assert_eq(run(machines[seed % MACHINES], seed, seed), expected, "seed %lu: other horizons", seed);
    }
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_gt(aborts[i], 0);
}
