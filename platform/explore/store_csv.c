/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "quotient.h"
#include "sample.h"
#include "store_view.h"
#include "text.h"

/* Columns that are the same for every experiment. An axis of that name takes the place of one of the first. */
static const char *const inputs[] = {"machine", "app", "seed"};
static const char *const host_columns[] = {"host_seconds", "user_seconds", "peak_bytes", "engine",
                                           "host",         "started",      "ended"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char point_rows[] = "SELECT point.point, point.position, machine.name, input.app, input.seed, input.input"
                                 " FROM point JOIN input USING (input) JOIN machine ON machine.digest = input.machine"
                                 " WHERE point.experiment = ?1 ORDER BY point.position";

static int has_means(const view_columns *columns, const store_view *view)
{
    return columns->is_perturbed && !view->with_runs && !view->with_host;
}

static void put_statistic_heads(const view_columns *columns, int with_intervals, FILE *out)
{
    for (size_t i = 0; i < columns->statistics.count; i++) {
        const char *name = columns->statistics.names[i];
        csv_put_next(out, name);
        char *interval = hd_text_format("%s.ci95", name);
        if (with_intervals)
            csv_put_next(out, interval);
        free(interval);
    }
}

static void put_head(const view_columns *columns, const store_view *view, FILE *out)
{
    const int means = has_means(columns, view);
    fputs("point", out);
    for (size_t i = 0; i < columns->axes.count; i++)
        csv_put_next(out, columns->axes.names[i]);
    for (size_t i = 0; i < COUNT(inputs); i++)
        if (!name_list_has(&columns->axes, inputs[i]))
            csv_put_next(out, inputs[i]);
    fputs(means ? ",runs,status" : ",repetition,status", out);
    put_statistic_heads(columns, means, out);
    for (size_t i = 0; view->with_host && i < COUNT(host_columns); i++)
        csv_put_next(out, host_columns[i]);
    fputc('\n', out);
}

static int put_labels(store *opened, sqlite3_stmt *point, FILE *out)
{
    sqlite3_stmt *labels = sql_prepare(opened, "SELECT label FROM point_axis WHERE point = ?1 ORDER BY axis", "i",
                                       sqlite3_column_int64(point, 0));
    int row;
    while ((row = sql_step(opened, labels)) == 1)
        csv_put_next(out, sql_text(labels, 0));
    sqlite3_finalize(labels);
    return row == 0;
}

static int put_statistics(store *opened, const view_columns *columns, int64_t run, FILE *out)
{
    static const char sql[] = "SELECT value FROM " QUOTIENT_VALUES " WHERE run = ?3";
    for (size_t i = 0; i < columns->statistics.count; i++) {
        quotient parts = quotient_of(columns->statistics.names[i]);
        sqlite3_stmt *value = sql_prepare(opened, sql, "tti", parts.dividend, parts.divisor, run);
        quotient_free(&parts);
        int row = sql_step(opened, value);
        csv_put_next(out, row == 1 ? sql_text(value, 0) : "");
        sqlite3_finalize(value);
        if (row < 0)
            return 0;
    }
    return 1;
}

/* What every row of a point begins with. */
static int put_inputs(store *opened, const view_columns *columns, sqlite3_stmt *point, FILE *out)
{
    fprintf(out, "%lld", (long long)sqlite3_column_int64(point, 1));
    if (!put_labels(opened, point, out))
        return 0;
    for (int i = 0; i < (int)COUNT(inputs); i++)
        if (!name_list_has(&columns->axes, inputs[i]))
            csv_put_next(out, sql_text(point, 2 + i));
    return 1;
}

static int put_row(store *opened, const view_columns *columns, const store_view *view, sqlite3_stmt *point,
                   int64_t repetition, FILE *out)
{
    static const char sql[] = "SELECT run, status, host_seconds, user_seconds, peak_bytes, engine, host, started, ended"
                              " FROM run WHERE input = ?1 AND repetition = ?2";
    if (!put_inputs(opened, columns, point, out))
        return 0;
    sqlite3_stmt *run = sql_prepare(opened, sql, "ii", sqlite3_column_int64(point, 5), repetition);
    int found = sql_step(opened, run);
    fprintf(out, ",%lld,%s", (long long)repetition + 1, found == 1 ? sql_text(run, 1) : "missing");
    int good = found >= 0 && put_statistics(opened, columns, found == 1 ? sqlite3_column_int64(run, 0) : -1, out);
    for (int i = 0; good && view->with_host && i < (int)COUNT(host_columns); i++)
        csv_put_next(out, found == 1 ? sql_text(run, 2 + i) : "");
    sqlite3_finalize(run);
    fputc('\n', out);
    return good;
}

/* ---- Means of repetitions ------------------------------------------------------------------------------------------ */

/* Of the runs that passed; numbers too large for SQLite are texts. */
static int put_mean(store *opened, const view_columns *columns, int64_t input, const char *name, FILE *out)
{
    static const char sql[] = "SELECT CAST(value AS REAL) FROM run JOIN " QUOTIENT_VALUES " USING (run)"
                              " WHERE input = ?3 AND repetition < ?4 AND status = 'pass' ORDER BY repetition";
    quotient parts = quotient_of(name);
    sqlite3_stmt *value = sql_prepare(opened, sql, "ttii", parts.dividend, parts.divisor, input, columns->repeat);
    quotient_free(&parts);
    sample all = {0};
    int row;
    while ((row = sql_step(opened, value)) == 1)
        sample_add(&all, sqlite3_column_double(value, 0));
    sqlite3_finalize(value);
    fputc(',', out);
    if (all.count)
        fprintf(out, "%.15g", all.mean);
    fputc(',', out);
    if (all.count > 1)
        fprintf(out, "%.6g", sample_half_width(&all));
    return row == 0;
}

/* How many runs passed, and "pass" or what the first of the others is. */
static int put_status(store *opened, const view_columns *columns, int64_t input, FILE *out)
{
    static const char sql[] = "SELECT count(*), count(*) FILTER (WHERE status = 'pass'),"
                              "  (SELECT status FROM run WHERE input = ?1 AND repetition < ?2 AND status <> 'pass'"
                              "   ORDER BY repetition LIMIT 1)"
                              " FROM run WHERE input = ?1 AND repetition < ?2";
    sqlite3_stmt *count = sql_prepare(opened, sql, "ii", input, columns->repeat);
    const int found = sql_step(opened, count);
    if (found == 1) {
        const char *failed = sql_text(count, 2);
        const int is_all = sqlite3_column_int64(count, 0) == columns->repeat;
        fprintf(out, ",%s,%s", sql_text(count, 1), *failed ? failed : is_all ? "pass" : "missing");
    }
    sqlite3_finalize(count);
    return found == 1;
}

static int put_means(store *opened, const view_columns *columns, sqlite3_stmt *point, FILE *out)
{
    const int64_t input = sqlite3_column_int64(point, 5);
    int good = put_inputs(opened, columns, point, out) && put_status(opened, columns, input, out);
    for (size_t i = 0; good && i < columns->statistics.count; i++)
        good = put_mean(opened, columns, input, columns->statistics.names[i], out);
    fputc('\n', out);
    return good;
}

static int put_rows(store *opened, const view_columns *columns, const store_view *view, FILE *out)
{
    sqlite3_stmt *point = sql_prepare(opened, point_rows, "i", columns->experiment);
    int row, good = 1;
    const int64_t rows = has_means(columns, view) ? 0 : columns->repeat;
    while (good && (row = sql_step(opened, point)) == 1) {
        if (!rows)
            good = put_means(opened, columns, point, out);
        for (int64_t repetition = 0; good && repetition < rows; repetition++)
            good = put_row(opened, columns, view, point, repetition, out);
    }
    sqlite3_finalize(point);
    return good && row == 0;
}

/* Of one moment, whoever writes meanwhile. */
static int write_all(store *opened, const store_view *view, FILE *out,
                     int (*put)(store *, const view_columns *, const store_view *, FILE *), char **error)
{
    view_columns columns = {0};
    int good =
        sql_run(opened, "BEGIN", "") && view_columns_read(opened, view, &columns) && put(opened, &columns, view, out);
    view_columns_free(&columns);
    return sql_end(opened, good, error);
}

static int put_table(store *opened, const view_columns *columns, const store_view *view, FILE *out)
{
    put_head(columns, view, out);
    return put_rows(opened, columns, view, out);
}

int store_write_csv(store *opened, const store_view *view, FILE *out, char **error)
{
    return write_all(opened, view, out, put_table, error);
}

static int put_failures(store *opened, const view_columns *columns, const store_view *view, FILE *out)
{
    static const char sql[] =
        "SELECT point.position, point.axes, run.repetition + 1, run.status, run.exit_code, run.message, run.log"
        " FROM point JOIN run USING (input)"
        " WHERE experiment = ?1 AND repetition < ?2 AND status <> 'pass' ORDER BY point.position, repetition";
    (void)view;
    sqlite3_stmt *run = sql_prepare(opened, sql, "ii", columns->experiment, columns->repeat);
    int row;
    while ((row = sql_step(opened, run)) == 1) {
        fprintf(out, "point %s %s, repetition %s: %s, exit code %s\n", sql_text(run, 0), sql_text(run, 1),
                sql_text(run, 2), sql_text(run, 3), sql_text(run, 4));
        const char *message = sql_text(run, 5), *log = sql_text(run, 6);
        if (*message && !strstr(log, message))
            fprintf(out, "%s\n", message);
        fprintf(out, "%s\n", log);
    }
    sqlite3_finalize(run);
    return row == 0;
}

int store_write_failures(store *opened, const store_view *view, FILE *out, char **error)
{
    return write_all(opened, view, out, put_failures, error);
}
