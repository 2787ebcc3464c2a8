/* SPDX-License-Identifier: MIT */
/*
 * The exchangeable parts of blocks: units (hd_unit.h), each explained by what it declares; and, in a table, choices of a block that are
 * no units but have a name of their own, such as the scheduler of a DRAM channel.
 */
#include <string.h>

#include "list.h"
#include "requirements.h"

static const char *name_of(arena *memory, const hd_block_class *block_class)
{
    return arena_format(memory, "%s/%s", block_class->kind, block_class->type);
}

/* ---- Units ----------------------------------------------------------------------------------------------------------- */

/* Blocks that have the unit, and by which parameter. */
static const char *places_of(arena *memory, netlist_registry registry, const hd_unit *unit)
{
    const char *text = "";
    for (size_t c = 0; c < registry.count; c++) {
        const hd_block_class *block_class = registry.classes[c];
        for (uint32_t i = 0; block_class->composition && i < block_class->composition->place_count; i++) {
            const hd_unit_place *place = &block_class->composition->places[i];
            if (place->unit == unit)
                text = arena_format(memory, "%s%s%s of %s", text, *text ? ", " : "",
                                    block_class->parameters[block_class->unit_slots[place->slot].parameter].name,
                                    name_of(memory, block_class));
        }
    }
    return text;
}

static void fill(table *rows, const hd_block_class *block_class, const hd_unit_place *place)
{
    const hd_unit *unit = place->unit;
    for (uint32_t i = 0; i < unit->parameter_count; i++) {
        const hd_parameter *declared = &block_class->parameters[place->first_parameter + i];
        TABLE_ROW(
            rows, "parameter", declared->name,
            arena_format(rows->memory, "%s (%s)", declared->doc, declared->standard ? declared->standard : "required"));
    }
    for (uint32_t i = 0; i < unit->statistic_count; i++)
        TABLE_ROW(rows, "statistic", unit->statistics[i].name,
                  arena_format(rows->memory, "%s, %s", unit->statistics[i].unit, unit->statistics[i].doc));
    for (uint32_t i = 0; i < unit->message_count; i++)
        TABLE_ROW(rows, "message", unit->messages[i].name,
                  unit->messages[i].direction == HD_MESSAGE_SENT ? "sent" : "received");
    for (uint32_t i = 0; i < unit->trace_event_count; i++)
        TABLE_ROW(rows, "trace event", unit->trace_events[i].name, unit->trace_events[i].doc);
    for (uint32_t i = 0; i < unit->energy_event_count; i++)
        TABLE_ROW(rows, "energy event", unit->energy_events[i].name, unit->energy_events[i].doc);
    for (uint32_t i = 0; i < unit_requirement_count(block_class, place); i++)
        TABLE_ROW(rows, "requirement", "", unit_requirement(block_class, place, i)->sentence);
}

static void write_unit(netlist_registry registry, const hd_block_class *block_class, const hd_unit_place *place,
                       enum text_format format, FILE *out)
{
    static const char *const titles[] = {"It has", "Name", "Meaning"};
    arena memory = {0};
    const hd_unit *unit = place->unit;
    const char *name = arena_format(&memory, "%s/%s", unit->kind, unit->name);
    table rows = {.memory = &memory, .titles = titles, .columns = 3};
    const char *where =
        arena_format(&memory, "Chosen by %s.%s%s%s", places_of(&memory, registry, unit),
                     unit->source ? " Source: " : "", unit->source ? unit->source : "", unit->source ? "." : "");
    fill(&rows, block_class, place);
    if (format == TEXT_MARKDOWN) {
        table_write_heading(name, unit->doc, out);
        table_write_markdown(where, out);
        fputs("\n\n", out);
    } else {
        fprintf(out, "%s: %s\n  %s\n", name, unit->doc, where);
    }
    table_write(&rows, NULL, "    ", format, out);
    arena_free(&memory);
}

