/* SPDX-License-Identifier: MIT */
/*
 * Whatever policy moves thread blocks, and when, programs do what they do undisturbed: the host program of each app compares its
 * results, and each thread issues as many instructions.
 *
 * HEDDLE_POLICY_RUNS = how many runs (default 12), HEDDLE_POLICY_SEED = seed of the first.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "kit_random.h"
#include "measures.h"
#include "process.h"
#include "stats.h"

#define PREEMPT "tb_scheduler.transport=preempt"
#define SHUFFLE "tb_scheduler.transport=shuffle"
#define IDEAL "tb_scheduler.transport=ideal"

#define MACHINE SYSTEM_MACHINES "/small.yaml"

typedef struct counts {
    uint64_t instructions, preemptions, blocks;
} counts;

static counts counts_of(finished run, const char *path, uint64_t seed)
{
    counts c = {0};
    cr_assert_eq(run.code, 0, "seed %lu: %s", seed, run.err);
    expect_output(&run, "PASS");
    finished_free(&run);
    json_t *stats = stats_read(path), *measures = measures_of_results(stats);
    cr_expect(measures_sum(measures, "simt_core", "thread_instructions", &c.instructions));
    cr_expect(measures_sum(measures, "simt_core", "blocks_run", &c.blocks));
    cr_expect(measures_sum(measures, "tb_scheduler", "preemptions", &c.preemptions));
    json_decref(measures);
    json_decref(stats);
    return c;
}

static uint64_t option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Apps whose threads do the same whoever is faster. */
static const char *const apps[][3] = {{"matmul", "app.n=64", "app.seed=1"},
                                      {"reduce", "app.n=8192", "app.block=128"},
                                      {"stream", "app.n=8192", "app.block=64"}};
#define APPS (sizeof apps / sizeof *apps)

static void draw(char *setting, size_t bytes, const char *name, uint64_t least, uint64_t most, const char *unit,
                 uint64_t *random)
{
    snprintf(setting, bytes, "%s=%lu%s", name, least + kit_random(random) % (most - least + 1), unit);
}

static counts run_still(size_t app, const char *reconvergence, const char *path, uint64_t seed)
{
    return counts_of(heddle("run", MACHINE, apps[app][0], "--stats", path, "--set", apps[app][1], "--set", apps[app][2],
                            "--set", reconvergence),
                     path, seed);
}

/* Policies, what they need of the cores, and the settings that are drawn for them. */
static const struct {
    const char *policy, *levels;
    struct {
        const char *name, *unit;
        uint64_t least, most;
    } drawn[2];
} policies[] = {
#define POLICY(name) "tb_scheduler.policy=" name
#define SETTING(name, setting) "tb_scheduler.policy." name "." setting
#define BY_USE(name)                                                                                                   \
    {                                                                                                                  \
        POLICY(name), "core.context.levels=blocks",                                                                    \
        {                                                                                                              \
            {SETTING(name, "limit"), "", 1, 100},                                                                      \
            {                                                                                                          \
                SETTING(name, "period_minimum"), " cycles", 20, 400                                                    \
            }                                                                                                          \
        }                                                                                                              \
    }
    {POLICY("time_slice"),
     "core.context.levels=none",
     {{SETTING("time_slice", "slice"), " cycles", 50, 1500}, {"tb_scheduler.grids", "", 1, 16}}},
    {POLICY("memory_shy"),
     "core.context.levels=blocks",
     {{SETTING("memory_shy", "limit"), "", 1, 8}, {SETTING("memory_shy", "period"), " cycles", 20, 400}}},
    BY_USE("rut"),
    BY_USE("rut_preempt_only"),
    BY_USE("kernel_profile")};

