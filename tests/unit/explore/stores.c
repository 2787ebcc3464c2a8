/* SPDX-License-Identifier: MIT */
/* The store: what is put in comes out, and what cannot be put in leaves it as it was. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "store_sql.h"
#include "world.h"

static sweep read;
static resolution points;
static store *opened;
static char *error;

static void open_all(void)
{
    opened = world_enter_store(
        "sweep: 1\nname: stores\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n"
        "axes: {app.n: [1, 2], label: {a: {}, \"b,c\": {core.warps: 8}}}\n"
        "statistics: [cycles, app.sum]\n"
        "published: [{statistic: cycles, value: 2, at: {app.n: 2}, relative_to: {app.n: 1}, source: A}]\n",
        &read, &points);
}

static void close_all(void)
{
    world_leave_store(opened, &read, &points);
}

TestSuite(stores, .init = open_all, .fini = close_all);

/* A run of one kernel that takes so many cycles. */
static json_t *results_of(int cycles)
{
    return json_pack("{s:[{s:i,s:s,s:i,s:i,s:b,s:i}], s:{s:{s:{s:i}}}, s:{s:{s:i}}, s:i, s:i}", "kernels", "launch", 0,
                     "kernel", "k", "begin_ps", 1, "end_ps", 5, "complete", 1, "cycles", cycles, "blocks", "core",
                     "total", "warp_instructions", 3, "app", "reports", "sum", 11, "simulated_ps", 9, "busy_ps", 8);
}

static int put(uint32_t point, uint32_t repetition, const char *status, int cycles)
{
    json_t *results = results_of(cycles);
    const store_run run = {.key = points.points[point].key,
                           .repetition = repetition,
                           .status = status,
                           .log = "what it said",
                           .results = results,
                           .statistics = {"digest"},
                           .host_seconds = 1.5,
                           .user_seconds = -1,
                           .peak_bytes = -1,
                           .engine = "local"};
    int good = store_put_run(opened, &run, &error);
    json_decref(results);
    return good;
}

static char *csv(int with_host)
{
    char *text, *failure;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    const store_view view = {.with_host = with_host};
    cr_assert(store_write_csv(opened, &view, out, &failure));
    fclose(out);
    return text;
}

static void expect_csv(const char *expected)
{
    char *text = csv(0);
    cr_expect_str_eq(text, expected);
    free(text);
}

