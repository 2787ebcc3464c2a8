/* SPDX-License-Identifier: MIT */
#include "show.h"

#include "text_value.h"

void netlist_print_value(const hd_parameter *declared, const hd_value *value, int is_exact, char *text, size_t bytes)
{
    switch (declared->type) {
    case HD_TYPE_UNSIGNED:
        (is_exact ? unsigned_to_text : unsigned_to_short_text)(value->u, declared->unit, text, bytes);
        return;
    case HD_TYPE_BOOLEAN: snprintf(text, bytes, "%s", value->u ? "true" : "false"); return;
    case HD_TYPE_REAL: snprintf(text, bytes, "%.17g", value->real); return;
    default: snprintf(text, bytes, "%s", value->text);
    }
}

void netlist_print_end(const netlist *machine, netlist_end end, char *text, size_t bytes)
{
    char instance[128];
    const hd_port *port = &machine->blocks[end.block].block_class->ports[end.port];
    netlist_instance_name(machine, end.block, end.instance, instance, sizeof instance);
    if (port->maximum_count <= 1)
        snprintf(text, bytes, "%s.%s", instance, port->name);
    else
        snprintf(text, bytes, "%s.%s[%u]", instance, port->name, end.element);
}

void netlist_print_latency(hd_time latency, hd_clock clock, char *text, size_t bytes)
{
    uint64_t cycles = hd_clock_index_at_or_after(clock, latency);
    if (hd_clock_cycles(clock, cycles) == latency)
        snprintf(text, bytes, "%llu cycle%s", (unsigned long long)cycles, cycles == 1 ? "" : "s");
    else
        unsigned_to_short_text(latency, HD_UNIT_SECONDS, text, bytes);
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
