/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_reader.h"

static const char *const keys[] = {"sweep",  "name",    "description", "from",      "set", "axes",
                                   "repeat", "exclude", "statistics",  "published", NULL};
/* Of one that has the points of another one. */
static const char *const extending_keys[] = {"sweep",  "name",    "description", "extends",   "from",
                                             "repeat", "exclude", "statistics",  "published", NULL};

span sweep_place(const node *at)
{
    span place = at->at;
    if (at->kind != NODE_SCALAR)
        place.width = 1;
    return place;
}

int sweep_check_kind(sweep_reader *reader, const node *value, enum node_kind kind, const char *what)
{
    static const char *const kinds[] = {
        [NODE_SCALAR] = "a single value", [NODE_SEQUENCE] = "a list", [NODE_MAPPING] = "a mapping"};
    if (value->kind == kind && !netlist_is_null(value))
        return 1;
    report_error(&reader->log, ERROR_WRONG_SHAPE, sweep_place(value), "%s must be %s, not %s", what, kinds[kind],
                 netlist_is_null(value) ? "empty" : kinds[value->kind]);
    return 0;
}

void sweep_check_keys(sweep_reader *reader, const node *mapping, const char *where, const char *const *known)
{
    candidates names = {0};
    for (const char *const *name = known; *name; name++)
        candidates_add(reader->memory, &names, *name);
    for (uint32_t i = 0; i < mapping->count; i++) {
        const node *key = mapping->entries[i].key;
        const char *const *name = known;
        while (*name && strcmp(*name, key->text))
            name++;
        if (*name)
            continue;
        report_error(&reader->log, ERROR_UNKNOWN_KEY, key->at, "unknown key '%s' in %s", key->text, where);
        candidates_suggest(&reader->log, key->text, &names);
    }
}

int sweep_read_number(sweep_reader *reader, const node *value, const char *what, uint32_t minimum, uint32_t maximum,
                      uint32_t *result)
{
    if (!sweep_check_kind(reader, value, NODE_SCALAR, what))
        return 0;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value->text, &end, 10);
    if (isdigit((unsigned char)*value->text) && !*end && !errno && number >= minimum && number <= maximum) {
        *result = (uint32_t)number;
        return 1;
    }
    report_error(&reader->log, SWEEP_ERROR_NUMBER, value->at, "%s is '%s'; it must be a number from %u to %u", what,
                 value->text, minimum, maximum);
    return 0;
}

int sweep_read_settings(sweep_reader *reader, const node *mapping, const char *where, const netlist_setting **settings,
                        uint32_t *count)
{
    if (!sweep_check_kind(reader, mapping, NODE_MAPPING, where))
        return 0;
    netlist_setting *list = arena_alloc(reader->memory, mapping->count * sizeof *list + 1);
    int good = 1;
    for (uint32_t i = 0; i < mapping->count; i++) {
        const entry *item = &mapping->entries[i];
        good &= sweep_check_kind(reader, item->value, NODE_SCALAR, item->key->text);
        list[i] = (netlist_setting){item->key, item->value};
    }
    *settings = list;
    *count = mapping->count;
    return good;
}

static void check_version(sweep_reader *reader, const node *root)
{
    const node *version = netlist_find(root, "sweep");
    if (!version) {
        report_error(&reader->log, ERROR_MISSING_KEY, (span){root->at.source, 1, 1, 1}, "the key 'sweep' is missing");
        report_note(&reader->log, "a sweep begins with 'sweep: %u', the version of its format", SWEEP_FORMAT_VERSION);
    } else if (version->kind != NODE_SCALAR ||
               strcmp(version->text, arena_format(reader->memory, "%u", SWEEP_FORMAT_VERSION)) != 0) {
        report_error(&reader->log, ERROR_FORMAT_VERSION, sweep_place(version),
                     "format version '%s'; this program reads version %u", version->text, SWEEP_FORMAT_VERSION);
    }
}

static int is_name(const char *text)
{
    return isalpha((unsigned char)*text) &&
           strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(text);
}

static void read_name(sweep_reader *reader, const node *root)
{
    const node *name = netlist_find(root, "name"), *description = netlist_find(root, "description");
    reader->result->name = reader->result->description = "";
    if (!name)
        report_error(&reader->log, ERROR_MISSING_KEY, (span){root->at.source, 1, 1, 1}, "the key 'name' is missing");
    else if (sweep_check_kind(reader, name, NODE_SCALAR, "name"))
        reader->result->name = name->text;
    if (name && *reader->result->name && !is_name(name->text))
        report_error(&reader->log, SWEEP_ERROR_NAME, name->at,
                     "name '%s' must be a letter followed by letters, digits, '_' and '-'", name->text);
    if (description && sweep_check_kind(reader, description, NODE_SCALAR, "description"))
        reader->result->description = description->text;
}

