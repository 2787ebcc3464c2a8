/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "declaration_check.h"

/* Names of numbers, "block|0xaddress". */
static uint32_t are_value_names(const char *names)
{
    uint32_t count = 0;
    do {
        names += strncmp(names, "0x", 2) == 0 ? 2 : 0;
        const size_t length = declaration_name_bytes(names, "");
        if (!length || length > HD_NAME_MAX || (names[length] && names[length] != '|'))
            return 0;
        names += length;
        count++;
    } while (*names++);
    return count <= HD_TRACE_VALUES_MAX;
}

static void check_event(declaration_check *at, uint32_t index)
{
    const hd_trace_event *event = &at->block_class->trace_events[index];
    if (!event->doc || !event->name) {
        declaration_find(at, "trace event %u has no name or no doc", index);
        return;
    }
    if (!declaration_check_name(at, event->name, ".", "trace event", index))
        return;
    if (!declaration_is_line(event->doc) || (event->unit && !declaration_is_line(event->unit)))
        declaration_find(at, "trace event %s: doc or unit is not one line of UTF-8 text", event->name);
    declaration_check_once(at, at->block_class->trace_events, sizeof *event, index, "trace events");
    if (event->form < HD_TRACE_SPAN || event->form > HD_TRACE_FLOW ||
        declaration_is_text(event->unit) != (event->form == HD_TRACE_COUNTER))
        declaration_find(at, "trace event %s has no form, or a unit and is no counter, or is one without", event->name);
    if (event->values && (event->form > HD_TRACE_INSTANT || !are_value_names(event->values)))
        declaration_find(at, "trace event %s: its values are not up to %u names, as in \"block|0xaddress\"",
                         event->name, HD_TRACE_VALUES_MAX);
}

void declaration_check_trace_events(declaration_check *at)
{
    for (uint32_t i = 0; i < at->block_class->trace_event_count; i++)
        check_event(at, i);
    if (at->block_class->trace_event_count > HD_TRACE_EVENTS_MAX)
        declaration_find(at, "more than %u trace events are declared", HD_TRACE_EVENTS_MAX);
}
