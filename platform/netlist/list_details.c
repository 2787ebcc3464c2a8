/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "energy.h"
#include "list.h"
#include "text_value.h"

#define BUFFER_BYTES 256u

static const char *type_name(const hd_parameter *declared)
{
    switch (declared->type) {
    case HD_TYPE_BOOLEAN: return "true or false";
    case HD_TYPE_CHOICE: return "choice";
    case HD_TYPE_TEXT: return "text";
    case HD_TYPE_REAL: return "number";
    default: break;
    }
    switch (declared->unit) {
    case HD_UNIT_BYTES: return "bytes";
    case HD_UNIT_CYCLES: return "cycles";
    case HD_UNIT_SECONDS: return "time";
    case HD_UNIT_HERTZ: return "frequency";
    default: return "whole number";
    }
}

static const char *range_text(const hd_parameter *declared, arena *memory)
{
    char low[48], high[48];
    unsigned_to_short_text(declared->minimum, declared->unit, low, sizeof low);
    unsigned_to_short_text(declared->maximum, declared->unit, high, sizeof high);
    if (declared->type == HD_TYPE_CHOICE)
        return declared->choices;
    if (declared->type == HD_TYPE_UNSIGNED && declared->maximum)
        return arena_format(memory, "%s .. %s", low, high);
    if (declared->type == HD_TYPE_UNSIGNED && declared->minimum)
        return arena_format(memory, "at least %s", low);
    return "";
}

static void fill_parameters(table *rows, const hd_block_class *block_class)
{
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        const hd_parameter *declared = &block_class->parameters[i];
        TABLE_ROW(rows, declared->name, type_name(declared), declared->standard ? declared->standard : "required",
                  range_text(declared, rows->memory), declared->doc);
    }
}

static void fill_ports(table *rows, const hd_block_class *block_class)
{
    static const char *const directions[] = {"", "sends", "receives", "initiator", "target", "tapped", "tap"};
    for (uint32_t i = 0; i < block_class->port_count; i++) {
        const hd_port *port = &block_class->ports[i];
        const char *count = port->minimum_count == port->maximum_count
                                ? arena_format(rows->memory, "%u", port->maximum_count)
                                : arena_format(rows->memory, "%u .. %u", port->minimum_count, port->maximum_count);
        const char *latency = arena_format(rows->memory, "latency %u", port->latency_cycles);
        const char *credits = arena_format(rows->memory, "credits %u", port->credits);
        const char *defaults = port->direction >= HD_PORT_TAPPED ? ""
                               : port->direction == HD_PORT_SEND ? latency
                               : port->direction == HD_PORT_RECEIVE
                                   ? credits
                                   : arena_format(rows->memory, "%s, %s", latency, credits);
        TABLE_ROW(rows, port->name, port->direction <= HD_PORT_TAP ? directions[port->direction] : "", count, defaults,
                  port->doc);
    }
}

/* Several choices of a parameter may use a message alike. */
static uint32_t is_in_row_before(const hd_block_class *block_class, uint32_t index)
{
    const hd_message_use *use = &block_class->messages[index];
    for (uint32_t i = 0; i < index; i++) {
        const hd_message_use *before = &block_class->messages[i];
        if (before->direction == use->direction && before->when >> 16 == use->when >> 16 &&
            !strcmp(before->name, use->name) && !strcmp(before->port, use->port))
            return 1;
    }
    return 0;
}

static void fill_messages(table *rows, const hd_block_class *block_class)
{
    for (uint32_t i = 0; i < block_class->message_count; i++) {
        if (is_in_row_before(block_class, i))
            continue;
        const hd_message_use *use = &block_class->messages[i];
        const char *way = use->direction == HD_MESSAGE_SENT ? "sent" : "received";
        if (use->when)
            way = arena_format(rows->memory, "%s, depends on %s", way,
                               block_class->parameters[(use->when >> 16) - 1].name);
        TABLE_ROW(rows, use->name, way, use->port);
    }
}

