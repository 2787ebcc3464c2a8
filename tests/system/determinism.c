/* SPDX-License-Identifier: MIT */
/* A run is a pure function of netlist, app, options and seed. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"

static json_t *stats_of(const char *machine, const char *app, const char *set, const char *tlm, const char *seed)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", machine, app, "--set", set, tlm, "--seed", seed, "--stats", path);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return stats;
}

static void expect_same(const char *machine, const char *app, const char *set, const char *tlm)
{
    json_t *a = stats_of(machine, app, set, "--tlm=auto", "1"), *b = stats_of(machine, app, set, tlm, "1");
    expect_same_stats(a, b);
    json_decref(a);
    json_decref(b);
}

Test(determinism, two_runs_give_the_same_results)
{
    expect_same(GTX480, "hashtable", "app.grid=20", "--tlm=auto");
    expect_same(GTX480, "bfs", "app.scale=8", "--tlm=auto");
    expect_same(SMALL, "atm", "app.transfers=500", "--tlm=auto");
}

Test(determinism, transport_calls_give_the_results_of_rings)
{
    expect_same(GTX480, "stream", "app.n=20000", "--tlm=always");
    expect_same(GTX480, "hashtable", "app.grid=10", "--tlm=always");
    expect_same(SYSTEM_MACHINES "/functional.yaml", "atm", "app.transfers=2000", "--tlm=always");
}

/* Where nearly every packet waits for a credit or a place, a wake-up that is lost or late shows. */
Test(determinism, transport_calls_give_the_results_of_rings_on_a_tight_machine)
{
    expect_same(SYSTEM_MACHINES "/tight.yaml", "hashtable", "app.grid=2", "--tlm=always");
    expect_same(SYSTEM_MACHINES "/tight.yaml", "bfs", "app.scale=6", "--tlm=checked");
}

/* Aligned launches: a kernel's statistics do not depend on when the host launched it. */
Test(determinism, a_kernel_is_the_same_whatever_the_host_did_before)
{
    json_t *a = stats_of(SMALL, "xorshift", "host.overhead=0 cycles", "--tlm=auto", "1");
    json_t *b = stats_of(SMALL, "xorshift", "host.overhead=12345 cycles", "--tlm=auto", "1");
    cr_expect_neq(json_integer_value(stats_at(a, "simulated_ps")), json_integer_value(stats_at(b, "simulated_ps")));
    expect_same_stats(stats_at(a, "kernels/0/statistics/core"), stats_at(b, "kernels/0/statistics/core"));
    expect_same_stats(stats_at(a, "kernels/0/statistics/l2"), stats_at(b, "kernels/0/statistics/l2"));
    expect_same_stats(stats_at(a, "kernels/0/statistics/dram"), stats_at(b, "kernels/0/statistics/dram"));
    json_decref(a);
    json_decref(b);
}

static int64_t count(const json_t *stats, const char *path)
{
    return json_integer_value(stats_at(stats, path));
}

Test(determinism, a_machine_may_leave_launches_unaligned)
{
    json_t *aligned = stats_of(SMALL, "bfs", "launch_align=true", "--tlm=auto", "1");
    json_t *free_running = stats_of(SMALL, "bfs", "launch_align=false", "--tlm=auto", "1");
    cr_expect_gt(count(aligned, "blocks/command_processor/total/aligned_launches"), 0);
    cr_expect_eq(count(free_running, "blocks/command_processor/total/aligned_launches"), 0);
    json_decref(aligned);
    json_decref(free_running);
}

Test(determinism, results_name_all_that_they_depend_on)
{
    json_t *stats = stats_of(SMALL, "vecadd", "app.n=1000", "--tlm=auto", "77");
    cr_expect_str_eq(json_string_value(stats_at(stats, "schema/name")), "heddle.stats");
    cr_expect_eq(json_integer_value(stats_at(stats, "schema/version")), 1);
    cr_expect_str_eq(json_string_value(stats_at(stats, "status")), "pass");
    cr_expect(json_is_false(stats_at(stats, "partial")));
    cr_expect_eq(json_integer_value(stats_at(stats, "seed")), 77);
    cr_expect_str_eq(json_string_value(stats_at(stats, "app/name")), "vecadd");
    cr_expect_eq(json_integer_value(stats_at(stats, "app/options/n")), 1000);
    cr_expect_eq(json_integer_value(stats_at(stats, "app/inputs/n")), 1000);
    cr_expect_eq(json_integer_value(stats_at(stats, "app/inputs/block")), 256);
    cr_expect_eq(json_integer_value(stats_at(stats, "app/reports/elements")), 1000);
    cr_expect_str_eq(json_string_value(stats_at(stats, "machine/name")), "small");
    cr_expect_str_eq(json_string_value(stats_at(stats, "kernels/0/kernel")), "vecadd");
    cr_expect_eq(json_integer_value(stats_at(stats, "kernels/0/statistics/core/threads_run")),
                 json_integer_value(stats_at(stats, "blocks/core/total/threads_run")));
    cr_expect_gt(json_integer_value(stats_at(stats, "kernels/0/cycles")), 0);
    json_decref(stats);
}
