/* SPDX-License-Identifier: MIT */
#include "netlist.h"

#include <string.h>

#include "text_value.h"

#define COLUMNS_MAX 4u
#define CELL_BYTES 128u

/* Cells of one row; the documentation follows them and is as long as it likes. */
typedef char row[COLUMNS_MAX][CELL_BYTES];
typedef void (*fill_row)(const hd_block_class *block_class, uint32_t index, row cells, const char **doc);

static void cell(char *text, const char *value)
{
    snprintf(text, CELL_BYTES, "%s", value);
}

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

static void range_text(const hd_parameter *declared, char *text)
{
    char low[48], high[48];
    netlist_unsigned_to_short_text(declared->minimum, declared->unit, low, sizeof low);
    netlist_unsigned_to_short_text(declared->maximum, declared->unit, high, sizeof high);
    if (declared->type == HD_TYPE_CHOICE)
        cell(text, declared->choices);
    else if (declared->type == HD_TYPE_UNSIGNED && declared->maximum)
        snprintf(text, CELL_BYTES, "%s .. %s", low, high);
    else if (declared->type == HD_TYPE_UNSIGNED && declared->minimum)
        snprintf(text, CELL_BYTES, "at least %s", low);
    else
        cell(text, "");
}

static void parameter_row(const hd_block_class *block_class, uint32_t index, row cells, const char **doc)
{
    const hd_parameter *declared = &block_class->parameters[index];
    cell(cells[0], declared->name);
    cell(cells[1], type_name(declared));
    cell(cells[2], declared->standard ? declared->standard : "required");
    range_text(declared, cells[3]);
    *doc = declared->doc;
}

static void port_row(const hd_block_class *block_class, uint32_t index, row cells, const char **doc)
{
    static const char *const directions[] = {"", "sends", "receives", "initiator", "target"};
    const hd_port *port = &block_class->ports[index];
    cell(cells[0], port->name);
    cell(cells[1], port->direction <= HD_PORT_TARGET ? directions[port->direction] : "");
    if (port->minimum_count == port->maximum_count)
        snprintf(cells[2], CELL_BYTES, "%u", port->maximum_count);
    else
        snprintf(cells[2], CELL_BYTES, "%u .. %u", port->minimum_count, port->maximum_count);
    if (port->direction == HD_PORT_SEND)
        snprintf(cells[3], CELL_BYTES, "latency %u", port->latency_cycles);
    else if (port->direction == HD_PORT_RECEIVE)
        snprintf(cells[3], CELL_BYTES, "credits %u", port->credits);
    else
        snprintf(cells[3], CELL_BYTES, "latency %u, credits %u", port->latency_cycles, port->credits);
    *doc = port->doc;
}

static void message_row(const hd_block_class *block_class, uint32_t index, row cells, const char **doc)
{
    const hd_message_use *use = &block_class->messages[index];
    cell(cells[0], use->name);
    cell(cells[1], use->direction == HD_MESSAGE_SENT ? "sent" : "received");
    *doc = use->port ? use->port : "";
}

static void statistic_row(const hd_block_class *block_class, uint32_t index, row cells, const char **doc)
{
    const hd_statistic *statistic = &block_class->statistics[index];
    cell(cells[0], statistic->name);
    cell(cells[1], statistic->unit);
    cell(cells[2], statistic->kind == HD_STATISTIC_MAXIMUM ? "maximum" : "count");
    *doc = statistic->doc;
}

static void write_table(const hd_block_class *block_class, const char *title, uint32_t rows, uint32_t columns,
                        fill_row fill, FILE *out)
{
    int widths[COLUMNS_MAX] = {0};
    row cells;
    const char *doc = "";
    if (!rows)
        return;
    for (uint32_t i = 0; i < rows; i++) {
        fill(block_class, i, cells, &doc);
        for (uint32_t c = 0; c < columns; c++) {
            int length = (int)strlen(cells[c]);
            widths[c] = length > widths[c] ? length : widths[c];
        }
    }
    fprintf(out, "  %s\n", title);
    for (uint32_t i = 0; i < rows; i++) {
        fill(block_class, i, cells, &doc);
        fputs("    ", out);
        for (uint32_t c = 0; c < columns; c++)
            fprintf(out, "%-*s  ", widths[c], cells[c]);
        fprintf(out, "%s\n", doc ? doc : "");
    }
}

static void write_class(const hd_block_class *block_class, FILE *out)
{
    fprintf(out, "%s/%s: %s\n", block_class->kind, block_class->type, block_class->doc);
    if (block_class->source && *block_class->source)
        fprintf(out, "  source: %s\n", block_class->source);
    write_table(block_class, "parameters", block_class->parameter_count, 4, parameter_row, out);
    write_table(block_class, "ports", block_class->port_count, 4, port_row, out);
    write_table(block_class, "messages", block_class->message_count, 2, message_row, out);
    write_table(block_class, "statistics", block_class->statistic_count, 3, statistic_row, out);
}

size_t netlist_list(netlist_registry registry, const char *kind, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < registry.count; i++) {
        if (kind && strcmp(registry.classes[i]->kind, kind) != 0)
            continue;
        if (count++)
            fputc('\n', out);
        write_class(registry.classes[i], out);
    }
    return count;
}
