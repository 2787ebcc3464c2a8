/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sweep_reader.h"

static void add_choice(sweep_reader *reader, choice_list *list, const sweep_choice *choice)
{
    if (list->count == SWEEP_CHOICES_MAX)
        return;
    list->choices = arena_grow(reader->memory, list->choices, list->count, &list->capacity, sizeof *list->choices);
    list->choices[list->count++] = *choice;
    if (list->count == SWEEP_CHOICES_MAX)
        report_error(&reader->log, SWEEP_ERROR_BOUND, sweep_place(choice->place), "an axis has at most %u values",
                     SWEEP_CHOICES_MAX - 1);
}

void sweep_add_value(sweep_reader *reader, choice_list *list, const node *path, const node *value)
{
    netlist_setting *setting = arena_alloc(reader->memory, sizeof *setting);
    *setting = (netlist_setting){path, value};
    add_choice(reader, list, &(sweep_choice){.label = value->text, .place = value, .settings = setting, .count = 1});
}

static void read_list(sweep_reader *reader, choice_list *list, const entry *axis)
{
    for (uint32_t i = 0; i < axis->value->count; i++) {
        const node *value = axis->value->entries[i].value;
        if (value->kind == NODE_MAPPING)
            sweep_add_range(reader, list, axis->key, value);
        else if (sweep_check_kind(reader, value, NODE_SCALAR, "a value of an axis"))
            sweep_add_value(reader, list, axis->key, value);
    }
}

static void read_labels(sweep_reader *reader, choice_list *list, const entry *axis)
{
    for (uint32_t i = 0; i < axis->value->count; i++) {
        const entry *item = &axis->value->entries[i];
        sweep_choice choice = {.label = item->key->text, .place = item->key};
        if (sweep_read_settings(reader, item->value, "a value with a label", &choice.settings, &choice.count))
            add_choice(reader, list, &choice);
    }
}

static int compare_labels(const void *a, const void *b)
{
    const sweep_choice *first = *(const sweep_choice *const *)a, *second = *(const sweep_choice *const *)b;
    int order = strcmp(first->label, second->label);
    return order ? order : (first > second) - (first < second);
}

/* A value that stands twice would make two points that nobody can tell apart. */
static void check_labels(sweep_reader *reader, const sweep_axis *axis)
{
    const sweep_choice **sorted = arena_alloc(reader->memory, axis->count * sizeof *sorted + 1);
    for (uint32_t i = 0; i < axis->count; i++)
        sorted[i] = &axis->choices[i];
    qsort(sorted, axis->count, sizeof *sorted, compare_labels);
    for (uint32_t i = 1; i < axis->count; i++) {
        if (strcmp(sorted[i]->label, sorted[i - 1]->label) != 0)
            continue;
        report_error(&reader->log, SWEEP_ERROR_LABEL_TWICE, sweep_place(sorted[i]->place),
                     "axis '%s' has the value '%s' twice", axis->name, sorted[i]->label);
        report_note_at(&reader->log, sweep_place(sorted[i - 1]->place), "first here");
    }
}

static void check_name(sweep_reader *reader, const sweep_axis *axis)
{
    for (uint32_t i = 0; i < reader->result->axis_count; i++) {
        if (strcmp(reader->axes[i].name, axis->name) != 0)
            continue;
        report_error(&reader->log, SWEEP_ERROR_AXIS_TWICE, axis->place->at, "there are two axes '%s'", axis->name);
        report_note_at(&reader->log, reader->axes[i].place->at, "the first one");
    }
}

/* "../machines/gtx480.yaml" is gtx480, unless another value would be as well. */
static const char *machine_label(sweep_reader *reader, const sweep_choice *choice)
{
    const char *path = choice->settings[0].value->text, *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const int has_extension = dot && dot > name && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
    return has_extension ? arena_copy(reader->memory, name, (size_t)(dot - name)) : name;
}

static void name_machines(sweep_reader *reader, choice_list *list)
{
    const char **names = arena_alloc(reader->memory, list->count * sizeof *names + 1);
    for (uint32_t i = 0; i < list->count; i++)
        names[i] = machine_label(reader, &list->choices[i]);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t same = 0;
        for (uint32_t j = 0; j < list->count; j++)
            same += !strcmp(names[i], names[j]);
        if (same == 1)
            list->choices[i].label = names[i];
    }
}

static void read_axis(sweep_reader *reader, const entry *written)
{
    sweep_axis axis = {.name = written->key->text, .place = written->key};
    choice_list list = {0};
    const node *value = written->value;
    if (reader->result->axis_count == SWEEP_AXES_MAX) {
        report_error(&reader->log, SWEEP_ERROR_BOUND, axis.place->at, "more than %u axes", SWEEP_AXES_MAX);
        return;
    }
    if (value->kind == NODE_SCALAR) {
        report_error(&reader->log, ERROR_WRONG_SHAPE, value->at,
                     "axis '%s' must be a list of values, or a mapping of values with labels", axis.name);
        return;
    }
    if (value->kind == NODE_SEQUENCE)
        read_list(reader, &list, written);
    else
        read_labels(reader, &list, written);
    if (value->kind == NODE_SEQUENCE && !strcmp(axis.name, "machine"))
        name_machines(reader, &list);
    axis.choices = list.choices;
    axis.count = list.count;
    if (!value->count)
        report_error(&reader->log, SWEEP_ERROR_NO_POINTS, sweep_place(value),
                     "axis '%s' has no values: the sweep has no points", axis.name);
    check_labels(reader, &axis);
    check_name(reader, &axis);
    reader->axes = arena_grow(reader->memory, reader->axes, reader->result->axis_count, &reader->axis_capacity,
                              sizeof *reader->axes);
    reader->axes[reader->result->axis_count++] = axis;
}

static void read_mapping(sweep_reader *reader, const node *mapping)
{
    for (uint32_t i = 0; i < mapping->count; i++) {
        const entry *item = &mapping->entries[i];
        if (!strcmp(item->key->text, "zip") || !strcmp(item->key->text, "product"))
            sweep_read_axes(reader, item->value);
        else
            read_axis(reader, item);
    }
}

void sweep_read_axes(sweep_reader *reader, const node *combination)
{
    if (combination->kind == NODE_SEQUENCE) {
        for (uint32_t i = 0; i < combination->count; i++) {
            const node *part = combination->entries[i].value;
            if (sweep_check_kind(reader, part, NODE_MAPPING, "a part of a combination of axes"))
                read_mapping(reader, part);
        }
    } else if (sweep_check_kind(reader, combination, NODE_MAPPING, "a combination of axes")) {
        read_mapping(reader, combination);
    }
    if (combination->kind != NODE_SCALAR && !combination->count)
        report_error(&reader->log, SWEEP_ERROR_NO_POINTS, sweep_place(combination),
                     "a combination of no axes: the sweep has no points");
}

uint32_t sweep_axis_index(const sweep *read, const char *name)
{
    for (uint32_t i = 0; i < read->axis_count; i++)
        if (!strcmp(read->axes[i].name, name))
            return i;
    return NETLIST_NONE;
}

uint32_t sweep_choice_index(const sweep_axis *axis, const char *label)
{
    for (uint32_t i = 0; i < axis->count; i++)
        if (!strcmp(axis->choices[i].label, label))
            return i;
    for (uint32_t i = 0; i < axis->count; i++)
        if (!strcmp(axis->name, "machine") && axis->choices[i].count == 1 &&
            !strcmp(axis->choices[i].settings[0].value->text, label))
            return i;
    return NETLIST_NONE;
}
