/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "app_declaration.h"
#include "resolve.h"
#include "text.h"

static int read_declaration(resolution *at, resolved_app *app)
{
    hd_app_declaration declared;
    if (!hd_app_declaration_read(&declared, &at->memory, &at->log, app->folder))
        return 0;
    app->name = declared.name;
    app->options = declared.options;
    app->variants = declared.variants;
    app->opencl = declared.opencl;
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
    if (!read_declaration(at, app))
        return 0;
    char *file;
    if (digest_of_app(app, &app->files, &file))
        return 1;
    report_error(&at->log, SWEEP_ERROR_APP, place->at, "app %s: %s cannot be read: %s", app->folder, file,
                 strerror(errno));
    free(file);
    return 0;
}

static const resolved_app *find_app(resolution *at, const char *path, const node *place)
{
    resolved_app wanted = {.given = path};
    const digest request = digest_of_text(wanted.given);
    resolved_app *result = digest_map_find(&at->apps, &request);
    if (result)
        return result;
    result = arena_alloc(&at->memory, sizeof *result);
    *result = wanted;
    if (!open_app(at, result, place))
        return NULL;
    digest_map_add(&at->memory, &at->apps, &request, result);
    return result;
}

const resolved_app *resolve_app(resolution *at, uint32_t point, const resolved_machine *machine)
{
    static const resolved_app nothing = {.given = "", .name = RESOLVED_NO_APP};
    const netlist_setting *given = resolve_setting(at, point, "app");
    if (!given && machine->is_self_driven)
        return &nothing;
    if (!given) {
        report_error(&at->log, SWEEP_ERROR_MISSING, (span){at->sweep->file, 1, 1, 1},
                     *at->sweep->path
                         ? "the sweep names no app"
                         : "machines need an app as well, unless one of their blocks makes work of its own");
        report_note(&at->log, "for example set: {app: hashtable}");
        return NULL;
    }
    return find_app(at, resolve_path(at, given->value), given->value);
}

static int is_none(const node *with)
{
    return !strcmp(with->text, "none");
}

/* "bfs, vecadd"; "none": nobody. */
int resolve_beside(resolution *at, uint32_t point, resolved_point *result)
{
    const netlist_setting *given = resolve_setting(at, point, "with");
    const char *rest = given && !is_none(given->value) ? given->value->text : "";
    result->app_names = result->app->name;
    if (*rest && !result->app->folder) {
        report_error(&at->log, SWEEP_ERROR_APP, given->value->at, "with: an app runs beside another: there is none");
        return 0;
    }
    while (*rest) {
        const size_t length = strcspn(rest, ", ");
        node named = given ? *given->value : (node){0};
        named.text = arena_copy(&at->memory, rest, length);
        rest += length;
        rest += strspn(rest, ", ");
        if (result->with_count == RESOLVED_BESIDE_MAX) {
            report_error(&at->log, SWEEP_ERROR_APP, named.at, "with: at most %u apps run beside another",
                         RESOLVED_BESIDE_MAX);
            return 0;
        }
        const resolved_app *app = find_app(at, resolve_path(at, &named), &named);
        if (!app)
            return 0;
        if (app->opencl || result->app->opencl) {
            report_error(&at->log, SWEEP_ERROR_APP, named.at, "an OpenCL program runs alone, and %s is one",
                         app->opencl ? app->name : result->app->name);
            return 0;
        }
        result->with[result->with_count++].app = app;
        result->app_names = arena_format(&at->memory, "%s, %s", result->app_names, app->name);
    }
    return 1;
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

static void set_input(json_t *json, const char *prefix, const char *name, const char *value)
{
    char *whole = hd_text_format("%s%s", prefix, name);
    json_object_set_new(json, whole, value_json(value));
    free(whole);
}

static void add_inputs(json_t *json, const char *prefix, const resolved_app *app, const hd_host_option *options,
                       uint32_t option_count)
{
    const node *declared = app->options;
    for (uint32_t i = 0; declared && i < declared->count; i++)
        set_input(json, prefix, declared->entries[i].key->text, hd_app_default(declared->entries[i].value));
    for (uint32_t i = 0; i < option_count; i++)
        set_input(json, prefix, options[i].name, options[i].value);
}

static const char *inputs_json(resolution *at, const resolved_point *point)
{
    json_t *json = json_object();
    add_inputs(json, "", point->app, point->options, point->option_count);
    for (uint32_t i = 0; i < point->with_count; i++) {
        const resolved_beside *with = &point->with[i];
        char prefix[16];
        snprintf(prefix, sizeof prefix, "app%u.", i + 2);
        add_inputs(json, prefix, with->app, with->options, with->option_count);
    }
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
    return !strcmp(strchr(given->path->text, '.') + 1, HD_APP_VARIANT);
}

static int resolve_options_of(resolution *at, uint32_t point, uint32_t number, resolved_beside *result)
{
    const netlist_setting *settings;
    const node *variant = NULL;
    const uint32_t count = resolve_settings(at, point, number, &settings);
    hd_host_option *options = arena_alloc(&at->memory, count * sizeof *options + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (is_variant(&settings[i]) ? !(variant = variant_settings(at, result->app, &settings[i]))
                                     : !check_option(at, result->app, &settings[i]))
            return 0;
        options[i] = (hd_host_option){strchr(settings[i].path->text, '.') + 1, settings[i].value->text};
    }
    result->option_count = hd_app_expand_variant(&at->memory, variant, options, count, &options);
    result->options = options;
    return 1;
}

/* Options of an app that there is not. Where `with` says none, those for its other values say nothing. */
static int check_others(resolution *at, uint32_t point, const resolved_point *result)
{
    const netlist_setting *with = resolve_setting(at, point, "with");
    const netlist_setting *settings;
    if (with && is_none(with->value))
        return 1;
    for (uint32_t number = 2 + result->with_count; number <= HD_HOST_PROGRAMS_MAX; number++)
        if (resolve_settings(at, point, number, &settings)) {
            report_error(&at->log, SWEEP_ERROR_OPTION, settings->path->at, "there is no app %u: 'with' gives one",
                         number);
            return 0;
        }
    return 1;
}

static int check_options_of_none(resolution *at, uint32_t point, const resolved_point *result)
{
    const netlist_setting *settings;
    if (result->app->folder || !resolve_settings(at, point, 1, &settings))
        return 1;
    report_error(&at->log, SWEEP_ERROR_OPTION, settings->path->at, "there is no app, and so no '%s'",
                 settings->path->text);
    return 0;
}

int resolve_options(resolution *at, uint32_t point, resolved_point *result)
{
    resolved_beside first = {.app = result->app};
    if (!check_options_of_none(at, point, result) || !resolve_options_of(at, point, 1, &first))
        return 0;
    result->options = first.options;
    result->option_count = first.option_count;
    for (uint32_t i = 0; i < result->with_count; i++)
        if (!resolve_options_of(at, point, i + 2, &result->with[i]))
            return 0;
    result->inputs = inputs_json(at, result);
    return check_others(at, point, result);
}
