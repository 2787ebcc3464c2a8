/* SPDX-License-Identifier: MIT */
#include "show.h"

#include <string.h>

#include "text_value.h"

void netlist_show_value(const hd_parameter *declared, const hd_value *value, int is_exact, char *text, size_t bytes)
{
    switch (declared->type) {
    case HD_TYPE_UNSIGNED:
        (is_exact ? netlist_unsigned_to_text : netlist_unsigned_to_short_text)(value->u, declared->unit, text, bytes);
        return;
    case HD_TYPE_BOOLEAN: snprintf(text, bytes, "%s", value->u ? "true" : "false"); return;
    case HD_TYPE_REAL: snprintf(text, bytes, "%.17g", value->real); return;
    default: snprintf(text, bytes, "%s", value->text);
    }
}

void netlist_show_end(const netlist *machine, netlist_end end, char *text, size_t bytes)
{
    char instance[128];
    const hd_port *port = &machine->blocks[end.block].block_class->ports[end.port];
    netlist_instance_name(machine, end.block, end.instance, instance, sizeof instance);
    if (port->maximum_count <= 1)
        snprintf(text, bytes, "%s.%s", instance, port->name);
    else
        snprintf(text, bytes, "%s.%s[%u]", instance, port->name, end.element);
}

void netlist_show_latency(hd_time latency, hd_clock clock, char *text, size_t bytes)
{
    uint64_t cycles = hd_clock_index_at_or_after(clock, latency);
    if (hd_clock_cycles(clock, cycles) == latency)
        snprintf(text, bytes, "%llu cycle%s", (unsigned long long)cycles, cycles == 1 ? "" : "s");
    else
        netlist_unsigned_to_short_text(latency, HD_UNIT_SECONDS, text, bytes);
}

/* Words that begin with a letter and hold nothing that YAML looks at; the loader reads them as they are. */
static int is_plain(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./()+ ";
    size_t length = strlen(text);
    if (!length || !((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z')))
        return 0;
    return strspn(text, plain) == length && text[length - 1] != ' ' && strcmp(text, "null") != 0;
}

void netlist_write_yaml_text(const char *text, FILE *out)
{
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7F)
            fprintf(out, "\\x%02X", *at);
        else
            fputc(*at, out);
    }
    fputc('"', out);
}

static int is_same(const netlist_link *a, const netlist_link *b)
{
    return a->place.file == b->place.file && a->place.line == b->place.line && a->place.column == b->place.column &&
           a->from.block == b->from.block && a->from.port == b->from.port && a->to.block == b->to.block &&
           a->to.port == b->to.port;
}

uint32_t netlist_same_link(const netlist *machine, uint32_t index)
{
    uint32_t end = index + 1;
    while (end < machine->link_count && is_same(&machine->links[index], &machine->links[end]))
        end++;
    return end - index;
}
