/* SPDX-License-Identifier: MIT */
/* Several runs of each side: means, how sure they are, and what is said of the differences. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"
#include "results.h"

#define RUNS 3u

static json_t *sides[2 * RUNS];
static comparison made;

static void begin(void)
{
    for (uint32_t i = 0; i < 2 * RUNS; i++)
        sides[i] = results_new();
}

static void end(void)
{
    comparison_free(&made);
    for (uint32_t i = 0; i < 2 * RUNS; i++)
        json_decref(sides[i]);
}

TestSuite(compare_repetitions, .init = begin, .fini = end);

/* The values of all runs, those of A first. */
static void set(const char *path, const int values[2 * RUNS])
{
    for (uint32_t i = 0; i < 2 * RUNS; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", values[i]);
        results_set(sides[i], path, text);
    }
}

static const comparison *compare(void)
{
    compared_run runs[2 * RUNS];
    char *error = NULL;
    for (uint32_t i = 0; i < 2 * RUNS; i++)
        runs[i] = (compared_run){i < RUNS ? "a" : "b", sides[i]};
    cr_assert(comparison_make_repeated(&made, runs, RUNS, hd_builtin_classes(), &error), "%s", error);
    return &made;
}

/* Chance moves the first kernel by as much as the sides differ, the second by less. Of 90, 100, 110 the standard error is
 * 10 / sqrt(3), and Student's t of two degrees 4.303. */
static void set_all(void)
{
    set("kernels/0/cycles", (const int[]){90, 100, 110, 100, 110, 120});
    set("kernels/1/cycles", (const int[]){90, 100, 110, 290, 300, 310});
    set("busy_ps", (const int[]){1000, 1100, 1200, 2000, 2000, 2000});
    set("busy/core/slots_idle", (const int[]){2600, 2600, 2600, 4600, 4700, 4500});
    set("busy/core/divergent_branches", (const int[]){10, 20, 30, 30, 10, 23});
    set("busy/dram/row_hits", (const int[]){50, 50, 50, 60, 60, 60});
}

Test(compare_repetitions, give_means_and_tell_chance_from_difference)
{
    set_all();
    const comparison *all = compare();
    cr_expect_eq(all->repetitions, RUNS);
    cr_expect_eq(all->kernels[0].cycles[0], 100);
    cr_expect_eq(all->kernels[0].cycles[1], 110);
    cr_expect_float_eq(all->kernels[0].spread.half_width[0], 24.841, 0.001);
    cr_expect_eq(all->kernels[0].spread.is_significant, 0);
    cr_expect_eq(all->kernels[1].cycles[1], 300);
    cr_expect_eq(all->kernels[1].spread.is_significant, 1);
    cr_expect_lt(all->kernels[1].spread.p, 0.0001);
    cr_expect_eq(all->time_ps[0], 1100);
    cr_expect_float_eq(all->time_spread.half_width[1], 0, 1e-9);
    cr_expect_eq(all->time_spread.is_significant, 1);
    cr_expect_float_eq(all->cycles_spread.samples[1].mean, 410, 1e-9);
    cr_expect_float_eq(cycles_of(all, "idle")->cycles[1], 1150, 1e-9);
    cr_expect_eq(cycles_of(all, "idle")->spread.is_significant, 1);
    cr_expect_eq(cycles_of(all, "issued")->spread.is_significant, 0);
    const statistic_comparison *branches = statistic_of(all, "core.divergent_branches");
    cr_expect_eq(branches->values[0], 20);
    cr_expect_eq(branches->values[1], 21);
    cr_expect_eq(branches->spread.is_significant, 0);
}

/* Effects are those of the means, and so is their order. */
Test(compare_repetitions, are_ranked_by_their_means)
{
    set_all();
    const comparison *all = compare();
    cr_expect_float_eq(statistic_of(all, "core.divergent_branches")->effect, 1.0 / 21, 1e-9);
    cr_expect_float_eq(statistic_of(all, "dram.row_hits")->effect, 10.0 / 60, 1e-9);
    for (uint32_t i = 1; i < all->statistic_count; i++)
        cr_expect_geq(all->statistics[i - 1].effect, all->statistics[i].effect);
    cr_expect_str_eq(all->cycles[0].name, "idle");
}

/* The first runs alone would have it the other way round. */
Test(compare_repetitions, put_the_largest_difference_of_the_means_first)
{
    set("busy/core/slots_idle", (const int[]){2600, 2600, 2600, 2600, 4600, 4600});
    set("busy/core/slots_issued", (const int[]){1000, 1000, 1000, 1400, 1000, 1000});
    const comparison *all = compare();
    cr_expect_str_eq(all->cycles[0].name, "idle");
    cr_expect_str_eq(all->cycles[1].name, "issued");
}

Test(compare_repetitions, are_of_the_machines_of_their_sides)
{
    for (uint32_t i = RUNS; i < 2 * RUNS; i++)
        results_set(sides[i], "machine/blocks/0/parameters/scheduler", "'lrr'");
    const machine_difference *scheduler = difference_of(compare(), "core.scheduler");
    cr_assert(scheduler);
    cr_expect_str_eq(scheduler->values[1], "lrr");
    cr_expect_eq(made.difference_count, 1);
}

