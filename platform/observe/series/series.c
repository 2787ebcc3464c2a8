/* SPDX-License-Identifier: MIT */
#include "series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "energy_model.h"
#include "series_columns.h"
#include "text_value.h"

#define SERIES_TEXT_MAX ((size_t)1 << 40) /* of one that is restored */

struct hd_series {
    const netlist *machine;
    hd_engine *engine;
    const uint32_t *endpoints;
    arena memory;
    series_columns columns;
    hd_energy_model energy; /* empty if no column is about it */
    uint64_t *values;       /* of a block, all instances together */
    hd_energy_sums sums;    /* since the beginning of the run */
    void (*power)(void *power_context, const char *name, uint64_t milliwatts, hd_time end);
    void *power_context;
    hd_clock clock;  /* in whose cycles the interval is; 0 hertz: it is a time */
    uint64_t length; /* of the interval: cycles or ps */
    uint64_t taken;  /* intervals that are over */
    hd_time begin;   /* of the one that is not */
    FILE *out;
    char *text;
    size_t bytes;
};

static const netlist_block *first_core(const netlist *machine)
{
    for (uint32_t b = 0; b < machine->block_count; b++)
        if (!strcmp(machine->blocks[b].block_class->kind, "simt_core"))
            return &machine->blocks[b];
    return NULL;
}

/* Between two edges of it nothing changes. */
static uint64_t shortest_period(const netlist *machine)
{
    uint64_t shortest = HD_PS_PER_SECOND;
    for (uint32_t i = 0; i < machine->clock_count; i++) {
        const uint64_t period = HD_PS_PER_SECOND / machine->clocks[i].hz;
        shortest = period < shortest ? period : shortest;
    }
    return shortest;
}

/* Returns why not, or NULL. */
static const char *read_interval(hd_series *series, const char *text)
{
    const netlist_block *core = first_core(series->machine);
    if (text_to_unsigned(text, HD_UNIT_SECONDS, &series->length) == TEXT_OK) {
        if (series->length && series->length < shortest_period(series->machine))
            return "it must be no shorter than a cycle of the machine's fastest clock";
        series->clock = (hd_clock){0};
    } else if (text_to_unsigned(text, HD_UNIT_CYCLES, &series->length) == TEXT_OK) {
        if (!core)
            return "the machine has no cores whose cycles it could be";
        series->clock = (hd_clock){series->machine->clocks[core->clock].hz};
    } else {
        return "it must be a time, such as 2 us, or cycles of the cores, such as 1000 cycles";
    }
    return series->length && series->length <= HD_PS_PER_SECOND ? NULL
                                                                : "it must be longer than 0, and at most a second";
}

static char *interval_error(const char *text, const char *why)
{
    char *error = NULL;
    size_t bytes;
    FILE *out = open_memstream(&error, &bytes);
    if (!out)
        abort();
    fprintf(out, "error: --series %s: %s\n", text, why);
    fclose(out);
    return error;
}

static void prepare_energy(hd_series *series)
{
    uint32_t most = 0;
    for (uint32_t b = 0; b < series->machine->block_count; b++)
        most = series->machine->blocks[b].block_class->statistic_count > most
                   ? series->machine->blocks[b].block_class->statistic_count
                   : most;
    series->energy = hd_energy_model_of(series->machine);
    series->values = calloc(most + 1, sizeof *series->values);
    if (!series->values)
        abort();
}

static uint32_t has_energy(const hd_series *series)
{
    if (series->power && series->machine->energy)
        return 1;
    for (uint32_t i = 0; i < series->columns.count; i++)
        if (series->columns.columns[i].block == SERIES_ENERGY)
            return 1;
    return 0;
}

static void print_names(const hd_series *series)
{
    fputs("begin_ps,end_ps", series->out);
    for (uint32_t i = 0; i < series->columns.count; i++)
        fprintf(series->out, ",%s", series->columns.columns[i].name);
    fputc('\n', series->out);
}

hd_series *hd_series_create(const netlist *machine, hd_engine *engine, const uint32_t *endpoints,
                            const hd_series_setup *setup, char **error)
{
    hd_series *series = calloc(1, sizeof *series);
    if (!series)
        abort();
    series->machine = machine;
    series->engine = engine;
    series->endpoints = endpoints;
    series->power = setup->power;
    series->power_context = setup->power_context;
    series->out = open_memstream(&series->text, &series->bytes);
    if (!series->out)
        abort();
    const char *why = read_interval(series, setup->interval);
    if (why)
        *error = interval_error(setup->interval, why);
    if (why || !series_columns_find(&series->columns, machine, setup, &series->memory, error)) {
        hd_series_destroy(series);
        return NULL;
    }
    if (has_energy(series))
        prepare_energy(series);
    print_names(series);
    return series;
}

