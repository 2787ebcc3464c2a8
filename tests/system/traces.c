/* SPDX-License-Identifier: MIT */
/* Traces as users get them: files that keep the rules of their tools, and that say what was asked for. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "folder.h"
#include "perfetto_reader.h"
#include "process.h"
#include "stats.h"
#include "traced.h"
#include "vcd_reader.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define TRACED "--tlm=auto", "--quiet", "--set", "app.n=2048", "--set", "app.grid=6"

static uint64_t value_of(const trace_event *event, const char *name)
{
    for (uint32_t i = 0; i < event->value_count; i++)
        if (!strcmp(event->value_names[i], name))
            return event->values[i];
    cr_assert_fail("%s has no value '%s'", event->name, name);
    return 0;
}

/* Of the whole run, at a path in the results. */
static size_t counted(const char *path, const char *name)
{
    json_t *stats = stats_read(path);
    const size_t value = (size_t)json_integer_value(stats_at(stats, name));
    json_decref(stats);
    return value;
}

Test(traces, of_a_kernel_with_barriers_keep_the_rules_of_both_tools)
{
    traced at = traced_new();
    char *stats = path_in(at.folder, "stats.json");
    expect_pass(heddle("run", SMALL, "reduce", TRACED, "--trace", at.perfetto, "--vcd", at.vcd, "--stats", stats));
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_expect_gt(perfetto_count(&trace, "reduce", "kernels[0]"), 0);
    cr_expect_eq(perfetto_count(&trace, "block", "core/core["), counted(stats, "blocks/core/total/blocks_run"));
    cr_expect_eq(perfetto_count(&trace, "warp", "/warp["), counted(stats, "blocks/core/total/warps_run"));
    cr_expect_eq(perfetto_count(&trace, "barrier.release", "/slot["),
                 counted(stats, "blocks/core/total/barriers_released"));
    cr_expect_eq(perfetto_count(&trace, "block.dispatch", "tb_scheduler"),
                 counted(stats, "blocks/tb_scheduler/total/blocks"));
    cr_expect_eq(perfetto_count(&trace, "program", "small/host"), 1);
    cr_expect_eq(perfetto_count(&trace, "row", "dram/dram["), counted(stats, "blocks/dram/total/activates"));
    cr_expect_gt(perfetto_count(&trace, "miss", "/mshr["), 0);
    cr_expect_eq(trace.open_arrows, 0, "%zu arrows never come anywhere", trace.open_arrows);
    cr_expect_eq(trace.arrow_count,
                 perfetto_count(&trace, "barrier.arrive", NULL) + perfetto_count(&trace, "block", NULL));
    vcd_dump dump = vcd_read(at.vcd);
    const vcd_signal *warps = vcd_find(&dump, "core/core[0]/warps");
    cr_assert(warps);
    cr_expect_gt(warps->changes, 0);
    cr_expect_eq(warps->last, 0, "warps are left");
    cr_expect(vcd_find(&dump, "core/core[0]/slot[0]/block")->is_floating);
    vcd_free(&dump);
    perfetto_free(&trace);
    free(stats);
    traced_free(&at);
}

Test(traces, arrows_of_a_barrier_lead_from_every_arrival_to_the_release)
{
    traced at = traced_new();
    expect_pass(heddle("run", SMALL, "reduce", TRACED, "--trace", at.perfetto, "--trace-event", "barrier*"));
    perfetto_trace trace = perfetto_read(at.perfetto);
    size_t ends = 0;
    for (size_t i = 0; i < trace.event_count; i++) {
        const trace_event *event = &trace.events[i];
        if (strncmp(event->name, "barrier.", 8) != 0)
            continue; /* kernels are always there */
        cr_expect_eq(event->arrow_count, !strcmp(event->name, "barrier.arrive"));
        cr_expect(!event->end_count == !strcmp(event->name, "barrier.arrive"));
        ends += event->end_count;
    }
    cr_expect_gt(ends, 0);
    cr_expect_eq(ends, perfetto_count(&trace, "barrier.arrive", NULL));
    perfetto_free(&trace);
    traced_free(&at);
}

