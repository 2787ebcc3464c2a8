/* SPDX-License-Identifier: MIT */
/* From what a run leaves to the store: how it ended, and whether it is the run that the sweep meant. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect.h"
#include "store_sql.h"
#include "world.h"

#define LOG "warning: a line that it printed\n"

static sweep swept;
static resolution points;
static store *opened;
static spool files;
static char *error;
static job ended; /* the run: filled before each test */

static void open_all(void)
{
    opened = world_enter_store(
        "sweep: 1\nname: collected\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good}\n", &swept, &points);
    cr_assert(spool_open(&files, "s.db", &error));
    job_fill(&ended, &points, 0, 0);
}

static void close_all(void)
{
    spool_close(&files, 1);
    world_leave_store(opened, &swept, &points);
}

TestSuite(collected, .init = open_all, .fini = close_all);

/* Of a run that printed LOG and left results of this status, NULL: none. */
static enum collected collect(const char *status, int exit_code)
{
    ended.exit_code = exit_code;
    cr_assert(spool_write(&files, ended.name, ".log", LOG, &error));
    if (status) {
        json_t *results =
            json_pack("{s:s, s:s, s:o, s:{s:f}, s:[]}", "status", status, "message", "", "machine",
                      json_loads(points.points[0].machine->json, 0, NULL), "host", "wall_seconds", 0.75, "kernels");
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

/* ---- When, where and at what cost ------------------------------------------------------------------------------------ */

Test(collected, a_run_keeps_its_times_as_utc)
{
    ended.started = 1234567890;
    ended.ended = 1709164799;
    setenv("TZ", "EST5", 1);
    tzset();
    cr_expect_eq(collect("pass", 0), COLLECTED_PASSED);
    cr_expect_str_eq(column("started"), "2009-02-13T23:31:30Z");
    cr_expect_str_eq(column("ended"), "2024-02-28T23:59:59Z");
}

Test(collected, a_run_keeps_what_it_took_and_where_it_ran)
{
    ended.user_seconds = 0.5;
    ended.peak_bytes = 4096;
    strcpy(ended.host, "node7");
    cr_expect_eq(collect("pass", 0), COLLECTED_PASSED);
    cr_expect_str_eq(column("host_seconds"), "0.75");
    cr_expect_str_eq(column("user_seconds"), "0.5");
    cr_expect_str_eq(column("peak_bytes"), "4096.0");
    cr_expect_str_eq(column("host"), "node7");
    cr_expect_str_eq(column("engine"), "local");
    cr_expect_str_eq(column("repetition"), "0");
}

/* A run without results has no time of its own; an engine may not know the others. */
Test(collected, what_is_not_known_is_left_open)
{
    char here[64] = "";
    gethostname(here, sizeof here - 1);
    cr_expect_eq(collect(NULL, 2), COLLECTED_FAILED);
    cr_expect_str_eq(column("host_seconds"), "");
    cr_expect_str_eq(column("user_seconds"), "");
    cr_expect_str_eq(column("peak_bytes"), "");
    cr_expect_str_eq(column("started"), "");
    cr_expect_str_eq(column("ended"), "");
    cr_expect_str_eq(column("host"), here);
}

/* Then the results decide. */
Test(collected, a_run_without_an_exit_code_has_that_of_its_results)
{
    cr_expect_eq(collect("pass", -1), COLLECTED_PASSED);
    cr_expect_str_eq(column("exit_code"), "0");
    cr_expect_eq(collect("fail", -1), COLLECTED_FAILED);
    cr_expect_str_eq(column("exit_code"), "1");
}

static void expect_spool(const char *end, int is_there)
{
    size_t bytes;
    char *text = spool_read(&files, ended.name, end, SIZE_MAX / 2, &bytes);
    cr_expect_eq(text != NULL, is_there, "%s", end);
    free(text);
}

Test(collected, files_of_a_run_go_when_it_is_in_the_store_or_stale)
{
    cr_expect_eq(collect("pass", 0), COLLECTED_PASSED);
    expect_spool(".log", 0);
    expect_spool(".json", 0);
    cr_expect_eq(collect(NULL, 2), COLLECTED_FAILED);
    expect_spool(".log", 0);
    points.program.path = "/no/such/heddle";
    cr_expect_eq(collect("pass", 0), COLLECTED_NOT);
    expect_spool(".log", 0);
    expect_spool(".json", 0);
    free(error);
}
