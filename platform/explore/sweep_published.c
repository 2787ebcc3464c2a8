/* SPDX-License-Identifier: MIT */
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

static const char *read_text(sweep_reader *reader, const node *item, const char *key)
{
    const node *value = netlist_find(item, key);
    return value && sweep_check_kind(reader, value, NODE_SCALAR, key) ? value->text : "";
}

static void read_item(sweep_reader *reader, const node *item, sweep_published *result)
{
    static const char *const keys[] = {"statistic", "value", "at", "relative_to", "source", NULL};
    static const char *const needed[] = {"statistic", "value", "at"};
    if (!sweep_check_kind(reader, item, NODE_MAPPING, "a published number"))
        return;
    sweep_check_keys(reader, item, "a published number", keys);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!netlist_find(item, needed[i]))
            report_error(&reader->log, ERROR_MISSING_KEY, sweep_place(item), "a published number needs the key '%s'",
                         needed[i]);
    const node *value = netlist_find(item, "value"), *at = netlist_find(item, "at"),
               *base = netlist_find(item, "relative_to");
    result->statistic = netlist_find(item, "statistic");
    if (result->statistic)
        sweep_check_kind(reader, result->statistic, NODE_SCALAR, "statistic");
    result->source = read_text(reader, item, "source");
    if (value && sweep_check_kind(reader, value, NODE_SCALAR, "value") && !text_to_real(value->text, &result->value))
        report_error(&reader->log, SWEEP_ERROR_NUMBER, value->at, "value is '%s'; it must be a number", value->text);
    result->at = at ? read_picks(reader, at, "at") : NULL;
    result->relative_to = base ? read_picks(reader, base, "relative_to") : NULL;
}

void sweep_read_published(sweep_reader *reader, const node *list)
{
    if (!sweep_check_kind(reader, list, NODE_SEQUENCE, "published"))
        return;
    sweep_published *all = arena_alloc(reader->memory, list->count * sizeof *all + 1);
    for (uint32_t i = 0; i < list->count; i++)
        read_item(reader, list->entries[i].value, &all[i]);
    reader->result->published = all;
    reader->result->published_count = list->count;
}