/* ---- The same bytes whoever computes them -------------------------------------------------------------------------- */

static void expect_same_files(const char *one, const char *other)
{
    size_t sizes[2];
    char *texts[2] = {file_read(one, &sizes[0]), file_read(other, &sizes[1])};
    cr_assert(texts[0] && texts[1]);
    cr_expect(sizes[0] == sizes[1] && !memcmp(texts[0], texts[1], sizes[0]), "%s and %s differ", one, other);
    free(texts[0]);
    free(texts[1]);
}

Test(traces, are_the_same_bytes_with_threads_and_with_transport_calls)
{
    static const char *const ways[][2] = {{"--threads", "2"}, {"--threads", "3"}, {"--tlm", "always"}};
    traced at = traced_new();
    expect_pass(heddle("run", SMALL, "hashtable", "--quiet", "--tlm", "auto", "--trace", at.perfetto, "--vcd", at.vcd,
                       "--trace-event", "*", "--set", "app.grid=4", "--set", "app.buckets=64"));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        traced other = traced_new();
        expect_pass(heddle("run", SMALL, "hashtable", "--quiet", "--tlm", i == 2 ? "always" : "auto", "--trace",
                           other.perfetto, "--vcd", other.vcd, "--trace-event", "*", "--set", "app.grid=4", "--set",
                           "app.buckets=64", ways[i][0], ways[i][1]));
        expect_same_files(at.perfetto, other.perfetto);
        expect_same_files(at.vcd, other.vcd);
        traced_free(&other);
    }
    traced_free(&at);
}

Test(traces, change_no_result)
{
    traced at = traced_new();
    char *plain = path_in(at.folder, "plain.json"), *with = path_in(at.folder, "with.json");
    expect_pass(heddle("run", SMALL, "reduce", TRACED, "--stats", plain));
    expect_pass(heddle("run", SMALL, "reduce", TRACED, "--stats", with, "--trace", at.perfetto, "--trace-event", "*"));
    json_t *without = stats_read(plain), *traced_run = stats_read(with);
    expect_same_stats(without, traced_run);
    json_decref(without);
    json_decref(traced_run);
    free(plain);
    free(with);
    traced_free(&at);
}

/* ---- What is looked at --------------------------------------------------------------------------------------------- */

Test(traces, show_only_the_units_that_are_named)
{
    traced at = traced_new();
    expect_pass(heddle("run", SMALL, "reduce", TRACED, "--trace", at.perfetto, "--trace-unit", "core[1]/warp[0]",
                       "--trace-unit", "dram"));
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_expect_gt(perfetto_count(&trace, NULL, "core[1]/warp[0]"), 0);
    cr_expect_gt(perfetto_count(&trace, NULL, "dram[0]/"), 0);
    cr_expect_gt(perfetto_count(&trace, NULL, "dram[1]/"), 0);
    for (size_t i = 0; i < trace.event_count; i++) {
        const char *path = perfetto_track(&trace, trace.events[i].track)->path;
        cr_expect(strstr(path, "core[1]/warp[0]") || strstr(path, "small/dram/"), "%s was not asked for", path);
    }
    perfetto_free(&trace);
    traced_free(&at);
}

Test(traces, show_detail_to_who_asks_for_it)
{
    traced at = traced_new();
    char *stats = path_in(at.folder, "stats.json");
    expect_pass(heddle("run", SMALL, "reduce", TRACED, "--trace", at.perfetto, "--trace-event", "issue",
                       "--trace-event", "path.*", "--stats", stats));
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_expect_eq(perfetto_count(&trace, "issue", NULL), counted(stats, "blocks/core/total/warp_instructions"));
    cr_expect_gt(perfetto_count(&trace, "path.wait_data", "/path["), 0);
    cr_expect_eq(perfetto_count(&trace, "block", NULL), 0);
    perfetto_free(&trace);
    free(stats);
    traced_free(&at);
}

