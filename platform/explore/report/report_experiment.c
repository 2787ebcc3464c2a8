/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report_parts.h"

static int add_texts(store *opened, const view_columns *columns, json_t *object)
{
    static const char *const names[] = {"description", "file", "text", "heddle", "build", "updated"};
    sqlite3_stmt *row = sql_prepare(
        opened, "SELECT description, file, text, heddle, build, updated FROM experiment WHERE experiment = ?1", "i",
        columns->experiment);
    int found = sql_step(opened, row);
    for (int i = 0; found == 1 && i < (int)(sizeof names / sizeof *names); i++)
        json_object_set_new(object, names[i], report_text(sql_text(row, i)));
    sqlite3_finalize(row);
    json_object_set_new(object, "repeat", json_integer(columns->repeat));
    json_object_set_new(object, "perturbed", json_boolean(columns->is_perturbed));
    return found == 1;
}

/* {"seed": 1}, {"app.seed": 1}, {"perturb": 1}: other random numbers, and nothing else. */
static int sets_a_seed_alone(const char *settings)
{
    json_t *object = json_loads(settings, 0, NULL);
    const char *path = json_object_size(object) == 1 ? json_object_iter_key(json_object_iter(object)) : "";
    size_t length = strlen(path);
    int is_seed =
        !strcmp(path, "seed") || !strcmp(path, "perturb") || (length > 5 && !strcmp(path + length - 5, ".seed"));
    json_decref(object);
    return is_seed;
}

static int add_axis(store *opened, const view_columns *columns, size_t axis, json_t *axes)
{
    sqlite3_stmt *choice =
        sql_prepare(opened, "SELECT label, settings FROM choice WHERE experiment = ?1 AND axis = ?2 ORDER BY choice",
                    "ii", columns->experiment, (int64_t)axis);
    json_t *labels = json_array();
    int row, repeats = 1;
    while ((row = sql_step(opened, choice)) == 1) {
        json_array_append_new(labels, report_text(sql_text(choice, 0)));
        repeats = repeats && sets_a_seed_alone(sql_text(choice, 1));
    }
    sqlite3_finalize(choice);
    json_array_append_new(axes, json_pack("{s:o, s:o, s:b}", "name", report_text(columns->axes.names[axis]), "labels",
                                          labels, "repeats", repeats && json_array_size(labels)));
    return row == 0;
}

int report_add_experiment(store *opened, const view_columns *columns, json_t *object)
{
    json_t *axes = json_array();
    int good = add_texts(opened, columns, object);
    for (size_t i = 0; good && i < columns->axes.count; i++)
        good = add_axis(opened, columns, i, axes);
    json_object_set_new(object, "axes", axes);
    return good;
}
