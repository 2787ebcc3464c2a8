/* SPDX-License-Identifier: MIT */
/*
 * Small kernels (apps/divergence) on units that let lanes run together in different ways: what each shows of the units (programs_on_units.c: which
 * are right where). Figures are those of Fung 2015 §3, or follow from the kernel.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define APP SYSTEM_APPS "/divergence"
#define VARIANT(name) HEDDLE_MACHINES "/../variants/quadro_fx5800_" name ".yaml"
#define WORDS_MAX 32u
#define SETS_MAX 5u

enum unit { STACK, DWF, DWF_WB, BLOCK_STACK, BLOCK_STACK_STATIC, MIMD, UNITS };

static const struct {
    const char *name, *machine, *set;
} units[UNITS] = {
    [STACK] = {"stack", HEDDLE_MACHINES "/quadro_fx5800_tbc.yaml", "core.reconvergence=stack"},
    [DWF] = {"dwf", VARIANT("dwf"), "core.reconvergence=dwf"},
    [DWF_WB] = {"dwf_wb", VARIANT("dwf_wb"), "core.reconvergence=dwf_wb"},
    [BLOCK_STACK] = {"block_stack", VARIANT("block_stack"), "core.reconvergence=block_stack"},
    [BLOCK_STACK_STATIC] = {"block_stack, compaction off", VARIANT("block_stack"),
                            "core.reconvergence.block_stack.compaction=false"},
    [MIMD] = {"mimd", HEDDLE_MACHINES "/quadro_fx5800_tbc.yaml", "core.reconvergence=mimd"},
};

/* A kernel, and how it is run; up to a NULL. */
typedef struct launch {
    const char *kernel;
    const char *sets[SETS_MAX];
} launch;

static finished run_on(enum unit unit, const launch *l, const char *stats)
{
    char kernel[64];
    const char *words[WORDS_MAX] = {"run", units[unit].machine, APP, "--tlm=auto", "--set", units[unit].set};
    uint32_t count = 6;
    snprintf(kernel, sizeof kernel, "app.kernel=%s", l->kernel);
    words[count++] = "--set";
    words[count++] = kernel;
    for (uint32_t i = 0; i < SETS_MAX && l->sets[i]; i++) {
        words[count++] = "--set";
        words[count++] = l->sets[i];
    }
    if (stats) {
        words[count++] = "--stats";
        words[count++] = stats;
    }
    return heddle_run(words);
}

/* A statistic of the cores, while kernels ran. */
static double measure(enum unit unit, const launch *l, const char *statistic)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json"), key[64];
    finished run = run_on(unit, l, path);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    snprintf(key, sizeof key, "busy/core/%s", statistic);
    const double value = json_number_value(stats_at(stats, key));
    json_decref(stats);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return value;
}

#define INSTRUCTIONS "warp_instructions"

static double efficiency(enum unit unit, const launch *l)
{
    return measure(unit, l, "thread_instructions") / measure(unit, l, INSTRUCTIONS) / 32;
}

static void expect_between(double value, double least, double most, const char *what)
{
    cr_expect(value >= least && value <= most, "%s: %.3f, not %.3f to %.3f", what, value, least, most);
}

/* ---- What they show -------------------------------------------------------------------------------------------------------- */

Test(divergence, threads_that_part_by_chance_fill_fewer_warps_of_a_block)
{
    static const launch rare = {"hammock", {"app.share=102", "app.grid=30"}}, half = {"hammock", {"app.grid=30"}};
    static const launch turns = {"trips", {"app.grid=30"}}, ways = {"many_ways", {"app.grid=30"}};
    /* In closed form 1.45, 1.18, 1.25 and 2.43, for what is inside alone. */
    expect_between(measure(STACK, &rare, INSTRUCTIONS) / measure(BLOCK_STACK, &rare, INSTRUCTIONS), 1.30, 1.45, "rare");
    expect_between(measure(STACK, &half, INSTRUCTIONS) / measure(BLOCK_STACK, &half, INSTRUCTIONS), 1.10, 1.18, "half");
    expect_between(measure(STACK, &turns, INSTRUCTIONS) / measure(BLOCK_STACK, &turns, INSTRUCTIONS), 1.15, 1.30,
                   "trips");
    expect_between(measure(STACK, &ways, INSTRUCTIONS) / measure(BLOCK_STACK, &ways, INSTRUCTIONS), 1.90, 2.50, "ways");
    static const launch nested = {"nested", {"app.grid=30"}};
    cr_expect_gt(measure(STACK, &nested, INSTRUCTIONS), 1.2 * measure(BLOCK_STACK, &nested, INSTRUCTIONS));
}

