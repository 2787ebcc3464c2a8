/* SPDX-License-Identifier: MIT */
/* What a report takes out of a store, and the page it goes into. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "registry.h"
#include "report/report_data.h"
#include "report/report_page.h"
#include "store_sql.h"
#include "world.h"

static sweep read;
static resolution points;
static store *opened;
static char *error;

static void open_all(void)
{
    opened = world_enter_store(
        "sweep: 1\nname: reports\ndescription: \"</script>\"\nset: {machine: " EXPLORE_MACHINES
        "/small.yaml, app: good, perturb: 0}\nrepeat: 2\n"
        "axes: {core.warps: [8, 16], app.n: [1, 2], seed: [1, 2, 3]}\n"
        "statistics: [cycles, app.sum]\n"
        "published: [{statistic: cycles, value: 2, at: {core.warps: 16, seed: 1}, relative_to: {core.warps: 8},\n"
        "             source: \"A, B\"}, {statistic: cycles, value: 40, at: {core.warps: 8, app.n: 2}, source: C}]\n",
        &read, &points);
}

static void close_all(void)
{
    world_leave_store(opened, &read, &points);
}

TestSuite(reports, .init = open_all, .fini = close_all);

static void put(uint32_t point, uint32_t repetition, const char *status, int cycles, double seconds, const char *log)
{
    json_t *results = json_pack("{s:[{s:i,s:s,s:i,s:i,s:b,s:i}], s:{s:{s:{s:i,s:i}}}, s:{s:i,s:i}, s:{s:{s:f}}}",
                                "kernels", "launch", 0, "kernel", "k", "begin_ps", 1, "end_ps", 5, "complete", 1,
                                "cycles", cycles, "blocks", "core", "total", "slots_issued", 3, "slots_idle", 7, "time",
                                "host_ps", 2, "kernel_ps", 5, "app", "reports", "sum", 0.5);
    const store_run run = {.key = points.points[point].key,
                           .repetition = repetition,
                           .status = status,
                           .message = "why",
                           .exit_code = 9,
                           .log = log,
                           .results = results,
                           .host_seconds = seconds,
                           .user_seconds = -1,
                           .peak_bytes = 4096,
                           .engine = "local",
                           .host = repetition ? "two" : "one"};
    cr_assert(store_put_run(opened, &run, &error), "%s", error);
    json_decref(results);
}

static json_t *data_of(const char *experiment, const char *const *statistics, size_t count)
{
    const report_request request = {.experiment = experiment,
                                    .statistics = statistics,
                                    .statistic_count = count,
                                    .version = "9.9",
                                    .classes = hd_builtin_classes()};
    return report_data(opened, &request, &error);
}

static json_t *experiment_of(json_t *data)
{
    cr_assert(data, "%s", error);
    cr_assert_eq(json_array_size(json_object_get(data, "experiments")), 1);
    return json_array_get(json_object_get(data, "experiments"), 0);
}

/* Compact text of a member, to be compared. */
static void expect_json(const json_t *object, const char *member, const char *expected)
{
    char *text = json_dumps(json_object_get(object, member), JSON_COMPACT | JSON_ENCODE_ANY);
    cr_expect_str_eq(text, expected, "%s: %s", member, text);
    free(text);
}

static const json_t *column_of(const json_t *experiment, const char *name)
{
    json_t *columns = json_object_get(experiment, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++)
        if (!strcmp(json_string_value(json_object_get(json_array_get(columns, i), "statistic")), name))
            return json_array_get(columns, i);
    return NULL;
}

Test(reports, say_what_was_asked_and_what_came_out)
{
    put(0, 0, "pass", 10, 0.25, NULL);
    put(0, 1, "pass", 10, 0.5, NULL);
    put(1, 1, "pass", 11, 1, NULL);
    put(2, 0, "deadlock", 12, 1, "a log");
    json_t *data = data_of(NULL, NULL, 0), *experiment = experiment_of(data);
    expect_json(data, "heddle", "\"9.9\"");
    expect_json(data, "store", "\"s.db\"");
    expect_json(experiment, "name", "\"reports\"");
    expect_json(experiment, "description", "\"</script>\"");
    expect_json(experiment, "repeat", "2");
    expect_json(experiment, "perturbed", "false");
    expect_json(experiment, "statistics", "[\"cycles\",\"app.sum\"]");
    expect_json(experiment, "axes",
                "[{\"name\":\"core.warps\",\"labels\":[\"8\",\"16\"],\"repeats\":false},"
                "{\"name\":\"app.n\",\"labels\":[\"1\",\"2\"],\"repeats\":false},"
                "{\"name\":\"seed\",\"labels\":[\"1\",\"2\",\"3\"],\"repeats\":true}]");
    expect_json(experiment, "hosts", "[\"one\",\"two\"]");
    cr_expect_eq(json_array_size(json_object_get(experiment, "machines")), 2);
    cr_expect_eq(strlen(json_string_value(json_object_get(experiment, "inputs"))), 64);
    const json_t *list = json_object_get(experiment, "points"), *last = json_array_get(list, 11);
    cr_assert_eq(json_array_size(list), 12);
    expect_json(
        json_array_get(list, 0), "runs",
        "[{\"host\":\"one\",\"seconds\":0.25,\"peak\":4096.0},{\"host\":\"two\",\"seconds\":0.5,\"peak\":4096.0}]");
    expect_json(json_array_get(list, 0), "status", "\"pass\"");
    expect_json(json_array_get(list, 1), "status", "\"pass\"");
    expect_json(json_array_get(list, 2), "status", "\"deadlock\"");
    expect_json(last, "status", "\"missing\"");
    expect_json(last, "choices", "[1,1,2]");
    expect_json(last, "machine", "1");
    expect_json(last, "seed", "\"3\"");
    json_decref(data);
}

