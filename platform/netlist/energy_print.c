/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <string.h>

#include "energy.h"
#include "show.h"

const char *netlist_energy_sum_name(uint32_t index)
{
    if (index < HD_ENERGY_CATEGORY_COUNT)
        return netlist_energy_categories[index];
    return index == NETLIST_ENERGY_DYNAMIC ? "dynamic" : "total";
}

uint32_t netlist_asks_for_energy(const char *pattern)
{
    static const char prefix[] = NETLIST_ENERGY_BLOCK ".";
    return !strncmp(pattern, prefix, sizeof prefix - 1);
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *block_json(const netlist_energy_block *block)
{
    json_t *result = json_object();
    for (uint32_t i = 0; i < block->event_count; i++)
        json_object_set_new(result, block->events[i].event->name, number(block->events[i].femtojoules));
    json_object_set_new(result, "leakage.uw", number(block->leakage.microwatts));
    json_object_set_new(result, "clock.uw", number(block->clock.microwatts));
    json_object_set_new(result, "area.um2", number(block->square_micrometres));
    return result;
}

json_t *netlist_energy_json(const netlist *machine)
{
    const netlist_energy *table = machine->energy;
    json_t *blocks = json_object(), *statics = json_array(), *result = json_object();
    for (uint32_t b = 0; b < machine->block_count; b++)
        if (table->blocks[b].declares)
            json_object_set_new(blocks, machine->blocks[b].name, block_json(&table->blocks[b]));
    for (uint32_t i = 0; i < table->static_count; i++)
        json_array_append_new(statics, json_pack("{s:s, s:s, s:o}", "name", table->statics[i].name, "category",
                                                 netlist_energy_categories[table->statics[i].category], "power_uw",
                                                 number(table->statics[i].microwatts)));
    json_object_set_new(result, "name", json_string(table->name));
    json_object_set_new(result, "process", json_string(table->process));
    json_object_set_new(result, "tm", json_string(table->tm_by_events ? "events" : "full_activity"));
    json_object_set_new(result, "area_um2", number(table->square_micrometres));
    json_object_set_new(result, "static", statics);
    json_object_set_new(result, "blocks_fj", blocks);
    return result;
}
