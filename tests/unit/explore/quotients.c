/* SPDX-License-Identifier: MIT */
/* Statistics that are quotients of two: what tables and reports show of them. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "quotient.h"
#include "registry.h"
#include "report/report_data.h"
#include "store_sql.h"
#include "world.h"

static sweep read;
static resolution points;
static store *opened;
static char *error;

static void open_store(const char *repeat, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "sweep: 1\nname: quotients\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n%s"
             "axes: {app.n: [1, 2]}\nstatistics: [core.l1_misses / core.warp_instructions, cycles / app.sum]\n%s",
             repeat, more);
    opened = world_enter_store(text, &read, &points);
}

static void close_store(void)
{
    world_leave_store(opened, &read, &points);
}

TestSuite(quotients, .fini = close_store);

static void put(uint32_t point, uint32_t repetition, json_t *misses, int instructions, double sum)
{
    json_t *results =
        json_pack("{s:[{s:i,s:s,s:i,s:i,s:b,s:i}], s:{s:{s:{s:o,s:i}}}, s:{s:{s:f}}}", "kernels", "launch", 0, "kernel",
                  "k", "begin_ps", 1, "end_ps", 5, "complete", 1, "cycles", 30, "blocks", "core", "total", "l1_misses",
                  misses, "warp_instructions", instructions, "app", "reports", "sum", sum);
    const store_run run = {.key = points.points[point].key,
                           .repetition = repetition,
                           .status = "pass",
                           .results = results,
                           .host_seconds = 1.5,
                           .user_seconds = -1,
                           .peak_bytes = -1,
                           .engine = "local"};
    cr_assert(store_put_run(opened, &run, &error), "%s", error);
    json_decref(results);
}

static void expect_csv(store_view view, const char *expected)
{
    char *text, *failure = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    const int good = store_write_csv(opened, &view, out, &failure);
    fclose(out);
    cr_expect_str_eq(good ? text : failure, expected, "%s", good ? text : failure);
    free(failure);
    free(text);
}

#define HEAD "point,app.n,machine,app,seed,repetition,status,core.l1_misses / core.warp_instructions,cycles / app.sum\n"

Test(quotients, have_two_parts_with_spaces_between)
{
    quotient parts = quotient_of("a.b / c.d");
    cr_expect_str_eq(parts.dividend, "a.b");
    cr_expect_str_eq(parts.divisor, "c.d");
    quotient_free(&parts);
    parts = quotient_of("kernel/c.d");
    cr_expect_str_eq(parts.dividend, "kernel/c.d");
    cr_expect_null(parts.divisor);
    quotient_free(&parts);
    open_store("", "");
}

/* What is divided by 0 is not there, nor what a run has only one of. */
Test(quotients, are_those_of_each_run)
{
    open_store("", "");
    put(0, 0, json_integer(3), 4, 0);
    expect_csv((store_view){0}, HEAD "1,1,small,good,1,1,pass,0.75,\n2,2,small,good,1,1,missing,,\n");
    put(1, 0, json_string("18446744073709551615"), 2, 0.5); /* too large for SQLite: a text */
    expect_csv((store_view){0},
               HEAD "1,1,small,good,1,1,pass,0.75,\n2,2,small,good,1,1,pass,9.22337203685478e+18,60.0\n");
}

/* 10 / 1 and 30 / 2: the mean is 12.5, the quotient of the means 40 / 3. Student's t of one degree is 12.706. */
Test(quotients, have_means_over_runs)
{
    open_store("repeat: 3\n", "");
    put(0, 0, json_integer(10), 1, 0);
    put(0, 1, json_integer(30), 2, 2);
    expect_csv((store_view){0}, "point,app.n,machine,app,seed,runs,status,core.l1_misses / core.warp_instructions,"
                                "core.l1_misses / core.warp_instructions.ci95,cycles / app.sum,cycles / app.sum.ci95\n"
                                "1,1,small,good,1,2,missing,12.5,31.7655,15,\n2,2,small,good,1,0,missing,,,,\n");
}

Test(quotients, may_be_asked_for_if_both_are_there)
{
    const char *const asked[] = {"core.warp_instructions / core.l1_misses"}, *const none[] = {"cycles / core.l1_mises"},
                      *const pattern[] = {"core.* / cycles"};
    open_store("", "");
    put(0, 0, json_integer(3), 6, 0);
    expect_csv((store_view){.statistics = asked, .statistic_count = 1},
               "point,app.n,machine,app,seed,repetition,status,core.warp_instructions / core.l1_misses\n"
               "1,1,small,good,1,1,pass,2.0\n2,2,small,good,1,1,missing,\n");
    expect_csv(
        (store_view){.statistics = none, .statistic_count = 1},
        "error[R09]: no run in store s.db has a statistic 'core.l1_mises'\nnote: did you mean 'core.l1_misses'?\n");
    const store_view of_pattern = {.statistics = pattern, .statistic_count = 1};
    char *text, *failure = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    cr_expect_not(store_write_csv(opened, &of_pattern, out, &failure));
    fclose(out);
    cr_expect(strstr(failure, "error[R09]: no run in store s.db has a statistic 'core.*'"), "%s", failure);
    free(failure);
    free(text);
}

/* ---- Reports --------------------------------------------------------------------------------------------------------- */

static void expect_column(const char *statistic, const char *expected)
{
    const report_request request = {.version = "9.9", .classes = hd_builtin_classes()};
    json_t *data = report_data(opened, &request, &error), *column;
    size_t i;
    int found = 0;
    cr_assert(data, "%s", error);
    json_t *experiment = json_array_get(json_object_get(data, "experiments"), 0);
    json_array_foreach(json_object_get(experiment, "columns"), i, column)
    {
        if (strcmp(json_string_value(json_object_get(column, "statistic")), statistic) != 0)
            continue;
        char *text = json_dumps(column, JSON_COMPACT);
        cr_expect(strstr(text, expected), "%s", text);
        free(text);
        found++;
    }
    cr_expect_eq(found, *expected != '\0', "%s", statistic);
    json_decref(data);
}

Test(quotients, are_columns_of_reports_with_their_units)
{
    open_store("", "");
    put(0, 0, json_integer(3), 4, 0);
    put(1, 0, json_integer(5), 2, 0.5);
    expect_column("core.l1_misses / core.warp_instructions",
                  "\"unit\":\"accesses / instructions\",\"values\":[0.75,2.5]");
    expect_column("cycles / app.sum", "\"unit\":\"\",\"values\":[null,60.0]");
}

Test(quotients, of_repetitions_are_those_that_there_are)
{
    open_store("repeat: 3\n", "");
    put(0, 0, json_integer(10), 1, 0);
    put(0, 1, json_integer(30), 2, 2);
    put(0, 2, json_integer(30), 4, 3);
    expect_column("core.l1_misses / core.warp_instructions", "\"values\":[[10.0,15.0,7.5],null]");
    expect_column("cycles / app.sum", "\"values\":[[15.0,10.0],null]");
}

/* Of which there is no plot: they stand beside what was published. */
Test(quotients, that_were_published_are_columns_too)
{
    open_store("", "published: [{statistic: core.warp_instructions / cycles, value: 0.5, at: {app.n: 2}, source: A},\n"
                   "            {statistic: cycles / cycles, value: 1, at: {app.n: 2}, source: A}]\n");
    put(1, 0, json_integer(5), 15, 1);
    expect_column("core.warp_instructions / cycles", "\"unit\":\"instructions / cycles\",\"values\":[null,0.5]");
    expect_column("cycles / cycles", "\"unit\":\"\",\"values\":[null,1.0]");
    expect_column("core.l1_misses", "");
}