Test(reports, of_runs_on_no_known_host_name_none)
{
    const store_run run = {.key = points.points[0].key,
                           .status = "crash",
                           .message = "why",
                           .host_seconds = -1,
                           .user_seconds = -1,
                           .peak_bytes = -1,
                           .engine = "local"};
    cr_assert(store_put_run(opened, &run, &error), "%s", error);
    json_t *data = data_of(NULL, NULL, 0), *experiment = experiment_of(data);
    expect_json(experiment, "hosts", "[]");
    expect_json(json_array_get(json_object_get(experiment, "points"), 0), "runs",
                "[{\"host\":\"\",\"seconds\":null,\"peak\":null}]");
    json_decref(data);
}

/* Runs that did not pass give no numbers; stacks bring their own; nobody's statistic is no column. */
Test(reports, take_numbers_of_runs_that_passed)
{
    put(0, 0, "pass", 10, 1, NULL);
    put(1, 1, "pass", 11, 1, NULL);
    put(2, 0, "fail", 12, 1, "");
    put(3, 0, "pass", 13, 1, NULL);
    put(3, 1, "differs", 14, 1, "");
    json_t *data = data_of("reports", NULL, 0), *experiment = experiment_of(data);
    expect_json(column_of(experiment, "cycles"), "values", "[10,11,null,13,null,null,null,null,null,null,null,null]");
    expect_json(column_of(experiment, "app.sum"), "values",
                "[0.5,0.5,null,0.5,null,null,null,null,null,null,null,null]");
    expect_json(column_of(experiment, "core.slots_issued"), "values",
                "[3,3,null,3,null,null,null,null,null,null,null,null]");
    expect_json(column_of(experiment, "time.kernel_ps"), "values",
                "[5,5,null,5,null,null,null,null,null,null,null,null]");
    cr_expect_eq(json_array_size(json_object_get(experiment, "columns")), 7);
    expect_json(column_of(experiment, "k/cycles"), "values", "[10,11,null,13,null,null,null,null,null,null,null,null]");
    expect_json(column_of(experiment, "k/cycles"), "unit", "\"cycles\"");
    expect_json(column_of(experiment, "time.kernel_ps"), "unit", "\"ps\"");
    expect_json(column_of(experiment, "core.slots_issued"), "unit", "\"slots\"");
    expect_json(column_of(experiment, "app.sum"), "unit", "\"\"");
    expect_json(json_array_get(json_object_get(experiment, "points"), 3), "status", "\"differs\"");
    json_decref(data);
    const char *const asked[] = {"core.*"};
    data = data_of(NULL, asked, 1);
    expect_json(experiment_of(data), "statistics", "[\"core.slots_idle\",\"core.slots_issued\"]");
    json_decref(data);
}

Test(reports, join_published_numbers_with_points_by_place)
{
    put(0, 0, "pass", 10, 1, NULL);
    json_t *data = data_of(NULL, NULL, 0);
    expect_json(experiment_of(data), "published",
                "[{\"statistic\":\"cycles\",\"value\":2.0,\"source\":\"A, "
                "B\",\"relative_to\":\"{\\\"core.warps\\\":\\\"8\\\"}\","
                "\"points\":[[6,0],[9,3]]},"
                "{\"statistic\":\"cycles\",\"value\":40.0,\"source\":\"C\",\"relative_to\":\"\","
                "\"points\":[[3,null],[4,null],[5,null]]}]");
    json_decref(data);
}

Test(reports, keep_the_end_of_a_log)
{
    char *log = malloc(20002);
    memset(log, 'x', 20000);
    memcpy(log + 19000, "\nlast \xff line", 12);
    strcpy(log + 19995, "end\n");
    put(4, 1, "crash", 1, 1, log);
    json_t *data = data_of(NULL, NULL, 0), *failures = json_object_get(experiment_of(data), "failures"),
           *failure = json_array_get(failures, 0);
    cr_assert_eq(json_array_size(failures), 1);
    expect_json(failure, "point", "4");
    expect_json(failure, "repetition", "1");
    expect_json(failure, "status", "\"crash\"");
    expect_json(failure, "exit_code", "9");
    expect_json(failure, "message", "\"why\"");
    const char *tail = json_string_value(json_object_get(failure, "log"));
    cr_expect_eq(strncmp(tail, "last ? line", 11), 0, "%.20s", tail);
    cr_expect_eq(strlen(tail), 998);
    json_decref(data);
    free(log);
}

