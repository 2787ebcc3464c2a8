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

/* The code point that starts here, and how many bytes it has. The text is UTF-8 (the loader has seen to it). */
static uint32_t code_point(const unsigned char *at, size_t *bytes)
{
    *bytes = at[0] < 0x80 ? 1 : at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    uint32_t value = *bytes == 1 ? at[0] : at[0] & (0x7Fu >> *bytes);
    for (size_t i = 1; i < *bytes; i++)
        value = value << 6 | (at[i] & 0x3Fu);
    return value;
}

/* Controls, and what YAML takes for a line break or a byte order mark. */
static int is_escaped(uint32_t value)
{
    return value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0x2028 || value == 0x2029 || value == 0xFEFF ||
           value == 0xFFFE || value == 0xFFFF;
}

void netlist_write_yaml_text(const char *text, FILE *out)
{
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    size_t bytes;
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at; at += bytes) {
        uint32_t value = code_point(at, &bytes);
        if (value == '"' || value == '\\')
            fprintf(out, "\\%c", (int)value);
        else if (is_escaped(value))
            fprintf(out, "\\U%08X", value);
        else
            fwrite(at, 1, bytes, out);
    }
    fputc('"', out);
}

static int is_same_channel(const netlist_channel *a, const netlist_channel *b)
{
    return a->latency == b->latency && a->credit_latency == b->credit_latency && a->credits == b->credits;
}

static int is_same(const netlist_link *a, const netlist_link *b)
{
    return a->from.block == b->from.block && a->from.port == b->from.port && a->to.block == b->to.block &&
           a->to.port == b->to.port && is_same_channel(&a->forward, &b->forward) &&
           is_same_channel(&a->response, &b->response);
}

uint32_t netlist_same_link(const netlist *machine, uint32_t index)
{
    uint32_t end = index + 1;
    while (end < machine->link_count && is_same(&machine->links[index], &machine->links[end]))
        end++;
    return end - index;
}
