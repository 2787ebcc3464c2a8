/* SPDX-License-Identifier: MIT */
/* No run hangs silently: who waits where for what is said, and the exit code is 1. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define MIMD SYSTEM_MACHINES "/mimd.yaml"

/* The line that says this names function and source line: of the kernel, or of what simt.h inlines there. */
static void expect_point(const finished *run, const char *what)
{
    char line[256] = "";
    expect_error(run, what);
    const char *at = strstr(run->err, what);
    if (at)
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    cr_expect(strstr(line, " (spinlock+0x") && (strstr(line, ", kernel.c:") || strstr(line, ", simt.h:")), "%s", line);
}

Test(hangs, the_naive_spin_lock_is_a_simt_deadlock_on_the_stack)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", SMALL, "spinlock", "--set", "watchdog=100 us", "--set", "app.grid=1", "--out", folder);
    expect_code(&run, 1);
    expect_output(&run, "FAIL");
    expect_error(&run, "error: SIMT deadlock: no progress since");
    expect_error(&run, "block (0,0,0), warp 0: SIMT deadlock");
    expect_point(&run, "wait at reconvergence point 0x");
    expect_point(&run, "lanes 1-31: at pc 0x");
    json_t *stats = stats_read(path);
    cr_expect_str_eq(json_string_value(stats_at(stats, "status")), "simt_deadlock");
    cr_expect(json_is_true(stats_at(stats, "partial")));
    json_decref(stats);
    free(path);
    finished_free(&run);
    folder_remove(folder);
}

/* What would have to run is said, and that nothing else ever will. */
Test(hangs, a_warp_that_repeats_its_state_is_told_from_one_that_looks_at_the_time)
{
    static const char *const kernels[] = {"app.kernel=D02", "app.kernel=D10"};
    for (uint32_t i = 0; i < 2; i++) {
        finished run = heddle("run", HEDDLE_MACHINES "/tesla_c2050.yaml", SYSTEM_APPS "/deadlock", "--set", kernels[i],
                              "--set", "watchdog=100 us");
        expect_code(&run, 1);
        expect_error(&run, i ? "error: livelock: no progress since" : "error: SIMT deadlock: no progress since");
        expect_error(
            &run, i ? "warp 0: its running lanes spin, and others of it wait for them\n"
                    : "warp 0: SIMT deadlock, its running lanes spin and the others cannot go on; its state repeats\n");
        expect_error(&run, "the loop ends when what pc 0x");
        finished_free(&run);
    }
}

/* It repeats its state until another warp has written the word, which does not. */
Test(hangs, a_warp_that_waits_for_a_slow_one_is_in_no_deadlock)
{
    static const char *const machines[] = {HEDDLE_MACHINES "/tesla_c2050.yaml",
                                           HEDDLE_MACHINES "/../variants/tesla_c2050_aware.yaml"};
    for (uint32_t i = 0; i < 4; i++) {
        finished run =
            heddle("run", machines[i / 2], SYSTEM_APPS "/busy", "--set", "app.kernel=looks_while_others_poll", "--set",
                   "app.block=64", "--set", "app.times=1000", "--set", i % 2 ? "watchdog=2 ms" : "watchdog=20 us");
        expect_code(&run, i % 2 ? 0 : 1);
        if (i % 2 == 0) {
            expect_error(&run, "error: livelock: no progress since");
            expect_error(&run, "warp 1: its running lanes spin, and others of it wait for them; its state repeats\n");
            expect_error(&run, "not seen to repeat: 1 warp\n");
            cr_expect_null(strstr(run.err, "SIMT deadlock"), "%s", run.err);
        }
        finished_free(&run);
    }
}

/* A long loop that reads the same words over and over, and parts its lanes: nobody can tell it from one that waits, and so it is no SIMT deadlock. */
Test(hangs, a_block_that_computes_from_few_words_is_in_no_deadlock)
{
    for (uint32_t ends = 0; ends < 2; ends++) {
        finished run = heddle("run", HEDDLE_MACHINES "/../variants/quadro_fx5800_block_stack.yaml", SYSTEM_APPS "/busy",
                              "--set", "app.kernel=reads_apart", "--set", "app.block=64", "--set", "app.words=2",
                              "--set", "app.times=4000", "--set", ends ? "watchdog=20 ms" : "watchdog=100 us");
        expect_code(&run, !ends);
        if (!ends) {
            expect_error(&run, "error: livelock: no progress since");
            cr_expect_null(strstr(run.err, "SIMT deadlock"), "%s", run.err);
        }
        finished_free(&run);
    }
}