Test(divergence, lanes_that_part_alike_in_all_warps_cannot_be_compacted)
{
    static const launch lanes = {"by_lane", {NULL}}, warps = {"by_warp", {NULL}};
    cr_expect_eq(measure(STACK, &lanes, INSTRUCTIONS), measure(BLOCK_STACK, &lanes, INSTRUCTIONS));
    cr_expect_eq(measure(STACK, &warps, INSTRUCTIONS), measure(BLOCK_STACK, &warps, INSTRUCTIONS));
    cr_expect_geq(measure(BLOCK_STACK, &warps, "cycles"), measure(STACK, &warps, "cycles"));
}

/* The ways of a block's warps run one after the other. */
Test(divergence, warps_that_go_ways_of_their_own_are_slow_with_a_stack_of_the_block)
{
    static const launch l = {"specialised", {"app.rounds=4"}};
    cr_expect_eq(measure(STACK, &l, INSTRUCTIONS), measure(BLOCK_STACK, &l, INSTRUCTIONS));
    cr_expect_gt(measure(BLOCK_STACK, &l, "cycles"), 3 * measure(STACK, &l, "cycles"));
}

Test(divergence, a_loop_that_is_left_from_its_middle_wants_likely_points)
{
    static const launch l = {"broken_loop", {NULL}},
                        likely = {"broken_loop", {"core.reconvergence.stack.likely_points=loops"}},
                        block = {"broken_loop", {"core.reconvergence.block_stack.likely_points=loops"}};
    expect_between(efficiency(STACK, &l), 0.03, 0.08, "stack");
    cr_expect_gt(efficiency(STACK, &likely), 5 * efficiency(STACK, &l));
    cr_expect_gt(efficiency(BLOCK_STACK, &block), efficiency(STACK, &likely));
}

/* The apps whose published kernels leave a loop from a loop within it. likely_points says which parameter of which machine. */
Test(divergence, walks_through_trees_want_likely_points)
{
    static const struct {
        const char *machine, *none, *loops;
    } units[] = {
        {HEDDLE_MACHINES "/quadro_fx5800_tbc.yaml", "core.reconvergence.stack.likely_points=none",
         "core.reconvergence.stack.likely_points=loops"},
        {VARIANT("block_stack"), "core.reconvergence.block_stack.likely_points=none",
         "core.reconvergence.block_stack.likely_points=loops"},
    };
    static const char *const apps[] = {"suffix_tree", "bounding_volumes"};
    for (uint32_t i = 0; i < 2 * sizeof apps / sizeof *apps; i++) {
        double issued[2];
        for (uint32_t likely = 0; likely < 2; likely++) {
            char *folder = folder_new(), *path = path_in(folder, "stats.json");
            finished run = heddle("run", units[i % 2].machine, apps[i / 2], "--set",
                                  likely ? units[i % 2].loops : units[i % 2].none, "--stats", path, "--tlm=auto");
            expect_code(&run, 0);
            json_t *stats = stats_read(path);
            issued[likely] = json_number_value(stats_at(stats, "busy/core/" INSTRUCTIONS));
            json_decref(stats);
            finished_free(&run);
            free(path);
            folder_remove(folder);
        }
        cr_expect_lt(issued[1], 0.85 * issued[0], "%s on %s: %f, not far below %f", apps[i / 2], units[i % 2].machine,
                     issued[1], issued[0]);
    }
}

/* A run, its branch profile, and a run that makes use of it. */
Test(divergence, a_profile_says_where_most_lanes_meet)
{
    char *folder = folder_new(), *branches = path_in(folder, "branches"), set[512];
    static const launch l = {"broken_loop", {"app.grid=2"}};
    finished first = heddle("run", units[STACK].machine, APP, "--set", "app.kernel=broken_loop", "--set", "app.grid=2",
                            "--profile", "--out", folder, "--tlm=auto");
    expect_code(&first, 0);
    finished written = heddle("profile", folder, "--branches", branches);
    expect_code(&written, 0);
    snprintf(set, sizeof set, "core.reconvergence.stack.branch_profile=%s", branches);
    const launch profiled = {"broken_loop", {"app.grid=2", "core.reconvergence.stack.likely_points=profile", set}};
    cr_expect_gt(efficiency(STACK, &profiled), 5 * efficiency(STACK, &l));
    finished stale = heddle("run", units[STACK].machine, "vecadd", "--set",
                            "core.reconvergence.stack.likely_points=profile", "--set", set);
    expect_code(&stale, 2);
    expect_error(&stale, "/branches:2: it is the profile of another program: this one has no '");
    finished_free(&first);
    finished_free(&written);
    finished_free(&stale);
    free(branches);
    folder_remove(folder);
}

