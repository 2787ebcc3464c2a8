/* SPDX-License-Identifier: MIT */
#include "series_columns.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "energy_model.h"

/* A pattern taken apart: BLOCK[INSTANCE].STATISTIC, or all of it in `block` if it does not speak of instances. */
typedef struct pattern {
    const char *block;
    const char *instance; /* NULL: all together; "*": each */
    const char *statistic;
} pattern;

static pattern take_apart(arena *memory, const char *text)
{
    const char *end = strstr(text, "].");
    const char *open = end ? memchr(text, '[', (size_t)(end - text)) : NULL;
    if (!open)
        return (pattern){.block = text};
    return (pattern){.block = arena_format(memory, "%.*s", (int)(open - text), text),
                     .instance = arena_format(memory, "%.*s", (int)(end - open - 1), open + 1),
                     .statistic = end + 2};
}

static uint32_t is_meant(const pattern *wanted, const char *block, uint32_t instance, const char *statistic,
                         const char *name)
{
    char number[16];
    if (instance == SERIES_ALL_INSTANCES)
        return !wanted->instance && !fnmatch(wanted->block, name, 0);
    snprintf(number, sizeof number, "%u", instance);
    return wanted->instance && (!strcmp(wanted->instance, "*") || !strcmp(wanted->instance, number)) &&
           !fnmatch(wanted->block, block, 0) && !fnmatch(wanted->statistic, statistic, 0);
}

typedef struct search {
    series_columns *found;
    arena *memory;
    const pattern *patterns;
    uint32_t *uses; /* of each pattern */
    size_t pattern_count;
    candidates names; /* for who asks for what there is not */
} search;

static void add(series_columns *to, const series_column *column)
{
    to->columns = realloc(to->columns, (to->count + 1) * sizeof *to->columns);
    if (!to->columns)
        abort();
    to->columns[to->count++] = *column;
}

static void match_statistic(search *s, const netlist_block *block, uint32_t index, uint32_t instance,
                            uint32_t statistic)
{
    const hd_statistic *declared = &block->block_class->statistics[statistic];
    const char *name = instance == SERIES_ALL_INSTANCES
                           ? arena_format(s->memory, "%s.%s", block->name, declared->name)
                           : arena_format(s->memory, "%s[%u].%s", block->name, instance, declared->name);
    uint32_t meant = !s->pattern_count && instance == SERIES_ALL_INSTANCES;
    for (size_t i = 0; i < s->pattern_count; i++) {
        const uint32_t fits = is_meant(&s->patterns[i], block->name, instance, declared->name, name);
        s->uses[i] += fits;
        meant |= fits;
    }
    if (instance == SERIES_ALL_INSTANCES)
        candidates_add(s->memory, &s->names, name);
    if (meant)
        add(s->found,
            &(series_column){
                .name = name, .block = index, .instance = instance, .statistic = statistic, .kind = declared->kind});
}

static void match_block(search *s, const netlist_block *block, uint32_t index)
{
    for (uint32_t i = 0; i < block->block_class->statistic_count; i++)
        match_statistic(s, block, index, SERIES_ALL_INSTANCES, i);
    for (uint32_t instance = 0; instance < block->count; instance++)
        for (uint32_t i = 0; i < block->block_class->statistic_count; i++)
            match_statistic(s, block, index, instance, i);
}

static void match_energy(search *s)
{
    for (uint32_t i = 0; i < NETLIST_ENERGY_SUMS; i++) {
        const char *name = arena_format(s->memory, NETLIST_ENERGY_BLOCK ".%s", netlist_energy_sum_name(i));
        uint32_t meant = !s->pattern_count;
        for (size_t p = 0; p < s->pattern_count; p++) {
            const uint32_t fits = is_meant(&s->patterns[p], NETLIST_ENERGY_BLOCK, SERIES_ALL_INSTANCES, "", name);
            s->uses[p] += fits;
            meant |= fits;
        }
        candidates_add(s->memory, &s->names, name);
        if (meant)
            add(s->found, &(series_column){.name = name,
                                           .block = SERIES_ENERGY,
                                           .instance = SERIES_ALL_INSTANCES,
                                           .statistic = i,
                                           .kind = HD_STATISTIC_COUNT});
    }
}

static char *refusal(search *s, const netlist *machine, const char *text)
{
    char *error = NULL;
    size_t bytes;
    diagnostics log = {.out = open_memstream(&error, &bytes)};
    if (!log.out)
        abort();
    if (netlist_asks_for_energy(text) && !machine->energy)
        fprintf(log.out, "error: --statistic %s: the machine has no energy table; one is chosen by --set energy=NAME\n",
                text);
    else
        fprintf(log.out, "error: --statistic %s: no block of the machine has such a statistic\n", text);
    if (!netlist_asks_for_energy(text) || machine->energy)
        candidates_suggest(&log, text, &s->names);
    fclose(log.out);
    return error;
}

uint32_t series_columns_find(series_columns *found, const netlist *machine, const hd_series_setup *setup, arena *memory,
                             char **error)
{
    pattern *patterns = calloc(setup->pattern_count + 1, sizeof *patterns);
    uint32_t *uses = calloc(setup->pattern_count + 1, sizeof *uses);
    if (!patterns || !uses)
        abort();
    search s = {
        .found = found, .memory = memory, .patterns = patterns, .uses = uses, .pattern_count = setup->pattern_count};
    for (size_t i = 0; i < setup->pattern_count; i++)
        patterns[i] = take_apart(memory, setup->patterns[i]);
    for (uint32_t b = 0; b < machine->block_count; b++)
        match_block(&s, &machine->blocks[b], b);
    if (machine->energy)
        match_energy(&s);
    *error = NULL;
    for (size_t i = 0; i < setup->pattern_count && !*error; i++)
        if (!uses[i])
            *error = refusal(&s, machine, setup->patterns[i]);
    free(patterns);
    free(uses);
    return !*error;
}