static void expect_refused(const char *experiment, const char *statistic, const char *part)
{
    error = NULL;
    cr_assert_null(data_of(experiment, &statistic, statistic != NULL));
    cr_expect(strstr(error, part), "%s", error);
    cr_expect_eq(sqlite3_get_autocommit(opened->db), 1);
    free(error);
}

Test(reports, refuse_what_is_not_there)
{
    expect_refused(NULL, NULL, "error[R10]: store s.db: no run has ended yet; there is nothing to report");
    put(0, 0, "pass", 10, 1, NULL);
    expect_refused("report", NULL, "error[R08]: store s.db has no experiment 'report'\nnote: did you mean 'reports'?");
    expect_refused(NULL, "cycle", "error[R09]: no run in store s.db has a statistic 'cycle'");
    expect_refused(NULL, "nothing/*", "error[R09]: no run in store s.db has a statistic 'nothing/*'");
    cr_assert(sql_run(opened, "DELETE FROM experiment", ""));
    expect_refused(NULL, NULL, "error[R08]: store s.db: it holds no experiment");
}

/* A statistic of an app that has not run yet is an empty column, not an error: reports are read while sweeps run. */
Test(reports, leave_room_for_what_is_still_to_come)
{
    put(0, 0, "pass", 10, 1, NULL);
    cr_assert(sql_run(opened, "UPDATE experiment SET statistics = '[\"cycles\", \"app.later\"]'", ""));
    json_t *data = data_of(NULL, NULL, 0);
    expect_json(experiment_of(data), "statistics", "[\"cycles\",\"app.later\"]");
    expect_json(column_of(experiment_of(data), "app.later"), "values",
                "[null,null,null,null,null,null,null,null,null,null,null,null]");
    json_decref(data);
}

Test(reports, take_thousands_of_points_in_a_moment)
{
    cr_assert_eq(sqlite3_exec(opened->db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    world_close(&read, &points);
    world_write("many.yaml", "sweep: 1\nname: many\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n"
                             "axes: {app.n: [{from: 1, to: 5000, step: 1}]}\n");
    world_open("many.yaml", &read, &points);
    cr_assert(store_put_experiment(opened, &points, &error));
    put(0, 0, "pass", 10, 1, NULL);
    cr_assert(
        sql_run(opened,
                "INSERT OR IGNORE INTO run (input, repetition, status, exit_code, statistics)"
                " SELECT input, 0, 'pass', 0, '' FROM point JOIN experiment USING (experiment) WHERE name = 'many'",
                ""));
    cr_assert(sql_run(opened,
                      "INSERT OR IGNORE INTO statistic SELECT run, name_id, run * 100 + name_id"
                      " FROM run, statistic_name",
                      ""));
    json_t *data = data_of("many", NULL, 0);
    const json_t *values = json_object_get(column_of(experiment_of(data), "cycles"), "values");
    cr_expect_eq(json_array_size(values), 5000);
    cr_expect(json_is_integer(json_array_get(values, 4999)));
    json_decref(data);
}

/* ---- The page ------------------------------------------------------------------------------------------------------- */

static char *page_of(const char *text, const json_t *data)
{
    size_t bytes;
    mkdir("page", 0777);
    world_write("page/page.html", text);
    error = NULL;
    return report_page("page", data, &bytes, &error);
}

Test(reports, fill_a_page)
{
    json_t *data = json_pack("{s:s}", "a", "</script><img src=x onerror=alert(1)> \xc3\xa4");
    mkdir("page", 0777);
    world_write("page/a.js", "let a = 1 < 2;\n");
    world_write("page/LICENSE", "if a < b & c\n");
    char *page = page_of(
        "<title>\n<!-- insert data -->\n<!-- insert script a.js -->\n<!-- insert text LICENSE -->\n</html>\n", data);
    cr_assert(page, "%s", error);
    cr_expect_str_eq(page,
                     "<title>\n<script type=\"application/json\" id=\"data\">{\"a\":\"\\u003c/script>\\u003cimg src=x "
                     "onerror=alert(1)> \\u00E4\"}</script>\n<script>\nlet a = 1 < 2;\n</script>\n"
                     "if a &lt; b &amp; c\n</html>\n");
    free(page);
    cr_expect_null(page_of("<!-- insert script b.js -->\n", data));
    cr_expect(strstr(error, "error[R11]: page/b.js: No such file or directory; './bootstrap.sh"), "%s", error);
    free(error);
    json_decref(data);
}