Test(traces, of_a_stretch_of_time_begin_and_end_what_is_under_way)
{
    traced at = traced_new();
    expect_pass(heddle("run", SMALL, "reduce", TRACED, "--trace", at.perfetto, "--vcd", at.vcd, "--trace-from", "3 us",
                       "--trace-to", "3500 ns"));
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_assert_gt(trace.event_count, 0);
    cr_expect_eq(trace.events[0].t, 3000);
    cr_expect_eq(trace.events[trace.event_count - 1].t, 3500);
    cr_expect_eq(perfetto_count(&trace, "program", NULL), 1, "the program is under way all the time");
    vcd_dump dump = vcd_read(at.vcd);
    cr_expect_not_null(vcd_find(&dump, "host/program"));
    vcd_free(&dump);
    perfetto_free(&trace);
    traced_free(&at);
}

Test(traces, of_a_kernel_are_as_long_as_it_runs)
{
    static const char *const kernels[] = {"reduce", "r?d*", "0"};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        traced at = traced_new();
        expect_pass(heddle("run", SMALL, "reduce", TRACED, "--trace", at.perfetto, "--trace-kernel", kernels[k]));
        perfetto_trace trace = perfetto_read(at.perfetto);
        cr_assert_gt(trace.event_count, 2);
        uint64_t begin = UINT64_MAX, end = 0;
        for (size_t i = 0; i < trace.event_count; i++) {
            const trace_event *event = &trace.events[i];
            if (strcmp(event->name, "reduce") != 0)
                continue;
            begin = event->type == SLICE_BEGIN && event->t < begin ? event->t : begin;
            end = event->type == SLICE_END ? event->t : end;
            cr_expect(event->type == SLICE_END || value_of(event, "launch") == 0);
        }
        cr_expect_eq(trace.events[0].t, begin);
        cr_expect_eq(trace.events[trace.event_count - 1].t, end);
        cr_expect_gt(perfetto_count(&trace, "block", NULL), 0);
        perfetto_free(&trace);
        traced_free(&at);
    }
}

Test(traces, show_picoseconds_to_who_asks_for_them)
{
    traced at = traced_new();
    expect_pass(
        heddle("run", SMALL, "reduce", TRACED, "--trace", at.perfetto, "--trace-picoseconds", "--trace-to", "3500 ns"));
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_expect_eq(trace.events[trace.event_count - 1].t, 3500000);
    perfetto_free(&trace);
    traced_free(&at);
}

Test(traces, end_where_the_file_is_full)
{
    traced at = traced_new();
    struct stat there;
    finished run = heddle("run", SMALL, "reduce", "--tlm", "auto", "--trace", at.perfetto, "--trace-limit", "20 KiB");
    expect_code(&run, 0);
    expect_error(&run, "note: the trace ends at ");
    finished_free(&run);
    cr_assert_eq(stat(at.perfetto, &there), 0);
    cr_expect_lt(there.st_size, 30 << 10);
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_expect_gt(trace.event_count, 0);
    perfetto_free(&trace);
    traced_free(&at);
}

/* Refreshes of a memory are recorded where it has nothing to do. */
Test(traces, that_are_full_leave_the_run_alone)
{
    for (const char **limit = (const char *[]){"2 KiB", "20 KiB", "100 KiB", NULL}; *limit; limit++) {
        traced at = traced_new();
        finished run = heddle("run", SMALL, "vecadd", "--set", "app.n=3000", "--trace", at.perfetto, "--trace-event",
                              "*", "--trace-limit", *limit);
        expect_code(&run, 0);
        expect_error(&run, "note: the trace ends at ");
        finished_free(&run);
        traced_free(&at);
    }
}

Test(traces, are_there_when_the_program_fails)
{
    traced at = traced_new();
    finished run = heddle("run", SMALL, SYSTEM_APPS "/faults", "--quiet", "--trace", at.perfetto);
    cr_expect_neq(run.code, 0);
    finished_free(&run);
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_expect_gt(perfetto_count(&trace, NULL, "core["), 0);
    perfetto_free(&trace);
    traced_free(&at);
}

/* ---- What goes wrong ----------------------------------------------------------------------------------------------- */

