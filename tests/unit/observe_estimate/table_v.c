/* SPDX-License-Identifier: MIT */
/* A machine with the sizes of Ren & Lis 2018, Table II, has the figures of Table V; another scales from there. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "commit_unit.h"
#include "compose.h"
#include "estimate.h"
#include "simt_core.h"
#include "validation_unit.h"

enum { VALIDATION, COMMIT, CORE, BLOCKS };

#define VALUES_MAX 256u

/* The classes that declare the structures, with their units. */
static const hd_block_class *classes[BLOCKS];

static void compose(void)
{
    classes[VALIDATION] = &hd_validation_unit_getm;
    classes[COMMIT] = &hd_commit_unit_getm;
    classes[CORE] = units_compose(&hd_simt_core_timed, NULL, 0);
}

static void release(void)
{
    units_release(classes[CORE]);
}

typedef struct table_ii {
    hd_value values[BLOCKS][VALUES_MAX];
    netlist_block blocks[BLOCKS];
    netlist_clock clocks[2];
    netlist machine;
} table_ii;

static uint32_t index_of(uint32_t block, const char *name)
{
    for (uint32_t i = 0; i < classes[block]->parameter_count; i++)
        if (!strcmp(classes[block]->parameters[i].name, name))
            return i;
    cr_assert_fail("no %s", name);
    return 0;
}

static void set(table_ii *made, uint32_t block, const char *name, uint64_t u)
{
    made->values[block][index_of(block, name)].u = u;
}

/* Number of a choice. */
static uint64_t number_of(uint32_t block, const char *name, const char *choice)
{
    const char *at = classes[block]->parameters[index_of(block, name)].choices;
    uint64_t number = 0;
    for (const char *found = strstr(at, choice); at < found; at++)
        number += *at == '|';
    return number;
}

static void choose(table_ii *made, uint32_t block, const char *name, const char *choice)
{
    set(made, block, name, number_of(block, name, choice));
}

static netlist *make(table_ii *made)
{
    *made = (table_ii){.clocks = {{.hz = 1400000000}, {.hz = 700000000}}};
    compose();
    set(made, VALIDATION, "precise.entries", 4096);
    choose(made, VALIDATION, "approximate", "bloom");
    set(made, VALIDATION, "approximate.entries", 1024);
    set(made, VALIDATION, "stall.lines", 4);
    set(made, VALIDATION, "stall.entries", 4);
    set(made, COMMIT, "bytes", 16384);
    set(made, CORE, "warps", 48);
    choose(made, CORE, "tx", "getm");
    static const uint32_t counts[BLOCKS] = {6, 6, 15};
    for (uint32_t i = 0; i < BLOCKS; i++)
        made->blocks[i] = (netlist_block){
            .block_class = classes[i], .count = counts[i], .values = made->values[i], .clock = i == COMMIT ? 1 : 0};
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

Test(estimate, the_published_machine_has_the_published_totals, .fini = release)
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

Test(estimate, size_and_clock_scale_it, .fini = release)
{
    table_ii made;
    netlist *machine = make(&made);
    set(&made, VALIDATION, "precise.entries", 8192);
    made.clocks[1].hz = 1400000000;
    set(&made, VALIDATION, "stall.lines", 8);
    set(&made, VALIDATION, "stall.entries", 8);
    made.blocks[CORE].count = 30;
    const hd_estimate estimate = hd_estimate_of(machine);
    cr_expect_float_eq(find(&estimate, "precise")->square_millimetres, 2 * 0.181, 1e-9);
    cr_expect_float_eq(find(&estimate, "precise")->milliwatts, 2 * 69.59, 1e-9);
    cr_expect_float_eq(find(&estimate, "write buffers")->square_millimetres, 0.522, 1e-9);
    cr_expect_float_eq(find(&estimate, "write buffers")->milliwatts, 2 * 85.56, 1e-9);
    cr_expect_float_eq(find(&estimate, "stall")->bytes, 6 * 8 * (32 + 8 * 52) / 8.0, 1e-9);
    cr_expect_float_eq(find(&estimate, "clocks")->milliwatts, 2 * 10.65, 1e-9);
}

Test(estimate, a_structure_that_is_not_there_costs_nothing, .fini = release)
{
    table_ii made;
    netlist *machine = make(&made);
    choose(&made, VALIDATION, "approximate", "none");
    choose(&made, CORE, "tx", "none");
    const hd_estimate estimate = hd_estimate_of(machine);
    cr_expect_eq(estimate.item_count, 3);
}

Test(estimate, a_plain_machine_has_none, .fini = release)
{
    table_ii made;
    netlist *machine = make(&made);
    choose(&made, CORE, "tx", "none");
    machine->blocks += CORE;
    machine->block_count = 1;
    const hd_estimate estimate = hd_estimate_of(machine);
    cr_expect_null(estimate.source);
    cr_expect_eq(estimate.item_count, 0);
}
