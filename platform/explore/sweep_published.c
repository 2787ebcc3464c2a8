/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sweep_reader.h"
#include "text_value.h"

uint32_t sweep_find_axis(sweep_reader *reader, const node *name)
{
    const sweep *read = reader->result;
    candidates names = {0};
    for (uint32_t a = 0; a < read->axis_count; a++) {
        if (!strcmp(reader->axes[a].name, name->text))
            return a;
        candidates_add(reader->memory, &names, reader->axes[a].name);
    }
    report_error(&reader->log, SWEEP_ERROR_UNKNOWN_AXIS, name->at, "the sweep has no axis '%s'", name->text);
    candidates_suggest(&reader->log, name->text, &names);
    return NETLIST_NONE;
}

uint32_t sweep_find_choice(sweep_reader *reader, const sweep_axis *axis, const node *label)
{
    candidates labels = {0};
    uint32_t found = sweep_choice_index(axis, label->text);
    if (found != NETLIST_NONE)
        return found;
    for (uint32_t i = 0; i < axis->count; i++)
        candidates_add(reader->memory, &labels, axis->choices[i].label);
    report_error(&reader->log, SWEEP_ERROR_UNKNOWN_LABEL, label->at, "axis '%s' has no value '%s'", axis->name,
                 label->text);
    candidates_suggest(&reader->log, label->text, &labels);
    return NETLIST_NONE;
}

static const uint32_t *read_picks(sweep_reader *reader, const node *mapping, const char *what)
{
    uint32_t axes = reader->result->axis_count;
    uint32_t *picks = arena_alloc(reader->memory, axes * sizeof *picks + 1);
    for (uint32_t a = 0; a < axes; a++)
        picks[a] = NETLIST_NONE;
    if (!sweep_check_kind(reader, mapping, NODE_MAPPING, what))
        return picks;
    for (uint32_t i = 0; i < mapping->count; i++) {
        const entry *item = &mapping->entries[i];
        uint32_t axis = sweep_find_axis(reader, item->key);
        if (axis != NETLIST_NONE && sweep_check_kind(reader, item->value, NODE_SCALAR, "the value of an axis"))
            picks[axis] = sweep_find_choice(reader, &reader->axes[axis], item->value);
    }
    return picks;
}

static const char *read_source(sweep_reader *reader, const node *source)
{
    if (!source || !sweep_check_kind(reader, source, NODE_SCALAR, "source"))
        return "";
    if (!source->text[strspn(source->text, " ")])
        report_error(&reader->log, SWEEP_ERROR_PUBLISHED, source->at, "source is empty; it must say who published it");
    return source->text;
}

/* Nothing may be published: an absolute 0. A ratio of 0 and what is below are of nothing that is counted. */
static double read_value(sweep_reader *reader, const node *value, int is_relative)
{
    double number = 0;
    if (!value || !sweep_check_kind(reader, value, NODE_SCALAR, "value"))
        return 0;
    if (!text_to_real(value->text, &number))
        report_error(&reader->log, SWEEP_ERROR_NUMBER, value->at, "value is '%s'; it must be a number", value->text);
    else if (number < 0 || (is_relative && number == 0))
        report_error(&reader->log, SWEEP_ERROR_PUBLISHED, value->at, "value is '%s'; it must be %s", value->text,
                     is_relative ? "above 0, as it is a ratio" : "0 or above");
    return number;
}

static const uint32_t *read_place(sweep_reader *reader, const node *item, const char *key)
{
    const node *place = netlist_find(item, key);
    return place ? read_picks(reader, place, key) : NULL;
}

static void read_item(sweep_reader *reader, const node *item, sweep_published *result)
{
    static const char *const keys[] = {"statistic", "value", "at", "relative_to", "source", NULL};
    static const char *const needed[] = {"statistic", "value", "at", "source"};
    if (!sweep_check_kind(reader, item, NODE_MAPPING, "a published number"))
        return;
    sweep_check_keys(reader, item, "a published number", keys);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!netlist_find(item, needed[i]))
            report_error(&reader->log, ERROR_MISSING_KEY, sweep_place(item), "a published number needs the key '%s'",
                         needed[i]);
    result->statistic = netlist_find(item, "statistic");
    if (result->statistic)
        sweep_check_kind(reader, result->statistic, NODE_SCALAR, "statistic");
    result->source = read_source(reader, netlist_find(item, "source"));
    result->at = read_place(reader, item, "at");
    result->relative_to = read_place(reader, item, "relative_to");
    result->value = read_value(reader, netlist_find(item, "value"), result->relative_to != NULL);
}

/* ---- The points that it is about ----------------------------------------------------------------------------------- */

/* Has a point something to be compared with? Reports one that is its own base. */
static int check_base(sweep_reader *reader, const node *base, const sweep_published *number, uint32_t point)
{
    const uint32_t other = sweep_published_base(reader->result, number, point);
    if (other == point) {
        char *text = sweep_point_text(reader->result, point);
        report_error(&reader->log, SWEEP_ERROR_PUBLISHED, sweep_place(base),
                     "the published number is of the point that it is relative to, too");
        report_note(&reader->log, "'at' has to leave it out: %s", text);
        free(text);
    }
    return other != NETLIST_NONE;
}

static void check_points(sweep_reader *reader, const node *item, const sweep_published *number)
{
    const uint32_t errors = reader->log.errors;
    const node *base = netlist_find(item, "relative_to");
    uint32_t points = 0, compared = 0;
    for (uint32_t p = 0; p < reader->result->point_count && reader->log.errors == errors; p++) {
        if (!sweep_published_is_of(reader->result, number, p))
            continue;
        points++;
        compared += base && check_base(reader, base, number, p);
    }
    if (reader->log.errors != errors)
        return;
    if (!points)
        report_error(&reader->log, SWEEP_ERROR_PUBLISHED, sweep_place(netlist_find(item, "at")),
                     "the sweep has no point with these values");
    else if (base && !compared)
        report_error(&reader->log, SWEEP_ERROR_PUBLISHED, sweep_place(base),
                     "the sweep has no point that differs in these values alone");
}

void sweep_read_published(sweep_reader *reader, const node *list)
{
    if (!sweep_check_kind(reader, list, NODE_SEQUENCE, "published"))
        return;
    sweep_published *all = arena_alloc(reader->memory, list->count * sizeof *all + 1);
    sweep_sort_points(reader->result);
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t errors = reader->log.errors;
        read_item(reader, list->entries[i].value, &all[i]);
        if (reader->log.errors == errors)
            check_points(reader, list->entries[i].value, &all[i]);
    }
    reader->result->published = all;
    reader->result->published_count = list->count;
}
