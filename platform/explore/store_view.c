/* SPDX-License-Identifier: MIT */
#include "store_view.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "quotient.h"
#include "resolve.h"
#include "store_errors.h"
#include "text.h"

static void add(name_list *list, const char *name)
{
    list->names = realloc(list->names, (list->count + 1) * sizeof *list->names);
    if (!list->names)
        abort();
    list->names[list->count++] = hd_text_format("%s", name);
}

static void free_list(name_list *list)
{
    while (list->count)
        free(list->names[--list->count]);
    free(list->names);
}

int name_list_has(const name_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->names[i], name))
            return 1;
    return 0;
}

/* The error, and what it could have been. */
static int unknown(store *opened, enum store_error error, const char *word, const name_list *known, const char *format)
{
    char *text = NULL, *sentence = hd_text_format(format, opened->path, word);
    size_t bytes;
    diagnostics log = {.out = open_memstream(&text, &bytes)};
    char *line = store_error_text(error, "%s", sentence);
    candidates names = {.names = (const char **)known->names, .count = (uint32_t)known->count};
    if (!log.out)
        abort();
    fputs(line, log.out);
    candidates_suggest(&log, word, &names);
    fclose(log.out);
    free(sentence);
    free(line);
    free(opened->error);
    opened->error = text;
    return 0;
}

/* The first column of each row. */
static int read_names(store *opened, sqlite3_stmt *statement, name_list *list, int each_once)
{
    int row;
    while ((row = sql_step(opened, statement)) == 1)
        if (!each_once || !name_list_has(list, sql_text(statement, 0)))
            add(list, sql_text(statement, 0));
    sqlite3_finalize(statement);
    return row == 0;
}

static const char experiment_row[] =
    "SELECT experiment, repeat, statistics, EXISTS (SELECT 1 FROM point JOIN input USING (input)"
    "  JOIN machine ON machine.digest = input.machine WHERE point.experiment = experiment.experiment"
    "  AND json_extract(machine.json, '$.perturb.seed') = ?2)"
    " FROM experiment WHERE name = ?1";

static int find_experiment(store *opened, const char *name, view_columns *columns, char **statistics)
{
    name_list all = {0};
    int good = read_names(opened, sql_prepare(opened, "SELECT name FROM experiment ORDER BY name", ""), &all, 0);
    if (good && !name && all.count != 1) {
        good = unknown(opened, STORE_ERROR_EXPERIMENT, "", &all,
                       all.count ? "store %s holds several experiments; --experiment NAME takes one%s"
                                 : "store %s holds no experiment%s");
    } else if (good && name && !name_list_has(&all, name)) {
        good = unknown(opened, STORE_ERROR_EXPERIMENT, name, &all, "store %s has no experiment '%s'");
    }
    sqlite3_stmt *statement =
        good ? sql_prepare(opened, experiment_row, "tt", name ? name : all.names[0], RESOLVED_SEED) : NULL;
    good = good && sql_step(opened, statement) == 1;
    if (good) {
        columns->experiment = sqlite3_column_int64(statement, 0);
        columns->repeat = sqlite3_column_int64(statement, 1);
        columns->is_perturbed = sqlite3_column_int(statement, 3);
        *statistics = hd_text_format("%s", sql_text(statement, 2));
    }
    sqlite3_finalize(statement);
    free_list(&all);
    return good;
}

/* Has some run this one? Also if there are no runs yet. */
static int check_part(store *opened, const char *name)
{
    name_list all = {0};
    int good = read_names(opened, sql_prepare(opened, "SELECT name FROM statistic_name ORDER BY name", ""), &all, 0);
    if (good && all.count && !name_list_has(&all, name))
        good = unknown(opened, STORE_ERROR_STATISTIC, name, &all, "no run in store %s has a statistic '%s'");
    free_list(&all);
    return good;
}

static int add_quotient(store *opened, view_columns *columns, const char *name, int is_asked)
{
    quotient parts = quotient_of(name);
    const int good = !is_asked || (check_part(opened, parts.dividend) && check_part(opened, parts.divisor));
    quotient_free(&parts);
    if (good && !name_list_has(&columns->statistics, name))
        add(&columns->statistics, name);
    return good;
}

/* Patterns as in file names: * ? [...]. One that is no pattern names a column even if no run has such a statistic yet; but who
 * asks for it now is told if runs there are have none. */
static int add_pattern(store *opened, view_columns *columns, const char *pattern, int is_asked)
{
    size_t before = columns->statistics.count;
    if (strstr(pattern, QUOTIENT_SIGN))
        return add_quotient(opened, columns, pattern, is_asked);
    if (!read_names(
            opened,
            sql_prepare(opened, "SELECT name FROM statistic_name WHERE name GLOB ?1 ORDER BY name", "t", pattern),
            &columns->statistics, 1))
        return 0;
    if (columns->statistics.count > before || name_list_has(&columns->statistics, pattern))
        return 1;
    name_list all = {0};
    int good = read_names(opened, sql_prepare(opened, "SELECT name FROM statistic_name ORDER BY name", ""), &all, 0);
    if (good && is_asked && all.count)
        good = unknown(opened, STORE_ERROR_STATISTIC, pattern, &all, "no run in store %s has a statistic '%s'");
    else if (good && !strpbrk(pattern, "*?["))
        add(&columns->statistics, pattern);
    free_list(&all);
    return good;
}

static int read_statistics(store *opened, const store_view *view, view_columns *columns, const char *of_experiment)
{
    int good = 1;
    if (view->statistic_count) {
        for (size_t i = 0; good && i < view->statistic_count; i++)
            good = add_pattern(opened, columns, view->statistics[i], 1);
        return good;
    }
    json_t *list = json_loads(of_experiment, 0, NULL);
    for (size_t i = 0; good && i < json_array_size(list); i++)
        good = add_pattern(opened, columns, json_string_value(json_array_get(list, i)), 0);
    json_decref(list);
    return good;
}

int view_columns_read(store *opened, const store_view *view, view_columns *columns)
{
    char *statistics = NULL;
    *columns = (view_columns){0};
    int good = find_experiment(opened, view->experiment, columns, &statistics) &&
               read_names(opened,
                          sql_prepare(opened, "SELECT name FROM axis WHERE experiment = ?1 ORDER BY axis", "i",
                                      columns->experiment),
                          &columns->axes, 0) &&
               read_statistics(opened, view, columns, statistics);
    free(statistics);
    return good;
}

void view_columns_free(view_columns *columns)
{
    free_list(&columns->axes);
    free_list(&columns->statistics);
}
