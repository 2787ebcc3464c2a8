/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "quotient.h"
#include "report_parts.h"

/* Of what the points of this experiment ran. */
static int add_kernel_cycles(store *opened, const view_columns *columns, json_t *names)
{
    sqlite3_stmt *kernel =
        sql_prepare(opened,
                    "SELECT DISTINCT kernel || '/cycles' FROM point JOIN run USING (input)"
                    " JOIN kernel USING (run) WHERE experiment = ?1 AND kernel <> '' ORDER BY kernel",
                    "i", columns->experiment);
    int row;
    while ((row = sql_step(opened, kernel)) == 1)
        json_object_set_new(names, sql_text(kernel, 0), json_null());
    sqlite3_finalize(kernel);
    return row == 0;
}

/* What was published, whether or not it is asked for: it is shown beside what was measured. */
static int add_published(store *opened, const view_columns *columns, json_t *names)
{
    sqlite3_stmt *name = sql_prepare(opened, "SELECT statistic FROM published WHERE experiment = ?1 ORDER BY published",
                                     "i", columns->experiment);
    int row;
    while ((row = sql_step(opened, name)) == 1)
        json_object_set_new(names, sql_text(name, 0), json_null());
    sqlite3_finalize(name);
    return row == 0;
}

/* The names that somebody asked for, those that stacks are made of, and published ones. */
static int names_of(store *opened, const view_columns *columns, json_t *names)
{
    json_t *stacks = report_stacks(), *stack, *part;
    size_t s, p;
    int row = 0;
    for (size_t i = 0; i < columns->statistics.count; i++)
        json_object_set_new(names, columns->statistics.names[i], json_null());
    json_array_foreach(stacks, s, stack) json_array_foreach(json_object_get(stack, "parts"), p, part)
    {
        sqlite3_stmt *name =
            sql_prepare(opened,
                        "SELECT name FROM statistic_name WHERE name GLOB '*.' || ?1 AND name NOT GLOB '*/*'"
                        " ORDER BY name",
                        "t", json_string_value(json_object_get(part, "statistic")));
        while (row >= 0 && (row = sql_step(opened, name)) == 1)
            json_object_set_new(names, sql_text(name, 0), json_null());
        sqlite3_finalize(name);
    }
    json_decref(stacks);
    return row == 0 && add_kernel_cycles(opened, columns, names) && add_published(opened, columns, names);
}

static json_t *number(sqlite3_stmt *row, int column)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER: return json_integer(sqlite3_column_int64(row, column));
    case SQLITE_FLOAT: return json_real(sqlite3_column_double(row, column));
    default: return json_null(); /* a counter too large for SQLite is a text: no plot has room for it */
    }
}

static sqlite3_stmt *prepare_values(store *opened, const char *sql, const view_columns *columns, const char *name)
{
    quotient parts = quotient_of(name);
    sqlite3_stmt *row =
        sql_prepare(opened, sql, "ttii", parts.dividend, parts.divisor, columns->experiment, columns->repeat);
    quotient_free(&parts);
    return row;
}

/* Of each point the list of numbers of its repetitions, which differ in chance; null if there is none. */
static int add_lists(store *opened, const view_columns *columns, const char *name, json_t *values)
{
    static const char sql[] =
        "SELECT position, value FROM point"
        " LEFT JOIN (SELECT input, repetition, value FROM run JOIN " QUOTIENT_VALUES " USING (run)"
        "  WHERE status = 'pass' AND repetition < ?4) USING (input)"
        " WHERE experiment = ?3 ORDER BY position, repetition";
    sqlite3_stmt *row = prepare_values(opened, sql, columns, name);
    int64_t last = -1;
    int found, known = 0;
    while ((found = sql_step(opened, row)) == 1) {
        if (sqlite3_column_int64(row, 0) != last)
            json_array_append_new(values, sqlite3_column_type(row, 1) == SQLITE_NULL ? json_null() : json_array());
        last = sqlite3_column_int64(row, 0);
        json_t *list = json_array_get(values, json_array_size(values) - 1);
        known = known || json_is_array(list);
        if (json_is_array(list))
            json_array_append_new(list, number(row, 1));
    }
    sqlite3_finalize(row);
    return found < 0 ? -1 : known;
}

/* Of each point the number of its first repetition: the others have the same. */
static int add_numbers(store *opened, const view_columns *columns, const char *name, json_t *values)
{
    static const char sql[] =
        "SELECT (SELECT value FROM run JOIN " QUOTIENT_VALUES " USING (run)"
        "  WHERE run.input = point.input AND status = 'pass' AND repetition < ?4 ORDER BY repetition LIMIT 1)"
        " FROM point WHERE experiment = ?3 ORDER BY position";
    sqlite3_stmt *row = prepare_values(opened, sql, columns, name);
    int found, known = 0;
    while ((found = sql_step(opened, row)) == 1) {
        known = known || sqlite3_column_type(row, 0) != SQLITE_NULL;
        json_array_append_new(values, number(row, 0));
    }
    sqlite3_finalize(row);
    return found < 0 ? -1 : known;
}

static int add_column(store *opened, const view_columns *columns, const char *name, const char *unit, json_t *list)
{
    json_t *values = json_array();
    const int known =
        columns->is_perturbed ? add_lists(opened, columns, name, values) : add_numbers(opened, columns, name, values);
    if (known > 0 || (known == 0 && name_list_has(&columns->statistics, name)))
        json_array_append_new(list, json_pack("{s:s, s:s, s:O}", "statistic", name, "unit", unit, "values", values));
    json_decref(values);
    return known >= 0;
}

int report_add_columns(store *opened, const view_columns *columns, netlist_registry classes, json_t *object)
{
    json_t *names = json_object(), *list = json_array(), *asked = json_array(), *value;
    const char *name;
    report_units units = {.classes = classes};
    int good = names_of(opened, columns, names);
    json_object_foreach(names, name, value) good =
        good && add_column(opened, columns, name, report_unit(&units, opened, columns, name), list);
    report_units_free(&units);
    for (size_t i = 0; i < columns->statistics.count; i++)
        json_array_append_new(asked, report_text(columns->statistics.names[i]));
    json_object_set_new(object, "statistics", asked);
    json_object_set_new(object, "columns", list);
    json_decref(names);
    return good;
}
