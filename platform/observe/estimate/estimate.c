/* SPDX-License-Identifier: MIT */
#include "estimate.h"

#include <stdlib.h>
#include <string.h>

#include "structures.h"

static const hd_value *value_of(const netlist_block *block, const char *parameter)
{
    const hd_block_class *class = block->block_class;
    for (uint32_t i = 0; i < class->parameter_count; i++)
        if (!strcmp(class->parameters[i].name, parameter))
            return &block->values[i];
    return NULL;
}

uint64_t structure_number(const netlist_block *block, const char *parameter)
{
    const hd_value *value = value_of(block, parameter);
    if (!value)
        abort(); /* the table is wrong: its test has every row */
    return value->u;
}

const char *structure_choice(const netlist_block *block, const char *parameter)
{
    const hd_value *value = value_of(block, parameter);
    return value ? value->text : "";
}

static uint32_t has(const netlist_block *block, const structure *structure)
{
    return !strcmp(block->block_class->kind, structure->kind) && !strcmp(block->block_class->type, structure->type) &&
           (!structure->choice || !strcmp(structure_choice(block, structure->choice), structure->value));
}

static void add(hd_estimate_item *item, const netlist *machine, const netlist_block *block, const structure *structure)
{
    const double bytes = structure->bytes(block);
    const double larger = bytes / structure->reference_bytes;
    const double faster = (double)machine->clocks[block->clock].hz / (structure->megahertz * 1e6);
    item->bytes += bytes;
    item->square_millimetres += structure->square_millimetres * larger;
    item->milliwatts += structure->milliwatts * larger * faster;
}

hd_estimate hd_estimate_of(const netlist *machine)
{
    hd_estimate estimate = {0};
    for (uint32_t s = 0; s < structure_count && s < HD_ESTIMATE_ITEMS; s++) {
        hd_estimate_item item = {.structure = structures[s].name};
        for (uint32_t b = 0; b < machine->block_count; b++)
            if (has(&machine->blocks[b], &structures[s]))
                add(&item, machine, &machine->blocks[b], &structures[s]);
        if (item.bytes <= 0)
            continue;
        estimate.source = STRUCTURES_SOURCE;
        estimate.process = STRUCTURES_PROCESS;
        estimate.items[estimate.item_count++] = item;
        estimate.square_millimetres += item.square_millimetres;
        estimate.milliwatts += item.milliwatts;
    }
    return estimate;
}
