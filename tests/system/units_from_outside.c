/* SPDX-License-Identifier: MIT */
/* Units that a plug-in brings: chosen, described, counted, and refused as those of the program are. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "measures.h"
#include "process.h"
#include "stats.h"

#define MACHINE SYSTEM_MACHINES "/small.yaml"
#define SMALL_RUN "run", MACHINE, "hashtable", "--set", "app.grid=4", "--set", "app.inserts=2"

Test(units_from_outside, are_chosen_and_have_parameters)
{
    static const char *const settings[] = {"core.scheduler.youngest.patience=1", "core.scheduler.youngest.patience=64",
                                           "core.scheduler.youngest.patience=1000000"};
    char *times[3];
    for (size_t i = 0; i < 3; i++) {
        finished run =
            heddle(SMALL_RUN, "--plugin", TOY_UNITS, "--set", "core.scheduler=youngest", "--set", settings[i]);
        expect_code(&run, 0);
        expect_output(&run, "PASS");
        const char *at = strstr(run.out, "simulated");
        cr_assert_not_null(at);
        times[i] = strndup(at, strcspn(at, "\n"));
        finished_free(&run);
    }
    cr_expect_str_neq(times[0], times[1]);
    cr_expect_str_neq(times[1], times[2]);
    for (size_t i = 0; i < 3; i++)
        free(times[i]);
}

Test(units_from_outside, are_described)
{
    finished run = heddle("list", "simt_core/timed", "--plugin", TOY_UNITS);
    expect_code(&run, 0);
    expect_output(&run, "lrr|gto|glrr|dwf|block|cawa|youngest");
    expect_output(&run, "scheduler.youngest.patience");
    expect_output(&run, "youngest_yields");
    finished_free(&run);
    finished units = heddle("list", "units", "scheduler", "--plugin", TOY_UNITS);
    expect_code(&units, 0);
    expect_output(&units, "the youngest first, until it has to yield");
    expect_output(&units, "is only for warps with a stack");
    finished_free(&units);
}

Test(units_from_outside, require_what_they_say)
{
    finished run = heddle(SMALL_RUN, "--plugin", TOY_UNITS, "--set", "core.scheduler=youngest", "--set",
                          "core.reconvergence=mimd");
    expect_code(&run, 2);
    expect_error(&run, "scheduler 'youngest' is only for warps with a stack");
    expect_error(&run, "'reconvergence' of block 'core' is mimd here");
    finished_free(&run);
}

/* Of blocks of the kind, in a run with the plug-in's replacement policy there. */
static uint64_t lines_of_the_oldest(const char *kind, const char *choice, const char *every)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle(SMALL_RUN, "--plugin", TOY_UNITS, "--set", "core.l1.bytes=768 B", "--set", "l2.bytes=1 KiB",
                          "--set", choice, "--set", every, "--stats", path);
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
    json_t *stats = stats_read(path), *measures = measures_of_results(stats);
    uint64_t sum = 0;
    cr_expect(measures_sum(measures, kind, "latest_gave_up_oldest", &sum), "%s has no such statistic", kind);
    json_decref(measures);
    json_decref(stats);
    free(path);
    folder_remove(folder);
    return sum;
}

/* One kind of unit in two kinds of blocks: each has its own parameters and counters. */
Test(units_from_outside, serve_every_block_that_has_a_slot_for_them)
{
    static const struct {
        const char *kind, *other, *choice, *often, *seldom;
    } slots[] = {
        {"simt_core", "l2_slice", "core.l1.replacement=latest", "core.l1.replacement.latest.oldest_every=2",
         "core.l1.replacement.latest.oldest_every=1000000"},
        {"l2_slice", "simt_core", "l2.replacement=latest", "l2.replacement.latest.oldest_every=2",
         "l2.replacement.latest.oldest_every=1000000"},
    };
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        cr_expect_gt(lines_of_the_oldest(slots[i].kind, slots[i].choice, slots[i].often), 0);
        cr_expect_eq(lines_of_the_oldest(slots[i].kind, slots[i].choice, slots[i].seldom), 0);
        cr_expect_eq(lines_of_the_oldest(slots[i].other, slots[i].choice, slots[i].often), 0);
    }
}