static counts run_moving(size_t app, const char *reconvergence, const char *path, uint64_t seed)
{
    static const char *const storages[][3] = {
        {"core.context.storage=scheduler", "core.context.cacheable=none", PREEMPT},
        {"core.context.storage=memory", "core.context.cacheable=none", PREEMPT},
        {"core.context.storage=memory", "core.context.cacheable=l2", PREEMPT},
        {"core.context.storage=memory", "core.context.cacheable=l1l2", PREEMPT},
        {"core.context.storage=memory", "core.context.cacheable=none", IDEAL},
        {"core.context.storage=buffer", "core.context.cacheable=none", SHUFFLE},
        {"core.context.storage=buffer", "core.context.cacheable=l1l2", SHUFFLE}};
    char drawn[2][120], rate[80], blocks[80], buffers[80], overlap[80];
    uint64_t random = seed;
    const size_t of = kit_random(&random) % (sizeof policies / sizeof *policies);
    for (size_t i = 0; i < 2; i++)
        draw(drawn[i], sizeof drawn[i], policies[of].drawn[i].name, policies[of].drawn[i].least,
             policies[of].drawn[i].most, policies[of].drawn[i].unit, &random);
    draw(rate, sizeof rate, "core.context.bytes_per_cycle", 8, 512, " B", &random);
    draw(blocks, sizeof blocks, "core.blocks", 2, 4, "", &random);
    draw(buffers, sizeof buffers, "tb_scheduler.buffers", 1, 8, "", &random);
    snprintf(overlap, sizeof overlap, "tb_scheduler.overlap=%s", kit_random(&random) % 4 ? "true" : "false");
    const char *const *storage = storages[kit_random(&random) % (sizeof storages / sizeof *storages)];
    return counts_of(heddle("run", MACHINE, apps[app][0], "--plugin", TOY_POLICY, "--stats", path, "--set",
                            apps[app][1], "--set", apps[app][2], "--set", reconvergence, "--set", policies[of].policy,
                            "--set", policies[of].levels, "--set", drawn[0], "--set", drawn[1], "--set", rate, "--set",
                            blocks, "--set", "core.memory.queue=1", "--set", "core.context.engine=stream", "--set",
                            storage[0], "--set", storage[1], "--set", storage[2], "--set", buffers, "--set", overlap,
                            "--set", "tb_scheduler.buffer_bytes=16 KiB", "--set", "l2.bytes=1 MiB", "--set",
                            "l2.context_ways=4", "--set", "request_network.context_path=64 B", "--set",
                            "tb_scheduler.policy.rut.period_factor=0", "--set",
                            "tb_scheduler.policy.rut_preempt_only.period_factor=0", "--set",
                            "tb_scheduler.policy.kernel_profile.period_factor=0"),
                     path, seed);
}

Test(policies_move, programs_do_the_same, .timeout = 600)
{
    static const char *const reconvergence[] = {"core.reconvergence=stack", "core.reconvergence=mimd"};
    const uint64_t first = option("HEDDLE_POLICY_SEED", 20261126), runs = option("HEDDLE_POLICY_RUNS", 12);
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    uint64_t moves = 0;
    for (uint64_t seed = first; seed < first + runs; seed++) {
        const size_t app = seed % APPS;
        const counts still = run_still(app, reconvergence[seed / APPS % 2], path, seed),
                     moved = run_moving(app, reconvergence[seed / APPS % 2], path, seed);
        cr_expect_eq(still.instructions, moved.instructions, "seed %lu, %s: %lu, not %lu", seed, apps[app][0],
                     moved.instructions, still.instructions);
        cr_expect_eq(still.blocks, moved.blocks, "seed %lu, %s", seed, apps[app][0]);
        cr_expect_eq(still.preemptions, 0);
        moves += moved.preemptions;
    }
    fprintf(stderr, "policies: seeds %lu to %lu, %lu moves\n", first, first + runs - 1, moves);
    cr_expect_gt(moves, 10 * runs / 12);
    free(path);
    folder_remove(folder);
}

/* A block that holds the lock that others spin for is shuffled with it, and gives it free where it goes on. */
Test(policies_move, who_has_a_lock_is_shuffled_with_it, .timeout = 600)
{
    static const char *const patience[] = {"core.context.lock_patience=0 cycles",
                                           "core.context.lock_patience=200 cycles"};
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    for (size_t i = 0; i < 2; i++) {
        uint64_t shuffles = 0;
        finished run =
            heddle("run", "gtx480", "hashtable", "--stats", path, "--set", "app.sync=locks", "--set", "app.grid=40",
                   "--set", "app.block=64", "--set", "app.buckets=200", "--set", "core.blocks=1", "--set",
                   "tb_scheduler.policy=time_slice", "--set", "tb_scheduler.policy.time_slice.slice=700 cycles",
                   "--set", "core.context.engine=stream", "--set", "core.context.storage=buffer", "--set", SHUFFLE,
                   "--set", "tb_scheduler.buffer_bytes=16 KiB", "--set", "l2.context_ways=2", "--set", patience[i]);
        cr_assert_eq(run.code, 0, "%s", run.err);
        expect_output(&run, "PASS");
        finished_free(&run);
        json_t *stats = stats_read(path), *measures = measures_of_results(stats);
        cr_expect(measures_sum(measures, "tb_scheduler", "shuffles", &shuffles));
        cr_expect_gt(shuffles, 20, "%lu", shuffles);
        json_decref(measures);
        json_decref(stats);
    }
    free(path);
    folder_remove(folder);
}

