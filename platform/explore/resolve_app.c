/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "app_declaration.h"
#include "resolve.h"

static int read_declaration(resolution *at, resolved_app *app)
{
    hd_app_declaration declared;
    if (!hd_app_declaration_read(&declared, &at->memory, &at->log, app->folder))
        return 0;
    app->name = declared.name;
    app->options = declared.options;
    app->variants = declared.variants;
    return 1;
}

static char *without_slashes(resolution *at, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return arena_copy(&at->memory, path, length);
}

static int open_app(resolution *at, resolved_app *app, const node *place)
{
    char *folder = at->world->app_folder(app->given);
    if (!folder) {
        at->log.errors++;
        report_note_at(&at->log, place->at, "asked for here");
        return 0;
    }
    app->folder = without_slashes(at, folder);
    free(folder);
    if (digest_of_app(app->folder, &app->files))
        return read_declaration(at, app);
    report_error(&at->log, SWEEP_ERROR_APP, place->at, "app %s: host.so and kernel.elf cannot be read: %s", app->folder,
                 strerror(errno));
    return 0;
}

const resolved_app *resolve_app(resolution *at, uint32_t point)
{
    const netlist_setting *given = resolve_setting(at, point, "app");
    if (!given) {
        report_error(&at->log, SWEEP_ERROR_MISSING, (span){at->sweep->file, 1, 1, 1}, "the sweep names no app");
        report_note(&at->log, "for example set: {app: hashtable}");
        return NULL;
    }
    resolved_app wanted = {.given = resolve_path(at, given->value)};
    const digest request = digest_of_text(wanted.given);
    resolved_app *result = digest_map_find(&at->apps, &request);
    if (result)
        return result;
    result = arena_alloc(&at->memory, sizeof *result);
    *result = wanted;
    if (!open_app(at, result, given->value))
        return NULL;
    digest_map_add(&at->memory, &at->apps, &request, result);
    return result;
}

/* What the variant that is asked for sets, NULL after a report. */
static const node *variant_settings(resolution *at, const resolved_app *app, const netlist_setting *given)
{
    const node *settings = app->variants ? netlist_find(app->variants, given->value->text) : NULL;
    if (settings)
        return settings;
    const candidates known = hd_app_names(&at->memory, app->variants);
    report_error(&at->log, SWEEP_ERROR_OPTION, given->value->at,
                 known.count ? "app '%s' has no variant '%s'" : "app '%s' has no variants, and so no '%s'", app->name,
                 given->value->text);
    candidates_suggest(&at->log, given->value->text, &known);
    return NULL;
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
        const candidates known = hd_app_names(&at->memory, app->options);
        report_error(&at->log, SWEEP_ERROR_OPTION, given->path->at, "app '%s' has no option '%s'", app->name, name);
        candidates_suggest(&at->log, name, &known);
        return 0;
    }
    if (!hd_host_number(hd_app_default(option), &number) || hd_host_number(given->value->text, &number))
        return 1;
    report_error(&at->log, SWEEP_ERROR_NUMBER, given->value->at, "%s is '%s'; it must be " HD_HOST_NUMBER_FORM,
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
        json_object_set_new(json, declared->entries[i].key->text,
                            value_json(hd_app_default(declared->entries[i].value)));
    for (uint32_t i = 0; i < point->option_count; i++)
        json_object_set_new(json, point->options[i].name, value_json(point->options[i].value));
    char *text = json_dumps(json, JSON_SORT_KEYS | JSON_COMPACT);
    if (!text)
        abort();
    const char *copy = arena_copy(&at->memory, text, strlen(text));
    json_decref(json);
    free(text);
    return copy;
}

static int is_variant(const netlist_setting *given)
{
    return !strcmp(given->path->text, "app." HD_APP_VARIANT);
}

int resolve_options(resolution *at, uint32_t point, resolved_point *result)
{
    const netlist_setting *settings;
    const node *variant = NULL;
    const uint32_t count = resolve_settings(at, point, 1, &settings);
    hd_host_option *options = arena_alloc(&at->memory, count * sizeof *options + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (is_variant(&settings[i]) ? !(variant = variant_settings(at, result->app, &settings[i]))
                                     : !check_option(at, result->app, &settings[i]))
            return 0;
        options[i] = (hd_host_option){strchr(settings[i].path->text, '.') + 1, settings[i].value->text};
    }
    result->option_count = hd_app_expand_variant(&at->memory, variant, options, count, &options);
    result->options = options;
    result->inputs = inputs_json(at, result);
    return 1;
}
