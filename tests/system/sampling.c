/* SPDX-License-Identifier: MIT */
/* heddle run --sample: results are exact, times are estimates and say so, what cannot be sampled is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define SIZES "period=20000,window=1000,warmup=500,start=500"

static json_t *stats_of(const char *app, const char *set, const char *option, const char *value)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", GTX480, app, "--set", set, "--tlm=auto", "--stats", path, "--quiet", option, value);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return stats;
}

/* The app verifies each of its results; here its counts of instructions, too. */
static void expect_exact(const char *app, const char *set)
{
    json_t *sampled = stats_of(app, set, "--sample", SIZES), *detailed = stats_of(app, set, "--seed", "1");
    const json_t *exact = stats_at(sampled, "sampling/exact"), *core = stats_at(detailed, "blocks/core/total");
    const char *name;
    json_t *value;
    cr_expect_gt(json_integer_value(stats_at(sampled, "sampling/windows")), 1, "%s", app);
    cr_expect_lt(json_integer_value(stats_at(sampled, "sampling/timed_warp_instructions")),
                 json_integer_value(stats_at(sampled, "sampling/warp_instructions")) / 2, "%s", app);
    json_object_foreach((json_t *)exact, name, value)
    {
        cr_expect_eq(json_integer_value(value), json_integer_value(json_object_get(core, name)), "%s: %s is %lld", app, name,
                     (long long)json_integer_value(value));
    }
    json_decref(sampled);
    json_decref(detailed);
}

Test(sampling, results_and_counts_are_exact)
{
    expect_exact("matmul", "app.n=128");
    expect_exact("stencil", "app.n=256");
    expect_exact("scan", "app.n=100000");
    expect_exact("histogram", "app.n=400000");
    expect_exact("libor", "app.paths=1024");
    expect_exact("xorshift", "app.steps=64");
}

/* Uniform work of a long loop: what windows say is what is. */
Test(sampling, estimates_are_near)
{
    json_t *sampled = stats_of("xorshift", "app.threads=30720", "--sample", "period=150000,window=5000,start=2000");
    json_t *detailed = stats_of("xorshift", "app.threads=30720", "--seed", "1");
    const double estimate = json_real_value(stats_at(sampled, "sampling/busy_ps/estimate"));
    const double is = (double)json_integer_value(stats_at(detailed, "busy_ps"));
    cr_expect_lt(fabs(estimate - is) / is, 0.05, "%g is %g", estimate, is);
    json_decref(sampled);
    json_decref(detailed);
}

Test(sampling, is_repeatable_and_its_seed_chooses_the_windows)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    json_t *runs[3];
    const char *const seeds[] = {"1", "1", "2"};
    for (int i = 0; i < 3; i++) {
        finished run = heddle("run", GTX480, "stencil", "--tlm=auto", "--stats", path, "--quiet", "--sample", SIZES,
                              "--seed", seeds[i]);
        expect_code(&run, 0);
        finished_free(&run);
        runs[i] = stats_read(path);
    }
    expect_same_stats(runs[0], runs[1]);
    cr_expect(!json_equal(stats_at(runs[0], "sampling/offset"), stats_at(runs[2], "sampling/offset")));
    for (int i = 0; i < 3; i++)
        json_decref(runs[i]);
    free(path);
    folder_remove(folder);
}

Test(sampling, marks_its_estimates)
{
    finished run = heddle("run", GTX480, "matmul", "--tlm=auto", "--sample", SIZES);
    expect_code(&run, 0);
    expect_output(&run, "(estimate, 95 %)");
    finished_free(&run);
    json_t *stats = stats_of("matmul", "app.n=128", "--sample", SIZES);
    cr_expect(json_is_true(stats_at(stats, "sampling/is_estimate")));
    cr_expect(json_is_real(stats_at(stats, "sampling/cycles/half_width")));
    cr_expect_null(json_object_get(stats, "busy_ps"));
    cr_expect_null(json_object_get(stats, "busy"));
    cr_expect_null(json_object_get(stats, "time"));
    cr_expect_null(json_object_get(stats_at(stats, "kernels/0"), "cycles"));
    cr_expect_null(json_object_get(stats_at(stats, "kernels/0"), "statistics"));
    cr_expect_eq(json_object_size(stats_at(stats, "blocks")), 0);
    json_decref(stats);
}