Test(divergence, regrouped_lanes_lose_coalescing_where_they_do_not_meet_again)
{
    static const launch l = {"coalesced", {NULL}};
    const double stack = measure(STACK, &l, "wide_accesses");
    cr_expect_gt(measure(DWF, &l, "wide_accesses"), 1.5 * stack);
    expect_between(measure(BLOCK_STACK, &l, "wide_accesses") / stack, 0.9, 1.1, "block_stack");
    expect_between(measure(DWF_WB, &l, "wide_accesses") / stack, 0.9, 1.1, "dwf_wb");
}

/* A thread keeps its lane, and so the bank of its own word; but not that of a word which it has with its neighbour. */
Test(divergence, regrouped_lanes_meet_in_banks)
{
    static const launch l = {"banks", {NULL}};
    cr_expect_eq(measure(STACK, &l, "scratchpad_conflict_cycles"), 0);
    cr_expect_gt(measure(DWF, &l, "scratchpad_conflict_cycles"), 0);
    cr_expect_gt(measure(DWF, &l, "scratchpad_passes"), 1.5 * measure(STACK, &l, "scratchpad_passes"));
    cr_expect_eq(measure(BLOCK_STACK, &l, "scratchpad_conflict_cycles"), 0, "they have met again");
}

/* Waiting for the whole block leaves fewer warps to hide the latency of memory. */
Test(divergence, few_blocks_wait_for_memory_with_a_stack_of_the_block)
{
    static const launch l = {"coalesced", {"core.blocks=1", "app.rounds=8"}};
    cr_expect_gt(measure(BLOCK_STACK, &l, "slots_memory_data") + measure(BLOCK_STACK, &l, "slots_idle"),
                 measure(STACK, &l, "slots_memory_data") + measure(STACK, &l, "slots_idle"));
}

#define SHARED_TEXTURE "core.count=1", "app.block=128", "app.rounds=96", "core.texture_cache.bytes=1 KiB"

/* Blocks that read one texture from beginning to end have it from memory once, if they stay together: as warps do that take turns, and blocks of which
 * one goes on until it waits. Priority to the oldest drives them apart. */
Test(divergence, blocks_that_drift_apart_share_less_of_a_texture)
{
    static const launch l = {"texture", {SHARED_TEXTURE}},
                        turns = {"texture", {SHARED_TEXTURE, "core.scheduler.block.policy=round_robin"}},
                        sticky = {"texture", {SHARED_TEXTURE, "core.scheduler.block.policy=sticky_round_robin"}};
    const double lines = measure(STACK, &l, "packets_sent_texture"),
                 age = measure(BLOCK_STACK, &l, "packets_sent_texture");
    cr_expect_eq(lines, 2 * 96, "each line once");
    cr_expect_eq(measure(BLOCK_STACK, &sticky, "packets_sent_texture"), lines);
    cr_expect_gt(age, 2.67 * lines);
    cr_expect_gt(age, 1.1 * measure(BLOCK_STACK, &turns, "packets_sent_texture"));
    cr_expect_eq(measure(BLOCK_STACK, &l, "bytes_sent_texture"), age * 8, "of requests, which have no body");
    cr_expect_gt(measure(BLOCK_STACK, &l, "texture_evictions"), 0);
}

/* One block more than there is room for at once on each core: it is left alone if the others end together, as they do with priority to the oldest. */
Test(divergence, the_last_block_of_a_core_is_alone_with_priority_to_the_oldest)
{
    static const struct {
        launch age, turns;
    } pairs[] = {
#define TAIL "app.grid=14", "core.count=2", "core.blocks=6"
#define OF(kernel)                                                                                                     \
    {                                                                                                                  \
        {kernel, {TAIL, "core.scheduler.block.policy=age"}},                                                           \
        {                                                                                                              \
            kernel,                                                                                                    \
            {                                                                                                          \
                TAIL, "core.scheduler.block.policy=round_robin"                                                        \
            }                                                                                                          \
        }                                                                                                              \
    }
        OF("nested"), OF("many_ways"), OF("trips"), OF("hammock")};
    for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        cr_expect_eq(measure(BLOCK_STACK, &pairs[i].age, INSTRUCTIONS),
                     measure(BLOCK_STACK, &pairs[i].turns, INSTRUCTIONS));
        cr_expect_gt(measure(BLOCK_STACK, &pairs[i].age, "cycles"), measure(BLOCK_STACK, &pairs[i].turns, "cycles"),
                     "%s", pairs[i].age.kernel);
    }
}

