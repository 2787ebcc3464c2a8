/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "resolve.h"

static int read_options(resolution *at, resolved_app *app)
{
    const char *text, *path = netlist_format(&at->memory, "%s/app.yaml", app->folder);
    size_t length;
    int too_large;
    if (netlist_read_file(&at->memory, path, &text, &length, &too_large))
        return 1;
    const source *where = netlist_source(&at->memory, path, text, length);
    const node *root = netlist_parse(&at->memory, &at->log, where, text, length, 0);
    if (!root)
        return 0;
    app->options = root->kind == NODE_MAPPING ? netlist_find_kind(root, "options", NODE_MAPPING) : NULL;
    return 1;
}

static const char *name_of(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash ? slash + 1 : folder;
}

static char *without_slashes(resolution *at, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return netlist_copy(&at->memory, path, length);
}

static int open_app(resolution *at, resolved_app *app, const node *place)
{
    char *folder = at->world->app_folder(app->given);
    if (!folder) {
        at->log.errors++;
        netlist_note_at(&at->log, place->at, "asked for here");
        return 0;
    }
    app->folder = without_slashes(at, folder);
    app->name = name_of(app->folder);
    free(folder);
    if (digest_of_app(app->folder, &app->files))
        return read_options(at, app);
    netlist_report(&at->log, SWEEP_ERROR_APP, place->at, "app %s: host.so and kernel.elf cannot be read: %s",
                   app->folder, strerror(errno));
    return 0;
}

const resolved_app *resolve_app(resolution *at, uint32_t point)
{
    const netlist_setting *given = resolve_setting(at, point, "app");
    if (!given) {
        netlist_report(&at->log, SWEEP_ERROR_MISSING, (span){at->sweep->file, 1, 1, 1}, "the sweep names no app");
        netlist_note(&at->log, "for example set: {app: hashtable}");
        return NULL;
    }
    resolved_app wanted = {.given = resolve_path(at, given->value->text)};
    const digest request = digest_of_text(wanted.given);
    resolved_app *result = digest_map_find(&at->apps, &request);
    if (result)
        return result;
    result = netlist_alloc(&at->memory, sizeof *result);
    *result = wanted;
    if (!open_app(at, result, given->value))
        return NULL;
    digest_map_add(&at->memory, &at->apps, &request, result);
    return result;
}

static const char *default_of(const node *option)
{
    const node *standard = option->kind == NODE_MAPPING ? netlist_find_kind(option, "default", NODE_SCALAR) : NULL;
    return standard ? standard->text : "";
}

/* Is it an option of the app, and a number where its default is one? */
static int check_option(resolution *at, const resolved_app *app, const netlist_setting *given)
{
    const char *name = strchr(given->path->text, '.') + 1;
    const node *option = app->options ? netlist_find(app->options, name) : NULL;
    uint64_t number;
    if (!app->options)
        return 1;
    if (!option) {
        candidates known = {0};
        for (uint32_t i = 0; i < app->options->count; i++)
            netlist_candidate(&at->memory, &known, app->options->entries[i].key->text);
        netlist_report(&at->log, SWEEP_ERROR_OPTION, given->path->at, "app '%s' has no option '%s'", app->name, name);
        netlist_suggest(&at->log, name, &known);
        return 0;
    }
    if (!hd_host_number(default_of(option), &number) || hd_host_number(given->value->text, &number))
        return 1;
    netlist_report(&at->log, SWEEP_ERROR_NUMBER, given->value->at, "%s is '%s'; it must be " HD_HOST_NUMBER_FORM,
                   given->path->text, given->value->text);
    return 0;
}

/* Numbers as numbers, however they were written. */
static json_t *value_json(const char *text)
{
    uint64_t number;
    json_t *json = hd_host_number(text, &number) && number <= INT64_MAX ? json_integer((json_int_t)number) : NULL;
    if (!json)
        json = json_string(text);
    return json ? json : json_string("");
}

static const char *inputs_json(resolution *at, const resolved_point *point)
{
    const node *declared = point->app->options;
    json_t *json = json_object();
    for (uint32_t i = 0; declared && i < declared->count; i++)
        json_object_set_new(json, declared->entries[i].key->text, value_json(default_of(declared->entries[i].value)));
    for (uint32_t i = 0; i < point->option_count; i++)
        json_object_set_new(json, point->options[i].name, value_json(point->options[i].value));
    char *text = json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT);
    if (!text)
        abort();
    const char *copy = netlist_copy(&at->memory, text, strlen(text));
    json_decref(json);
    free(text);
    return copy;
}

int resolve_options(resolution *at, uint32_t point, resolved_point *result)
{
    const netlist_setting *settings;
    result->option_count = resolve_settings(at, point, 1, &settings);
    hd_host_option *options = netlist_alloc(&at->memory, result->option_count * sizeof *options + 1);
    for (uint32_t i = 0; i < result->option_count; i++) {
        if (!check_option(at, result->app, &settings[i]))
            return 0;
        options[i] = (hd_host_option){strchr(settings[i].path->text, '.') + 1, settings[i].value->text};
    }
    result->options = options;
    result->inputs = inputs_json(at, result);
    return 1;
}
