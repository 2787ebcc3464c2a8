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

static double bytes_of(const netlist_block *block, const hd_structure *structure, const hd_value *values)
{
    return structure->bytes(&(hd_structure_use){.values = values,
                                                .parameter = parameter_of(block, structure->parameter),
                                                .other = parameter_of(block, structure->other),
                                                .count = block->count});
}

/* What an estimate is made of: each structure of the machine by one of its publications. */
typedef struct survey {
    const netlist *machine;
    const char *process; /* NULL: the first publication */
    uint32_t is_incomplete;
    const char *processes[HD_ESTIMATE_PROCESSES]; /* in which something of the machine is published */
    uint32_t process_count;
    hd_estimate estimate;
} survey;

static void note_process(survey *survey, const char *process)
{
    for (uint32_t i = 0; i < survey->process_count; i++)
        if (strcmp(survey->processes[i], process) == 0)
            return;
    if (survey->process_count < HD_ESTIMATE_PROCESSES)
        survey->processes[survey->process_count++] = process;
}

static void add(survey *survey, const netlist_block *block, const hd_structure *structure, const hd_value *values)
{
    const double bytes = bytes_of(block, structure, values);
    const double larger = structure->process ? bytes / structure->reference_bytes : 0;
    const double faster =
        structure->process ? (double)survey->machine->clocks[block->clock].hz / (structure->megahertz * 1e6) : 0;
    hd_estimate_item *item = item_of(&survey->estimate, structure);
    if (!item)
        return;
    item->bytes += bytes;
    item->square_millimetres += structure->square_millimetres * larger;
    item->milliwatts += structure->milliwatts * larger * faster;
}

/* Of the `count` publications of a structure. NULL: it has figures, but none in that process. */
static const hd_structure *publication_in(const hd_structure *structure, uint32_t count, const char *process)
{
    if (!process || !structure->process)
        return structure;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(structure[i].process, process) == 0)
            return &structure[i];
    return NULL;
}

static uint32_t publications(const hd_structure *structures, uint32_t count)
{
    uint32_t of_one = 1;
    while (of_one < count && strcmp(structures[of_one].name, structures->name) == 0)
        of_one++;
    return of_one;
}

static void add_structures(survey *survey, const netlist_block *block, const hd_structure *structures, uint32_t count,
                           const hd_value *values)
{
    for (uint32_t i = 0, of_one; i < count; i += of_one) {
        of_one = publications(structures + i, count - i);
        if (bytes_of(block, &structures[i], values) <= 0)
            continue;
        for (uint32_t k = 0; k < of_one && structures[i].process; k++)
            note_process(survey, structures[i + k].process);
        const hd_structure *structure = publication_in(structures + i, of_one, survey->process);
        if (structure)
            add(survey, block, structure, values);
        else
            survey->is_incomplete = 1;
    }
}

static void add_block(survey *survey, const netlist_block *block)
{
    const hd_block_class *block_class = block->block_class;
    add_structures(survey, block, block_class->structures, block_class->structure_count, block->values);
    for (uint32_t slot = 0; block_class->composition && slot < block_class->unit_slot_count; slot++) {
        const hd_unit_place *place = hd_unit_chosen(block_class, slot, block->values);
        if (place)
            add_structures(survey, block, place->unit->structures, place->unit->structure_count,
                           block->values + place->first_parameter);
    }
}

static uint32_t is_of_one_process(const hd_estimate *estimate, const char *process)
{
    for (uint32_t i = 0; i < estimate->item_count; i++)
        if (estimate->items[i].of->process && strcmp(estimate->items[i].of->process, process) != 0)
            return 0;
    return 1;
}

static void sum(hd_estimate *estimate)
{
    for (uint32_t i = 0; i < estimate->item_count; i++) {
        estimate->bytes += estimate->items[i].bytes;
        estimate->square_millimetres += estimate->items[i].square_millimetres;
        estimate->milliwatts += estimate->items[i].milliwatts;
    }
    if (estimate->item_count) {
        estimate->source = estimate->items[0].of->source;
        estimate->process = estimate->items[0].of->process;
        if (estimate->process && !is_of_one_process(estimate, estimate->process))
            estimate->process = HD_ESTIMATE_SEVERAL;
    }
}

static survey survey_of(const netlist *machine, const char *process)
{
    survey survey = {.machine = machine, .process = process};
    for (uint32_t b = 0; b < machine->block_count; b++)
        add_block(&survey, &machine->blocks[b]);
    sum(&survey.estimate);
    return survey;
}

hd_estimate hd_estimate_of(const netlist *machine)
{
    return survey_of(machine, NULL).estimate;
}

hd_estimate hd_estimate_in(const netlist *machine, const char *process)
{
    const survey survey = survey_of(machine, process);
    return survey.is_incomplete ? (hd_estimate){0} : survey.estimate;
}

uint32_t hd_estimate_other_processes(const netlist *machine, const char *processes[HD_ESTIMATE_PROCESSES])
{
    const survey survey = survey_of(machine, NULL);
    uint32_t count = 0;
    for (uint32_t i = 0; i < survey.process_count; i++)
        if (!is_of_one_process(&survey.estimate, survey.processes[i]) &&
            hd_estimate_in(machine, survey.processes[i]).source)
            processes[count++] = survey.processes[i];
    return count;
}
