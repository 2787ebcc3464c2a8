/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "state.h"

static uint64_t cycles_of(hd_clock clock, uint64_t picoseconds)
{
    return hd_clock_index_at_or_after(clock, picoseconds);
}

static struct dram_timing timing_of(const hd_value *values, hd_clock clock)
{
    return (struct dram_timing){
        .burst = (uint32_t)values[PARAMETER_BURST].u,
        .tcl = (uint32_t)values[PARAMETER_TCL].u,
        .tcwl = (uint32_t)values[PARAMETER_TCWL].u,
        .trcd = (uint32_t)values[PARAMETER_TRCD].u,
        .trp = (uint32_t)values[PARAMETER_TRP].u,
        .tras = (uint32_t)values[PARAMETER_TRAS].u,
        .trc = (uint32_t)values[PARAMETER_TRC].u,
        .trrd_s = (uint32_t)values[PARAMETER_TRRD_S].u,
        .trrd_l = (uint32_t)values[PARAMETER_TRRD_L].u,
        .tfaw = (uint32_t)values[PARAMETER_TFAW].u,
        .tccd_s = (uint32_t)values[PARAMETER_TCCD_S].u,
        .tccd_l = (uint32_t)values[PARAMETER_TCCD_L].u,
        .twr = (uint32_t)values[PARAMETER_TWR].u,
        .twtr_s = (uint32_t)values[PARAMETER_TWTR_S].u,
        .twtr_l = (uint32_t)values[PARAMETER_TWTR_L].u,
        .trtp = (uint32_t)values[PARAMETER_TRTP].u,
        .turnaround = (uint32_t)values[PARAMETER_TURNAROUND].u,
        .trfc = (uint32_t)cycles_of(clock, values[PARAMETER_TRFC].u),
        .trefi = cycles_of(clock, values[PARAMETER_TREFI].u),
    };
}

static uint32_t leaves_time_for_work(const struct dram_timing *timing)
{
    const uint64_t row_time = (uint64_t)timing->tras + timing->trp + timing->trcd + timing->twr;
    return !timing->trefi || timing->trefi > timing->trfc + row_time + 4 * timing->burst;
}

static uint32_t is_power_of_two(uint64_t value)
{
    return (value & (value - 1)) == 0;
}

/* Each in turn: powers of two, then what must not exceed what. */
static uint32_t check_geometry(const hd_value *values, hd_conflict *conflict)
{
    static const struct {
        uint32_t parameter;
        const char *text;
    } powers[] = {{PARAMETER_BANKS, "banks must be a power of two"},
                  {PARAMETER_BANK_GROUPS, "bank_groups must be a power of two"},
                  {PARAMETER_ROW_BYTES, "row_bytes must be a power of two"}};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        if (is_power_of_two(values[powers[i].parameter].u))
            continue;
        *conflict = (hd_conflict){.parameter = powers[i].parameter, .other = powers[i].parameter};
        snprintf(conflict->text, sizeof conflict->text, "%s", powers[i].text);
        return 0;
    }
    const uint64_t burst_bytes = values[PARAMETER_BUS_BYTES].u * values[PARAMETER_BURST].u;
    if (values[PARAMETER_BANK_GROUPS].u > values[PARAMETER_BANKS].u)
        *conflict = (hd_conflict){PARAMETER_BANK_GROUPS, PARAMETER_BANKS, "there are more bank_groups than banks"};
    else if (!is_power_of_two(burst_bytes))
        *conflict = (hd_conflict){PARAMETER_BURST, PARAMETER_BUS_BYTES,
                                  "the bytes of a burst, bus_bytes * burst, must be a "
                                  "power of two"};
    else if (burst_bytes > values[PARAMETER_ROW_BYTES].u)
        *conflict = (hd_conflict){PARAMETER_ROW_BYTES, PARAMETER_BURST, "a burst is longer than row_bytes"};
    else
        return 1;
    return 0;
}

static struct dram_geometry geometry_of(const hd_value *values)
{
    return (struct dram_geometry){
        .banks = (uint32_t)values[PARAMETER_BANKS].u,
        .bank_groups = (uint32_t)values[PARAMETER_BANK_GROUPS].u,
        .row_bytes = (uint32_t)values[PARAMETER_ROW_BYTES].u,
        .burst_bytes = (uint32_t)(values[PARAMETER_BUS_BYTES].u * values[PARAMETER_BURST].u),
    };
}

static uint32_t check_mapping(const hd_value *values, hd_conflict *conflict)
{
    struct dram_mapping mapping;
    const struct dram_geometry geometry = geometry_of(values);
    conflict->parameter = conflict->other = PARAMETER_MAPPING;
    return dram_mapping_parse(&mapping, values[PARAMETER_MAPPING].text, &geometry, conflict->text,
                              sizeof conflict->text);
}

static uint32_t check_timing(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const struct dram_timing timing = timing_of(values, clock);
    if (leaves_time_for_work(&timing))
        return 1;
    *conflict = (hd_conflict){PARAMETER_TREFI, PARAMETER_TRFC, "trefi leaves no time for work between refreshes"};
    return 0;
}

uint32_t dram_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    return check_geometry(values, conflict) && check_mapping(values, conflict) && check_timing(values, clock, conflict);
}

void dram_configure(struct dram *dram, const hd_value *values)
{
    char error[sizeof((hd_conflict *)NULL)->text];
    const struct dram_timing timing = timing_of(values, dram->front.services->clock);
    const struct dram_geometry geometry = geometry_of(values);
    dram_device_init(&dram->device, &timing, geometry.banks, geometry.bank_groups);
    dram_mapping_parse(&dram->mapping, values[PARAMETER_MAPPING].text, &geometry, error, sizeof error);
    dram->burst_bytes = geometry.burst_bytes;
    dram->queue_size = (uint32_t)values[PARAMETER_QUEUE].u;
    dram->latency = (uint32_t)values[PARAMETER_LATENCY].u;
    dram->scheduler = (uint32_t)values[PARAMETER_SCHEDULER].u;
    dram->starvation_cap = values[PARAMETER_STARVATION_CAP].u;
    dram->page_policy = (uint32_t)values[PARAMETER_PAGE_POLICY].u;
    dram->page_history_maximum = (uint32_t)values[PARAMETER_PAGE_HISTORY].u;
}
