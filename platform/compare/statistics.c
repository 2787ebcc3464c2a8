/* SPDX-License-Identifier: MIT */
/* All numbers of both runs, ranked. */
#include <stdlib.h>
#include <string.h>

#include "energy.h"
#include "parts.h"

static const hd_statistic *declared(const comparing *at, const json_t *block, const char *name)
{
    const hd_block_class *type =
        netlist_find_class(at->classes, compare_member(block, "kind"), compare_member(block, "type"));
    for (uint32_t i = 0; type && i < type->statistic_count; i++)
        if (!strcmp(type->statistics[i].name, name))
            return &type->statistics[i];
    return NULL;
}

static void add_statistic(comparing *at, const char *block, const char *name, const json_t *values[2])
{
    comparison *result = at->result;
    const json_t *of_block = NULL;
    statistic_comparison row = {.name = arena_format(&result->memory, "%s.%s", block, name),
                                .unit = "",
                                .doc = "",
                                .block = block,
                                .is_slot = !strncmp(name, COMPARE_SLOTS, strlen(COMPARE_SLOTS))};
    for (int side = 1; side >= 0; side--) {
        row.is_there[side] = json_is_integer(json_object_get(values[side], name));
        row.values[side] = compare_number(values[side], name);
        if (row.is_there[side])
            of_block = compare_block(json_object_get(at->results[side], "machine"), block);
    }
    const hd_statistic *about = declared(at, of_block, name);
    if (!strcmp(block, NETLIST_ENERGY_BLOCK)) {
        row.unit = "fJ";
        row.doc = "energy of this category";
    }
    if (about) {
        row.unit = about->unit;
        row.doc = about->doc;
    }
    result->statistics = arena_grow(&result->memory, result->statistics, result->statistic_count,
                                    &at->statistic_capacity, sizeof *result->statistics);
    result->statistics[result->statistic_count++] = row;
}

static double larger(const statistic_comparison *row)
{
    return (double)(row->values[0] > row->values[1] ? row->values[0] : row->values[1]);
}

/* Of the same unit in the same block. */
static double largest_beside(const comparison *of, const statistic_comparison *row)
{
    double result = 0;
    for (uint32_t i = 0; i < of->statistic_count; i++) {
        const statistic_comparison *other = &of->statistics[i];
        if (!strcmp(other->block, row->block) && !strcmp(other->unit, row->unit) && larger(other) > result)
            result = larger(other);
    }
    return result;
}

static void weigh(const comparison *of, statistic_comparison *row)
{
    const double largest = largest_beside(of, row);
    const double smaller = (double)(row->values[0] < row->values[1] ? row->values[0] : row->values[1]);
    if (row->is_there[0] && row->is_there[1] && largest > 0)
        row->effect = (larger(row) - smaller) / largest;
}

static void add_block(comparing *at, const char *block)
{
    const json_t *values[2] = {compare_values_of(at, 0, block), compare_values_of(at, 1, block)};
    const char *name;
    json_t *value;
    for (int side = 0; side < 2; side++) {
        json_object_foreach((json_t *)values[side], name, value)
        {
            if (json_is_integer(value) && (!side || !json_object_get(values[0], name)))
                add_statistic(at, block, name, values);
        }
    }
}

static int by_effect(const void *a, const void *b)
{
    const statistic_comparison *x = a, *y = b;
    int both_x = x->is_there[0] && x->is_there[1], both_y = y->is_there[0] && y->is_there[1];
    if (both_x != both_y)
        return both_y - both_x;
    if (x->effect != y->effect)
        return x->effect > y->effect ? -1 : 1;
    return strcmp(x->name, y->name);
}

void compare_statistics(comparing *at)
{
    comparison *result = at->result;
    for (int side = 0; side < 2; side++) {
        const json_t *machine = json_object_get(at->results[side], "machine");
        const json_t *blocks = json_object_get(machine, "blocks");
        for (size_t i = 0; i < json_array_size(blocks); i++) {
            const char *name = compare_member(json_array_get(blocks, i), "name");
            if (!side || !compare_block(json_object_get(at->results[0], "machine"), name))
                add_block(at, name);
        }
    }
    add_block(at, NETLIST_ENERGY_BLOCK);
    compare_rank_statistics(result);
}

void compare_rank_statistics(comparison *of)
{
    for (uint32_t i = 0; i < of->statistic_count; i++)
        weigh(of, &of->statistics[i]);
    if (of->statistic_count)
        qsort(of->statistics, of->statistic_count, sizeof *of->statistics, by_effect);
}
