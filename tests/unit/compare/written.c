/* SPDX-License-Identifier: MIT */
/* A comparison as a page, as CSV, as JSON. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

TestSuite(compare_written, .fini = results_done);

static char *text_of(const comparison *made, uint32_t rows)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    comparison_write_text(made, rows, out);
    fclose(out);
    return text;
}

static void expect_part(const char *text, const char *part)
{
    cr_expect(strstr(text, part), "no '%s' in\n%s", part, text);
}

static const comparison *slower(void)
{
    json_t *b = results_new();
    results_set(b, "machine/blocks/0/parameters/scheduler", "'lrr'");
    results_set(b, "machine/blocks/0/type", "'other'");
    results_set(b, "machine/blocks/0/parameters/quantum", "3");
    results_set(b, "kernels/1/cycles", "900");
    results_set(b, "busy_ps", "1500000");
    results_set(b, "busy/core/slots_idle", "4600");
    results_set(b, "busy/core/divergent_branches", "20");
    results_set(b, "busy/dram/row_hits", "49");
    return results_compare(results_new(), b);
}

Test(compare_written, a_page)
{
    char *text = text_of(slower(), 12);
    expect_part(text, "app on A and B\n\nA  m  a.json\nB  m  b.json\n\n");
    expect_part(text, "difference      A      B\ncore.type       timed  other\ncore.scheduler  gto    lrr\n"
                      "and 1 that follow from these (--all)\n");
    expect_part(text, "cycles of kernels                          A               B     B / A\n"
                      "first                                    600             600     1.000\n"
                      "second                                   400             900     2.250\n"
                      "all kernels                            1,000           1,500     1.500\n"
                      "time in which kernels ran            1.00 us         1.50 us     1.500\n");
    expect_part(text, "where the cycles went                      A               B           B - A    of all\n"
                      "idle                                     650           1,150            +500    +50.0%\n"
                      "issued                                   250             250               0     +0.0%\n"
                      "no block resident                        100             100               0     +0.0%\n"
                      "all                                    1,000           1,500            +500    +50.0%\n");
    expect_part(text, "statistics, by effect                      A               B    change  effect\n"
                      "core.divergent_branches                   10              20   +100.0%   0.500\n"
                      "dram.row_hits                             50              49     -2.0%   0.020\n");
    cr_expect_null(strstr(text, "slots_"), "cycles have said it");
    cr_expect_null(strstr(text, "quantum"));
    cr_expect_null(strstr(text, "row_conflicts"), "what is the same is not shown");
    free(text);
}

Test(compare_written, a_part_of_it_and_all_of_it)
{
    const comparison *made = slower();
    char *part = text_of(made, 1), *all = text_of(made, UINT32_MAX);
    expect_part(part, "core.divergent_branches");
    cr_expect_null(strstr(part, "row_hits"));
    expect_part(part, "and 1 more that are different (--top N, --all)\n");
    expect_part(all, "core.quantum    -      3");
    expect_part(all, "dram.row_conflicts");
    expect_part(all, "core.slots_idle");
    cr_expect_null(strstr(all, "(--all)"));
    free(part);
    free(all);
}

Test(compare_written, two_alike)
{
    char *text = text_of(results_compare(results_new(), results_new()), 12);
    expect_part(text, "no difference in machine and inputs\n");
    expect_part(text, "all of them are the same\n");
    free(text);
}

Test(compare_written, csv)
{
    char *text;
    size_t bytes;
    json_t *b = results_new();
    results_set(b, "machine/blocks/1/parameters/mapping", "'row, \\\"bank\\\"'");
    results_remove(b, "busy/dram/row_hits");
    results_set(b, "busy/dram/row_conflicts", "25");
    const comparison *made = results_compare(results_new(), b);
    FILE *out = open_memstream(&text, &bytes);
    comparison_write_csv(made, out);
    fclose(out);
    cr_expect_eq(strncmp(text, "what,name,unit,a,b,effect\n", 26), 0);
    expect_part(text, "\ndifference,dram.mapping,,,\"row, \"\"bank\"\"\",\n");
    expect_part(text, "\nkernel,first,cycles,600,600,\n");
    expect_part(text, "\ntime,busy,ps,1000000,1000000,\n");
    expect_part(text, "\ncycles,idle,cycles,650,650,\n");
    expect_part(text, "\nstatistic,dram.row_conflicts,requests,50,25,0.500000\n");
    expect_part(text, "\nstatistic,dram.row_hits,requests,50,,\n");
    free(text);
}

Test(compare_written, json)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    comparison_write_json(slower(), out);
    fclose(out);
    json_t *read = json_loads(text, 0, NULL);
    cr_assert(read, "%s", text);
    cr_expect_str_eq(json_string_value(json_object_get(read, "interval")), "kernels");
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(read, "names"), 1)), "b.json");
    const json_t *statistic = json_array_get(json_object_get(read, "statistics"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(statistic, "name")), "core.divergent_branches");
    cr_expect_str_eq(json_string_value(json_object_get(statistic, "doc")), "control transfers whose lanes diverged");
    cr_expect_float_eq(json_real_value(json_object_get(statistic, "effect")), 0.5, 1e-9);
    cr_expect_eq(json_array_size(json_object_get(read, "cycles")), 3);
    cr_expect_eq(json_array_size(json_object_get(read, "kernels")), 2);
    cr_expect_eq(json_array_size(json_object_get(read, "differences")), 3);
    json_decref(read);
    free(text);
}