Test(traces, that_find_no_room_cost_no_result)
{
    traced at = traced_new();
    char *stats = path_in(at.folder, "stats.json");
    finished run = heddle("run", SMALL, "reduce", TRACED, "--stats", stats, "--trace", "/dev/full");
    expect_code(&run, 2);
    cr_expect_str_eq(run.err, "error: the trace cannot be written to /dev/full: No space left on device\n");
    finished_free(&run);
    cr_expect_gt(counted(stats, "blocks/core/total/blocks_run"), 0);
    finished other = heddle("run", SMALL, "reduce", TRACED, "--vcd", "/dev/full");
    expect_code(&other, 2);
    cr_expect_str_eq(other.err, "error: the trace cannot be written to /dev/full: No space left on device\n");
    finished_free(&other);
    free(stats);
    traced_free(&at);
}

static void expect_refusal(const char *text, const char *const *words)
{
    const char *all[24] = {"run", SMALL, "vecadd", "--set", "app.n=64"};
    size_t count = 5;
    traced at = traced_new();
    for (; *words; words++)
        all[count++] = !strcmp(*words, "PERFETTO") ? at.perfetto : !strcmp(*words, "VCD") ? at.vcd : *words;
    all[count] = NULL;
    finished run = heddle_run(all);
    expect_code(&run, 2);
    expect_error(&run, text);
    cr_expect_str_empty(run.out);
    char *left = folder_list(at.folder);
    cr_expect_str_empty(left, "left behind: %s", left);
    free(left);
    finished_free(&run);
    traced_free(&at);
}
#define refused(text, ...) expect_refusal(text, (const char *const[]){__VA_ARGS__, NULL})

Test(traces, that_make_no_sense_are_refused)
{
    refused("the trace cannot be written to /no/such/folder/x", "--trace", "/no/such/folder/x");
    refused("--trace-unit corr: the machine has no unit or track of this name", "--trace", "PERFETTO", "--trace-unit",
            "corr");
    refused("--trace-event power.total: the machine has no trace event of this name", "--trace", "PERFETTO",
            "--trace-event", "power.total");
    refused("--trace-event blok: the machine has no trace event of this name", "--vcd", "VCD", "--trace-event", "blok");
    refused("--trace-from 7: it must be", "--trace", "PERFETTO", "--trace-from", "7");
    refused("--trace-limit 7 cycles: it must be", "--trace", "PERFETTO", "--trace-limit", "7 cycles");
    refused("is not after --trace-from", "--trace", "PERFETTO", "--trace-from", "7 us", "--trace-to", "7 us");
    refused("neither --trace nor --vcd", "--trace-event", "block");
    refused("both write to", "--trace", "PERFETTO", "--vcd", "PERFETTO");
}

Test(traces, show_power_over_time_beside_a_series)
{
    traced at = traced_new();
    char *stats = path_in(at.folder, "stats.json");
    expect_pass(heddle("run", HEDDLE_MACHINES "/gtx480.yaml", "vecadd", "--set", "app.n=8192", "--set", "energy=gtx480",
                       "--trace", at.perfetto, "--vcd", at.vcd, "--trace-unit", "energy", "--series", "1 us", "--stats",
                       stats));
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_expect_gt(perfetto_count(&trace, "power.total", "energy"), 3);
    cr_expect_gt(perfetto_count(&trace, "power.dram", NULL), 3);
    for (size_t i = 0; i < trace.event_count; i++)
        if (!strcmp(trace.events[i].name, "power.leakage"))
            cr_expect_eq(trace.events[i].level, 59000, "at %lu", (unsigned long)trace.events[i].t);
    perfetto_free(&trace);
    free(stats);
    traced_free(&at);
}

Test(traces, of_a_kernel_that_never_runs_say_so)
{
    traced at = traced_new();
    finished run =
        heddle("run", SMALL, "vecadd", "--set", "app.n=64", "--trace", at.perfetto, "--trace-kernel", "other");
    expect_code(&run, 0);
    expect_error(&run, "note: the trace is empty");
    finished_free(&run);
    perfetto_trace trace = perfetto_read(at.perfetto);
    cr_expect_eq(trace.event_count, 0);
    perfetto_free(&trace);
    traced_free(&at);
}