/* However short the windows of levels are, ends and contexts are not behind them for ever. */
Test(policies_move, windows_of_a_cycle, .timeout = 600)
{
    static const char *const named[] = {"rut", "rut_preempt_only", "kernel_profile"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        char policy[80], factor[100], minimum[100];
        snprintf(policy, sizeof policy, "tb_scheduler.policy=%s", named[i]);
        snprintf(factor, sizeof factor, "tb_scheduler.policy.%s.period_factor=0", named[i]);
        snprintf(minimum, sizeof minimum, "tb_scheduler.policy.%s.period_minimum=1 cycle", named[i]);
        finished run = heddle("run", MACHINE, "reduce", "--quiet", "--set", "app.n=8192", "--set", "app.block=128",
                              "--set", "core.context.engine=stream", "--set", "core.context.levels=blocks", "--set",
                              policy, "--set", factor, "--set", minimum, "--set", "watchdog=600 us");
        cr_expect_eq(run.code, 0, "%s: %s", named[i], run.err);
        finished_free(&run);
    }
}

/* Whoever has the transactions, those that are given up where a block leaves take place where it goes on: the app checks its table. */
Test(policies_move, open_transactions_are_given_up, .timeout = 600)
{
    static const char *const machines[] = {"gtx480_getm", "gtx480_kilo_tm",   "gtx480_warptm",  "gtx480_warptm_tcd",
                                           "gtx480_eapg", "gtx480_warptm_el", "gtx480_ideal_tm"};
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    static const char *const ways[][2] = {{"core.context.storage=memory", PREEMPT},
                                          {"core.context.storage=buffer", SHUFFLE}};
    for (size_t i = 0; i < 2 * (sizeof machines / sizeof *machines); i++) {
        const char *const machine = machines[i / 2], *const *way = ways[i % 2];
        uint64_t preempted = 0, withdrawn = 0, shuffles = 0;
        finished run =
            heddle("run", machine, "hashtable", "--stats", path, "--set", "app.sync=tm", "--set", "app.grid=40",
                   "--set", "app.block=64", "--set", "app.buckets=200", "--set", "core.blocks=1", "--set",
                   "tb_scheduler.policy=time_slice", "--set", "tb_scheduler.policy.time_slice.slice=1500 cycles",
                   "--set", "core.context.engine=stream", "--set", way[0], "--set", way[1], "--set",
                   "tb_scheduler.buffer_bytes=16 KiB", "--set", "l2.context_ways=2", "--set",
                   "core.context.tx_policy=abort", "--set", "core.context.bytes_per_cycle=64 B");
        cr_assert_eq(run.code, 0, "%s: %s", machine, run.err);
        expect_output(&run, "PASS");
        finished_free(&run);
        json_t *stats = stats_read(path), *measures = measures_of_results(stats);
        cr_expect(measures_sum(measures, "simt_core", "tx_aborts_preempted", &preempted));
        cr_expect(measures_sum(measures, "simt_core", "tx_withdrawals", &withdrawn));
        cr_expect(measures_sum(measures, "tb_scheduler", "shuffles", &shuffles));
        fprintf(stderr, "%-18s %lu attempts, %lu transactions given up, %lu shuffles\n", machine, preempted, withdrawn,
                shuffles);
        cr_expect(preempted > 0 && withdrawn > 0, "%s", machine);
        cr_expect_eq(shuffles > 0, i % 2 == 1, "%s", machine);
        json_decref(measures);
        json_decref(stats);
    }
    free(path);
    folder_remove(folder);
}

/* ---- Policies that move nobody ---------------------------------------------------------------------------------------- */

static json_t *totals_with(const char *policy, const char *setting, const char *more, const char *path)
{
    finished run = heddle("run", "gtx480", "hashtable", "--stats", path, "--set", "core.blocks=2", "--set", policy,
                          "--set", setting, "--set", more);
    cr_assert_eq(run.code, 0, "%s: %s", policy, run.err);
    finished_free(&run);
    json_t *stats = stats_read(path), *totals = json_object();
    const char *block;
    json_t *of;
    json_object_foreach(json_object_get(stats, "blocks"), block, of)
        json_object_set(totals, block, json_object_get(of, "total"));
    json_decref(stats);
    return totals;
}

