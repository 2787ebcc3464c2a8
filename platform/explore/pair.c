/* SPDX-License-Identifier: MIT */
#include "pair.h"

#include <string.h>

#include "utf8.h"

#define APP_PREFIX "app."
#define COMMAND "heddle compare"

typedef struct setting_list {
    netlist_setting *settings;
    uint32_t count;
    uint32_t capacity;
} setting_list;

static void add(arena *memory, setting_list *list, const node *path, const node *value)
{
    list->settings = arena_grow(memory, list->settings, list->count, &list->capacity, sizeof *list->settings);
    list->settings[list->count++] = (netlist_setting){path, value};
}

/* ---- Words that are no settings -------------------------------------------------------------------------------------- */

/* The command as far as it names files, as a line that carets point into. */
static const source *command_line(arena *memory, const pair_words *words)
{
    const char *line = arena_format(memory, COMMAND " %s %s%s%s", words->machines[0], words->machines[1],
                                    words->app ? " " : "", words->app ? words->app : "");
    return source_of_text(memory, SOURCE_COMMAND_LINE, line, strlen(line));
}

static const node *word(arena *memory, const source *line, const char *text, const char *before)
{
    const uint32_t column =
        utf8_columns(line->text, strlen(COMMAND) + 1) + 1 + (*before ? utf8_columns(before, strlen(before)) + 1 : 0);
    const uint32_t width = utf8_columns(text, strlen(text));
    return netlist_new_scalar(memory, text, (span){line, 1, column, width ? width : 1});
}

static void add_word(arena *memory, setting_list *list, const source *line, const char *path, const node *value)
{
    add(memory, list, netlist_new_scalar(memory, path, (span){line, 1, 1, 0}), value);
}

/* ---- Settings ------------------------------------------------------------------------------------------------------- */

/* app.NAME=VALUE: the value is a text as it stands. */
static void add_option(loader *state, setting_list *list, const char *option, const char *set)
{
    const char *equals = strchr(set, '=');
    const char *line = arena_format(state->memory, "%s %s", option, set);
    const source *where = source_of_text(state->memory, SOURCE_COMMAND_LINE, line, strlen(line));
    const uint32_t begin = utf8_columns(option, strlen(option)) + 2;
    const uint32_t bytes = equals ? (uint32_t)(equals - set) : (uint32_t)strlen(set);
    const uint32_t columns = utf8_columns(set, bytes);
    if (!equals || bytes == strlen(APP_PREFIX)) {
        report_error(&state->log, ERROR_BAD_OVERRIDE, (span){where, 1, begin, columns}, "it must be app.NAME=VALUE");
        return;
    }
    const uint32_t width = utf8_columns(equals + 1, strlen(equals + 1));
    add(state->memory, list,
        netlist_new_scalar(state->memory, arena_copy(state->memory, set, bytes), (span){where, 1, begin, columns}),
        netlist_new_scalar(state->memory, equals + 1, (span){where, 1, begin + columns + 1, width ? width : 1}));
}

/* A run is given single values: core.l1={bytes: 16 KiB, ways: 4} is two of them. */
static void add_values(loader *state, setting_list *list, const node *path, const node *value)
{
    if (value->kind == NODE_SCALAR)
        add(state->memory, list, path, value);
    else if (value->kind == NODE_SEQUENCE)
        report_error(&state->log, ERROR_WRONG_SHAPE, value->at, "%s cannot be a list", path->text);
    for (uint32_t i = 0; value->kind == NODE_MAPPING && i < value->count; i++) {
        const entry *member = &value->entries[i];
        const char *whole = arena_format(state->memory, "%s.%s", path->text, member->key->text);
        add_values(state, list, netlist_new_scalar(state->memory, whole, member->key->at), member->value);
    }
}

/* In a sweep these are paths as well; behind --set they are not. */
static int check_path(loader *state, const node *path)
{
    static const char *const others[] = {"machine", "app", "seed"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(path->text, others[i]) != 0)
            continue;
        report_error(&state->log, ERROR_BAD_OVERRIDE, path->at, "'%s' is no value of the machine", path->text);
        return 0;
    }
    return 1;
}

static void add_sets(loader *state, setting_list *list, const pair_sets *sets)
{
    const char **others = arena_alloc(state->memory, sets->count * sizeof *others + 1);
    netlist_setting *read = arena_alloc(state->memory, sets->count * sizeof *read + 1);
    size_t count = 0;
    for (size_t i = 0; i < sets->count; i++) {
        if (strncmp(sets->sets[i], APP_PREFIX, strlen(APP_PREFIX)) != 0)
            others[count++] = sets->sets[i];
        else
            add_option(state, list, sets->option, sets->sets[i]);
    }
    const uint32_t good = netlist_read_overrides(state, sets->option, others, count, read);
    for (uint32_t i = 0; i < good; i++)
        if (check_path(state, read[i].path))
            add_values(state, list, read[i].path, read[i].value);
}

/* ---- The sweep ------------------------------------------------------------------------------------------------------ */

static void make_sides(loader *state, sweep *result, const pair_words *words)
{
    static const char *const labels[] = {"A", "B"};
    static const uint32_t picks[] = {0, 1};
    arena *memory = state->memory;
    sweep_axis *axis = arena_alloc(memory, sizeof *axis);
    sweep_choice *choices = arena_alloc(memory, 2 * sizeof *choices);
    for (int side = 0; side < 2; side++) {
        setting_list list = {0};
        add_word(memory, &list, result->file, "machine",
                 word(memory, result->file, words->machines[side], side ? words->machines[0] : ""));
        add_sets(state, &list, &words->side[side]);
        choices[side] = (sweep_choice){.label = labels[side], .settings = list.settings, .count = list.count};
    }
    *axis = (sweep_axis){.name = "side", .choices = choices, .count = 2};
    result->axes = axis;
    result->axis_count = 1;
    result->picks = picks;
    result->point_count = 2;
}

int pair_make(sweep *result, const pair_words *words, FILE *errors)
{
    *result = (sweep){.path = "", .name = "compare", .description = "", .repeat = words->repeat};
    arena *memory = &result->memory;
    loader state = {.memory = memory, .log = {.out = errors}};
    setting_list common = {0};
    result->file = command_line(memory, words);
    if (words->app)
        add_word(memory, &common, result->file, "app",
                 word(memory, result->file, words->app,
                      arena_format(memory, "%s %s", words->machines[0], words->machines[1])));
    if (words->seed)
        add_word(memory, &common, result->file, "seed",
                 netlist_new_scalar(memory, words->seed, (span){result->file, 1, 1, 0}));
    add_sets(&state, &common, &words->both);
    result->common = common.settings;
    result->common_count = common.count;
    make_sides(&state, result, words);
    report_rest(&state.log);
    return !state.log.errors;
}
