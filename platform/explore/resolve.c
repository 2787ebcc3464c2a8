/* SPDX-License-Identifier: MIT */
#include "resolve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine_names.h"

#define OPTION_PREFIX "app"

typedef struct settings_walk {
    const sweep *of;
    uint32_t point;
    uint32_t group; /* 0: of the whole sweep; then the axes */
    uint32_t index;
} settings_walk;

static const netlist_setting *next_setting(settings_walk *at)
{
    for (; at->group <= at->of->axis_count; at->group++, at->index = 0) {
        const netlist_setting *settings = at->of->common;
        uint32_t count = at->of->common_count;
        if (at->group) {
            uint32_t axis = at->group - 1;
            const sweep_choice *choice =
                &at->of->axes[axis].choices[at->of->picks[(size_t)at->point * at->of->axis_count + axis]];
            settings = choice->settings;
            count = choice->count;
        }
        if (at->index < count)
            return &settings[at->index++];
    }
    return NULL;
}

const netlist_setting *resolve_setting(const resolution *at, uint32_t point, const char *path)
{
    settings_walk walk = {.of = at->sweep, .point = point};
    const netlist_setting *found = NULL;
    for (const netlist_setting *setting; (setting = next_setting(&walk));)
        if (!strcmp(setting->path->text, path))
            found = setting;
    return found;
}

/* "app.": 1; "app3.": 3; 0: it is no option of an app. */
static uint32_t app_of(const char *path)
{
    if (strncmp(path, OPTION_PREFIX, strlen(OPTION_PREFIX)) != 0)
        return 0;
    const char *number = path + strlen(OPTION_PREFIX);
    if (*number == '.')
        return 1;
    const int is_later = *number >= '2' && *number <= '0' + (int)HD_HOST_PROGRAMS_MAX && number[1] == '.';
    return is_later ? (uint32_t)(*number - '0') : 0;
}

int resolve_belongs(const char *path, uint32_t to_app)
{
    static const char *const others[] = {"machine", "app", "with", "seed"};
    int is_other = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_other |= !strcmp(path, others[i]);
    return app_of(path) == to_app && !is_other;
}

/* That of energy unless it is a table by name, and what blocks read; `parameters_from` is found by who reads it. */
static int may_name_a_file(const netlist_setting *written)
{
    const char *path = written->path->text, *value = written->value->text, *last = strrchr(path, '.');
    if (!strcmp(path, "energy"))
        return !netlist_is_machine_name(value);
    return !app_of(path) && strchr(value, '/') && (!last || strcmp(last, ".parameters_from") != 0);
}

/* A path is from the sweep's file, as it is written; the run has it from wherever it is started. */
static netlist_setting setting_of_run(resolution *at, const netlist_setting *written)
{
    netlist_setting setting = *written;
    if (written->value->kind != NODE_SCALAR || !may_name_a_file(written))
        return setting;
    char *absolute = realpath(sweep_path_beside(&at->memory, written->value), NULL);
    if (!absolute)
        return setting; /* an error, at its place, when the machine is read */
    node *value = arena_alloc(&at->memory, sizeof *value);
    *value = *written->value;
    value->text = arena_copy(&at->memory, absolute, strlen(absolute));
    free(absolute);
    setting.value = value;
    return setting;
}

uint32_t resolve_settings(resolution *at, uint32_t point, uint32_t app, const netlist_setting **settings)
{
    settings_walk walk = {.of = at->sweep, .point = point};
    netlist_setting *list = NULL;
    uint32_t count = 0, capacity = 0;
    for (const netlist_setting *setting; (setting = next_setting(&walk));) {
        if (!resolve_belongs(setting->path->text, app))
            continue;
        list = arena_grow(&at->memory, list, count, &capacity, sizeof *list);
        list[count++] = setting_of_run(at, setting);
    }
    *settings = list;
    return count;
}

const char *resolve_path(resolution *at, const node *value)
{
    const char *path = value->text;
    if (!strchr(path, '/') && strcmp(path, ".") != 0 && strcmp(path, "..") != 0)
        return path;
    return sweep_path_beside(&at->memory, value);
}

static int resolve_seed(resolution *at, uint32_t point, uint64_t *seed)
{
    const netlist_setting *given = resolve_setting(at, point, "seed");
    *seed = 1;
    if (!given)
        return 1;
    char *end;
    const char *text = given->value->text;
    errno = 0;
    *seed = strtoull(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && !errno)
        return 1;
    report_error(&at->log, SWEEP_ERROR_NUMBER, given->value->at, "seed is '%s'; it must be a number below 2^64", text);
    return 0;
}

static int resolve_point(resolution *at, uint32_t point)
{
    resolved_point *result = &at->points[point];
    result->machine = resolve_machine(at, point);
    result->app = result->machine ? resolve_app(at, point, result->machine) : NULL;
    if (!result->app || !resolve_seed(at, point, &result->seed) || !resolve_beside(at, point, result) ||
        !resolve_options(at, point, result))
        return 0;
    resolve_from_point(at, result);
    result->key = digest_of_inputs(at, result);
    return 1;
}

/* Which point it was that did not go. */
static void note_point(const resolution *at, uint32_t point)
{
    char *text = sweep_point_text(at->sweep, point);
    if (at->sweep->axis_count)
        fprintf(at->log.out, "note: at point %u of %u: %s\n", point + 1, at->sweep->point_count, text);
    free(text);
}

int resolution_make(resolution *result, sweep *of, const sweep_world *world)
{
    *result = (resolution){.sweep = of, .world = world, .log = {.out = world->errors}};
    if (!program_file_find(&result->program, &result->memory)) {
        fprintf(world->errors, "error: the program itself cannot be read: %s\n", strerror(errno));
        return 0;
    }
    result->points = arena_alloc(&result->memory, of->point_count * sizeof *result->points + 1);
    if (!resolve_from(result))
        return 0;
    want_statistics(result);
    for (uint32_t p = 0; p < of->point_count; p++) {
        if (resolve_point(result, p))
            continue;
        note_point(result, p);
        return 0;
    }
    return check_statistics(result);
}

void resolution_free(resolution *result)
{
    state_file_close(&result->from);
    arena_free(&result->memory);
    *result = (resolution){0};
}
