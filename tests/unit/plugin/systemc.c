/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

Test(systemc_plugin, brings_its_models_as_classes_without_functions)
{
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    rig_expect_loaded(plugins, OBJECT("models"));
    const hd_block_class *plain = netlist_find_class(hd_plugins_registry(plugins), "test_model", "plain");
    cr_assert_not_null(plain);
    cr_expect_null(plain->create);
    hd_plugins_destroy(plugins);
}

Test(systemc_plugin, of_another_version_is_refused)
{
    rig_expect_refusal(OBJECT("models_abi"), 45,
                       "plug-in '@' is built for version 2 of the block ABI; this program has version 1");
    rig_expect_refusal(OBJECT("models_bytes"), 45, "plug-in '@': its entry has 24 bytes; it must have at least 56");
}

static void expect_start(const char *path, uint32_t number, const char *start)
{
    char *refusal;
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    cr_expect_eq(hd_plugins_load(plugins, path, &refusal), number);
    cr_expect(refusal && strstr(refusal, start), "%s", refusal ? refusal : "loaded");
    free(refusal);
    hd_plugins_destroy(plugins);
}

Test(systemc_plugin, of_another_systemc_is_refused)
{
    expect_start(OBJECT("models_systemc"), 45, "is built for SystemC of 20120701; this program has ");
    expect_start(OBJECT("models_cplusplus"), 45, "is built for C++ of 201402; SystemC is here for 201703");
}

Test(systemc_plugin, with_a_broken_entry_is_refused)
{
    rig_expect_refusal(OBJECT("models_licence"), 44, "plug-in '@' does not state its name, version or licence");
    rig_expect_refusal(OBJECT("models_empty"), 44, "plug-in '@' has no models");
    rig_expect_refusal(OBJECT("models_model"), 46, "plug-in '@': model 0 is missing");
    rig_expect_refusal(OBJECT("models_function"), 46,
                       "plug-in '@': make, socket or destroy of model test_model/plain is missing");
}

Test(systemc_plugin, with_a_declaration_that_makes_no_sense_for_a_model_is_refused)
{
    rig_expect_refusal(OBJECT("models_create"), 46,
                       "plug-in '@': the declaration of class test_model/plain is broken\n"
                       "the class of a SystemC model has a function; all of them must be NULL");
    rig_expect_refusal(OBJECT("models_statistic"), 46,
                       "plug-in '@': the declaration of class test_model/plain is broken\n"
                       "a SystemC model declares statistics, which nobody would count");
    rig_expect_refusal(OBJECT("models_message_port"), 46,
                       "plug-in '@': the declaration of class test_model/plain is broken\n"
                       "port in of a SystemC model is not of the memory protocol, and no interrupt line");
}
