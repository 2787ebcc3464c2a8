/* SPDX-License-Identifier: MIT */
#include "memories.h"

#include <string.h>

#define DEPTH_MAX 16u /* blocks one below the other; more is a circle */

static uint32_t has_below(const netlist *machine, uint32_t block)
{
    for (uint32_t i = 0; i < machine->link_count; i++)
        if (machine->links[i].is_memory && machine->links[i].from.block == block)
            return 1;
    return 0;
}

static uint32_t is_below(const netlist *machine, uint32_t from, uint32_t block, uint32_t depth)
{
    for (uint32_t i = 0; i < machine->link_count && depth < DEPTH_MAX; i++) {
        const netlist_link *link = &machine->links[i];
        if (link->is_memory && link->from.block == from &&
            (link->to.block == block || is_below(machine, link->to.block, block, depth + 1)))
            return 1;
    }
    return 0;
}

static uint32_t is_dram(const netlist *machine, uint32_t block)
{
    return strcmp(machine->blocks[block].block_class->kind, "dram") == 0;
}

uint32_t memories_include(const netlist *machine, uint32_t block)
{
    uint32_t has_dram = 0;
    for (uint32_t b = 0; b < machine->block_count && !has_dram; b++)
        has_dram = is_dram(machine, b);
    if (has_dram)
        return is_dram(machine, block);
    const uint32_t partitions = machine->address_map.block;
    return partitions != NETLIST_NONE && !has_below(machine, block) && is_below(machine, partitions, block, 0);
}

uint32_t class_statistic(const hd_block_class *type, const char *name)
{
    for (uint32_t i = 0; i < type->statistic_count; i++)
        if (!strcmp(type->statistics[i].name, name))
            return i;
    return UINT32_MAX;
}