Test(units_from_outside, require_parameters_beside_their_slot)
{
    static const char *const settings[][3] = {
        {"core.l1.replacement=latest", "core.l1.ways=1", "l1.replacement 'latest' needs 2 ways at least"},
        {"l2.replacement=latest", "l2.ways=1", "replacement 'latest' needs 2 ways at least"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        finished run = heddle(SMALL_RUN, "--plugin", TOY_UNITS, "--set", settings[i][0], "--set", settings[i][1]);
        expect_code(&run, 2);
        expect_error(&run, settings[i][2]);
        finished_free(&run);
    }
    finished other =
        heddle(SMALL_RUN, "--plugin", TOY_UNITS, "--set", "l2.replacement=latest", "--set", "core.l1.ways=1");
    expect_code(&other, 0);
    finished_free(&other);
}

Test(units_from_outside, are_not_there_without_the_plugin)
{
    finished run = heddle(SMALL_RUN, "--set", "core.scheduler=youngest");
    expect_code(&run, 2);
    expect_error(&run, "'scheduler' of block 'core' cannot be 'youngest'");
    finished_free(&run);
}

/* ---- A thread-block policy that preempts --------------------------------------------------------------------------------- */

#define SHY                                                                                                            \
    "run", MACHINE, "stream", "--plugin", TOY_POLICY, "--set", "tb_scheduler.policy=memory_shy", "--set",              \
        "app.n=8192", "--set", "app.block=64", "--set", "core.memory.queue=1"
#define SHY_CORES "--set", "core.context.engine=stream", "--set", "core.context.levels=blocks"
#define SHY_LIMIT(limit)                                                                                               \
    "--set", "tb_scheduler.policy.memory_shy.limit=" limit, "--set", "tb_scheduler.policy.memory_shy.period=200 cycles"

static uint64_t evictions(finished run, const char *path)
{
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
    json_t *stats = stats_read(path), *measures = measures_of_results(stats);
    uint64_t evicted = 0, preempted = 0;
    cr_expect(measures_sum(measures, "tb_scheduler", "memory_shy_evictions", &evicted));
    cr_expect(measures_sum(measures, "tb_scheduler", "preemptions", &preempted));
    cr_expect_eq(evicted, preempted);
    json_decref(measures);
    json_decref(stats);
    return evicted;
}

Test(units_from_outside, move_thread_blocks)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    const uint64_t often = evictions(heddle(SHY, SHY_CORES, SHY_LIMIT("1"), "--stats", path), path);
    cr_expect_gt(often, 0);
    cr_expect_eq(evictions(heddle(SHY, SHY_CORES, SHY_LIMIT("1000000"), "--stats", path), path), 0);
    free(path);
    folder_remove(folder);
}

Test(units_from_outside, of_thread_blocks_require_what_they_say)
{
    finished slots = heddle(SHY, SHY_CORES, "--set", "tb_scheduler.context_slots=1");
    expect_code(&slots, 2);
    expect_error(&slots, "policy 'memory_shy' needs 2 context slots at least");
    finished_free(&slots);
    finished levels = heddle(SHY, "--set", "core.context.engine=stream");
    expect_code(&levels, 2);
    expect_error(&levels, "sends 'block.watch/2', which 'core' takes only with blocks");
    finished_free(&levels);
    finished none = heddle("run", MACHINE, "stream", "--set", "tb_scheduler.policy=memory_shy");
    expect_code(&none, 2);
    expect_error(&none, "'policy' of block 'tb_scheduler' cannot be 'memory_shy'");
    finished_free(&none);
    finished slice = heddle("run", MACHINE, "stream", "--set", "tb_scheduler.policy.time_slice.slice=0 cycles");
    expect_code(&slice, 2);
    expect_error(&slice, "policy.time_slice.slice");
    finished_free(&slice);
}