/* Lanes whose transaction has aborted wait for their siblings: that is no SIMT deadlock. */
Test(hangs, tables_that_are_too_small_are_named_as_the_cause)
{
    finished run =
        heddle("run", HEDDLE_MACHINES "/../variants/gtx480_getm.yaml", "hashtable", "--set", "app.sync=tm", "--set",
               "app.buckets=8000", "--set", "watchdog=200 us", "--set", "validation_unit.precise.entries=48", "--set",
               "validation_unit.overflow_lists=1", "--set", "validation_unit.overflow_line=1");
    expect_code(&run, 1);
    expect_error(&run, "error: livelock: no progress since");
    expect_error(&run, "probable cause: its tables are too small for what transactions have reserved (");
    expect_error(&run, "raise precise.entries, or lower tx.concurrency");
    expect_error(&run, "looks for the granule at 0x");
    cr_expect_null(strstr(run.err, "SIMT deadlock"), "%s", run.err);
    finished_free(&run);
}

Test(hangs, transactions_that_abort_each_other_for_ever_are_a_livelock)
{
    finished run = heddle("run", HEDDLE_MACHINES "/../variants/gtx480_getm.yaml", "hashtable", "--set", "app.sync=tm",
                          "--set", "app.buckets=64", "--set", "app.grid=15", "--set", "watchdog=60 us", "--set",
                          "core.tx.back_off.base=0 cycles", "--set", "core.tx.store_blocking=true");
    expect_code(&run, 1);
    expect_error(&run, "error: livelock: no progress since");
    expect_error(&run, ":   its transaction has been retried ");
    finished_free(&run);
}

/* Words of which cores hear too late stay; who waits for one names it, and goes on after some time if it may. */
Test(hangs, warps_that_wait_for_words_that_stay_are_a_livelock)
{
    for (uint32_t ends = 0; ends < 2; ends++) {
        finished run = heddle("run", HEDDLE_MACHINES "/../variants/gtx480_eapg.yaml", "hashtable", "--set",
                              "app.sync=tm", "--set", "app.buckets=64", "--set", "app.grid=2", "--set",
                              "core.tx.eapg.pause=wait", "--set", "core.tx.eapg.test.order=lose", "--set",
                              ends ? "core.tx.eapg.pause.time_out=200 cycles" : "core.tx.eapg.pause.time_out=0 cycles");
        expect_code(&run, !ends);
        if (!ends) {
            expect_error(&run, "error: livelock: no progress since");
            expect_error(&run, "waits for words that are being committed");
        }
        finished_free(&run);
    }
}

Test(hangs, the_naive_spin_lock_ends_where_every_lane_is_on_its_own)
{
    finished run = heddle("run", MIMD, "spinlock", "--set", "watchdog=100 us");
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
}

Test(hangs, a_loop_that_never_ends_is_a_livelock)
{
    finished run =
        heddle("run", MIMD, SYSTEM_APPS "/faults", "--set", "watchdog=50 us", "--set", "app.kernel=endless_loop");
    expect_code(&run, 1);
    expect_error(&run, "error: livelock: no progress since");
    expect_error(&run, "(endless_loop+0x");
    expect_error(&run, "waits at a barrier");
    finished_free(&run);
}

/* How many lines stand below the error, which is the last that is said. */
static uint32_t lines_below_error(const finished *run)
{
    uint32_t count = 0;
    const char *at = strstr(run->err, "error: ");
    while (at && (at = strstr(at, "\n  ")) != NULL) {
        at++;
        count++;
    }
    return count;
}

