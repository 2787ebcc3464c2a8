/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input_file.h"
#include "profile_view.h"
#include "results.h"

static uint32_t refuse(char **error, const char *path, const char *format, const char *what)
{
    size_t bytes;
    FILE *out = open_memstream(error, &bytes);
    if (!out)
        abort();
    fprintf(out, "error: %s: ", path);
    fprintf(out, format, what);
    fputc('\n', out);
    fclose(out);
    return 0;
}

static json_t *load(const char *path, char **error)
{
    char *inside = NULL;
    size_t bytes;
    struct stat there;
    json_error_t failure;
    if (!stat(path, &there) && S_ISDIR(there.st_mode)) {
        FILE *name = open_memstream(&inside, &bytes);
        if (!name)
            abort();
        fprintf(name, "%s/stats.json", path);
        fclose(name);
    }
    input_file_note(inside ? inside : path);
    FILE *file = fopen(inside ? inside : path, "r");
    json_t *json = file ? json_loadf(file, 0, &failure) : NULL;
    if (!file)
        refuse(error, inside ? inside : path, "%s", strerror(errno));
    else if (!json)
        refuse(error, inside ? inside : path, "it is no results file of 'heddle run': %s", failure.text);
    if (file)
        fclose(file);
    free(inside);
    return json;
}

static uint32_t check_schema(const char *path, const json_t *results, char **error)
{
    const json_t *schema = json_object_get(results, "schema");
    const char *name = json_string_value(json_object_get(schema, "name"));
    char version[32];
    snprintf(version, sizeof version, "%lld", (long long)json_integer_value(json_object_get(schema, "version")));
    if (!name || strcmp(name, HD_RESULTS_SCHEMA) != 0)
        return refuse(error, path, "it is no results file of 'heddle run'%s", "");
    if (json_integer_value(json_object_get(schema, "version")) != HD_RESULTS_VERSION)
        return refuse(error, path, "it has version %s of its format, which this program does not read", version);
    if (!json_object_get(results, "profile"))
        return refuse(error, path, "it has no profile: make one with 'heddle run ... --profile'%s", "");
    return 1;
}

static uint32_t read_columns(profile_view *view, const json_t *columns)
{
    size_t i;
    json_t *column;
    view->columns = calloc(json_array_size(columns) + 1, sizeof *view->columns);
    if (!view->columns)
        abort();
    json_array_foreach(columns, i, column)
    {
        profile_column *to = &view->columns[view->column_count++];
        to->name = json_string_value(json_object_get(column, "name"));
        to->unit = json_string_value(json_object_get(column, "unit"));
        to->doc = json_string_value(json_object_get(column, "doc"));
        if (!to->name || !to->unit || !to->doc)
            return 0;
        view->has_slots |= profile_view_is_slots(to);
    }
    return view->column_count > 0;
}

/* Counts that are not there are 0; those of no column are an error. */
static uint32_t read_counts(profile_view *view, json_t *counts, uint64_t *to)
{
    const char *name;
    json_t *value;
    if (!json_is_object(counts))
        return 0;
    json_object_foreach(counts, name, value)
    {
        const uint32_t column = profile_view_column(view, name);
        if (column == UINT32_MAX || !json_is_integer(value) || json_integer_value(value) < 0)
            return 0;
        to[column] = (uint64_t)json_integer_value(value);
        view->columns[column].total += to[column];
    }
    return 1;
}

static uint32_t read_row(profile_view *view, const json_t *json, profile_row *row)
{
    const json_t *pc = json_object_get(json, "pc"), *line = json_object_get(json, "line");
    row->function = json_string_value(json_object_get(json, "function"));
    row->file = json_string_value(json_object_get(json, "file"));
    row->text = json_string_value(json_object_get(json, "text"));
    row->line = (uint32_t)json_integer_value(line);
    row->pc = (uint32_t)json_integer_value(pc);
    return json_is_integer(pc) && row->text && (!row->file || json_is_integer(line)) &&
           read_counts(view, json_object_get(json, "counts"), row->counts);
}

static uint32_t read_rows(profile_view *view, const json_t *profile)
{
    const json_t *rows = json_object_get(profile, "rows");
    const size_t count = json_array_size(rows);
    view->rows = calloc(count + 1, sizeof *view->rows);
    view->cells = calloc((count + 1) * view->column_count, sizeof *view->cells);
    if (!view->rows || !view->cells)
        abort();
    view->elsewhere = view->cells + count * view->column_count;
    for (size_t i = 0; i < count; i++) {
        view->rows[i].counts = view->cells + i * view->column_count;
        if (!read_row(view, json_array_get(rows, i), &view->rows[i]))
            return 0;
        view->whole += profile_view_part(view, view->rows[i].counts);
    }
    view->row_count = (uint32_t)count;
    if (!json_is_array(rows) || !read_counts(view, json_object_get(profile, "elsewhere"), view->elsewhere))
        return 0;
    view->whole += profile_view_part(view, view->elsewhere);
    return 1;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

uint32_t profile_view_open(profile_view *view, const char *path, char **error)
{
    *view = (profile_view){.path = path};
    view->results = load(path, error);
    if (!view->results)
        return 0;
    const json_t *profile = json_object_get(view->results, "profile");
    view->machine = text_at(json_object_get(view->results, "machine"), "name");
    view->app = text_at(json_object_get(view->results, "app"), "name");
    view->status = text_at(view->results, "status");
    if (check_schema(path, view->results, error)) {
        if (read_columns(view, json_object_get(profile, "columns")) && read_rows(view, profile) &&
            profile_conflicts_read(view, json_object_get(profile, "conflicts")))
            return 1;
        refuse(error, path, "its profile is damaged%s", "");
    }
    profile_view_close(view);
    return 0;
}

void profile_view_close(profile_view *view)
{
    json_decref(view->results);
    free(view->columns);
    free(view->rows);
    free(view->cells);
    free(view->places);
    free(view->conflicts);
    *view = (profile_view){0};
}
