/* SPDX-License-Identifier: MIT */
#include "report_data.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report_parts.h"
#include "store_errors.h"
#include "text.h"
#include "utf8.h"

json_t *report_text(const char *text)
{
    size_t bytes = strlen(text);
    if (utf8_fault(text, bytes) == bytes)
        return json_string(text);
    char *copy = hd_text_format("%s", text);
    for (size_t at; (at = utf8_fault(copy, bytes)) < bytes;)
        copy[at] = '?';
    json_t *value = json_string(copy);
    free(copy);
    return value;
}

static int refuse(store *opened, enum store_error error, const char *why)
{
    free(opened->error);
    opened->error = store_error_text(error, "store %s: %s", opened->path, why);
    return 0;
}

static int read_experiment(store *opened, const report_request *request, const char *name, json_t *experiments)
{
    static int (*const add[])(store *, const view_columns *, json_t *) = {
        report_add_experiment,
        report_add_points,
        report_add_published,
        report_add_failures,
    };
    const store_view view = {
        .experiment = name, .statistics = request->statistics, .statistic_count = request->statistic_count};
    view_columns columns;
    json_t *object = json_pack("{s:s}", "name", name);
    int good = view_columns_read(opened, &view, &columns);
    for (size_t i = 0; good && i < sizeof add / sizeof *add; i++)
        good = add[i](opened, &columns, object);
    good = good && report_add_columns(opened, &columns, request->classes, object);
    view_columns_free(&columns);
    json_array_append_new(experiments, object);
    return good;
}

static int read_all(store *opened, const report_request *request, json_t *experiments)
{
    json_t *names = json_array();
    sqlite3_stmt *statement = sql_prepare(opened, "SELECT name FROM experiment ORDER BY experiment", "");
    int row;
    while ((row = sql_step(opened, statement)) == 1)
        json_array_append_new(names, report_text(sql_text(statement, 0)));
    sqlite3_finalize(statement);
    int good = row == 0 && (json_array_size(names) || refuse(opened, STORE_ERROR_EXPERIMENT, "it holds no experiment"));
    for (size_t i = 0; good && i < json_array_size(names); i++)
        good = read_experiment(opened, request, json_string_value(json_array_get(names, i)), experiments);
    json_decref(names);
    return good;
}

/* A point that did not pass is worth a report as well. */
static int has_runs(store *opened, const json_t *experiments)
{
    for (size_t e = 0; e < json_array_size(experiments); e++) {
        const json_t *points = json_object_get(json_array_get(experiments, e), "points");
        for (size_t p = 0; p < json_array_size(points); p++)
            if (strcmp(json_string_value(json_object_get(json_array_get(points, p), "status")), "missing") != 0)
                return 1;
    }
    return refuse(opened, STORE_ERROR_NOTHING, "no run has ended yet; there is nothing to report");
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

json_t *report_data(store *opened, const report_request *request, char **error)
{
    char now[32];
    time_t seconds = time(NULL);
    struct tm utc;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    json_t *experiments = json_array();
    int good = sql_run(opened, "BEGIN", "") &&
               (request->experiment ? read_experiment(opened, request, request->experiment, experiments)
                                    : read_all(opened, request, experiments)) &&
               has_runs(opened, experiments);
    if (sql_end(opened, good, error))
        return json_pack("{s:s, s:o, s:s, s:o, s:o}", "heddle", request->version, "store",
                         report_text(last_name(opened->path)), "written", now, "stacks", report_stacks(), "experiments",
                         experiments);
    json_decref(experiments);
    return NULL;
}
