/* SPDX-License-Identifier: MIT */
/* Random transactions of many warps: what commits replays, however the machine is built, and whoever calls it when. */
#include "getm_rig.h"
#include "tx_random_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* Back-off grows beyond the length of an attempt, or two warps could abort each other for ever; or escalation ends that. */
static const char *const machines[][18] = {
    {NULL},
    {"tx.concurrency=0", "tx.intra_warp=eager", "tx.store_blocking=false", "l1.sector=32 B", "l1.bytes=1536 B",
     "tx.getm.granule=4 B", NULL},
    {"tx.concurrency=2", "tx.token_hold=false", "tx.intra_warp=scr", "tx.getm.granule=128 B",
     "tx.back_off.base=1000 cycles", "tx.back_off.exponent=8", NULL},
    {"lanes=5", "simd_width=2", "warps=70", "schedulers=3", "memory.accesses=3", "memory.queue=2", "l1.bytes=768 B",
     "l1.mshrs=1", "l1.mshr_merges=1", "write_back.width=1", "registers.banks=2", "registers.collectors=2",
     "scoreboard=simple", "tx.resolutions=1", "register_read.latency=0 cycles", "l1.allocate=on_fill", "memory.lanes=2",
     NULL},
    {"tx.getm.granule=16 B", "tx.own_reads=validate", "tx.ownership=16 B", "l1.line=32 B", "tx.checkpoint=3 cycles",
     "scheduler=lrr", "memory.sector=64 B", "tx.watchdog=3000 cycles", "issue.per_warp=2", NULL},
    {"tx.log_traffic=none", "tx.intra_warp=perfect", "instruction_cache.bytes=512 B", "tx.back_off.base=16 cycles",
     "tx.concurrency=1", "tx.getm.clock_start=core", "write_back.width=1", NULL},
    {"tx.getm.escalation=1 cycles", "tx.back_off.base=0 cycles", "tx.concurrency=0", "tx.getm.granule=8 B", NULL},
    {"tx.getm.escalation=500 cycles", "tx.back_off.base=64 cycles", "tx.back_off.exponent=1", "tx.token_hold=false",
     "tx.concurrency=4", "tx.getm.granule=64 B", NULL},
};
#define WATCHED 4u /* the one with a watchdog */

static uint64_t run(const char *const *parameters, uint64_t seed, uint64_t disturbance, uint32_t rollover)
{
    uint32_t program[TX_RANDOM_WORDS];
    const uint32_t transactions = random_transactions(seed, program);
    const uint32_t threads = 8 + (uint32_t)(seed * 31 % 72);
    getm_rig *g = getm_rig_create(parameters, program);
    kit_disturb(rig_kit(g->rig), disturbance);
    kit_renew(rig_kit(g->rig), disturbance, 0);
    g->hold = parameters == machines[WATCHED] ? 0 : seed % 4 == 0; /* it would fire for ever while a log is held */
    g->stall_room = seed % 3 * 4;
    g->rollover_at = rollover;
    getm_rig_launch(g, threads);
    getm_rig_finish(g);
    random_transactions_are_done(g->rig, (uint64_t)threads * transactions, seed);
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
