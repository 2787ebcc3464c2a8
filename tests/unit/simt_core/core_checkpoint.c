/* SPDX-License-Identifier: MIT */
/* Cores that are saved, and restored into new ones, at random times do what they would have done (hd_state.h). */
#include "core_everything.h"
#include "core_random_program.h"
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define SEEDS 10u
#define MOST_PARAMETERS 16u
#define THREADS 80u

static const char *const machines[][MOST_PARAMETERS] = {
    {NULL},
    {"scheduler=lrr", "schedulers=1", "l1.global=cache", "l1.mshrs=2"},
    {"instruction_cache.bytes=256 B", "instruction_cache.line=32 B", "constant_cache.bytes=128 B",
     "instruction_cache.mshr_merges=1", "issue.per_warp=2", "issue.different_units=false"},
    {"registers.banks=4", "registers.collectors=3", "registers.bank_interval=2 cycles", "write_back.width=2",
     "write_back.one_per_port=true", "lanes=64", "warps=24"},
    {"registers.banks=3", "registers.read_window=5 cycles", "lanes=5", "simd_width=2", "warps=70", "schedulers=3",
     "memory.queue=1", "memory.accesses=3", "l1.bytes=768 B", "scoreboard=simple"},
    {"l1.global=cache", "l1.bytes=3 KiB", "l1.sector=32 B", "l1.allocate=on_fill", "l1.write=through",
     "l1.write_allocate=validate", "l1.port_bytes=64 B", "memory.lanes=16", "memory.address.interval=4 cycles",
     "scratchpad.group=16", "atomic.request=sectors"},
    {"reconvergence=mimd", "simd_width=64", "schedulers=4", "l1.replacement=random"},
    {"reconvergence=aware", "reconvergence.aware.rotate=all", "scheduler=glrr", "l1.replacement=plru", "l1.ways=4",
     "l1.bytes=16 KiB"},
    {"reconvergence=aware", "reconvergence.aware.splits=1", "reconvergence.aware.meetings=1"},
    {"reconvergence=mp", "reconvergence.mp.splits=3", "reconvergence.mp.early=true", "scoreboard=reserved_masks"},
    {"scheduler=cawa", "spin=ddos", "spin.ddos.hash=modulo", "spin.ddos.path_bits=2", "spin.ddos.value_bits=2",
     "spin.ddos.threshold=1", "back_off=bows", "back_off.bows.minimum=300 cycles", "back_off.bows.window=100 cycles"},
    {"reconvergence.stack.likely_points=loops", "l1.replacement=fifo", "texture_cache.bytes=1 KiB", "spin=static"},
    {"context.engine=stream", "context.compress=write", "context.scratchpad=arrays", "context.dead=oracle"},
    {"reconvergence=block_stack", "scheduler=block", "schedulers=1"},
    {"reconvergence=block_stack", "scheduler=dwf", "scheduler.dwf.policy=pdpri"},
};
#define MACHINES (sizeof machines / sizeof *machines)
#define WITH_BARRIERS (MACHINES - 2) /* at which lanes of a block that is compacted may not part */

static uint64_t finish(core_rig *rig)
{
    rig_finish(rig);
    uint64_t hash = kit_fingerprint(rig_kit(rig));
    for (uint32_t i = 0; i < 0x3000; i += 4)
        hash = hash * 31 + rig_word(rig, DATA + i);
    rig_destroy(rig);
    return hash;
}

static uint64_t run_everything(const char *const *parameters, uint64_t renewals, uint32_t only_stops)
{
    rig_renews(renewals, only_stops);
    core_rig *rig = everything_create(parameters);
    everything_launch(rig);
    return finish(rig);
}

Test(core_checkpoint, everything_goes_on_as_it_would_have)
{
    for (uint32_t m = 0; m < WITH_BARRIERS; m++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            cr_expect_eq(run_everything(machines[m], seed, 0), run_everything(machines[m], seed, 1),
                         "machine %u, seed %lu", m, seed);
}

static uint64_t run_random(const char *const *parameters, const uint32_t *words, uint64_t renewals, uint32_t only_stops)
{
    rig_renews(renewals, only_stops);
    core_rig *rig = rig_create(parameters, words);
    for (uint32_t block = 0; block < 3; block++) {
        const hd_grid grid = {.grid_size = {3, 1, 1},
                              .block_size = {THREADS, 1, 1},
                              .scratchpad_bytes = THREADS * 4 + 32,
                              .private_bytes = 128};
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    }
    return finish(rig);
}

Test(core_checkpoint, random_programs_go_on_as_they_would_have)
{
    static uint32_t words[RANDOM_WORDS];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        random_program(20261128 + seed, words);
        for (uint32_t m = 0; m < MACHINES; m++)
            cr_expect_eq(run_random(machines[m], words, seed, 0), run_random(machines[m], words, seed, 1),
                         "machine %u, seed %lu", m, seed);
    }
}