static void read_statistics(sweep_reader *reader, const node *list)
{
    if (!list) {
        const node **standard = arena_alloc(reader->memory, sizeof *standard);
        *standard = netlist_new_scalar(reader->memory, "cycles", (span){reader->result->file, 1, 1, 1});
        reader->result->statistics = standard;
        reader->result->statistic_count = 1;
        return;
    }
    if (!sweep_check_kind(reader, list, NODE_SEQUENCE, "statistics"))
        return;
    const node **patterns = arena_alloc(reader->memory, list->count * sizeof *patterns + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        patterns[i] = list->entries[i].value;
        sweep_check_kind(reader, patterns[i], NODE_SCALAR, "a statistic");
    }
    reader->result->statistics = patterns;
    reader->result->statistic_count = list->count;
}

/* What the sweep says, or the one that it extends. */
static const node *said(const node *root, const node *base, const char *key)
{
    const node *own = netlist_find(root, key);
    return own ? own : netlist_find(base, key);
}

/* The root of the file that the sweep has its points from: the same, or another one. NULL after a report. */
static const node *read_base(sweep_reader *reader, const node *root)
{
    const node *extended = netlist_find(root, "extends");
    sweep_check_keys(reader, root, extended ? "a sweep that extends another one" : "a sweep",
                     extended ? extending_keys : keys);
    if (!extended)
        return root;
    if (!sweep_check_kind(reader, extended, NODE_SCALAR, "extends"))
        return NULL;
    const node *base = sweep_read_extended(reader, extended);
    if (!base || !sweep_check_kind(reader, base, NODE_MAPPING, "a sweep"))
        return NULL;
    check_version(reader, base);
    sweep_check_keys(reader, base, "a sweep that is extended", keys);
    return base;
}

static void read_root(sweep_reader *reader, const node *root)
{
    sweep *result = reader->result;
    if (!sweep_check_kind(reader, root, NODE_MAPPING, "a sweep"))
        return;
    check_version(reader, root);
    const node *base = read_base(reader, root);
    read_name(reader, root);
    if (!base)
        return;
    const node *common = netlist_find(base, "set"), *repeat = said(root, base, "repeat");
    if (common)
        sweep_read_settings(reader, common, "set", &result->common, &result->common_count);
    result->repeat = 1;
    if (repeat)
        sweep_read_number(reader, repeat, "repeat", 1, SWEEP_REPEAT_MAX, &result->repeat);
    result->from = said(root, base, "from");
    if (result->from)
        sweep_check_kind(reader, result->from, NODE_SCALAR, "from");
    read_statistics(reader, said(root, base, "statistics"));
    const node *axes = netlist_find(base, "axes");
    if (axes)
        sweep_read_axes(reader, axes);
    result->axes = reader->axes;
    if (reader->log.errors)
        return;
    const node *excludes[] = {netlist_find(base, "exclude"), base == root ? NULL : netlist_find(root, "exclude")};
    sweep_expand(reader, axes, excludes, sizeof excludes / sizeof *excludes);
    const node *published = netlist_find(root, "published");
    if (published)
        sweep_read_published(reader, published);
}

int sweep_parse(sweep *result, const char *path, const char *text, size_t length, char **errors)
{
    size_t bytes;
    sweep_reader reader = {.memory = &result->memory, .result = result};
    reader.log.out = open_memstream(errors, &bytes);
    if (!reader.log.out)
        abort();
    result->path = path;
    result->root = sweep_parse_file(&reader, result->file = source_of_text(reader.memory, path, text, length));
    if (result->root)
        read_root(&reader, result->root);
    report_rest(&reader.log);
    fclose(reader.log.out);
    if (reader.log.errors)
        return 0;
    free(*errors);
    *errors = NULL;
    return 1;
}

/* Told as the reader of machine files tells it. */
static int unreadable(sweep *result, const char *path, const char *reason, char **errors)
{
    size_t bytes;
    diagnostics log = {.out = open_memstream(errors, &bytes)};
    if (!log.out)
        abort();
    const span at = {.source = source_of_text(&result->memory, path, "", 0)};
    if (reason)
        report_error(&log, ERROR_UNREADABLE, at, "cannot read '%s': %s", path, reason);
    else
        report_error(&log, ERROR_BOUND, at, "the file is larger than %u MiB", SOURCE_BYTES_MAX >> 20);
    fclose(log.out);
    return 0;
}

int sweep_read(sweep *result, const char *path, char **errors)
{
    const char *text;
    size_t length;
    int too_large;
    *result = (sweep){0};
    path = arena_copy(&result->memory, path, strlen(path));
    const char *reason = source_read_file(&result->memory, path, &text, &length, &too_large);
    if (reason || too_large)
        return unreadable(result, path, reason, errors);
    const size_t skipped = sweep_mark_bytes(text);
    return sweep_parse(result, path, text + skipped, length - skipped, errors);
}

void sweep_free(sweep *read)
{
    arena_free(&read->memory);
    *read = (sweep){0};
}
