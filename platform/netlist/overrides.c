/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

#include "utf8.h"

#define STEPS_MAX 16u
#define OPTION "--set"

/* One override as it stands on the command line. */
typedef struct override {
    const char *text;
    const source *where;
    uint32_t column; /* of its first character */
} override;

/* A step of a path: characters of the override. */
typedef struct step {
    const char *name;
    span at;
} step;

static span part(const override *item, const char *from, size_t bytes)
{
    uint32_t before = utf8_columns(item->text, (size_t)(from - item->text));
    uint32_t width = utf8_columns(from, bytes);
    return (span){item->where, 1, item->column + before, width ? width : 1};
}

static span part_of_path(const node *path, const char *from, size_t bytes)
{
    uint32_t before = utf8_columns(path->text, (size_t)(from - path->text));
    return netlist_span_within(path, before, utf8_columns(from, bytes));
}

static uint32_t split_path(loader *state, const node *path, step *steps)
{
    uint32_t count = 0;
    for (const char *at = path->text, *end = at + strlen(at);;) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        size_t bytes = (size_t)((dot ? dot : end) - at);
        if (bytes == 0 || count == STEPS_MAX) {
            report_error(&state->log, ERROR_BAD_OVERRIDE, part_of_path(path, at, bytes),
                         bytes ? "the path has too many steps" : "a step of the path is empty");
            return 0;
        }
        steps[count++] = (step){arena_copy(state->memory, at, bytes), part_of_path(path, at, bytes)};
        if (!dot)
            return count;
        at = dot + 1;
    }
}

static int is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(*names, name) == 0)
            return 1;
    }
    return 0;
}

/* The section must have an entry of that name already: an override changes, it does not add. */
static int check_member(loader *state, const node *machine, const char *section, const step *member, const char *what)
{
    const node *members = netlist_find_kind(machine, section, NODE_MAPPING);
    if (netlist_entry(members, member->name))
        return 1;
    candidates known = {0};
    for (uint32_t i = 0; members && i < members->count; i++)
        candidates_add(state->memory, &known, members->entries[i].key->text);
    report_error(&state->log, ERROR_BAD_OVERRIDE, member->at, "the machine has no %s '%s'", what, member->name);
    candidates_suggest(&state->log, member->name, &known);
    return 0;
}

static int check_length(loader *state, const step *steps, uint32_t count, uint32_t minimum, const char *example)
{
    if (count >= minimum)
        return 1;
    report_error(&state->log, ERROR_BAD_OVERRIDE, steps[count - 1].at, "the path ends too early");
    report_note(&state->log, "for example %s", example);
    return 0;
}

/* Makes the path a full one, from the top of the machine. Returns the number of steps, 0 after an error. */
static uint32_t complete_path(loader *state, const node *machine, step *steps, uint32_t count)
{
    static const char *const fixed[] = {"heddle", "extends", "remove", "plugins", "links", NULL};
    static const char *const plain[] = {"name",    "description", "watchdog", "launch_align", "limit", "address_map",
                                        "perturb", "energy",      NULL};
    if (is_one_of(steps[0].name, fixed)) {
        report_error(&state->log, ERROR_BAD_OVERRIDE, steps[0].at, "'%s' cannot be overridden", steps[0].name);
        return 0;
    }
    if (is_one_of(steps[0].name, plain))
        return count;
    if (strcmp(steps[0].name, "clocks") == 0)
        return check_length(state, steps, count, 2, "clocks.core=1 GHz") &&
                       check_member(state, machine, "clocks", &steps[1], "clock")
                   ? count
                   : 0;
    if (strcmp(steps[0].name, "blocks") == 0)
        return check_length(state, steps, count, 3, "blocks.core.count=4") &&
                       check_member(state, machine, "blocks", &steps[1], "block")
                   ? count
                   : 0;
    if (!check_member(state, machine, "blocks", &steps[0], "block") ||
        !check_length(state, steps, count, 2, "core.warps=16"))
        return 0;
    uint32_t added = netlist_is_block_key(steps[1].name) ? 1 : 2;
    step block = steps[0];
    memmove(steps + 1 + added, steps + 1, (count - 1) * sizeof *steps);
    steps[0] = (step){"blocks", block.at};
    steps[1] = block;
    if (added == 2)
        steps[2] = (step){"parameters", block.at};
    return count + added;
}

