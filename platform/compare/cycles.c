/* SPDX-License-Identifier: MIT */
/* Where the cycles of an average issue port went. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define NO_BLOCK "no block resident"

/* The cores of a machine: their issue ports, and what their slots come to. */
typedef struct core_time {
    double ports;
    double cycles; /* of the time compared, in those of the cores' clock, summed over ports */
} core_time;

static const char *slot_name(comparing *at, const char *statistic)
{
    char *name =
        netlist_copy(&at->result->memory, statistic + strlen(COMPARE_SLOTS), strlen(statistic) - strlen(COMPARE_SLOTS));
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
    result->cycles =
        netlist_grow(&result->memory, result->cycles, result->cycle_count, capacity, sizeof *result->cycles);
    cycle_comparison *row = &result->cycles[result->cycle_count++];
    *row = (cycle_comparison){.name = name};
    return row;
}

/* Returns whether the block has issue slots. */
static int add_slots(comparing *at, uint32_t *capacity, int side, const char *block)
{
    const char *name;
    json_t *value;
    int found = 0;
    json_object_foreach((json_t *)compare_values_of(at, side, block), name, value)
    {
        if (strncmp(name, COMPARE_SLOTS, strlen(COMPARE_SLOTS)) != 0)
            continue;
        row_of(at, capacity, slot_name(at, name))->cycles[side] += (double)json_integer_value(value);
        found = 1;
    }
    return found;
}

static core_time add_cores(comparing *at, uint32_t *capacity, int side)
{
    core_time all = {0};
    const json_t *machine = json_object_get(at->results[side], "machine");
    const json_t *blocks = json_object_get(machine, "blocks"), *clocks = json_object_get(machine, "clocks_hz");
    for (size_t i = 0; i < json_array_size(blocks); i++) {
        const json_t *block = json_array_get(blocks, i), *parameters = json_object_get(block, "parameters");
        if (!add_slots(at, capacity, side, compare_member(block, "name")))
            continue;
        double ports = (double)compare_number(block, "count") * (double)compare_number(parameters, "schedulers");
        all.ports += ports;
        all.cycles += ports * 1e-12 * (double)at->result->time_ps[side] *
                      (double)compare_number(clocks, compare_member(block, "clock"));
    }
    return all;
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
    core_time cores[2];
    uint32_t capacity = 0;
    for (int side = 0; side < 2; side++)
        cores[side] = add_cores(at, &capacity, side);
    /* A core without issue slots on one side: nothing adds up. */
    if (cores[0].ports <= 0 || cores[1].ports <= 0) {
        result->cycle_count = 0;
        return;
    }
    double rest[2];
    for (int side = 0; side < 2; side++) {
        rest[side] = cores[side].cycles;
        for (uint32_t i = 0; i < result->cycle_count; i++) {
            rest[side] -= result->cycles[i].cycles[side];
            result->cycles[i].cycles[side] /= cores[side].ports;
        }
    }
    cycle_comparison *row = row_of(at, &capacity, NO_BLOCK);
    for (int side = 0; side < 2; side++)
        row->cycles[side] = rest[side] > 0 ? rest[side] / cores[side].ports : 0;
    qsort(result->cycles, result->cycle_count, sizeof *result->cycles, by_difference);
}