static int64_t number(const char *sql)
{
    sqlite3_stmt *statement = sql_prepare(opened, sql, "");
    cr_assert_eq(sql_step(opened, statement), 1);
    int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

#define HEAD "point,app.n,label,machine,app,seed,repetition,status,cycles,app.sum\n"

Test(stores, show_every_point_with_what_is_known_of_it)
{
    expect_csv(HEAD "1,1,a,small,good,1,1,missing,,\n2,1,\"b,c\",small,good,1,1,missing,,\n"
                    "3,2,a,small,good,1,1,missing,,\n4,2,\"b,c\",small,good,1,1,missing,,\n");
    cr_assert(put(1, 0, "pass", 42) && put(2, 0, "fail", 7));
    expect_csv(HEAD "1,1,a,small,good,1,1,missing,,\n2,1,\"b,c\",small,good,1,1,pass,42,11\n"
                    "3,2,a,small,good,1,1,fail,7,11\n4,2,\"b,c\",small,good,1,1,missing,,\n");
    char *text = csv(1);
    cr_expect(strstr(text, "pass,42,11,1.5,,,local,,,\n"), "%s", text);
    free(text);
}

/* Two launches of one kernel and one of another, which does not end if it takes no cycles. */
static void put_kernels(int last_cycles)
{
    static const char *const maxima[] = {"l2.queue_maximum"};
    const candidates greatest = {.names = (const char **)maxima, .count = 1};
    static const struct {
        const char *name;
        int cycles, reads, queue;
    } launches[] = {{"a", 10, 1, 7}, {"b", 5, 2, 3}, {"a", 20, 4, 5}};
    json_t *kernels = json_array(), *results = json_pack("{s:o}", "kernels", kernels);
    for (int i = 0; i < 3; i++) {
        const int cycles = i == 1 ? last_cycles : launches[i].cycles;
        json_t *kernel = json_pack("{s:i, s:s, s:{s:{s:i, s:i}}}", "launch", i, "kernel", launches[i].name,
                                   "statistics", "l2", "reads", launches[i].reads, "queue_maximum", launches[i].queue);
        if (cycles)
            json_object_set_new(kernel, "cycles", json_integer(cycles));
        json_array_append_new(kernels, kernel);
    }
    const store_run run = {.key = points.points[0].key,
                           .status = "pass",
                           .results = results,
                           .maxima = &greatest,
                           .statistics = {"digest"}};
    cr_assert(store_put_run(opened, &run, &error));
    json_decref(results);
}

#define OF(statistic) "SELECT ifnull(sum(value), -1) FROM measured WHERE statistic = '" statistic "'"

Test(stores, add_up_the_launches_of_each_kernel)
{
    put_kernels(5);
    cr_expect_eq(number(OF("cycles")), 35);
    cr_expect_eq(number(OF("launches")), 3);
    cr_expect_eq(number(OF("a/cycles")), 30);
    cr_expect_eq(number(OF("b/cycles")), 5);
    cr_expect_eq(number(OF("a/launches")), 2);
    cr_expect_eq(number(OF("a/l2.reads")), 5);
    cr_expect_eq(number(OF("b/l2.reads")), 2);
    cr_expect_eq(number(OF("a/l2.queue_maximum")), 7);
    cr_expect_eq(number(OF("b/l2.queue_maximum")), 3);
}

/* From 2^63 on they are texts, of the results and of the store. */
Test(stores, add_up_numbers_of_kernels_that_are_texts)
{
    json_t *results = json_pack("{s:[{s:i,s:s,s:i,s:{s:{s:s}}},{s:i,s:s,s:i,s:{s:{s:i}}}]}", "kernels", "launch", 0,
                                "kernel", "a", "cycles", 1, "statistics", "l2", "reads", "9223372036854775808",
                                "launch", 1, "kernel", "a", "cycles", 1, "statistics", "l2", "reads", 5);
    const store_run run = {.key = points.points[0].key, .status = "pass", .results = results, .statistics = {"digest"}};
    cr_assert(results && store_put_run(opened, &run, &error));
    json_decref(results);
    cr_expect_eq(
        number("SELECT count(*) FROM measured WHERE statistic = 'a/l2.reads' AND value = '9223372036854775813'"), 1);
}

Test(stores, have_no_cycles_of_a_kernel_that_did_not_end)
{
    put_kernels(0);
    cr_expect_eq(number(OF("cycles")), -1);
    cr_expect_eq(number(OF("a/cycles")), 30);
    cr_expect_eq(number(OF("b/cycles")), -1);
    cr_expect_eq(number(OF("b/launches")), 1);
}

Test(stores, know_what_was_run)
{
    enum store_state state;
    const digest *key = &points.points[0].key;
    cr_assert(store_run_state(opened, key, 0, &state, &error));
    cr_expect_eq(state, STORE_MISSING);
    cr_assert(put(0, 0, "livelock", 1) && store_run_state(opened, key, 0, &state, &error));
    cr_expect_eq(state, STORE_FAILED);
    cr_assert(put(0, 0, "pass", 1) && store_run_state(opened, key, 0, &state, &error));
    cr_expect_eq(state, STORE_PASSED);
    cr_assert(store_run_state(opened, key, 1, &state, &error));
    cr_expect_eq(state, STORE_MISSING);
    digest other;
    cr_assert(store_other_digest(opened, key, 1, &other, &error));
    cr_expect_str_eq(other.text, "digest");
    cr_assert(store_other_digest(opened, key, 0, &other, &error));
    cr_expect_str_empty(other.text);
}

Test(stores, keep_one_run_of_each_and_its_statistics_alone)
{
    cr_assert(put(0, 0, "fail", 1) && put(0, 0, "pass", 2));
    cr_expect_eq(number("SELECT count(*) FROM run"), 1);
    cr_expect_eq(number("SELECT count(*) FROM statistic JOIN run USING (run)"),
                 number("SELECT count(*) FROM statistic"));
    cr_expect_eq(number("SELECT value FROM measured WHERE statistic = 'cycles'"), 2);
    cr_expect_eq(number("SELECT value FROM measured WHERE statistic = 'core.warp_instructions'"), 3);
    cr_expect_eq(number("SELECT value FROM measured WHERE statistic = 'app.sum'"), 11);
    cr_expect_eq(number("SELECT value FROM measured WHERE statistic = 'simulated_ps'"), 9);
    cr_expect_eq(number("SELECT value FROM measured WHERE statistic = 'busy_ps'"), 8);
    cr_expect_eq(number("SELECT cycles FROM kernel WHERE kernel = 'k' AND end_ps = 5"), 2);
}

Test(stores, keep_runs_when_an_experiment_changes)
{
    cr_assert(put(0, 0, "pass", 5) && store_put_experiment(opened, &points, &error));
    cr_expect_eq(number("SELECT count(*) FROM experiment"), 1);
    cr_expect_eq(number("SELECT count(*) FROM point"), 4);
    cr_expect_eq(number("SELECT count(*) FROM point_axis"), 8);
    cr_expect_eq(number("SELECT count(*) FROM run"), 1);
    cr_expect_eq(number("SELECT count(*) FROM point WHERE json_extract(axes, '$.label') = 'a'"), 2);
    cr_expect_eq(number("SELECT json_extract(json, '$.name') = 'small' FROM machine LIMIT 1"), 1);
    cr_expect_eq(number("SELECT instr(text, 'name: stores') FROM experiment"), 10);
}

Test(stores, join_published_numbers_with_the_points_they_are_about)
{
    cr_expect_eq(number("SELECT count(*) FROM published_point"), 2);
    cr_expect_eq(number("SELECT count(*) FROM published_point JOIN point ON point.point = published_point.point"
                        " JOIN point AS base ON base.point = published_point.base"
                        " WHERE point.position = base.position + 2"),
                 2);
    cr_expect_eq(number("SELECT value FROM published WHERE axes = '{\"app.n\":\"2\"}'"), 2);
}

#define OF_VALUE                                                                                                       \
    " FROM published JOIN published_point USING (published) JOIN point USING (point)"                                  \
    " LEFT JOIN point AS base ON base.point = published_point.base WHERE value = "

/* A number that is relative to points of which some are left out is about the others. */
Test(stores, join_published_numbers_with_pairs_that_are_there)
{
    world_close(&read, &points);
    world_write("pairs.yaml",
                "sweep: 1\nname: pairs\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n"
                "axes: {app.n: [3, 1, 2], core.warps: [8, 10, 12]}\n"
                "exclude: [{app.n: 1, core.warps: 10}, {app.n: 2, core.warps: 12}]\n"
                "published: [{statistic: cycles, value: 5, at: {app.n: 2}, relative_to: {app.n: 1}, source: A},\n"
                " {statistic: cycles, value: 6, at: {app.n: 2}, source: B}]\n");
    world_open("pairs.yaml", &read, &points);
    cr_assert(store_put_experiment(opened, &points, &error));
    cr_expect_eq(
        number("SELECT group_concat(point.position || ' ' || ifnull(base.position, '-')) = '6 4'" OF_VALUE "5"), 1);
    cr_expect_eq(number("SELECT group_concat(point.position) = '6,7'" OF_VALUE "6 AND published_point.base IS NULL"),
                 1);
}

/* SQLite says that the disk is full when the file may have no more pages. */
Test(stores, that_are_full_say_so_and_are_as_before)
{
    cr_assert(put(0, 0, "pass", 5));
    char *before = csv(1), limit[64];
    snprintf(limit, sizeof limit, "PRAGMA max_page_count = %d", (int)number("PRAGMA page_count"));
    cr_assert_geq(number(limit), 1);
    int good = 1;
    for (uint32_t repetition = 1; repetition < 2000 && good; repetition++)
        good = put(0, repetition, "pass", 5);
    cr_expect_not(good);
    cr_expect_str_eq(error, "error[R06]: store s.db: the disk is full\n");
    free(error);
    char *after = csv(1);
    cr_expect_str_eq(after, before);
    cr_expect_eq(sqlite3_get_autocommit(opened->db), 1);
    cr_assert_eq(number("PRAGMA max_page_count = 1000000"), 1000000);
    cr_expect(put(1, 0, "pass", 6));
    free(after);
    free(before);
}

Test(stores, take_thousands_of_points_in_a_moment)
{
    cr_assert_eq(sqlite3_exec(opened->db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    world_close(&read, &points);
    world_write("many.yaml", "sweep: 1\nname: many\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n"
                             "axes: {app.n: [{from: 1, to: 3000, step: 1}]}\n");
    world_open("many.yaml", &read, &points);
    cr_assert(store_put_experiment(opened, &points, &error));
    cr_expect_eq(number("SELECT count(*) FROM point"), 3004);
    cr_expect_eq(number("SELECT count(*) FROM machine"), 2);
}

/* What an app reports may be called as it likes, and be as large as its numbers go. */
Test(stores, keep_reports_of_any_name_and_size)
{
    char names[2][600], *text, *failure;
    size_t bytes;
    json_t *reports = json_pack("{s:s, s:s, s:i}", "most", "18446744073709551615", "no number", "-", "sum", 4);
    for (int i = 0; i < 2; i++) {
        memset(names[i], 'x', sizeof names[i]);
        names[i][598] = (char)('a' + i);
        names[i][599] = '\0';
        json_object_set_new(reports, names[i], json_integer(i + 1));
    }
    json_t *results = json_pack("{s:{s:o}}", "app", "reports", reports);
    const store_run run = {.key = points.points[0].key, .status = "pass", .results = results};
    cr_assert(store_put_run(opened, &run, &error));
    json_decref(results);
    const char *const asked[] = {"app.most", "app.x*", "app.sum"};
    const store_view view = {.statistics = asked, .statistic_count = 3};
    FILE *out = open_memstream(&text, &bytes);
    cr_assert(store_write_csv(opened, &view, out, &failure));
    fclose(out);
    cr_expect(strstr(text, ",pass,18446744073709551615,1,2,4\n"), "%s", text);
    cr_expect_null(strstr(text, "no number"));
    free(text);
}
