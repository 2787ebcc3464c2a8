/* SPDX-License-Identifier: MIT */
/* From what a run leaves to the store: how it ended, and whether it is the run that the sweep meant. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "store_sql.h"
#include "world.h"

#define LOG "warning: a line that it printed\n"

static sweep read;
static resolution points;
static store *opened;
static spool files;
static char *error;

static void open_all(void)
{
    opened = world_enter_store(
        "sweep: 1\nname: collected\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n", &read, &points);
    cr_assert(spool_open(&files, "s.db", &error));
}

static void close_all(void)
{
    spool_close(&files, 1);
    world_leave_store(opened, &read, &points);
}

TestSuite(collected, .init = open_all, .fini = close_all);

/* Of a run that printed LOG and left results of this status, NULL: none. */
static enum collected collect(const char *status, int exit_code)
{
    job ended;
    job_fill(&ended, &points, 0, 0);
    ended.exit_code = exit_code;
    cr_assert(spool_write(&files, ended.name, ".log", LOG, &error));
    if (status) {
        json_t *results = json_pack("{s:s, s:s, s:o, s:[]}", "status", status, "message", "", "machine",
                                    json_loads(points.points[0].machine->json, 0, NULL), "kernels");
        char *text = json_dumps(results, 0);
        cr_assert(spool_write(&files, ended.name, ".json", text, &error));
        free(text);
        json_decref(results);
    }
    return job_collect(&points, &files, opened, &ended, "local", &error);
}

/* A column of the only run; "" if it is NULL. */
static const char *column(const char *name)
{
    static char text[256];
    char query[64];
    snprintf(query, sizeof query, "SELECT %s FROM run", name);
    sqlite3_stmt *statement = sql_prepare(opened, query, "");
    cr_assert_eq(sql_step(opened, statement), 1);
    const char *value = (const char *)sqlite3_column_text(statement, 0);
    snprintf(text, sizeof text, "%s", value ? value : "");
    sqlite3_finalize(statement);
    return text;
}

Test(collected, a_run_that_passes_keeps_no_log)
{
    cr_expect_eq(collect("pass", 0), COLLECTED_PASSED);
    cr_expect_str_eq(column("status"), "pass");
    cr_expect_str_eq(column("log"), "");
}

Test(collected, a_run_that_fails_keeps_what_it_printed)
{
    cr_expect_eq(collect("fail", 1), COLLECTED_FAILED);
    cr_expect_str_eq(column("status"), "fail");
    cr_expect_str_eq(column("log"), LOG);
}

/* Results are written before the end: something went wrong after them. */
Test(collected, results_that_pass_with_an_exit_code_that_does_not_are_an_error)
{
    cr_expect_eq(collect("pass", 3), COLLECTED_FAILED);
    cr_expect_str_eq(column("status"), "error");
    cr_expect_str_eq(column("exit_code"), "3");
    cr_expect_str_eq(column("log"), LOG);
}

Test(collected, a_run_that_was_ended_by_a_signal_has_crashed_whatever_its_results)
{
    cr_expect_eq(collect("pass", 128 + 11), COLLECTED_FAILED);
    cr_expect_str_eq(column("status"), "crash");
    cr_expect_eq(collect(NULL, 128 + 11), COLLECTED_FAILED);
    cr_expect_str_eq(column("message"), "ended by signal 11 (Segmentation fault)");
}

Test(collected, a_run_without_results_is_an_error_with_what_it_printed_last)
{
    cr_expect_eq(collect(NULL, 2), COLLECTED_FAILED);
    cr_expect_str_eq(column("status"), "error");
    cr_expect_str_eq(column("message"), "warning: a line that it printed");
}

/* The program's file has another time, inode or size; then its bytes decide. */
Test(collected, a_run_of_a_program_that_was_replaced_meanwhile_is_refused)
{
    points.program.about.st_mtim.tv_nsec ^= 1;
    cr_expect_eq(collect("pass", 0), COLLECTED_PASSED, "the same bytes");
    points.program.digest = digest_of_text("another build");
    cr_expect_eq(collect("pass", 0), COLLECTED_NOT);
    cr_expect(strstr(error, points.program.path) && strstr(error, " has changed since the sweep began"), "%s", error);
    free(error);
    error = NULL;
    points.program.about.st_mtim.tv_nsec ^= 1;
    points.program.about.st_size++;
    cr_expect_eq(collect("pass", 0), COLLECTED_NOT);
    free(error);
}

Test(collected, a_run_of_a_program_that_was_removed_meanwhile_is_refused)
{
    points.program.path = "/no/such/heddle";
    cr_expect_eq(collect("pass", 0), COLLECTED_NOT);
    cr_expect(strstr(error, "/no/such/heddle has changed"), "%s", error);
    free(error);
}
