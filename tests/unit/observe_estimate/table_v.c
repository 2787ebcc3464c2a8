/* SPDX-License-Identifier: MIT */
/* A machine with the sizes of Ren & Lis 2018, Table II, has the figures of Table V; another scales from there. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "estimate.h"

enum { VALIDATION, COMMIT, CORE, BLOCKS };

static const hd_parameter validation_parameters[] = {
    {.name = "precise.entries"}, {.name = "approximate"},   {.name = "approximate.entries"},
    {.name = "stall.lines"},     {.name = "stall.entries"},
};
static const hd_parameter commit_parameters[] = {{.name = "bytes"}};
static const hd_parameter core_parameters[] = {{.name = "warps"}, {.name = "tx"}};
static const hd_block_class classes[BLOCKS] = {
    {.kind = "validation_unit", .type = "getm", .parameters = validation_parameters, .parameter_count = 5},
    {.kind = "commit_unit", .type = "getm", .parameters = commit_parameters, .parameter_count = 1},
    {.kind = "simt_core", .type = "timed", .parameters = core_parameters, .parameter_count = 2},
};

typedef struct table_ii {
    hd_value validation[5], commit[1], core[2];
    netlist_block blocks[BLOCKS];
    netlist_clock clocks[2];
    netlist machine;
} table_ii;

static netlist *make(table_ii *made)
{
    *made = (table_ii){.validation = {{.u = 4096}, {.text = "bloom", .u = 2}, {.u = 1024}, {.u = 4}, {.u = 4}},
                       .commit = {{.u = 16384}},
                       .core = {{.u = 48}, {.text = "getm", .u = 1}},
                       .clocks = {{.hz = 1400000000}, {.hz = 700000000}}};
    const hd_value *values[BLOCKS] = {made->validation, made->commit, made->core};
    static const uint32_t counts[BLOCKS] = {6, 6, 15};
    for (uint32_t i = 0; i < BLOCKS; i++)
        made->blocks[i] = (netlist_block){
            .block_class = &classes[i], .count = counts[i], .values = values[i], .clock = i == COMMIT ? 1 : 0};
    made->machine = (netlist){.blocks = made->blocks, .block_count = BLOCKS, .clocks = made->clocks};
    return &made->machine;
}

static const hd_estimate_item *find(const hd_estimate *estimate, const char *structure)
{
    for (uint32_t i = 0; i < estimate->item_count; i++)
        if (strstr(estimate->items[i].structure, structure))
            return &estimate->items[i];
    cr_assert_fail("no %s", structure);
    return NULL;
}

Test(estimate, the_published_machine_has_the_published_totals)
{
    table_ii made;
    const hd_estimate estimate = hd_estimate_of(make(&made));
    cr_expect_float_eq(estimate.square_millimetres, 0.736, 0.001, "%f", estimate.square_millimetres);
    cr_expect_float_eq(estimate.milliwatts, 176.98, 0.01, "%f", estimate.milliwatts);
    cr_expect_str_eq(estimate.source, "Ren & Lis 2018, Table V");
    cr_expect_eq(estimate.item_count, 5);
    cr_expect_float_eq(find(&estimate, "precise")->bytes, 65536, 0);
    cr_expect_float_eq(find(&estimate, "stall")->bytes, 720, 0);
}

Test(estimate, size_and_clock_scale_it)
{
    table_ii made;
    netlist *machine = make(&made);
    made.validation[0].u = 8192;
    made.clocks[1].hz = 1400000000;
    made.validation[3].u = 8;
    made.validation[4].u = 8;
    made.blocks[CORE].count = 30;
    const hd_estimate estimate = hd_estimate_of(machine);
    cr_expect_float_eq(find(&estimate, "precise")->square_millimetres, 2 * 0.181, 1e-9);
    cr_expect_float_eq(find(&estimate, "precise")->milliwatts, 2 * 69.59, 1e-9);
    cr_expect_float_eq(find(&estimate, "write buffers")->square_millimetres, 0.522, 1e-9);
    cr_expect_float_eq(find(&estimate, "write buffers")->milliwatts, 2 * 85.56, 1e-9);
    cr_expect_float_eq(find(&estimate, "stall")->bytes, 6 * 8 * (32 + 8 * 52) / 8.0, 1e-9);
    cr_expect_float_eq(find(&estimate, "clocks")->milliwatts, 2 * 10.65, 1e-9);
}

Test(estimate, a_structure_that_is_not_there_costs_nothing)
{
    table_ii made;
    netlist *machine = make(&made);
    made.validation[1].text = "none";
    made.core[1].text = "none";
    const hd_estimate estimate = hd_estimate_of(machine);
    cr_expect_eq(estimate.item_count, 3);
}

Test(estimate, a_plain_machine_has_none)
{
    table_ii made;
    netlist *machine = make(&made);
    made.core[1].text = "none";
    machine->blocks += CORE;
    machine->block_count = 1;
    const hd_estimate estimate = hd_estimate_of(machine);
    cr_expect_null(estimate.source);
    cr_expect_eq(estimate.item_count, 0);
}