/* Of majority, those who have fallen behind stay there. */
Test(divergence, warps_that_fall_behind_are_awaited_with_barriers_alone)
{
    static const launch few = {"eddy", {"app.rounds=2"}}, many = {"eddy", {"app.rounds=32"}};
    cr_expect_lt(efficiency(DWF, &many) - efficiency(DWF, &few), 0.02);
    expect_between(efficiency(BLOCK_STACK, &many) / efficiency(BLOCK_STACK, &few), 0.95, 1.1, "block_stack");
    cr_expect_gt(efficiency(BLOCK_STACK, &many), 1.2 * efficiency(DWF, &many));
}

/* Behind a guard the lanes of the last warps are missing: what is compacted is no longer in its warps. */
Test(divergence, threads_that_have_left_break_coalescing_unless_warps_stay_where_nothing_is_gained)
{
    static const launch l = {"guarded", {"app.missing=144", "app.grid=1"}},
                        kept = {"guarded",
                                {"app.missing=144", "app.grid=1",
                                 "core.reconvergence.block_stack.static_when_no_gain=true"}};
    cr_expect_leq(measure(BLOCK_STACK, &kept, "wide_accesses"), measure(BLOCK_STACK, &l, "wide_accesses"));
}

Test(divergence, stacks_spill_where_code_is_deep_and_stay_shallow_in_loops)
{
    static const launch deep = {"deep", {NULL}}, loop = {"uniform_loop", {"app.rounds=10000", "app.grid=1"}};
    cr_expect_gt(measure(BLOCK_STACK, &deep, "maximum_stack_depth"), 40);
    cr_expect_gt(measure(BLOCK_STACK, &deep, "block_stack_spills"), 0);
    cr_expect_eq(measure(BLOCK_STACK, &loop, "maximum_stack_depth"), 3,
                 "the loop, its end, and the return behind the guard");
    cr_expect_eq(measure(BLOCK_STACK, &loop, "block_stack_spills"), 0);
}

Test(divergence, more_blocks_hide_the_synchronisation_of_each)
{
    static const launch one = {"nested", {"core.blocks=1", "app.grid=240", "app.block=128"}},
                        four = {"nested", {"core.blocks=4", "app.grid=240", "app.block=128"}};
    const double alone = measure(BLOCK_STACK, &one, "cycles") / measure(STACK, &one, "cycles");
    cr_expect_lt(measure(BLOCK_STACK, &four, "cycles") / measure(STACK, &four, "cycles"), alone);
}

/* Of a table that is shared by eight blocks: once it was too small, and threads of equal pc did not find each other. */
Test(divergence, the_table_of_pcs_has_room_for_all_blocks_of_a_core)
{
    static const struct {
        enum unit unit;
        launch published, all; /* of 32 entries for a core; every pc is known */
    } rows[] = {
        {DWF,
         {"nested",
          {"app.block=64", "core.count=1", "core.reconvergence.dwf.entries=32", "core.reconvergence.dwf.ways=2"}},
         {"nested", {"app.block=64", "core.count=1", "core.reconvergence.dwf.entries=0"}}},
        {DWF_WB,
         {"nested",
          {"app.block=64", "core.count=1", "core.reconvergence.dwf_wb.entries=32", "core.reconvergence.dwf_wb.ways=2"}},
         {"nested", {"app.block=64", "core.count=1", "core.reconvergence.dwf_wb.entries=0"}}},
    };
    static const launch own = {"nested", {"app.block=64", "core.count=1"}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *evictions = rows[i].unit == DWF ? "dwf_lookup_evictions" : "dwf_wb_lookup_evictions";
        cr_expect_eq(measure(rows[i].unit, &own, "maximum_blocks"), 8, "the core is full");
        cr_expect_eq(measure(rows[i].unit, &own, evictions), 0);
        cr_expect_eq(efficiency(rows[i].unit, &own), efficiency(rows[i].unit, &rows[i].all));
        cr_expect_gt(measure(rows[i].unit, &rows[i].published, evictions), 0);
        cr_expect_lt(efficiency(rows[i].unit, &rows[i].published), 0.95 * efficiency(rows[i].unit, &own));
    }
}

/* ---- The warning ------------------------------------------------------------------------------------------------------------- */

Test(divergence, code_that_relies_on_warps_is_warned_of_where_they_are_not_in_step)
{
    static const launch l = {"hammock", {"app.grid=1"}};
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        finished run = run_on((enum unit)unit, &l, NULL);
        if (unit == STACK) {
            cr_expect_null(strstr(run.err, "warp_synchronous"), "%s", run.err);
        } else {
            expect_error(&run, "warning[warp_synchronous]: pc 0x");
            expect_error(&run, " (manager+0x");
            expect_error(&run, " (scan+0x");
            cr_expect_null(strstr(run.err, " (done_flag+0x"), "%s", run.err);
        }
        finished_free(&run);
    }
}
