/* SPDX-License-Identifier: MIT */
/*
 * Paths of lanes of several warps (regrouper.h) do what each thread alone does: random programs with loads, stores, atomics,
 * scratchpad, private memory, fences, barriers, calls and early returns; undisturbed, and while their blocks move.
 *
 * HEDDLE_REGROUP_PROGRAMS = how many programs (default 60), HEDDLE_REGROUP_SEED = seed of the first.
 */
#include "core_pair.h"
#include "core_profiled.h"
#include "core_random_program.h"
#include "regrouper.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 3u
#define MOST_THREADS 160u
#define RESULTS (BLOCKS * MOST_THREADS * RANDOM_RESULT_WORDS)
#define MOST_PARAMETERS 32u

typedef struct outcome {
    uint32_t words[RESULTS];
    uint32_t shared[8];
    uint64_t thread_instructions;
    uint64_t fingerprint;
} outcome;

static const char *const mimd[] = {"reconvergence=mimd", "simd_width=64", "schedulers=4", "fetch.width=8", NULL};
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

static const struct {
    const char *name;
    const char *const *parameters;
} machines[] = {{"32 lanes", plain}, {"caches", cached}, {"64 lanes", wide}, {"5 lanes", odd}};
#define MACHINES (sizeof machines / sizeof *machines)

static uint64_t option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* The machine's parameters, and how lanes are grouped. */
typedef struct parameter_list {
    const char *texts[MOST_PARAMETERS];
    char mix[48], seed[64];
} parameter_list;

static const char *const *regrouped(parameter_list *list, const char *const *machine, const char *mix, uint64_t seed)
{
    uint32_t count = 0;
    for (; machine[count]; count++)
        list->texts[count] = machine[count];
    snprintf(list->mix, sizeof list->mix, "reconvergence.regrouper.mix=%s", mix);
    snprintf(list->seed, sizeof list->seed, "reconvergence.regrouper.seed=%lu", seed);
    list->texts[count++] = list->mix;
    list->texts[count++] = list->seed;
    list->texts[count] = NULL;
    return list->texts;
}

static hd_grid grid_of(uint64_t seed)
{
    const uint32_t threads = 1 + (uint32_t)(seed * 7919 % MOST_THREADS);
    return (hd_grid){.grid_size = {BLOCKS, 1, 1},
                     .block_size = {threads, 1, 1},
                     .scratchpad_bytes = threads * 4 + 32,
                     .private_bytes = 128};
}

static void read_results(core_rig *rig, outcome *o)
{
    for (uint32_t i = 0; i < RESULTS; i++)
        o->words[i] = rig_word(rig, DATA + 4 * i);
    for (uint32_t i = 0; i < 8; i++)
        o->shared[i] = rig_word(rig, DATA + RANDOM_SHARED_OFFSET + 4 * i);
}

static void run(const char *const *parameters, const uint32_t *words, uint64_t seed, uint64_t disturbance, outcome *o)
{
    const hd_grid grid = grid_of(seed);
    char what[32];
    core_rig *rig = rig_create(parameters, words);
    core_profiled profiled = profiled_begin(rig, words);
    kit_disturb(rig_kit(rig), disturbance);
    for (uint32_t block = 0; block < BLOCKS; block++)
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

static void compare(const outcome *expected, const outcome *got, uint64_t seed, const char *machine, const char *how)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < RESULTS && !wrong; i++)
        wrong = expected->words[i] != got->words[i] ? i + 1 : 0;
    cr_expect_eq(wrong, 0, "seed %lu, %s, %s: word %u of thread %u is 0x%x, not 0x%x", seed, machine, how,
                 (wrong - 1) % RANDOM_RESULT_WORDS, (wrong - 1) / RANDOM_RESULT_WORDS,
                 got->words[wrong ? wrong - 1 : 0], expected->words[wrong ? wrong - 1 : 0]);
    cr_expect_arr_eq(expected->shared, got->shared, sizeof got->shared, "seed %lu, %s, %s", seed, machine, how);
    cr_expect_eq(expected->thread_instructions, got->thread_instructions, "seed %lu, %s, %s", seed, machine, how);
}

Test(simt_core_regrouped, random_programs_do_what_each_thread_does_alone, .timeout = 3600)
{
    static uint32_t words[RANDOM_WORDS];
    static outcome reference, other, again;
    const uint64_t first = option("HEDDLE_REGROUP_SEED", 20260401), programs = option("HEDDLE_REGROUP_PROGRAMS", 60);
    parameter_list list;
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_program(seed, words);
        run(mimd, words, seed, 0, &reference);
        for (uint32_t m = 0; m < MACHINES; m++) {
            run(regrouped(&list, machines[m].parameters, "swap", 1), words, seed, 0, &other);
            compare(&reference, &other, seed, machines[m].name, "swap");
            run(regrouped(&list, machines[m].parameters, "shuffle", seed), words, seed, 0, &other);
            compare(&reference, &other, seed, machines[m].name, "shuffle");
            if (seed % MACHINES != m)
                continue;
            run(list.texts, words, seed, seed, &again);
            cr_expect_eq(again.fingerprint, other.fingerprint, "seed %lu, %s: other horizons", seed, machines[m].name);
        }
    }
    fprintf(stderr, "regrouped lanes: seeds %lu to %lu, %lu paths of several warps, %lu joined\n", first,
            first + programs - 1, regrouper_mixed, regrouper_merged);
    cr_expect_gt(regrouper_mixed, 100 * programs);
    cr_expect_gt(regrouper_merged, programs);
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

static uint32_t run_moving(const char *const *parameters, const uint32_t *words, uint64_t seed, outcome *o)
{
    static const uint64_t tags[BLOCKS] = {0, 1, RIG_SECOND_TAG};
    const hd_grid grid = grid_of(seed);
    core_pair *pair = pair_create(parameters, parameters, words);
    uint64_t random = seed;
    uint32_t moves = 0;
    for (uint32_t block = 0; block < BLOCKS; block++)
        rig_launch_grid(pair->rig[block == 2], &grid, (uint32_t[]){block, 0, 0}, 0);
    for (uint32_t rounds = 0; rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < BLOCKS; rounds++) {
        cr_assert_lt(rounds, 5000, "seed %lu: no end", seed);
        pair_run(pair, 1 + kit_random(&random) % 150);
        moves += move_one(pair, tags[kit_random(&random) % BLOCKS], &random);
    }
    pair_finish(pair, BLOCKS);
    read_results(pair->rig[0], o);
    o->thread_instructions = pair_statistic(pair, "thread_instructions");
    pair_destroy(pair);
    return moves;
}

Test(simt_core_regrouped, blocks_of_regrouped_lanes_move, .timeout = 3600)
{
    static uint32_t words[RANDOM_WORDS];
    static outcome reference, moved;
    const uint64_t first = option("HEDDLE_REGROUP_SEED", 20260501),
                   programs = option("HEDDLE_REGROUP_PROGRAMS", 60) / 4;
    uint32_t moves = 0;
    parameter_list list;
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_program(seed, words);
        run(mimd, words, seed, 0, &reference);
        for (uint32_t m = 0; m < MACHINES; m++) {
            moves += run_moving(regrouped(&list, machines[m].parameters, seed % 2 ? "swap" : "shuffle", seed), words,
                                seed, &moved);
            compare(&reference, &moved, seed, machines[m].name, "moved");
        }
    }
    fprintf(stderr, "moved blocks of regrouped lanes: seeds %lu to %lu, %u moves\n", first, first + programs - 1,
            moves);
    cr_expect_gt(moves, 4 * programs);
}