/* Has a class before this one, or a slot before it, the unit too? */
static int is_written(netlist_registry registry, size_t classes, uint32_t places, const hd_unit *unit)
{
    for (size_t c = 0; c <= classes; c++) {
        const struct hd_composition *composition = registry.classes[c]->composition;
        const uint32_t count = !composition ? 0 : c == classes ? places : composition->place_count;
        for (uint32_t i = 0; i < count; i++)
            if (composition->places[i].unit == unit)
                return 1;
    }
    return 0;
}

/* By kind, "kind/name" or name of the parameter that chooses it. */
static int matches(const hd_block_class *block_class, const hd_unit_place *place, const char *pattern)
{
    char name[2 * HD_NAME_MAX + 2];
    snprintf(name, sizeof name, "%s/%s", place->unit->kind, place->unit->name);
    return list_matches(place->unit->kind, pattern) || list_matches(name, pattern) ||
           list_matches(block_class->parameters[block_class->unit_slots[place->slot].parameter].name, pattern);
}

static size_t list_declared(netlist_registry registry, const char *pattern, enum text_format format, FILE *out)
{
    size_t count = 0;
    for (size_t c = 0; c < registry.count; c++) {
        const hd_block_class *block_class = registry.classes[c];
        for (uint32_t i = 0; block_class->composition && i < block_class->composition->place_count; i++) {
            const hd_unit_place *place = &block_class->composition->places[i];
            if (is_written(registry, c, i, place->unit) || !matches(block_class, place, pattern))
                continue;
            if (count++ && format == TEXT_PLAIN)
                fputc('\n', out);
            write_unit(registry, block_class, place, format, out);
        }
    }
    return count;
}

/* ---- Other choices --------------------------------------------------------------------------------------------------- */

/* Of a whole part, and not of how one works: that has a dot in its name. */
static int names_a_part(const hd_block_class *block_class, uint32_t parameter)
{
    const hd_parameter *declared = &block_class->parameters[parameter];
    for (uint32_t slot = 0; slot < block_class->unit_slot_count; slot++)
        if (block_class->unit_slots[slot].parameter == parameter)
            return 0;
    return declared->type == HD_TYPE_CHOICE && !strchr(declared->name, '.');
}

/* The parameters of the part's own: those that begin with its name. */
static const char *own_parameters(arena *memory, const hd_block_class *block_class, const char *part)
{
    const char *text = "";
    size_t length = strlen(part);
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const char *name = block_class->parameters[i].name;
        if (strncmp(name, part, length) == 0 && name[length] == '.')
            text = arena_format(memory, "%s%s%s", text, *text ? ", " : "", name);
    }
    return text;
}

static void add_choices(table *rows, const hd_block_class *block_class, const char *pattern)
{
    arena *memory = rows->memory;
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const hd_parameter *declared = &block_class->parameters[i];
        if (names_a_part(block_class, i) && list_matches(declared->name, pattern))
            TABLE_ROW(rows, declared->name, declared->choices, declared->standard ? declared->standard : "required",
                      name_of(memory, block_class), own_parameters(memory, block_class, declared->name), declared->doc);
    }
}

size_t netlist_list_units(netlist_registry registry, const char *pattern, enum text_format format, FILE *out)
{
    static const char *const titles[] = {"Part", "Choices", "Default", "Of", "Its own parameters", "What it does"};
    const size_t units = list_declared(registry, pattern, format, out);
    arena memory = {0};
    table rows = {.memory = &memory, .titles = titles, .columns = 6};
    for (size_t i = 0; i < registry.count; i++)
        add_choices(&rows, registry.classes[i], pattern);
    const size_t choices = rows.rows;
    if (units && choices && format == TEXT_PLAIN)
        fputc('\n', out);
    if (choices && format == TEXT_MARKDOWN)
        table_write_heading("Other choices", "parts of blocks that are no units: they are chosen by a parameter", out);
    table_write(&rows, NULL, "", format, out);
    arena_free(&memory);
    return units + choices;
}