static void fill_windows(table *rows, const hd_block_class *block_class)
{
    for (uint32_t i = 0; i < block_class->window_count; i++) {
        const hd_window *window = &block_class->windows[i];
        char bytes[48];
        unsigned_to_short_text(window->bytes, HD_UNIT_BYTES, bytes, sizeof bytes);
        const char *size = !window->parameter   ? bytes
                           : window->bytes == 1 ? window->parameter
                                                : arena_format(rows->memory, "%s * %s", window->parameter, bytes);
        const char *base = window->base_parameter
                               ? window->base_parameter
                               : arena_format(rows->memory, "0x%llx", (unsigned long long)window->base);
        TABLE_ROW(rows, window->name, arena_format(rows->memory, "%s", base), arena_format(rows->memory, "%s", size),
                  window->port ? arena_format(rows->memory, "at %s", window->port) : "physical", window->doc);
    }
}

static void fill_statistics(table *rows, const hd_block_class *block_class)
{
    for (uint32_t i = 0; i < block_class->statistic_count; i++) {
        const hd_statistic *statistic = &block_class->statistics[i];
        TABLE_ROW(rows, statistic->name, statistic->unit, statistic->kind == HD_STATISTIC_MAXIMUM ? "maximum" : "count",
                  statistic->doc);
    }
}

static void fill_trace_events(table *rows, const hd_block_class *block_class)
{
    static const char *const forms[] = {"", "span", "instant", "counter", "flow"};
    for (uint32_t i = 0; i < block_class->trace_event_count; i++) {
        const hd_trace_event *event = &block_class->trace_events[i];
        const char *shown = event->unit ? event->unit : event->values ? event->values : "";
        TABLE_ROW(rows, event->name, forms[event->form], shown, event->doc);
    }
}

/* Its own; those of units are theirs. */
static void fill_energy_events(table *rows, const hd_block_class *block_class)
{
    for (uint32_t i = 0; i < block_class->energy_event_count; i++) {
        const hd_energy_event *event = &block_class->energy_events[i];
        TABLE_ROW(rows, event->name, netlist_energy_categories[event->category], event->counts, event->doc);
    }
}

static const struct {
    const char *title;
    uint32_t columns;
    const char *titles[TABLE_COLUMNS_MAX];
    void (*fill)(table *rows, const hd_block_class *block_class);
} tables[] = {
    {"parameters", 5, {"Parameter", "Type", "Default", "Range", "Meaning"}, fill_parameters},
    {"does not go together", 3, {"Parameter", "With", "Because"}, list_conflicts},
    {"ports", 5, {"Port", "Direction", "Elements", "Defaults of its links", "Meaning"}, fill_ports},
    {"messages", 3, {"Message", "Direction", "Port"}, fill_messages},
    {"address windows", 5, {"Window", "From", "Size", "Space", "Meaning"}, fill_windows},
    {"statistics", 4, {"Statistic", "Unit", "Kind", "Meaning"}, fill_statistics},
    {"trace events", 4, {"Event", "Form", "Values or unit", "Meaning"}, fill_trace_events},
    {"energy events", 4, {"Event", "Category", "Counts", "What happens once"}, fill_energy_events},
};

static void write_head(const hd_block_class *block_class, enum text_format format, FILE *out)
{
    const char *source = block_class->source ? block_class->source : "";
    if (format == TEXT_PLAIN) {
        fprintf(out, "%s/%s: %s\n", block_class->kind, block_class->type, block_class->doc);
        if (*source)
            fprintf(out, "  source: %s\n", source);
        return;
    }
    char name[BUFFER_BYTES];
    snprintf(name, sizeof name, "%s/%s", block_class->kind, block_class->type);
    table_write_heading(name, block_class->doc, out);
    if (*source) {
        fputs("Source: ", out);
        table_write_markdown(source, out);
        fputs(".\n\n", out);
    }
}

static void write_class(const hd_block_class *block_class, enum text_format format, FILE *out)
{
    write_head(block_class, format, out);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        arena memory = {0};
        table rows = {.memory = &memory, .titles = tables[t].titles, .columns = tables[t].columns};
        tables[t].fill(&rows, block_class);
        char title[32];
        snprintf(title, sizeof title, "%s", tables[t].title);
        if (format == TEXT_MARKDOWN)
            title[0] = (char)(title[0] - 'a' + 'A');
        table_write(&rows, title, "    ", format, out);
        arena_free(&memory);
    }
}

size_t netlist_list_details(netlist_registry registry, const char *pattern, enum text_format format, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < registry.count; i++) {
        if (!list_class_matches(registry.classes[i], pattern))
            continue;
        if (count++ && format == TEXT_PLAIN)
            fputc('\n', out);
        write_class(registry.classes[i], format, out);
    }
    return count;
}
