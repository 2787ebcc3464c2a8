/* SPDX-License-Identifier: MIT */
#include "compose.h"

#include <stdlib.h>

#include "arena.h"
#include "requirements.h"

typedef struct composed {
    hd_block_class block_class; /* first: it is what is given away */
    struct hd_composition composition;
    arena memory;
    const hd_unit *const *more;
    size_t more_count;
} composed;

uint32_t unit_fits(const hd_unit *unit, const hd_unit_slot *slot)
{
    return strcmp(unit->kind, slot->kind) == 0 && strcmp(unit->interface, slot->interface) == 0 &&
           (!slot->ability || unit_has_word(unit->abilities, slot->ability));
}

const hd_unit_slot *unit_slot(const hd_block_class *block_class, const char *kind)
{
    for (uint32_t i = 0; i < block_class->unit_slot_count; i++)
        if (strcmp(block_class->unit_slots[i].kind, kind) == 0)
            return &block_class->unit_slots[i];
    return NULL;
}

static uint32_t has_function(const hd_unit *unit, uint32_t offset)
{
    void (*function)(void);
    memcpy(&function, (const char *)unit->functions + offset, sizeof function);
    return function != NULL;
}

const char *unit_lacks(const hd_unit *unit, const hd_unit_slot *slot)
{
    for (uint32_t i = 0; i < slot->function_count; i++) {
        const hd_unit_function *needed = &slot->functions[i];
        if ((needed->with == HD_UNIT_ALWAYS || has_function(unit, needed->with)) &&
            (!needed->ability || unit_has_word(unit->abilities, needed->ability)) &&
            !has_function(unit, needed->offset))
            return needed->name;
    }
    return NULL;
}

/* A table with room behind it for so many rows more. */
static void *widen(composed *made, const void *rows, uint32_t count, uint32_t more, size_t row_bytes)
{
    char *wider = arena_alloc(&made->memory, (size_t)(count + more) * row_bytes + 1);
    if (count)
        memcpy(wider, rows, count * row_bytes);
    return wider;
}

static void add_choice(composed *made, hd_parameter *parameter, const char *name)
{
    parameter->choices = parameter->choices ? arena_format(&made->memory, "%s|%s", parameter->choices, name)
                                            : arena_copy(&made->memory, name, strlen(name));
}

static void add_parameters(composed *made, const hd_unit *unit, const hd_unit_slot *slot, hd_parameter *parameters)
{
    hd_block_class *whole = &made->block_class;
    for (uint32_t i = 0; i < unit->parameter_count; i++) {
        parameters[whole->parameter_count] = unit->parameters[i];
        parameters[whole->parameter_count++].name = arena_format(
            &made->memory, "%s.%s.%s", parameters[slot->parameter].name, unit->name, unit->parameters[i].name);
    }
}

static void add_messages(composed *made, const hd_unit *unit, uint32_t parameter, uint32_t choice,
                         hd_message_use *messages)
{
    hd_block_class *whole = &made->block_class;
    for (uint32_t i = 0; i < unit->message_count; i++) {
        messages[whole->message_count] = unit->messages[i];
        messages[whole->message_count++].when = HD_MESSAGE_WHEN(parameter, choice);
    }
}

/* Tables of the composed class that still grow. */
typedef struct tables {
    hd_parameter *parameters;
    hd_statistic *statistics;
    hd_message_use *messages;
    hd_trace_event *trace_events;
    hd_unit_place *places;
} tables;

static void add_tables(composed *made, tables *at, const hd_unit *unit, uint32_t slot)
{
    hd_block_class *whole = &made->block_class;
    add_parameters(made, unit, &whole->unit_slots[slot], at->parameters);
    for (uint32_t i = 0; i < unit->statistic_count; i++)
        at->statistics[whole->statistic_count++] = unit->statistics[i];
    for (uint32_t i = 0; i < unit->trace_event_count; i++)
        at->trace_events[whole->trace_event_count++] = unit->trace_events[i];
}

static const hd_unit_place *earlier_place(const composed *made, const tables *at, const hd_unit *unit)
{
    for (uint32_t i = 0; i < made->composition.place_count; i++)
        if (at->places[i].unit == unit)
            return &at->places[i];
    return NULL;
}