void hd_series_destroy(hd_series *series)
{
    if (!series)
        return;
    fclose(series->out);
    free(series->text);
    free(series->columns.columns);
    hd_energy_model_free(&series->energy);
    free(series->values);
    arena_free(&series->memory);
    free(series);
}

hd_time hd_series_due(const hd_series *series)
{
    if (!series)
        return HD_NEVER;
    const uint64_t end = (series->taken + 1) * series->length;
    return series->clock.hz ? hd_clock_edge(series->clock, end) : end;
}

static const uint64_t *values_now(void *context, uint32_t block)
{
    hd_series *series = context;
    const netlist_block *of = &series->machine->blocks[block];
    memset(series->values, 0, of->block_class->statistic_count * sizeof *series->values);
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t endpoint = series->endpoints[of->first_endpoint + i];
        const uint64_t *counters = endpoint == HD_FOREIGN ? NULL : hd_engine_counters(series->engine, endpoint);
        for (uint32_t n = 0; counters && n < of->block_class->statistic_count; n++)
            series->values[n] += counters[n];
    }
    return series->values;
}

/* A fJ per ps is a mW. */
static void tell_power(const hd_series *series, const hd_energy_sums *before, hd_time t)
{
    for (uint32_t i = 0; i < NETLIST_ENERGY_SUMS; i++)
        series->power(series->power_context, netlist_energy_sum_name(i),
                      (hd_energy_sum(&series->sums, i) - hd_energy_sum(before, i)) / (t - series->begin), t);
}

static uint64_t value_of(const hd_series *series, const series_column *column)
{
    if (column->block == SERIES_ENERGY)
        return hd_energy_sum(&series->sums, column->statistic);
    const netlist_block *block = &series->machine->blocks[column->block];
    const uint32_t first = column->instance == SERIES_ALL_INSTANCES ? 0 : column->instance;
    const uint32_t end = column->instance == SERIES_ALL_INSTANCES ? block->count : first + 1;
    uint64_t value = 0;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t endpoint = series->endpoints[block->first_endpoint + i];
        if (endpoint == HD_FOREIGN)
            continue;
        const uint64_t one = hd_engine_counters(series->engine, endpoint)[column->statistic];
        if (column->kind == HD_STATISTIC_MAXIMUM)
            value = one > value ? one : value;
        else
            value += one;
    }
    return value;
}

void hd_series_sample(hd_series *series, hd_time t)
{
    if (t == series->begin)
        return;
    const hd_energy_sums before = series->sums;
    series->sums = hd_energy_of_values(&series->energy, values_now, series, &(hd_interval){.end = t});
    if (series->power && series->energy.count)
        tell_power(series, &before, t);
    fprintf(series->out, "%llu,%llu", (unsigned long long)series->begin, (unsigned long long)t);
    for (uint32_t i = 0; i < series->columns.count; i++) {
        series_column *column = &series->columns.columns[i];
        const uint64_t value = value_of(series, column);
        fprintf(series->out, ",%llu",
                (unsigned long long)(column->kind == HD_STATISTIC_MAXIMUM ? value : value - column->last));
        column->last = value;
    }
    fputc('\n', series->out);
    series->begin = t;
    series->taken += t == hd_series_due(series);
}

/* The text so far, in place of what there is: its names of columns. Returns 0 if those are others. */
static uint32_t transfer_text(hd_series *series, const hd_state_stream *stream)
{
    fflush(series->out);
    const size_t names = series->bytes, bytes = hd_state_number(stream, series->bytes);
    if (!stream->is_restored) {
        HD_STATE_ARRAY(stream, series->text, bytes);
        return 1;
    }
    if (bytes < names || bytes > SERIES_TEXT_MAX)
        return 0;
    char *text = malloc(bytes + 1);
    if (!text)
        abort();
    HD_STATE_ARRAY(stream, text, bytes);
    const uint32_t is_same = memcmp(text, series->text, names) == 0;
    if (is_same)
        fwrite(text + names, 1, bytes - names, series->out);
    free(text);
    return is_same;
}

uint32_t hd_series_transfer(hd_series *series, const hd_state_stream *stream)
{
    const uint64_t hz = hd_state_number(stream, series->clock.hz), length = hd_state_number(stream, series->length);
    const uint64_t count = hd_state_number(stream, series->columns.count);
    if (hz != series->clock.hz || length != series->length || count != series->columns.count ||
        !transfer_text(series, stream))
        return 0;
    for (uint32_t i = 0; i < series->columns.count; i++)
        HD_STATE_VALUE(stream, series->columns.columns[i].last);
    HD_STATE_VALUE(stream, series->sums);
    HD_STATE_VALUE(stream, series->taken);
    HD_STATE_VALUE(stream, series->begin);
    return 1;
}

const char *hd_series_text(hd_series *series)
{
    fflush(series->out);
    return series->text;
}