Test(hangs, what_waits_is_listed_up_to_24_lines)
{
    finished few = heddle("run", SMALL, SYSTEM_APPS "/faults", "--set", "watchdog=50 us", "--set",
                          "app.kernel=endless_loop", "--set", "app.block=64");
    finished many = heddle("run", SMALL, SYSTEM_APPS "/faults", "--set", "watchdog=50 us", "--set",
                           "app.kernel=endless_loop", "--set", "app.block=128", "--set", "app.grid=8");
    expect_code(&few, 1);
    cr_expect_lt(lines_below_error(&few), 24, "%s", few.err);
    cr_expect_null(strstr(few.err, " more lines"), "%s", few.err);
    expect_code(&many, 1);
    cr_expect_eq(lines_below_error(&many), 24 + 1, "%s", many.err);
    expect_error(&many, "\n  and ");
    expect_error(&many, " more lines\n");
    finished_free(&few);
    finished_free(&many);
}

Test(hangs, warps_that_wait_at_different_barriers_are_a_deadlock)
{
    finished run = heddle("run", SMALL, SYSTEM_APPS "/faults", "--set", "app.kernel=crossed_barriers", "--set",
                          "app.block=64", "--set", "app.first=0", "--set", "app.last=31");
    expect_code(&run, 1);
    expect_output(&run, "FAIL");
    expect_error(&run, "error: deadlock: nothing moves any more");
    expect_error(&run, "warp 0");
    expect_error(&run, "warp 1");
    expect_error(&run, "waits at a barrier");
    finished_free(&run);
}

Test(hangs, a_run_ends_at_the_limit_of_simulated_time)
{
    finished run = heddle("run", SMALL, "xorshift", "--set", "limit=30 us");
    expect_code(&run, 1);
    expect_error(&run, "error: the limit of simulated time, 30000 ns, is reached");
    finished_free(&run);
}

/* Nothing counts before the end is near; what was asked for anyway is not counted twice. */
static void expect_hot_places(const finished *run, const char *head)
{
    expect_error(run, head);
    expect_error(run, "  of all warp instructions");
    expect_error(run, "%  at pc 0x");
    expect_error(run, " (stores_for_ever+0x");
    expect_error(run, ", kernel.c:");
    expect_error(run, "\n  core[0]: block (0,0,0), warp 0\n");
}

Test(hangs, at_the_limit_the_places_with_most_instructions_are_shown)
{
    finished run =
        heddle("run", SMALL, SYSTEM_APPS "/busy", "--set", "app.kernel=stores_for_ever", "--set", "limit=200 us");
    expect_code(&run, 1);
    expect_hot_places(&run, "error: the limit of simulated time, 200000 ns, is reached (limit: 200 us)\n"
                            "  of all warp instructions since 176000 ns were issued\n");
    expect_output(&run, "; the limit is 200 us\n");
    finished_free(&run);
}

Test(hangs, a_profile_says_where_the_whole_time_went)
{
    char *folder = folder_new();
    finished run = heddle("run", SMALL, SYSTEM_APPS "/busy", "--set", "app.kernel=stores_for_ever", "--set",
                          "limit=200 us", "--profile", "--out", folder);
    expect_code(&run, 1);
    expect_hot_places(&run, "  of all warp instructions were issued\n");
    finished_free(&run);
    folder_remove(folder);
}

Test(hangs, every_type_of_core_tells_its_places)
{
    finished run = heddle("run", SYSTEM_MACHINES "/functional.yaml", SYSTEM_APPS "/busy", "--set",
                          "app.kernel=stores_for_ever", "--set", "limit=200 us");
    expect_code(&run, 1);
    expect_hot_places(&run, "is reached (limit: 200 us)\n");
    finished_free(&run);
}

Test(hangs, loops_through_barriers_and_arithmetic_have_a_limit)
{
    static const char *const kernels[] = {"app.kernel=meets_for_ever", "app.kernel=computes_for_ever"};
    for (size_t i = 0; i < 2; i++) {
        finished run = heddle("run", SMALL, SYSTEM_APPS "/busy", "--set", kernels[i], "--set", "app.times=1", "--set",
                              "app.block=64", "--set", "watchdog=20 us", "--set", "limit=200 us");
        expect_code(&run, 1);
        expect_error(&run, "error: the limit of simulated time, 200000 ns, is reached");
        expect_error(&run, strchr(kernels[i], '=') + 1);
        finished_free(&run);
    }
}
