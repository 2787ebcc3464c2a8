/* SPDX-License-Identifier: MIT */
#include "estimate.h"

#include <string.h>

#include "hd_unit.h"

static uint64_t parameter_of(const netlist_block *block, const char *name)
{
    const hd_block_class *block_class = block->block_class;
    for (uint32_t i = 0; name && i < block_class->parameter_count; i++)
        if (strcmp(block_class->parameters[i].name, name) == 0)
            return block->values[i].u;
    return 0;
}

/* The item of structures of that name; where there is none yet, it is put before those that were smaller when published. */
static hd_estimate_item *item_of(hd_estimate *estimate, const hd_structure *structure)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < estimate->item_count; i++)
        if (strcmp(estimate->items[i].structure, structure->name) == 0)
            return &estimate->items[i];
    if (estimate->item_count == HD_ESTIMATE_ITEMS)
        return NULL;
    while (at < estimate->item_count && estimate->items[at].of->square_millimetres >= structure->square_millimetres)
        at++;
    hd_estimate_item *item = &estimate->items[at];
    memmove(item + 1, item, (estimate->item_count++ - at) * sizeof *item);
    *item = (hd_estimate_item){.structure = structure->name, .of = structure};
    return item;
}

static void add(hd_estimate *estimate, const netlist *machine, const netlist_block *block,
                const hd_structure *structure, const hd_value *values)
{
    const double bytes = structure->bytes(&(hd_structure_use){.values = values,
                                                              .parameter = parameter_of(block, structure->parameter),
                                                              .other = parameter_of(block, structure->other),
                                                              .count = block->count});
    const double larger = structure->process ? bytes / structure->reference_bytes : 0;
    const double faster =
        structure->process ? (double)machine->clocks[block->clock].hz / (structure->megahertz * 1e6) : 0;
    hd_estimate_item *item = bytes > 0 ? item_of(estimate, structure) : NULL;
    if (!item)
        return;
    item->bytes += bytes;
    item->square_millimetres += structure->square_millimetres * larger;
    item->milliwatts += structure->milliwatts * larger * faster;
}

static void add_block(hd_estimate *estimate, const netlist *machine, const netlist_block *block)
{
    const hd_block_class *block_class = block->block_class;
    for (uint32_t i = 0; i < block_class->structure_count; i++)
        add(estimate, machine, block, &block_class->structures[i], block->values);
    for (uint32_t slot = 0; block_class->composition && slot < block_class->unit_slot_count; slot++) {
        const hd_unit_place *place = hd_unit_chosen(block_class, slot, block->values);
        for (uint32_t i = 0; place && i < place->unit->structure_count; i++)
            add(estimate, machine, block, &place->unit->structures[i], block->values + place->first_parameter);
    }
}

hd_estimate hd_estimate_of(const netlist *machine)
{
    hd_estimate estimate = {0};
    for (uint32_t b = 0; b < machine->block_count; b++)
        add_block(&estimate, machine, &machine->blocks[b]);
    for (uint32_t i = 0; i < estimate.item_count; i++) {
        estimate.bytes += estimate.items[i].bytes;
        estimate.square_millimetres += estimate.items[i].square_millimetres;
        estimate.milliwatts += estimate.items[i].milliwatts;
    }
    if (estimate.item_count) {
        estimate.source = estimate.items[0].of->source;
        estimate.process = estimate.items[0].of->process;
    }
    return estimate;
}
