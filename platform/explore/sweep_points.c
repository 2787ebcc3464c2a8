/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sweep_reader.h"

/* A combination while it is put together. */
typedef struct walk {
    sweep_reader *reader;
    uint32_t axis; /* next one, in the order of the file */
} walk;

/* Parts that go in step, and the one that the others are compared with. */
typedef struct zipped {
    const node *first;
    uint32_t is_begun;
} zipped;

static point_list combine(walk *at, const node *combination, int is_zip);

static uint32_t *copied(walk *at, uint32_t *to, const uint32_t *from)
{
    uint32_t axes = at->reader->result->axis_count;
    return (uint32_t *)memcpy(to, from, axes * sizeof *to) + axes;
}

static point_list new_points(const walk *at, uint32_t count)
{
    size_t cells = (size_t)count * at->reader->result->axis_count;
    point_list result = {arena_alloc(at->reader->memory, cells * sizeof *result.picks + 1), count};
    for (size_t i = 0; i < cells; i++)
        result.picks[i] = NETLIST_NONE;
    return result;
}

static point_list points_of_axis(walk *at)
{
    uint32_t axis = at->axis++, axes = at->reader->result->axis_count;
    point_list result = new_points(at, at->reader->axes[axis].count);
    for (uint32_t i = 0; i < result.count; i++)
        result.picks[(size_t)i * axes + axis] = i;
    return result;
}

/* What one point has of both; no axis is in both. */
static void merge(const walk *at, uint32_t *to, const uint32_t *a, const uint32_t *b)
{
    for (uint32_t i = 0; i < at->reader->result->axis_count; i++)
        to[i] = a[i] == NETLIST_NONE ? b[i] : a[i];
}

/* In place: a sweep may have many axes of one value. */
static point_list merged_with_one(const walk *at, point_list many, const uint32_t *one)
{
    for (uint32_t i = 0; i < many.count; i++) {
        uint32_t *picks = many.picks + (size_t)i * at->reader->result->axis_count;
        merge(at, picks, picks, one);
    }
    return many;
}

static point_list product_of(walk *at, point_list a, point_list b, const node *place)
{
    size_t axes = at->reader->result->axis_count;
    if ((uint64_t)a.count * b.count > SWEEP_POINTS_MAX) {
        report_error(&at->reader->log, SWEEP_ERROR_BOUND, sweep_place(place), "the sweep has more than %u points",
                     SWEEP_POINTS_MAX);
        return (point_list){0};
    }
    if (b.count == 1)
        return merged_with_one(at, a, b.picks);
    if (a.count == 1)
        return merged_with_one(at, b, a.picks);
    point_list result = new_points(at, a.count * b.count);
    for (uint32_t i = 0; i < a.count; i++)
        for (uint32_t j = 0; j < b.count; j++)
            merge(at, result.picks + (i * b.count + j) * axes, a.picks + i * axes, b.picks + j * axes);
    return result;
}

static point_list zip_of(walk *at, point_list a, point_list b, const node *first, const node *second)
{
    size_t axes = at->reader->result->axis_count;
    if (a.count != b.count) {
        report_error(&at->reader->log, SWEEP_ERROR_ZIP, sweep_place(second),
                     "axes in step need the same number of values: %u and %u", b.count, a.count);
        report_note_at(&at->reader->log, sweep_place(first), "the others");
        return (point_list){0};
    }
    for (uint32_t i = 0; i < a.count; i++)
        merge(at, a.picks + i * axes, a.picks + i * axes, b.picks + i * axes);
    return a;
}

static void add_part(walk *at, point_list *all, zipped *state, point_list part, const node *place, int is_zip)
{
    if (at->reader->log.errors)
        return;
    if (!state->is_begun)
        *all = part;
    else if (is_zip)
        *all = zip_of(at, *all, part, state->first, place);
    else
        *all = product_of(at, *all, part, place);
    if (!state->is_begun)
        state->first = place;
    state->is_begun = 1;
}

static void add_mapping(walk *at, point_list *all, zipped *state, const node *mapping, int is_zip)
{
    for (uint32_t i = 0; i < mapping->count; i++) {
        const entry *item = &mapping->entries[i];
        int zips = !strcmp(item->key->text, "zip"), multiplies = !strcmp(item->key->text, "product");
        point_list part = zips || multiplies ? combine(at, item->value, zips) : points_of_axis(at);
        add_part(at, all, state, part, item->key, is_zip);
    }
}

static point_list combine(walk *at, const node *combination, int is_zip)
{
    point_list all = {0};
    zipped state = {0};
    if (combination->kind == NODE_MAPPING)
        add_mapping(at, &all, &state, combination, is_zip);
    for (uint32_t i = 0; combination->kind == NODE_SEQUENCE && i < combination->count; i++)
        add_mapping(at, &all, &state, combination->entries[i].value, is_zip);
    return all;
}

/* ---- Points that are left out ------------------------------------------------------------------------------------- */

