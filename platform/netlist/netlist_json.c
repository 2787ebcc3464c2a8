/* SPDX-License-Identifier: MIT */
#include "netlist.h"

#include <jansson.h>

#include "show.h"

/* JSON readers agree on integers only up to 2^63 - 1. */
static json_t *unsigned_json(uint64_t value)
{
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return json_string(text);
}

static json_t *value_json(const hd_parameter *declared, const hd_value *value)
{
    switch (declared->type) {
    case HD_TYPE_UNSIGNED: return unsigned_json(value->u);
    case HD_TYPE_BOOLEAN: return json_boolean(value->u);
    case HD_TYPE_REAL: return json_real(value->real);
    default: return json_string(value->text);
    }
}

static json_t *block_json(const netlist *machine, const netlist_block *block)
{
    const hd_block_class *block_class = block->block_class;
    json_t *parameters = json_object();
    for (uint32_t i = 0; i < block_class->parameter_count; i++)
        json_object_set_new(parameters, block_class->parameters[i].name,
                            value_json(&block_class->parameters[i], &block->values[i]));
    json_t *result = json_object();
    json_object_set_new(result, "name", json_string(block->name));
    json_object_set_new(result, "kind", json_string(block_class->kind));
    json_object_set_new(result, "type", json_string(block_class->type));
    json_object_set_new(result, "count", json_integer(block->count));
    json_object_set_new(result, "is_array", json_boolean(block->is_array));
    json_object_set_new(result, "clock", json_string(machine->clocks[block->clock].name));
    json_object_set_new(result, "parameters", parameters);
    return result;
}

static void add_channel(json_t *link, const char *prefix, const netlist_channel *channel)
{
    char key[64];
    snprintf(key, sizeof key, "%slatency_ps", prefix);
    json_object_set_new(link, key, unsigned_json(channel->latency));
    snprintf(key, sizeof key, "%scredit_latency_ps", prefix);
    json_object_set_new(link, key, unsigned_json(channel->credit_latency));
    snprintf(key, sizeof key, "%scredits", prefix);
    json_object_set_new(link, key, json_integer(channel->credits));
}

/* What is not said is the usual. */
static void add_options(json_t *link, uint32_t options)
{
    for (uint32_t option = 0; option < NETLIST_OPTIONS; option++) {
        const char *value, *key = netlist_option_text(option, &value);
        if (options & 1u << option)
            json_object_set_new(link, key, json_string(value));
    }
}

static void add_withins(json_t *link, const hd_time *within)
{
    for (uint32_t i = 0; i < NETLIST_WITHINS; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_ps", netlist_within_keys[i]);
        if (within[i])
            json_object_set_new(link, key, unsigned_json(within[i]));
    }
}

static json_t *link_json(const netlist *machine, const netlist_link *link)
{
    char from[NETLIST_SHOWN_BYTES], to[NETLIST_SHOWN_BYTES];
    netlist_print_end(machine, link->from, from, sizeof from);
    netlist_print_end(machine, link->to, to, sizeof to);
    json_t *result = json_object();
    json_object_set_new(result, "from", json_string(from));
    json_object_set_new(result, "to", json_string(to));
    json_object_set_new(result, "protocol", json_string(link->is_tap ? "tap" : link->is_memory ? "memory" : "message"));
    if (link->is_tap)
        return result;
    add_channel(result, "", &link->forward);
    add_options(result, link->options);
    add_withins(result, link->within);
    if (link->is_memory)
        add_channel(result, "response_", &link->response);
    return result;
}

static json_t *address_map_json(const netlist *machine)
{
    if (machine->address_map.block == NETLIST_NONE)
        return json_null();
    json_t *result = json_object();
    json_object_set_new(result, "partitions", json_string(machine->blocks[machine->address_map.block].name));
    json_object_set_new(result, "interleave_bytes", json_integer(machine->address_map.interleave_bytes));
    json_object_set_new(result, "hash", json_string(netlist_hash_names[machine->address_map.hash]));
    json_object_set_new(result, "sub_partitions", json_integer(machine->address_map.sub_partitions));
    json_object_set_new(result, "sub_interleave_bytes", json_integer(machine->address_map.sub_interleave_bytes));
    return result;
}

static json_t *perturb_json(const netlist_perturb *perturb)
{
    json_t *result = json_object();
    json_object_set_new(result, "seed", unsigned_json(perturb->seed));
    json_object_set_new(result, "delay_ps", unsigned_json(perturb->delay));
    return result;
}

json_t *netlist_json(const netlist *machine)
{
    json_t *clocks = json_object();
    for (uint32_t i = 0; i < machine->clock_count; i++)
        json_object_set_new(clocks, machine->clocks[i].name, unsigned_json(machine->clocks[i].hz));
    json_t *blocks = json_array();
    for (uint32_t i = 0; i < machine->block_count; i++)
        json_array_append_new(blocks, block_json(machine, &machine->blocks[i]));
    json_t *links = json_array();
    for (uint32_t i = 0; i < machine->link_count; i++)
        json_array_append_new(links, link_json(machine, &machine->links[i]));

    json_t *result = json_object();
    json_object_set_new(result, "name", json_string(machine->name));
    json_object_set_new(result, "description", json_string(machine->description));
    json_object_set_new(result, "watchdog_ps", unsigned_json(machine->watchdog));
    json_object_set_new(result, "limit_ps", unsigned_json(machine->limit));
    json_object_set_new(result, "launch_align", json_boolean(machine->launch_align));
    if (machine->perturb.seed)
        json_object_set_new(result, "perturb", perturb_json(&machine->perturb));
    if (machine->energy)
        json_object_set_new(result, "energy", netlist_energy_json(machine));
    json_object_set_new(result, "clocks_hz", clocks);
    json_object_set_new(result, "address_map", address_map_json(machine));
    json_object_set_new(result, "blocks", blocks);
    json_object_set_new(result, "links", links);
    return result;
}