Test(compare_repetitions, of_equal_runs_differ_in_nothing)
{
    const comparison *all = compare();
    cr_expect_eq(all->time_spread.p, 1);
    for (uint32_t i = 0; i < all->statistic_count; i++)
        cr_expect_eq(all->statistics[i].spread.is_significant, 0, "%s", all->statistics[i].name);
}

Test(compare_repetitions, that_did_not_pass_are_refused)
{
    compared_run runs[2 * RUNS];
    char *error = NULL;
    results_set(sides[4], "status", "'fail'");
    for (uint32_t i = 0; i < 2 * RUNS; i++)
        runs[i] = (compared_run){i < RUNS ? "a" : "b", sides[i]};
    cr_expect_not(comparison_make_repeated(&made, runs, RUNS, hd_builtin_classes(), &error));
    cr_expect_str_eq(error, "error: b: the run did not pass (fail): \n");
    free(error);
}

/* ---- Written -------------------------------------------------------------------------------------------------------- */

typedef void writer(const comparison *of, FILE *out);

static void page(const comparison *of, FILE *out)
{
    comparison_write_text(of, 12, out);
}

static char *written(writer *write, const comparison *of)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    write(of, out);
    fclose(out);
    return text;
}

static void expect_part(writer *write, const char *part)
{
    char *text = written(write, &made);
    cr_expect(strstr(text, part), "no '%s' in\n%s", part, text);
    free(text);
}

Test(compare_repetitions, are_a_page_with_verdicts)
{
    set_all();
    compare();
    expect_part(
        page, "cycles of kernels                                  A                       B     B / A  significant\n"
              "first                                       100 ± 25                110 ± 25     1.100           no\n"
              "second                                      100 ± 25                300 ± 25     3.000          yes\n"
              "all kernels                                 200 ± 50                410 ± 50     2.050          yes\n"
              "time in which kernels ran           1.10 ns ± 248 ps          2.00 ns ± 0 ps     1.818          yes\n");
    expect_part(
        page, "where the cycles went                      A               B           B - A    of all  significant\n"
              "idle                                     650           1,150            +500    +50.0%          yes\n");
    expect_part(page, "statistics, by effect                      A               B    change  effect  significant\n"
                      "dram.row_hits                             50              60    +20.0%   0.167          yes\n"
                      "core.divergent_branches                   20              21     +5.0%   0.048           no\n");
    expect_part(page, "\nmeans of 3 runs each, ± half of the interval of 95 %; significant: by Welch's t-test, "
                      "p < 0.05\n");
}

Test(compare_repetitions, are_data_with_intervals)
{
    set_all();
    compare();
    expect_part(comparison_write_csv, "what,name,unit,a,b,effect,a_ci95,b_ci95,p\n");
    expect_part(comparison_write_csv, "kernel,first,cycles,100,110,,24.8413771");
    expect_part(comparison_write_csv, "statistic,dram.row_hits,requests,50,60,0.166667,0,0,0\n");
    char *text = written(comparison_write_json, &made);
    json_t *data = json_loads(text, 0, NULL);
    cr_expect_eq(json_integer_value(json_object_get(data, "repetitions")), RUNS);
    const json_t *kernel = json_array_get(json_object_get(data, "kernels"), 0);
    cr_expect_float_eq(json_real_value(json_array_get(json_object_get(kernel, "ci95"), 0)), 24.841, 0.001);
    cr_expect_float_eq(json_real_value(json_object_get(kernel, "p")), 0.2879, 0.0001);
    cr_expect_eq(json_real_value(json_object_get(json_object_get(data, "time"), "p")) < 0.05, 1);
    json_decref(data);
    free(text);
}

/* One run each of a program in which threads wait for each other. */
static void compare_single(int atomics, int time)
{
    char *error = NULL, text[16];
    snprintf(text, sizeof text, "%d", atomics);
    results_set(sides[0], "busy/core/atomics", text);
    snprintf(text, sizeof text, "%d", time);
    results_set(sides[1], "busy_ps", text);
    const compared_run runs[] = {{"a", sides[0]}, {"b", sides[1]}};
    cr_assert(comparison_make_repeated(&made, runs, 1, hd_builtin_classes(), &error), "%s", error);
}

static int is_warned(void)
{
    char *text = written(page, &made);
    const int found =
        strstr(text, "\none run each: threads contend here, so part of this is chance; --repeat N tells\n") != NULL;
    free(text);
    comparison_free(&made);
    return found;
}

Test(compare_repetitions, are_advised_where_threads_contend_and_times_differ)
{
    compare_single(7, 1500000);
    cr_expect(is_warned());
    compare_single(0, 1500000);
    cr_expect_not(is_warned());
    compare_single(7, 1000000);
    cr_expect_not(is_warned());
}