/* Only those that watch count what they have seen. */
static uint32_t is_of_watching(const char *name)
{
    return !strncmp(name, "levels_", 7) || !strncmp(name, "rut_predict_only_", 17);
}

static void expect_same_totals(const char *policy, const json_t *greedy, const json_t *other)
{
    const char *block, *name;
    json_t *totals, *value;
    json_object_foreach((json_t *)greedy, block, totals)
    {
        const json_t *theirs = json_object_get(other, block);
        json_object_foreach(totals, name, value) cr_expect(
            is_of_watching(name) || json_equal(value, json_object_get(theirs, name)), "%s: %s.%s", policy, block, name);
    }
}

/* What is there for blocks that move or are watched costs a machine nothing on which none does, though others wait for their places: cycle
 * for cycle it is that of `greedy`. */
Test(policies_move, what_moves_nobody_does_what_greedy_does)
{
    static const char *const others[][3] = {
        {"tb_scheduler.policy=time_slice", "tb_scheduler.policy.time_slice.slice=1000000000 cycles",
         "core.context.engine=stream"},
        {"tb_scheduler.policy=rut_predict_only", "tb_scheduler.policy.rut_predict_only.limit=10000",
         "core.context.levels=blocks"}};
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    json_t *greedy =
        totals_with("tb_scheduler.policy=greedy", "core.context.engine=none", "core.context.levels=none", path);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        json_t *other = totals_with(others[i][0], others[i][1], others[i][2], path);
        expect_same_totals(others[i][0], greedy, other);
        json_decref(other);
    }
    json_decref(greedy);
    free(path);
    folder_remove(folder);
}

/* ---- What moving is good for ------------------------------------------------------------------------------------------ */

/* Cycles of blocks that wait for memory and compute by turns, half of which begin with each. */
static long long cycles_of_phases(const char *policy, const char *more, uint32_t divisor, const char *path)
{
    char of_policy[80], memory[100], floats[100], settings[3][40];
    snprintf(of_policy, sizeof of_policy, "tb_scheduler.policy=%s", policy);
    snprintf(memory, sizeof memory, "tb_scheduler.policy.%s.memory_steps=16", policy);
    snprintf(floats, sizeof floats, "tb_scheduler.policy.%s.float_steps=16", policy);
    snprintf(settings[0], sizeof settings[0], "app.phases=%u", 4 * divisor);
    snprintf(settings[1], sizeof settings[1], "app.memory_steps=%u", 60 / divisor);
    snprintf(settings[2], sizeof settings[2], "app.float_steps=%u", 200 / divisor);
    finished run = heddle("run", "v100_8_sm", "phase_toggle", "--stats", path, "--set", "core.count=1", "--set",
                          "core.blocks=8", "--set", "app.grid=16", "--set", "app.skew=8", "--set", of_policy, "--set",
                          memory, "--set", floats, "--set", settings[0], "--set", settings[1], "--set", settings[2],
                          "--set", more, "--set", "core.context.bytes_per_cycle=7 B");
    cr_assert_eq(run.code, 0, "%s: %s", policy, run.err);
    finished_free(&run);
    json_t *stats = stats_read(path);
    const long long cycles = json_integer_value(stats_at(stats, "kernels/0/cycles"));
    json_decref(stats);
    return cycles;
}

/* A policy that follows phases gains by them where they are long, and loses where they are shorter than moves. */
Test(policies_move, phases_that_are_longer_than_moves)
{
    static const char profile[] =
        "tb_scheduler.policy.static_oracle.profile=" HEDDLE_EXPERIMENTS "/levels/phase-toggle.levels";
    static const char contexts[] = "core.context={levels: blocks, engine: stream, storage: memory}";
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    const long long still = cycles_of_phases("static_oracle", profile, 1, path),
                    moved = cycles_of_phases("rut", contexts, 1, path),
                    still_short = cycles_of_phases("static_oracle", profile, 10, path),
                    moved_short = cycles_of_phases("rut", contexts, 10, path);
    fprintf(stderr, "phases: long %lld and %lld cycles, short %lld and %lld\n", still, moved, still_short, moved_short);
    cr_expect_lt(moved, still);
    cr_expect_gt(moved_short, still_short);
    free(path);
    folder_remove(folder);
}
