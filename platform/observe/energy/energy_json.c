/* SPDX-License-Identifier: MIT */
/* Energy in the results file. */
#include <jansson.h>

#include "energy_results.h"
#include "json_text.h"

#define FEMTOJOULES_PER_PICOJOULE 1e3
#define MILLIWATTS_PER_WATT 1e3 /* a fJ per ps is a mW */

double hd_energy_watts(uint64_t femtojoules, hd_time length)
{
    return length ? (double)femtojoules / (double)length / MILLIWATTS_PER_WATT : 0;
}

double hd_energy_per_instruction(uint64_t femtojoules, const hd_statistics *statistics, const hd_interval *interval)
{
    const uint64_t instructions = hd_statistics_sum(statistics, interval, "simt_core", "thread_instructions");
    return instructions ? (double)femtojoules / FEMTOJOULES_PER_PICOJOULE / (double)instructions : 0;
}

json_t *hd_energy_sums_json(const hd_energy_sums *sums)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < NETLIST_ENERGY_SUMS; i++)
        json_object_set_new(object, netlist_energy_sum_name(i), hd_json_number(hd_energy_sum(sums, i)));
    return object;
}

static json_t *block_json(const hd_energy_model *model, const hd_statistics *statistics, const hd_interval *interval)
{
    json_t *blocks = json_object();
    for (uint32_t i = 0; i < model->count;) {
        const uint32_t block = model->parts[i].block;
        uint64_t sum = 0;
        for (; i < model->count && model->parts[i].block == block; i++)
            sum += hd_energy_of_part(&model->parts[i],
                                     block == NETLIST_NONE ? NULL : hd_statistics_block(statistics, interval, block),
                                     interval);
        json_object_set_new(blocks, block == NETLIST_NONE ? "machine" : model->machine->blocks[block].name,
                            hd_json_number(sum));
    }
    return blocks;
}

json_t *hd_energy_interval_json(const hd_energy_model *model, const hd_statistics *statistics,
                                const hd_interval *interval)
{
    const hd_energy_sums sums = hd_energy_of_interval(model, statistics, interval);
    json_t *object = json_object();
    json_object_set_new(object, "categories_fj", hd_energy_sums_json(&sums));
    json_object_set_new(object, "blocks_fj", block_json(model, statistics, interval));
    json_object_set_new(object, "average_w",
                        json_real(hd_energy_watts(sums.total, interval->end + interval->beyond - interval->begin)));
    json_object_set_new(object, "pj_per_instruction",
                        json_real(hd_energy_per_instruction(sums.total, statistics, interval)));
    return object;
}

static json_t *row_json(const hd_energy_model *model, const hd_energy_part *part, const hd_statistics *statistics)
{
    const hd_interval *run = hd_statistics_run(statistics);
    const uint64_t *values = part->counts ? hd_statistics_block(statistics, run, part->block) : NULL;
    json_t *object = json_object();
    json_object_set_new(object, "block",
                        part->block == NETLIST_NONE ? json_null()
                                                    : json_string(model->machine->blocks[part->block].name));
    json_object_set_new(object, "name", json_string(part->name));
    json_object_set_new(object, "category", json_string(netlist_energy_categories[part->category]));
    json_object_set_new(object, "source", json_string(part->source));
    if (part->counts)
        json_object_set_new(object, "count", hd_json_number(energy_count(part->counts, values)));
    else
        json_object_set_new(object, "power_uw", hd_json_number(part->microwatts));
    json_object_set_new(object, "energy_fj",
                        hd_json_number(hd_energy_of_part(part, values, run)));
    return object;
}

/* Of the chip, and of all instances of the blocks of which it is known. */
static json_t *area_json(const netlist *machine)
{
    const netlist_energy *table = machine->energy;
    json_t *blocks = json_object();
    for (uint32_t b = 0; b < machine->block_count; b++)
        if (table->blocks[b].square_micrometres)
            json_object_set_new(blocks, machine->blocks[b].name,
                                hd_json_number(table->blocks[b].square_micrometres * machine->blocks[b].count));
    json_t *object = json_object();
    json_object_set_new(object, "chip",
                        table->square_micrometres ? hd_json_number(table->square_micrometres) : json_null());
    json_object_set_new(object, "blocks", blocks);
    return object;
}

json_t *hd_energy_json(const hd_energy_model *model, const hd_statistics *statistics)
{
    const netlist_energy *table = model->machine->energy;
    json_t *rows = json_array(), *not_modelled = json_array();
    for (uint32_t i = 0; i < model->count; i++)
        json_array_append_new(rows, row_json(model, &model->parts[i], statistics));
    for (uint32_t b = 0; b < model->machine->block_count; b++)
        if (!table->blocks[b].declares)
            json_array_append_new(not_modelled, json_string(model->machine->blocks[b].name));
    json_t *object = json_object();
    json_object_set_new(object, "table", json_string(table->name));
    json_object_set_new(object, "process", json_string(table->process));
    json_object_set_new(object, "uncertainty", json_string(table->uncertainty));
    json_object_set_new(object, "tm", json_string(table->tm_by_events ? "events" : "full_activity"));
    json_object_set_new(object, "area_um2", area_json(model->machine));
    json_object_set_new(object, "run", hd_energy_interval_json(model, statistics, hd_statistics_run(statistics)));
    json_object_set_new(object, "busy", hd_energy_interval_json(model, statistics, hd_statistics_busy(statistics)));
    json_object_set_new(object, "rows", rows);
    json_object_set_new(object, "not_modelled", not_modelled);
    return object;
}
