/* SPDX-License-Identifier: MIT */
#include "micro.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identities.h"
#include "results.h"

/* What is measured is the way of data: code and constants that are not there yet would come in between. */
#define ALWAYS 2
static uint32_t all_changes(const micro_setup *setup, const char *changes[ALWAYS + MICRO_CHANGES])
{
    uint32_t count = 0;
    if (*setup->app != '/') {
        changes[count++] = "core.instruction_cache.bytes=0 B";
        changes[count++] = "core.constant_cache.bytes=0 B";
    }
    for (uint32_t i = 0; i < MICRO_CHANGES && setup->changes[i]; i++)
        changes[count++] = setup->changes[i];
    return count;
}

hd_machine *micro_run(const micro_setup *setup)
{
    char app[512];
    const char *changes[ALWAYS + MICRO_CHANGES];
    snprintf(app, sizeof app, "%s%s%s", *setup->app == '/' ? "" : MICRO_APPS, *setup->app == '/' ? "" : "/",
             setup->app);
    hd_machine_setup machine_setup = {.netlist = setup->netlist ? setup->netlist : MICRO_MACHINE,
                                      .overrides = changes,
                                      .override_count = all_changes(setup, changes),
                                      .app = app,
                                      .options = setup->options,
                                      .seed = 1,
                                      .tlm = {.checked = 1}};
    while (setup->options[machine_setup.option_count].name)
        machine_setup.option_count++;
    char *error;
    hd_machine *machine = hd_machine_open(&machine_setup, &error);
    cr_assert_not_null(machine, "%s", error);
    const uint32_t outcome = hd_machine_run(machine, NULL);
    cr_assert_eq(outcome, HD_OUTCOME_PASS, "%s: %s", hd_outcome_name(outcome), hd_machine_message(machine));
    hd_results results;
    hd_machine_results(machine, &results);
    json_t *stats = hd_results_json(&results);
    expect_results_identities(stats);
    json_decref(stats);
    return machine;
}

uint64_t micro_report(const hd_machine *machine, const char *name)
{
    hd_results results;
    hd_machine_results(machine, &results);
    for (uint32_t i = 0; i < results.report_count; i++)
        if (!strcmp(results.reports[i].name, name))
            return results.reports[i].value;
    cr_assert_fail("the app reports no '%s'", name);
    return 0;
}

hd_time micro_kernel_begin(const hd_machine *machine)
{
    const hd_statistics *statistics = hd_machine_statistics(machine);
    cr_assert_eq(hd_statistics_kernel_count(statistics), 1);
    return hd_statistics_kernel(statistics, 0)->begin;
}

const netlist_block *micro_block(const hd_machine *machine, const char *name)
{
    const netlist *list = hd_machine_netlist(machine);
    for (uint32_t i = 0; i < list->block_count; i++)
        if (!strcmp(list->blocks[i].name, name))
            return &list->blocks[i];
    cr_assert_fail("the machine has no block '%s'", name);
    return NULL;
}

static const hd_value *value_of(const hd_machine *machine, const char *block, const char *parameter)
{
    const netlist_block *found = micro_block(machine, block);
    for (uint32_t i = 0; i < found->block_class->parameter_count; i++)
        if (!strcmp(found->block_class->parameters[i].name, parameter))
            return &found->values[i];
    cr_assert_fail("%s has no parameter '%s'", block, parameter);
    return NULL;
}

uint64_t micro_parameter(const hd_machine *machine, const char *block, const char *parameter)
{
    return value_of(machine, block, parameter)->u;
}

const char *micro_text(const hd_machine *machine, const char *block, const char *parameter)
{
    return value_of(machine, block, parameter)->text;
}

hd_clock micro_clock(const hd_machine *machine, const char *block)
{
    return (hd_clock){hd_machine_netlist(machine)->clocks[micro_block(machine, block)->clock].hz};
}

const netlist_link *micro_link(const hd_machine *machine, const char *from, const char *to)
{
    const netlist *list = hd_machine_netlist(machine);
    for (uint32_t i = 0; i < list->link_count; i++) {
        const netlist_link *link = &list->links[i];
        if (!strcmp(list->blocks[link->from.block].name, from) && !strcmp(list->blocks[link->to.block].name, to))
            return link;
    }
    cr_assert_fail("no link leads from %s to %s", from, to);
    return NULL;
}