/* Marks the labels that an exclusion names for one axis. */
static int read_excluded(sweep_reader *reader, const entry *item, uint8_t *marks, uint32_t axis)
{
    const sweep_axis *named = &reader->axes[axis];
    const node *labels = item->value;
    uint32_t count = labels->kind == NODE_SEQUENCE ? labels->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const node *label = labels->kind == NODE_SEQUENCE ? labels->entries[i].value : labels;
        if (!sweep_check_kind(reader, label, NODE_SCALAR, "the value of an axis"))
            return 0;
        uint32_t choice = sweep_find_choice(reader, named, label);
        if (choice == NETLIST_NONE)
            return 0;
        marks[choice] = 1;
    }
    return 1;
}

static int is_excluded(const uint32_t *picks, uint8_t *const *marks, uint32_t axes)
{
    for (uint32_t a = 0; a < axes; a++)
        if (marks[a] && !marks[a][picks[a]])
            return 0;
    return 1;
}

static void exclude_one(walk *at, point_list *points, const node *rule)
{
    sweep_reader *reader = at->reader;
    uint32_t axes = reader->result->axis_count, kept = 0;
    uint8_t *marks[SWEEP_AXES_MAX] = {NULL};
    if (!sweep_check_kind(reader, rule, NODE_MAPPING, "what is excluded") || !rule->count)
        return;
    for (uint32_t i = 0; i < rule->count; i++) {
        uint32_t axis = sweep_find_axis(reader, rule->entries[i].key);
        if (axis == NETLIST_NONE)
            return;
        marks[axis] = arena_alloc(reader->memory, reader->axes[axis].count + 1);
        if (!read_excluded(reader, &rule->entries[i], marks[axis], axis))
            return;
    }
    for (uint32_t p = 0; p < points->count; p++) {
        const uint32_t *picks = points->picks + (size_t)p * axes;
        if (!is_excluded(picks, marks, axes))
            copied(at, points->picks + (size_t)kept++ * axes, picks);
    }
    points->count = kept;
}

static void exclude_all(walk *at, point_list *points, const node *rules)
{
    if (!sweep_check_kind(at->reader, rules, NODE_SEQUENCE, "exclude"))
        return;
    for (uint32_t i = 0; i < rules->count; i++)
        exclude_one(at, points, rules->entries[i].value);
    if (!points->count && !at->reader->log.errors)
        report_error(&at->reader->log, SWEEP_ERROR_NO_POINTS, sweep_place(rules),
                     "all points are excluded: the sweep has no points");
}

/* ---- Values that two axes set ------------------------------------------------------------------------------------- */

static const netlist_setting *setting_of(const sweep_choice *choice, const char *path)
{
    for (uint32_t i = 0; i < choice->count; i++)
        if (!strcmp(choice->settings[i].path->text, path))
            return &choice->settings[i];
    return NULL;
}

/* Does a choice set what one of the axes before it sets? Reports. */
static int is_set_before(sweep_reader *reader, const uint32_t *picks, uint32_t axis)
{
    const sweep_choice *choice = &reader->axes[axis].choices[picks[axis]];
    for (uint32_t s = 0; s < choice->count; s++) {
        const node *path = choice->settings[s].path;
        for (uint32_t a = 0; a < axis; a++) {
            const netlist_setting *other = setting_of(&reader->axes[a].choices[picks[a]], path->text);
            if (!other)
                continue;
            report_error(&reader->log, SWEEP_ERROR_AXIS_TWICE, path->at, "'%s' is set by axis '%s' as well", path->text,
                         reader->axes[a].name);
            report_note_at(&reader->log, other->path->at, "there");
            return 1;
        }
    }
    return 0;
}

static void check_settings(sweep_reader *reader, const point_list *points)
{
    uint32_t axes = reader->result->axis_count;
    for (uint32_t p = 0; p < points->count; p++)
        for (uint32_t a = 1; a < axes; a++)
            if (is_set_before(reader, points->picks + (size_t)p * axes, a))
                return;
}

void sweep_expand(sweep_reader *reader, const node *combination, const node *const *excludes, size_t count)
{
    walk at = {.reader = reader};
    point_list points = {.count = 1}; /* no axes: a sweep of one point */
    if (combination)
        points = combine(&at, combination, 0);
    for (size_t i = 0; i < count && !reader->log.errors; i++)
        if (excludes[i])
            exclude_all(&at, &points, excludes[i]);
    if (!reader->log.errors)
        check_settings(reader, &points);
    reader->result->picks = points.picks;
    reader->result->point_count = points.count;
}

char *sweep_point_text(const sweep *read, uint32_t point)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    for (uint32_t a = 0; a < read->axis_count; a++)
        fprintf(out, "%s%s=%s", a ? " " : "", read->axes[a].name,
                read->axes[a].choices[read->picks[(size_t)point * read->axis_count + a]].label);
    fclose(out);
    return text;
}
