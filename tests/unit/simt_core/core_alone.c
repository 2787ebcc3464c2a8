/* SPDX-License-Identifier: MIT */
#include "core_alone.h"

#include "core_pair.h"
#include "core_profiled.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_PARAMETERS 32u

const char *const alone_mimd[] = {"reconvergence=mimd", "simd_width=64", "schedulers=4", "fetch.width=8", NULL};
static const char *const plain[] = {"warps=24", NULL};
static const char *const cached[] = {"warps=24",
                                     "l1.global=cache",
                                     "l1.bytes=3 KiB",
                                     "l1.sector=32 B",
                                     "l1.allocate=on_fill",
                                     "l1.write=through",
                                     "l1.write_allocate=validate",
                                     "memory.lanes=16",
                                     "memory.address.interval=4 cycles",
                                     "instruction_cache.bytes=256 B",
                                     "instruction_cache.ways=1",
                                     "constant_cache.bytes=128 B",
                                     "issue.per_warp=2",
                                     "write_back.width=2",
                                     NULL};
static const char *const wide[] = {"lanes=64", "warps=12", "scheduler=lrr", "l1.mshrs=2", "l1.private=bypass", NULL};
static const char *const odd[] = {"lanes=5",
                                  "warps=120",
                                  "simd_width=2",
                                  "schedulers=3",
                                  "scoreboard=simple",
                                  "l1.bytes=768 B",
                                  "memory.queue=1",
                                  "memory.accesses=3",
                                  "fetch.latency=7 cycles",
                                  "registers.banks=3",
                                  "registers.read_window=5 cycles",
                                  "write_back.width=1",
                                  NULL};

const alone_machine alone_machines[ALONE_MACHINES] = {
    {"32 lanes", plain}, {"caches", cached}, {"64 lanes", wide}, {"5 lanes", odd}};

uint64_t alone_option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

const char *const *alone_with(const alone_machine *machine, const char *const *more)
{
    static const char *texts[MOST_PARAMETERS];
    uint32_t count = 0;
    for (; machine->parameters[count]; count++)
        texts[count] = machine->parameters[count];
    for (; *more; more++)
        texts[count++] = *more;
    texts[count] = NULL;
    return texts;
}

static hd_grid grid_of(uint64_t seed)
{
    const uint32_t threads = 1 + (uint32_t)(seed * 7919 % ALONE_THREADS);
    return (hd_grid){.grid_size = {ALONE_BLOCKS, 1, 1},
                     .block_size = {threads, 1, 1},
                     .scratchpad_bytes = threads * 4 + 32,
                     .private_bytes = 128};
}

static void read_results(core_rig *rig, alone_outcome *o)
{
    for (uint32_t i = 0; i < ALONE_RESULTS; i++)
        o->words[i] = rig_word(rig, DATA + 4 * i);
    for (uint32_t i = 0; i < 8; i++)
        o->shared[i] = rig_word(rig, DATA + RANDOM_SHARED_OFFSET + 4 * i);
}

void alone_run(const char *const *parameters, const uint32_t *words, uint64_t seed, uint64_t disturbance,
               alone_outcome *o)
{
    const hd_grid grid = grid_of(seed);
    char what[32];
    core_rig *rig = rig_create(parameters, words);
    core_profiled profiled = profiled_begin(rig, words);
    kit_disturb(rig_kit(rig), disturbance);
    for (uint32_t block = 0; block < ALONE_BLOCKS; block++)
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    rig_finish(rig);
    read_results(rig, o);
    o->thread_instructions = kit_statistic(rig_kit(rig), "thread_instructions");
    snprintf(what, sizeof what, "seed %lu", seed);
    profiled_expect_identities(&profiled, what);
    o->fingerprint = kit_fingerprint(rig_kit(rig)) ^ profiled_fingerprint(&profiled);
    rig_destroy(rig);
    profiled_end(&profiled);
}

void alone_compare(const alone_outcome *expected, const alone_outcome *got, uint64_t seed, const char *machine,
                   const char *how)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < ALONE_RESULTS && !wrong; i++)
        wrong = expected->words[i] != got->words[i] ? i + 1 : 0;
    cr_expect_eq(wrong, 0, "seed %lu, %s, %s: word %u of thread %u is 0x%x, not 0x%x", seed, machine, how,
                 (wrong - 1) % RANDOM_RESULT_WORDS, (wrong - 1) / RANDOM_RESULT_WORDS,
                 got->words[wrong ? wrong - 1 : 0], expected->words[wrong ? wrong - 1 : 0]);
    cr_expect_arr_eq(expected->shared, got->shared, sizeof got->shared, "seed %lu, %s, %s", seed, machine, how);
    cr_expect_eq(expected->thread_instructions, got->thread_instructions, "seed %lu, %s, %s", seed, machine, how);
}

/* One block stops at a random cycle, and goes on elsewhere. */
static uint32_t move_one(core_pair *pair, uint64_t tag, uint64_t *random)
{
    const uint32_t core = pair_holder(pair, tag);
    if (core == 2 || !pair_rest(pair, core, tag))
        return 0;
    pair_save(pair, core, tag);
    pair_release(pair, core, tag);
    pair_run(pair, kit_random(random) % 40);
    cr_assert(pair_restore(pair, !core), "%s", pair->error);
    pair_resume(pair, !core, tag);
    return 1;
}

uint32_t alone_run_moving(const char *const *parameters, const uint32_t *words, uint64_t seed, alone_outcome *o)
{
    static const uint64_t tags[ALONE_BLOCKS] = {0, 1, RIG_SECOND_TAG};
    const hd_grid grid = grid_of(seed);
    core_pair *pair = pair_create(parameters, parameters, words);
    uint64_t random = seed;
    uint32_t moves = 0;
    for (uint32_t block = 0; block < ALONE_BLOCKS; block++)
        rig_launch_grid(pair->rig[block == 2], &grid, (uint32_t[]){block, 0, 0}, 0);
    for (uint32_t rounds = 0; rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < ALONE_BLOCKS; rounds++) {
        cr_assert_lt(rounds, 5000, "seed %lu: no end", seed);
        pair_run(pair, 1 + kit_random(&random) % 150);
        moves += move_one(pair, tags[kit_random(&random) % ALONE_BLOCKS], &random);
    }
    pair_finish(pair, ALONE_BLOCKS);
    read_results(pair->rig[0], o);
    o->thread_instructions = pair_statistic(pair, "thread_instructions");
    pair_destroy(pair);
    return moves;
}
