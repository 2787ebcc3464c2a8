/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report_parts.h"
#include "sha256.h"

/* What is said once for all points. */
typedef struct collected {
    json_t *machines; /* {digest: index} */
    json_t *list;     /* of machines */
    json_t *hosts;    /* {name: null} */
    sha256 inputs;
} collected;

static json_t *choices_of(store *opened, int64_t point)
{
    sqlite3_stmt *row = sql_prepare(opened, "SELECT choice FROM point_axis WHERE point = ?1 ORDER BY axis", "i", point);
    json_t *choices = json_array();
    int found;
    while ((found = sql_step(opened, row)) == 1)
        json_array_append_new(choices, json_integer(sqlite3_column_int64(row, 0)));
    sqlite3_finalize(row);
    if (found == 0)
        return choices;
    json_decref(choices);
    return NULL;
}

static json_t *number_or_null(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? json_null()
                                                           : json_real(sqlite3_column_double(row, column));
}

/* "runs", and "status" of all. */
static int add_runs(store *opened, const view_columns *columns, int64_t input, json_t *point, collected *all)
{
    sqlite3_stmt *run = sql_prepare(opened,
                                    "SELECT status, host, host_seconds, peak_bytes FROM run"
                                    " WHERE input = ?1 AND repetition < ?2 ORDER BY repetition",
                                    "ii", input, columns->repeat);
    json_t *runs = json_array(), *status = NULL;
    int found;
    while ((found = sql_step(opened, run)) == 1) {
        const char *ended = sql_text(run, 0);
        if (!status || (!strcmp(json_string_value(status), "pass") && strcmp(ended, "pass") != 0)) {
            json_decref(status);
            status = report_text(ended);
        }
        json_t *host = report_text(sql_text(run, 1));
        if (*sql_text(run, 1))
            json_object_set_new(all->hosts, json_string_value(host), json_null());
        json_array_append_new(runs, json_pack("{s:o, s:o, s:o}", "host", host, "seconds", number_or_null(run, 2),
                                              "peak", number_or_null(run, 3)));
    }
    sqlite3_finalize(run);
    json_object_set_new(point, "status", status ? status : json_string("missing"));
    json_object_set_new(point, "runs", runs);
    return found == 0;
}

static json_t *machine_index(sqlite3_stmt *row, collected *all)
{
    const char *digest = sql_text(row, 2);
    json_t *index = json_object_get(all->machines, digest);
    if (!index) {
        index = json_integer((json_int_t)json_array_size(all->list));
        json_object_set_new(all->machines, digest, index);
        json_array_append_new(all->list,
                              json_pack("{s:s, s:o, s:o}", "digest", digest, "name", report_text(sql_text(row, 3)),
                                        "file", report_text(sql_text(row, 4))));
    }
    return json_incref(index);
}

static int add_point(store *opened, const view_columns *columns, sqlite3_stmt *row, json_t *points, collected *all)
{
    json_t *choices = choices_of(opened, sqlite3_column_int64(row, 0));
    if (!choices)
        return 0;
    const char *key = sql_text(row, 7);
    sha256_add(&all->inputs, key, strlen(key));
    json_t *point =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "choices", choices, "machine", machine_index(row, all), "app",
                  report_text(sql_text(row, 5)), "seed", report_text(sql_text(row, 6)), "key", report_text(key));
    json_array_append_new(points, point);
    return add_runs(opened, columns, sqlite3_column_int64(row, 1), point, all);
}

int report_add_points(store *opened, const view_columns *columns, json_t *object)
{
    static const char sql[] = "SELECT point.point, point.input, machine.digest, machine.name, input.machine_file,"
                              "  input.app, input.seed, input.key"
                              " FROM point JOIN input USING (input) JOIN machine ON machine.digest = input.machine"
                              " WHERE point.experiment = ?1 ORDER BY point.position";
    json_t *points = json_array(), *hosts = json_array();
    collected all = {.machines = json_object(), .list = json_array(), .hosts = json_object()};
    sqlite3_stmt *row = sql_prepare(opened, sql, "i", columns->experiment);
    int found, good = 1;
    const char *name;
    json_t *value;
    sha256_begin(&all.inputs);
    while (good && (found = sql_step(opened, row)) == 1)
        good = add_point(opened, columns, row, points, &all);
    sqlite3_finalize(row);
    json_object_foreach(all.hosts, name, value) json_array_append_new(hosts, json_string(name));
    json_object_set_new(object, "points", points);
    json_object_set_new(object, "machines", all.list);
    json_object_set_new(object, "hosts", hosts);
    json_object_set_new(object, "inputs", json_string(sha256_end(&all.inputs).text));
    json_decref(all.machines);
    json_decref(all.hosts);
    return good && found == 0;
}