static void add_unit(composed *made, tables *at, const hd_unit *unit, uint32_t slot, uint32_t choice)
{
    const hd_block_class *whole = &made->block_class;
    const uint32_t parameter = whole->unit_slots[slot].parameter;
    const hd_unit_place *earlier = earlier_place(made, at, unit);
    hd_unit_place place = {.unit = unit,
                           .first_parameter = whole->parameter_count,
                           .first_statistic = whole->statistic_count,
                           .first_trace_event = whole->trace_event_count};
    if (earlier)
        place = *earlier;
    else
        add_tables(made, at, unit, slot);
    place.slot = slot;
    place.choice = choice;
    place.is_again = earlier != NULL;
    at->places[made->composition.place_count++] = place;
    add_choice(made, &at->parameters[parameter], unit->name);
    add_messages(made, unit, parameter, choice, at->messages);
}

/* Of those that are compiled in, and more. */
static const hd_unit *nth_unit(const composed *made, const hd_unit_slot *slot, size_t i)
{
    return i < slot->unit_count ? slot->units[i] : made->more[i - slot->unit_count];
}

static void add_slot(composed *made, tables *at, uint32_t slot)
{
    const hd_unit_slot *declared = &made->block_class.unit_slots[slot];
    uint32_t choice = 0;
    if (declared->none) {
        add_choice(made, &at->parameters[declared->parameter], declared->none);
        choice++;
    }
    for (size_t i = 0; i < declared->unit_count + made->more_count; i++) {
        const hd_unit *unit = nth_unit(made, declared, i);
        if (unit_fits(unit, declared))
            add_unit(made, at, unit, slot, choice++);
    }
}

/* How many rows all units add, so that each table is made once. */
static hd_unit sizes_of(const composed *made, uint32_t *units)
{
    const hd_block_class *own = &made->block_class;
    hd_unit sum = {0};
    *units = 0;
    for (uint32_t s = 0; s < own->unit_slot_count; s++) {
        const hd_unit_slot *slot = &own->unit_slots[s];
        for (size_t i = 0; i < slot->unit_count + made->more_count; i++) {
            const hd_unit *unit = nth_unit(made, slot, i);
            if (!unit_fits(unit, slot))
                continue;
            sum.parameter_count += unit->parameter_count;
            sum.statistic_count += unit->statistic_count;
            sum.message_count += unit->message_count;
            sum.trace_event_count += unit->trace_event_count;
            ++*units;
        }
    }
    return sum;
}

static void fill(composed *made)
{
    hd_block_class *whole = &made->block_class;
    uint32_t units;
    const hd_unit more = sizes_of(made, &units);
    tables at = {
        .parameters =
            widen(made, whole->parameters, whole->parameter_count, more.parameter_count, sizeof *at.parameters),
        .statistics =
            widen(made, whole->statistics, whole->statistic_count, more.statistic_count, sizeof *at.statistics),
        .messages = widen(made, whole->messages, whole->message_count, more.message_count, sizeof *at.messages),
        .trace_events =
            widen(made, whole->trace_events, whole->trace_event_count, more.trace_event_count, sizeof *at.trace_events),
        .places = arena_alloc(&made->memory, (units + 1) * sizeof *at.places)};
    for (uint32_t slot = 0; slot < whole->unit_slot_count; slot++)
        add_slot(made, &at, slot);
    whole->parameters = at.parameters;
    whole->statistics = at.statistics;
    whole->messages = at.messages;
    whole->trace_events = at.trace_events;
    made->composition.places = at.places;
    whole->composition = &made->composition;
}

const hd_block_class *units_compose(const hd_block_class *block_class, const hd_unit *const *more, size_t count)
{
    const hd_block_class *own = block_class->composition ? block_class->composition->own : block_class;
    composed *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    made->block_class = *own;
    made->composition.own = own;
    made->more = more;
    made->more_count = count;
    fill(made);
    return &made->block_class;
}

void units_release(const hd_block_class *block_class)
{
    composed *made = (composed *)(uintptr_t)block_class;
    if (!made)
        return;
    arena_free(&made->memory);
    free(made);
}