static const node *nest(loader *state, const step *steps, uint32_t count, const node *value)
{
    while (count-- > 0) {
        node *parent = netlist_new_node(state->memory, NODE_MAPPING, steps[count].at);
        netlist_append(state->memory, parent, netlist_new_scalar(state->memory, steps[count].name, steps[count].at),
                       value);
        value = parent;
    }
    return value;
}

static const node *apply(loader *state, const node *machine, const netlist_setting *setting)
{
    step steps[STEPS_MAX + 2];
    uint32_t count = split_path(state, setting->path, steps);
    count = count ? complete_path(state, machine, steps, count) : 0;
    if (!count)
        return machine;
    const node *layer = nest(state, steps, count, setting->value);
    uint32_t errors = state->log.errors;
    netlist_check_shape(state, layer, 1);
    if (state->log.errors > errors)
        return machine;
    return netlist_merge(state, machine, netlist_flatten(state, layer));
}

/* Returns whether it is path=value. */
static int split_override(loader *state, const override *item, netlist_setting *setting)
{
    const char *equals = strchr(item->text, '=');
    size_t length = strlen(item->text);
    if (!equals || equals[1 + strspn(equals + 1, " \t")] == 0) {
        report_error(&state->log, ERROR_BAD_OVERRIDE, part(item, item->text, length),
                     equals ? "an override needs a value" : "an override is path=value");
        return 0;
    }
    size_t bytes = (size_t)(equals - item->text);
    setting->path =
        netlist_new_scalar(state->memory, arena_copy(state->memory, item->text, bytes), part(item, item->text, bytes));
    uint32_t offset = part(item, equals + 1, 1).column - 1;
    setting->value = netlist_parse(state->memory, &state->log, item->where, equals + 1, strlen(equals + 1), offset);
    return setting->value != NULL;
}

/* All overrides as one line of text, so that a caret can point into it. */
static override *place_overrides(loader *state, const char *option, const char *const *overrides, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += strlen(option) + 1 + strlen(overrides[i]) + 1;
    char *line = arena_alloc(state->memory, length + 1);
    override *items = arena_alloc(state->memory, count * sizeof *items);
    char *at = line;
    for (size_t i = 0; i < count; i++) {
        memcpy(at, option, strlen(option));
        at += strlen(option);
        *at++ = ' ';
        items[i].column = utf8_columns(line, (size_t)(at - line)) + 1;
        char *own = arena_copy(state->memory, overrides[i], strlen(overrides[i]));
        for (char *c = own; *c; c++)
            *c = *c == '\n' || *c == '\r' ? ' ' : *c;
        items[i].text = own;
        memcpy(at, own, strlen(own));
        at += strlen(own);
        *at++ = ' ';
    }
    if (at > line)
        *--at = 0;
    const source *where = source_of_text(state->memory, SOURCE_COMMAND_LINE, line, (size_t)(at - line));
    for (size_t i = 0; i < count; i++)
        items[i].where = where;
    return items;
}

uint32_t netlist_read_overrides(loader *state, const char *option, const char *const *overrides, size_t count,
                                netlist_setting *settings)
{
    const override *items = place_overrides(state, option, overrides, count);
    uint32_t good = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(items[i].text);
        if (utf8_fault(items[i].text, length) < length)
            report_error(&state->log, ERROR_ENCODING, part(&items[i], items[i].text, length),
                         "an override is not UTF-8 text");
        else
            good += (uint32_t)split_override(state, &items[i], &settings[good]);
    }
    return good;
}

static const node *apply_all(loader *state, const node *machine, const netlist_setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        machine = apply(state, machine, &settings[i]);
    return machine;
}

const node *netlist_apply_changes(loader *state, const node *machine, const netlist_changes *changes)
{
    netlist_setting *given = arena_alloc(state->memory, changes->override_count * sizeof *given + 1);
    const uint32_t count = netlist_read_overrides(state, OPTION, changes->overrides, changes->override_count, given);
    machine = apply_all(state, machine, given, count);
    machine = apply_all(state, machine, changes->settings, changes->setting_count);
    return state->log.errors ? NULL : machine;
}
