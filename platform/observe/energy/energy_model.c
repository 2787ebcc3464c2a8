/* SPDX-License-Identifier: MIT */
#include "energy_model.h"

#include <stdlib.h>

#include "estimate.h"

#define MICROWATT_PICOSECONDS_PER_FEMTOJOULE 1000u
#define MICROWATTS_PER_MILLIWATT 1000

static void add(hd_energy_model *model, hd_energy_part part)
{
    hd_energy_part *parts = realloc(model->parts, (model->count + 1) * sizeof *parts);
    if (!parts)
        abort();
    model->parts = parts;
    model->parts[model->count++] = part;
}

static void add_power(hd_energy_model *model, uint32_t block, const char *name, uint32_t category,
                      const netlist_energy_power *power)
{
    const netlist_block *of = &model->machine->blocks[block];
    if (power->microwatts)
        add(model, (hd_energy_part){.name = name,
                                    .source = power->source,
                                    .block = block,
                                    .category = category,
                                    .microwatts = power->microwatts * of->count});
}

static void add_block(hd_energy_model *model, uint32_t block)
{
    const netlist_energy_block *of = &model->machine->energy->blocks[block];
    for (uint32_t i = 0; i < of->event_count; i++)
        add(model, (hd_energy_part){.name = of->events[i].event->name,
                                    .source = of->events[i].source,
                                    .block = block,
                                    .category = of->events[i].event->category,
                                    .counts = &of->events[i].counts,
                                    .femtojoules = of->events[i].femtojoules});
    add_power(model, block, "leakage", HD_ENERGY_LEAKAGE, &of->leakage);
    add_power(model, block, "clock", HD_ENERGY_IDLE, &of->clock);
}

/* What a plain GPU does not have, as if it were accessed in every cycle. */
static void add_structures(hd_energy_model *model)
{
    const hd_estimate estimate = hd_estimate_of(model->machine);
    for (uint32_t i = 0; i < estimate.item_count; i++)
        add(model,
            (hd_energy_part){.name = estimate.items[i].structure,
                             .source = estimate.items[i].of->source,
                             .block = NETLIST_NONE,
                             .category = HD_ENERGY_TM,
                             .microwatts = (uint64_t)(estimate.items[i].milliwatts * MICROWATTS_PER_MILLIWATT + 0.5)});
}

hd_energy_model hd_energy_model_of(const netlist *machine)
{
    hd_energy_model model = {.machine = machine};
    const netlist_energy *table = machine->energy;
    for (uint32_t i = 0; table && i < table->static_count; i++)
        add(&model, (hd_energy_part){.name = table->statics[i].name,
                                     .source = table->statics[i].source,
                                     .block = NETLIST_NONE,
                                     .category = table->statics[i].category,
                                     .microwatts = table->statics[i].microwatts});
    if (table && !table->tm_by_events)
        add_structures(&model);
    for (uint32_t b = 0; table && b < machine->block_count; b++)
        add_block(&model, b);
    return model;
}

void hd_energy_model_free(hd_energy_model *model)
{
    free(model->parts);
    *model = (hd_energy_model){0};
}

/* Since the beginning of the run, so that what intervals lose by rounding they gain from each other. */
static uint64_t drawn(uint64_t microwatts, hd_time t)
{
    return (uint64_t)((hd_u128)microwatts * t / MICROWATT_PICOSECONDS_PER_FEMTOJOULE);
}

static uint64_t drawn_between(uint64_t microwatts, hd_time begin, hd_time end)
{
    return drawn(microwatts, end) - drawn(microwatts, begin);
}

static uint64_t drawn_in(uint64_t microwatts, const hd_interval *time)
{
    if (!time->stretches)
        return drawn_between(microwatts, time->begin, time->end + time->beyond);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < time->stretch_count; i++)
        sum += drawn_between(microwatts, time->stretches[i].begin, time->stretches[i].end);
    return sum;
}

uint64_t hd_energy_of_part(const hd_energy_part *part, const uint64_t *values, const hd_interval *time)
{
    return part->counts ? energy_count(part->counts, values) * part->femtojoules : drawn_in(part->microwatts, time);
}

hd_energy_sums hd_energy_of_values(const hd_energy_model *model, hd_energy_values *values, void *context,
                                   const hd_interval *time)
{
    hd_energy_sums sums = {0};
    const uint64_t *of_block = NULL;
    uint32_t block = NETLIST_NONE;
    for (uint32_t i = 0; i < model->count; i++) {
        const hd_energy_part *part = &model->parts[i];
        if (part->counts && part->block != block)
            of_block = values(context, block = part->block);
        const uint64_t energy = hd_energy_of_part(part, of_block, time);
        sums.categories[part->category] += energy;
        sums.total += energy;
    }
    return sums;
}

typedef struct in_interval {
    const hd_statistics *statistics;
    const hd_interval *interval;
} in_interval;

static const uint64_t *values_in_interval(void *context, uint32_t block)
{
    const in_interval *in = context;
    return hd_statistics_block(in->statistics, in->interval, block);
}

hd_energy_sums hd_energy_of_interval(const hd_energy_model *model, const hd_statistics *statistics,
                                     const hd_interval *interval)
{
    return hd_energy_of_values(model, values_in_interval, &(in_interval){statistics, interval}, interval);
}

uint64_t hd_energy_sum(const hd_energy_sums *sums, uint32_t index)
{
    if (index < HD_ENERGY_CATEGORY_COUNT)
        return sums->categories[index];
    const uint64_t at_rest = sums->categories[HD_ENERGY_IDLE] + sums->categories[HD_ENERGY_LEAKAGE];
    return index == NETLIST_ENERGY_DYNAMIC ? sums->total - at_rest : sums->total;
}
