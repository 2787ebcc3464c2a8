/* SPDX-License-Identifier: MIT */
/* Where the cycles of an average issue port went. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static const char *slot_name(comparing *at, const char *statistic)
{
    char *name =
        arena_copy(&at->result->memory, statistic + strlen(COMPARE_SLOTS), strlen(statistic) - strlen(COMPARE_SLOTS));
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return name;
}

static cycle_comparison *row_of(comparing *at, uint32_t *capacity, const char *name)
{
    comparison *result = at->result;
    for (uint32_t i = 0; i < result->cycle_count; i++)
        if (!strcmp(result->cycles[i].name, name))
            return &result->cycles[i];
    result->cycles = arena_grow(&result->memory, result->cycles, result->cycle_count, capacity, sizeof *result->cycles);
    cycle_comparison *row = &result->cycles[result->cycle_count++];
    *row = (cycle_comparison){.name = name};
    return row;
}

/* Returns the issue ports of a block; 0 if it has no issue slots. */
static double add_block(comparing *at, uint32_t *capacity, int side, const json_t *block)
{
    const char *name;
    json_t *value, *values = (json_t *)compare_values_of(at, side, compare_member(block, "name"));
    const double schedulers = (double)compare_number(json_object_get(block, "parameters"), "schedulers");
    int found = 0;
    json_object_foreach(values, name, value)
    {
        if (strncmp(name, COMPARE_SLOTS, strlen(COMPARE_SLOTS)) != 0)
            continue;
        row_of(at, capacity, slot_name(at, name))->cycles[side] += (double)json_integer_value(value);
        found = 1;
    }
    if (!found)
        return 0;
    /* These have no slots; with them it is all the time. */
    row_of(at, capacity, "no block resident")->cycles[side] +=
        (double)compare_number(values, "empty_cycles") * schedulers;
    return schedulers * (double)compare_number(block, "count");
}

static double add_cores(comparing *at, uint32_t *capacity, int side)
{
    double ports = 0;
    const json_t *blocks = json_object_get(json_object_get(at->results[side], "machine"), "blocks");
    for (size_t i = 0; i < json_array_size(blocks); i++)
        ports += add_block(at, capacity, side, json_array_get(blocks, i));
    return ports;
}

static double difference(const cycle_comparison *row)
{
    return fabs(row->cycles[1] - row->cycles[0]);
}

static int by_difference(const void *a, const void *b)
{
    const cycle_comparison *x = a, *y = b;
    double dx = difference(x), dy = difference(y);
    return dx > dy ? -1 : dx < dy ? 1 : strcmp(x->name, y->name);
}

void compare_cycles(comparing *at)
{
    comparison *result = at->result;
    uint32_t capacity = 0;
    const double ports[] = {add_cores(at, &capacity, 0), add_cores(at, &capacity, 1)};
    /* A core without issue slots on one side: nothing adds up. */
    if (ports[0] <= 0 || ports[1] <= 0) {
        result->cycle_count = 0;
        return;
    }
    for (uint32_t i = 0; i < result->cycle_count; i++)
        for (int side = 0; side < 2; side++)
            result->cycles[i].cycles[side] /= ports[side];
    compare_rank_cycles(result);
}

void compare_rank_cycles(comparison *of)
{
    if (of->cycle_count)
        qsort(of->cycles, of->cycle_count, sizeof *of->cycles, by_difference);
}
