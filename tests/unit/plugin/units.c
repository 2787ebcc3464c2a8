/* SPDX-License-Identifier: MIT */
/* Units of plug-ins are choices of the blocks with a slot of their kind, with parameters and statistics of their own. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

#define OBJECT(name) PLUGIN_OBJECTS "/" name ".so"

static const hd_block_class *class_of(hd_plugins *plugins, const char *type)
{
    const hd_block_class *found = netlist_find_class(hd_plugins_registry(plugins), "test_block", type);
    cr_assert_not_null(found);
    return found;
}

static uint32_t load(hd_plugins *plugins, const char *path)
{
    char *refusal;
    const uint32_t number = hd_plugins_load(plugins, path, &refusal);
    free(refusal);
    return number;
}

Test(plugin_units, are_choices_of_what_the_program_has)
{
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    const hd_block_class *before = class_of(plugins, "built_in");
    cr_expect_str_eq(before->parameters[0].choices, "plain");
    cr_assert_eq(load(plugins, OBJECT("units")), 0);
    const hd_block_class *after = class_of(plugins, "built_in");
    cr_expect_str_eq(after->parameters[0].choices, "plain|wound_up");
    cr_assert_eq(after->parameter_count, 2);
    cr_expect_str_eq(after->parameters[1].name, "toy.wound_up.turns");
    cr_assert_eq(after->statistic_count, 1);
    cr_expect_str_eq(after->statistics[0].name, "toy_turns");
    cr_expect_str_eq(before->parameters[0].choices, "plain", "machines of before keep what they have");
    hd_plugins_destroy(plugins);
}

Test(plugin_units, are_choices_of_what_comes_with_them)
{
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    cr_assert_eq(load(plugins, OBJECT("unit_own_class")), 0);
    cr_expect_str_eq(class_of(plugins, "puzzled")->parameters[0].choices, "none|wound_up");
    hd_plugins_destroy(plugins);
}

Test(plugin_units, that_are_wrong_are_refused)
{
    rig_expect_refusal(OBJECT("unit_version"), 45,
                       "plug-in '@': unit 0 is built for version 7 of the block ABI; this program has version 1");
    rig_expect_refusal(OBJECT("unit_name"), 46,
                       "plug-in '@': unit 0 does not state its kind, name, doc, interface or functions");
    rig_expect_refusal(OBJECT("unit_table"), 46, "plug-in '@': a table of unit toy/wound_up is missing");
    rig_expect_refusal(OBJECT("unit_kind"), 46, "plug-in '@': no block has units of kind 'puzzle', as 'wound_up' is");
    rig_expect_refusal(OBJECT("unit_interface"), 45,
                       "plug-in '@': unit toy/wound_up is built for the interface test.toy/2; blocks have units of "
                       "test.toy/1");
    rig_expect_refusal(OBJECT("unit_function"), 46, "plug-in '@': unit toy/wound_up has no function 'turn'");
    rig_expect_refusal(OBJECT("unit_half"), 46, "plug-in '@': unit toy/wound_up has no function 'unwind'");
    rig_expect_refusal(OBJECT("unit_ability"), 46, "plug-in '@': unit toy/wound_up has no function 'sing'");
    rig_expect_refusal(OBJECT("unit_twice"), 47, "plug-in '@' defines toy/wound_up twice");
    rig_expect_refusal(OBJECT("unit_built_in"), 47, "plug-in '@' defines toy/plain, which exists already");
    rig_expect_refusal(OBJECT("unit_statistic"), 46,
                       "plug-in '@': with unit toy/wound_up the declaration of test_block/built_in is broken\n"
                       "statistic toy_turns has no kind");
}

/* All or nothing: what was refused leaves no choice behind. */
Test(plugin_units, that_are_refused_leave_nothing)
{
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    cr_assert_eq(load(plugins, OBJECT("unit_statistic")), 46);
    cr_expect_str_eq(class_of(plugins, "built_in")->parameters[0].choices, "plain");
    cr_assert_eq(load(plugins, OBJECT("units")), 0);
    cr_assert_eq(load(plugins, OBJECT("unit_twice")), 47);
    cr_expect_str_eq(class_of(plugins, "built_in")->parameters[0].choices, "plain|wound_up");
    hd_plugins_destroy(plugins);
}
