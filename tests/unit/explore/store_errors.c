/* SPDX-License-Identifier: MIT */
/*
 * Every error R`number` is shown to happen, with the text of store_errors/R`number`.txt. HEDDLE_UPDATE_GOLDEN=1 writes the texts
 * anew, to be reviewed.
 */
#include "store_errors.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/report_data.h"
#include "report/report_file.h"
#include "report/report_page.h"
#include "report/report_pictures.h"
#include "store_sql.h"
#include "world.h"

static sweep asked;
static resolution points;
static store *opened;

static void open_all(void)
{
    opened = world_enter_store("sweep: 1\nname: waiting\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n"
                               "axes: {app.n: [1, 2]}\n",
                               &asked, &points);
}

static void close_all(void)
{
    world_leave_store(opened, &asked, &points);
}

TestSuite(store_errors, .init = open_all, .fini = close_all);

static void change(const char *sql)
{
    cr_assert_eq(sqlite3_exec(opened->db, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(opened->db));
}

/* What `open` and reading an experiment and a statistic of it say. */
static char *reading(const char *path, const char *experiment, const char *statistic)
{
    char *error = NULL;
    const report_request request = {
        .experiment = experiment, .statistics = &statistic, .statistic_count = statistic != NULL, .version = "1"};
    store *again = store_open(path, STORE_READ, &error);
    json_t *data = again ? report_data(again, &request, &error) : NULL;
    cr_assert_null(data);
    store_close(again);
    return error;
}

static char *writing(void)
{
    char *error = NULL;
    cr_assert_not(store_put_experiment(opened, &points, &error));
    return error;
}

static void put_run(void)
{
    change(
        "INSERT INTO run (input, repetition, status, exit_code, statistics) SELECT input, 0, 'pass', 0, '' FROM input");
    change("INSERT INTO statistic_name (name) VALUES ('core.l1_hits')");
}

static char *missing(void)
{
    return reading("other.db", NULL, NULL);
}

static char *format(void)
{
    world_write("other.db", "This is no database, but it is long enough to be taken for one by its size.\n");
    return reading("other.db", NULL, NULL);
}

static char *version(void)
{
    change("PRAGMA user_version = 7");
    return reading("s.db", NULL, NULL);
}

static char *locked(void)
{
    change("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
    return reading("s.db", NULL, NULL);
}

static char *read_only(void)
{
    change("PRAGMA query_only = 1");
    return writing();
}

static char *full(void)
{
    change("PRAGMA max_page_count = 1");
    char *error = NULL;
    const store_run run = {.key = points.points[0].key, .status = "fail", .log = calloc(1, 1 << 20)};
    memset((char *)run.log, 'x', (1 << 20) - 1);
    cr_assert_not(store_put_run(opened, &run, &error));
    free((char *)run.log);
    return error;
}

static char *damaged(void)
{
    char zeros[512] = {0};
    change("PRAGMA journal_mode = DELETE");
    FILE *file = fopen("s.db", "r+b");
    cr_assert(file && !fseek(file, 4096, SEEK_SET));
    for (int i = 0; i < 64; i++)
        cr_assert_eq(fwrite(zeros, sizeof zeros, 1, file), 1);
    cr_assert_eq(fclose(file), 0);
    return reading("s.db", NULL, NULL);
}

static char *experiment(void)
{
    return reading("s.db", "wating", NULL);
}

static char *statistic(void)
{
    put_run();
    return reading("s.db", NULL, "core.l1_hit");
}

static char *nothing(void)
{
    return reading("s.db", NULL, NULL);
}

static char *parts(void)
{
    size_t bytes;
    char *error;
    world_write("page.html", "<!-- insert script plot.js -->\n");
    cr_assert_null(report_page(".", NULL, &bytes, &error));
    return error;
}

static char *output(void)
{
    char *error;
    cr_assert_not(report_file_check("nowhere/waiting.html", &error));
    free(error);
    cr_assert_not(report_file_write("nowhere/waiting.html", "x", 1, &error));
    return error;
}

static char *program(void)
{
    char *said, *path = strdup(getenv("PATH"));
    json_t *data = json_object();
    setenv("PATH", "/nowhere", 1);
    cr_assert_not(report_pictures(".", data, (const char *const[]){"s.db", "s.html"}, "pictures", NULL, &said));
    setenv("PATH", path, 1);
    cr_expect(access("pictures", F_OK), "nothing is made");
    json_decref(data);
    free(path);
    return said;
}

static char *moved(void)
{
    cr_assert_eq(rename("s.db", "elsewhere.db"), 0);
    return writing();
}

static char *(*const makers[])(void) = {
    [STORE_ERROR_MISSING] = missing, [STORE_ERROR_FORMAT] = format,         [STORE_ERROR_VERSION] = version,
    [STORE_ERROR_LOCKED] = locked,   [STORE_ERROR_READ_ONLY] = read_only,   [STORE_ERROR_FULL] = full,
    [STORE_ERROR_DAMAGED] = damaged, [STORE_ERROR_EXPERIMENT] = experiment, [STORE_ERROR_STATISTIC] = statistic,
    [STORE_ERROR_NOTHING] = nothing, [STORE_ERROR_PARTS] = parts,           [STORE_ERROR_OUTPUT] = output,
    [STORE_ERROR_PROGRAM] = program, [STORE_ERROR_MOVED] = moved,
};
#define MAKERS (sizeof makers / sizeof *makers)

static void expect_golden(uint32_t number)
{
    char path[256], expected[1024] = "(nothing)", *error = makers[number]();
    snprintf(path, sizeof path, "%s/R%02u.txt", EXPLORE_STORE_ERRORS, number);
    if (getenv("HEDDLE_UPDATE_GOLDEN"))
        world_write(path, error);
    FILE *file = fopen(path, "r");
    if (file) {
        expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
        fclose(file);
    }
    cr_expect_str_eq(error, expected, "R%02u: %s", number, error);
    free(error);
}

/* A test for each, because some leave a store that is of no use any more. */
#define TEST_OF(number, name, meaning)                                                                                 \
    Test(store_errors, name)                                                                                           \
    {                                                                                                                  \
        expect_golden(number);                                                                                         \
    }
#define STORE_ERROR TEST_OF
#include "store_errors.def"
#undef STORE_ERROR

/* ---- A part of the store that cannot be read ------------------------------------------------------------------------- */

/* What writing the table with such a statistic says. */
static void expect_no_table(const char *statistic, const char *reason)
{
    char *text = NULL, *error = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    const store_view view = {.statistics = &statistic, .statistic_count = 1};
    cr_expect_not(store_write_csv(opened, &view, out, &error));
    cr_assert(error);
    cr_expect(strstr(error, "store s.db: it is damaged: ") && strstr(error, reason), "%s", error);
    fclose(out);
    free(text);
    free(error);
}

Test(store_errors, of_values_leave_no_empty_columns)
{
    put_run();
    change("DROP VIEW measured; DROP TABLE statistic");
    expect_no_table("core.l1_hits", "no such table: statistic");
}

Test(store_errors, of_names_leave_no_missing_columns)
{
    put_run();
    change("ALTER TABLE statistic_name RENAME COLUMN name TO word");
    expect_no_table("core.*", "no such column: name");
}

Test(store_errors, of_a_statement_are_told_from_the_end_of_its_rows)
{
    sqlite3_stmt *one = sql_prepare(opened, "SELECT 1", "");
    cr_expect_eq(sql_step(opened, one), 1);
    cr_expect_eq(sql_step(opened, one), 0);
    sqlite3_finalize(one);
    cr_expect_null(opened->error);
    cr_expect_eq(sql_step(opened, sql_prepare(opened, "SELECT 1 FROM nowhere", "")), -1);
    cr_assert(opened->error);
    cr_expect(strstr(opened->error, "no such table: nowhere"), "%s", opened->error);
}

Test(store_errors, each_has_a_meaning)
{
    for (uint32_t number = 1; number < MAKERS; number++)
        cr_expect(makers[number] && store_error_meaning(number), "R%02u", number);
    cr_expect_null(store_error_meaning(MAKERS));
}
