/* SPDX-License-Identifier: MIT */
/* Generated traffic in the place of the cores of whole machines, and beside them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "measures.h"
#include "process.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define BACKGROUND SYSTEM_MACHINES "/background.yaml"

static uint64_t sum(const machine_run *run, const char *statistic)
{
    uint64_t value = 0;
    cr_assert(measures_sum(run->measures, "simt_core", statistic, &value), "%s", statistic);
    return value;
}

static machine_run run_traffic(const char *pattern, const char *region, uint32_t checked, uint64_t seed)
{
    const char *const sets[] = {"core.type=traffic",
                                pattern,
                                region,
                                "core.writes=30",
                                "core.atomics=10",
                                "core.bytes=32 B",
                                "core.rate=40",
                                "core.duration=4000 cycles",
                                NULL};
    machine_run run = run_machine(
        &(run_request){.netlist = GTX480, .sets = sets, .seed = seed, .tlm = {.always = checked, .checked = checked}});
    cr_assert(run.outcome == HD_OUTCOME_PASS && !run.was_refused, "%s %s: %s", pattern, region, run.message);
    return run;
}

/* With the same results over rings and over transport calls that are checked. */
Test(traffic, every_pattern_is_answered_with_the_right_data)
{
    static const char *const patterns[] = {"core.pattern=uniform", "core.pattern=random", "core.pattern=hot_spot",
                                           "core.pattern=stride", "core.pattern=transpose"};
    static const char *const regions[] = {"core.region=own", "core.region=shared"};
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        for (size_t r = 0; r < 2; r++) {
            machine_run rings = run_traffic(patterns[p], regions[r], 0, 1);
            machine_run calls = run_traffic(patterns[p], regions[r], 1, 1);
            expect_same_stats(rings.results, calls.results);
            cr_expect_eq(sum(&rings, "offered"),
                         sum(&rings, "load_requests") + sum(&rings, "store_requests") + sum(&rings, "atomic_requests"));
            cr_expect_gt(sum(&rings, "bytes_compared"), 10000);
            run_free(&rings);
            run_free(&calls);
        }
    }
}

Test(traffic, another_seed_is_another_run)
{
    machine_run a = run_traffic("core.pattern=random", "core.region=own", 0, 1);
    machine_run b = run_traffic("core.pattern=random", "core.region=own", 0, 2);
    cr_expect_neq(sum(&a, "latency_cycles"), sum(&b, "latency_cycles"));
    run_free(&a);
    run_free(&b);
}

Test(traffic, programs_run_beside_it)
{
    char *app = path_in(HEDDLE_APPS, "hashtable");
    const char *const sets[] = {"app.grid=4", "app.inserts=2", NULL};
    machine_run run = run_machine(&(run_request){.netlist = BACKGROUND, .app = app, .sets = sets});
    cr_expect_eq(run.outcome, HD_OUTCOME_PASS, "%s", run.message);
    cr_expect_gt(sum(&(machine_run){.measures = run.measures}, "cycles"), 0);
    cr_expect_gt(json_integer_value(stats_at(run.results, "blocks/traffic/total/answered")), 100);
    cr_expect_gt(json_integer_value(stats_at(run.results, "blocks/core/total/blocks_run")), 0);
    run_free(&run);
    free(app);
}

Test(traffic, what_somebody_else_writes_is_found)
{
    finished run = heddle("run", BACKGROUND, "hashtable", "--set", "traffic.base=0x10000000", "--set",
                          "traffic.footprint=1MiB", "--set", "traffic.pattern=random");
    expect_code(&run, 1);
    expect_error(&run, "error: traffic read 0x");
    expect_error(&run, "the machine lost or mixed up data, or others write there");
    finished_free(&run);
}

Test(traffic, a_machine_of_traffic_only_says_what_it_did)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", GTX480, "--set", "core.type=traffic", "--stats", path);
    expect_code(&run, 0);
    expect_output(&run, "PASS  gtx480\n");
    expect_output(&run, "traffic     core: 0.0");
    expect_output(&run, "latency     ");
    json_t *stats = stats_read(path);
    cr_expect(json_is_null(stats_at(stats, "app/name")));
    cr_expect_str_eq(json_string_value(stats_at(stats, "status")), "pass");
    cr_expect_gt(json_integer_value(stats_at(stats, "simulated_ps")), 14000000); /* 20000 cycles */
    cr_expect_lt(json_integer_value(stats_at(stats, "simulated_ps")), 17000000);
    json_decref(stats);
    finished_free(&run);
    free(path);
    folder_remove(folder);
}

Test(traffic, a_trace_that_cannot_be_read_is_an_error_with_its_line)
{
    static const char lines[] = "0 0 load 0x10000000 4\n0 0 load 0x100 4\n";
    char *folder = folder_new(), *path = path_in(folder, "wrong.trace"), *set = text_of("core.trace=%s", path);
    file_write(path, lines, sizeof lines - 1);
    finished run = heddle("run", GTX480, "--set", "core.type=traffic", "--set", "core.pattern=trace", "--set", set);
    expect_code(&run, 2);
    expect_error(&run, "wrong.trace:2: address 0x100 is outside of global memory");
    finished_free(&run);
    free(set);
    free(path);
    folder_remove(folder);
}