static void expect_refusal(const char *machine, const char *app, const char *a, const char *b, const char *error)
{
    finished run = a && b ? heddle("run", machine, app, "--tlm=auto", "--sample", SIZES, a, b)
                   : a    ? heddle("run", machine, app, "--tlm=auto", "--sample", SIZES, a)
                          : heddle("run", machine, app, "--tlm=auto", "--sample", SIZES);
    expect_code(&run, 2);
    expect_error(&run, error);
    finished_free(&run);
}

Test(sampling, refuses_programs_whose_instructions_depend_on_times)
{
    expect_refusal(GTX480, "hashtable", NULL, NULL, "app hashtable cannot be sampled (--sample): how many instructions it "
                                                    "executes may depend on times, for there is ");
    expect_refusal(GTX480, "bfs", NULL, NULL, "a load of what others may be writing at ");
    expect_refusal(GTX480, "key_value_store", NULL, NULL, "an atomic whose result is used at ");
    expect_refusal(HEDDLE_MACHINES "/../variants/gtx480_getm.yaml", "matmul", NULL, NULL, "cannot be sampled (--sample)");
    expect_refusal(HEDDLE_MACHINES "/../variants/gtx480_functional.yaml", "matmul", NULL, NULL,
                   "core[0] (simt_core/functional) cannot be sampled (--sample)");
}

Test(sampling, refuses_a_scheduler_that_moves_blocks)
{
    expect_refusal(GTX480, "matmul", "--set", "tb_scheduler.policy=time_slice", "tb_scheduler.policy");
}

Test(sampling, refuses_what_it_would_skip)
{
    char *folder = folder_new(), *path = path_in(folder, "x");
    expect_refusal(GTX480, "matmul", "--threads", "2", "cannot have several threads (--threads)");
    expect_refusal(GTX480, "matmul", "--check-races", NULL, "cannot have a check of races (--check-races)");
    expect_refusal(GTX480, "matmul", "--check-memory", NULL, "cannot have a check of memory (--check-memory)");
    expect_refusal(GTX480, "matmul", "--check-tx", NULL, "cannot have a check of transactions (--check-tx)");
    expect_refusal(GTX480, "matmul", "--with", "xorshift", "cannot have apps beside the first one (--with)");
    expect_refusal(GTX480, "matmul", "--vcd", path, "cannot have a trace (--trace, --vcd)");
    expect_refusal(GTX480, "matmul", "--gdb", "0", "cannot be debugged (--gdb)");
    finished run = heddle("run", GTX480, "matmul", "--tlm=checked", "--sample", SIZES);
    expect_code(&run, 2);
    expect_error(&run, "cannot have calls of TLM-2.0 (--tlm)");
    finished_free(&run);
    free(path);
    folder_remove(folder);
}

Test(sampling, refuses_sizes_that_make_no_sense)
{
    static const char *const wrong[] = {"", "period", "period=", "period=x", "period=1", "size=3", "period=10,window=10",
                                        "period=9,", "period=100;window=2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        finished run = heddle("run", GTX480, "matmul", "--tlm=auto", "--sample", wrong[i]);
        expect_code(&run, 2);
        expect_error(&run, "--sample");
        finished_free(&run);
    }
}

Test(sampling, is_not_compared_as_if_it_were_measured)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", GTX480, "matmul", "--tlm=auto", "--stats", path, "--quiet", "--sample", SIZES);
    expect_code(&run, 0);
    finished_free(&run);
    run = heddle("compare", path, path);
    expect_code(&run, 2);
    expect_error(&run, "is of a sampled run: its cycles are an estimate");
    finished_free(&run);
    free(path);
    folder_remove(folder);
}
