/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "declaration_check.h"
#include "energy_counts.h"
#include "hd_unit.h"

static void check_counts(declaration_check *at, const hd_energy_event *event)
{
    const energy_counts counts = energy_counts_of(at->block_class, event);
    if (*counts.unknown)
        declaration_find(at, "energy event %s: '%s' is no count of the class, or of the unit", event->name,
                         counts.unknown);
    if (counts.are_mixed)
        declaration_find(at, "energy event %s counts cycles and something else", event->name);
}

static void check_event(declaration_check *at, const hd_energy_event *events, uint32_t index)
{
    const hd_energy_event *event = &events[index];
    if (!declaration_is_text(event->name) || !declaration_is_text(event->counts) || !declaration_is_text(event->doc)) {
        declaration_find(at, "energy event %u has no name, counts or doc", index);
        return;
    }
    if (!declaration_check_name(at, event->name, "", "energy event", index))
        return;
    declaration_check_line(at, event->counts, "the counts of an energy event");
    declaration_check_line(at, event->doc, "the doc of an energy event");
    declaration_check_once(at, events, sizeof *event, index, "energy events");
    if (event->category >= HD_ENERGY_CATEGORY_COUNT)
        declaration_find(at, "energy event %s has no category", event->name);
    if (declaration_is_line(event->counts))
        check_counts(at, event);
}

static void check_table(declaration_check *at, const hd_energy_event *events, uint32_t count)
{
    if (count && !events)
        declaration_find(at, "%u energy events are declared, and the table is NULL", count);
    for (uint32_t i = 0; events && i < count; i++)
        check_event(at, events, i);
}

void declaration_check_energy(declaration_check *at)
{
    const struct hd_composition *composition = at->block_class->composition;
    check_table(at, at->block_class->energy_events, at->block_class->energy_event_count);
    for (uint32_t i = 0; composition && i < composition->place_count; i++)
        if (!composition->places[i].is_again)
            check_table(at, composition->places[i].unit->energy_events,
                        composition->places[i].unit->energy_event_count);
}
