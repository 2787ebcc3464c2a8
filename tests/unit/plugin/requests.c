/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "rig.h"

Test(plugin_requests, of_the_environment_come_before_those_of_the_command_line)
{
    size_t count;
    static const char *const options[] = {"c.so", "d.so"};
    netlist_plugin_request *requests = hd_plugins_requests("a.so::/b/b.so:", options, 2, &count);
    cr_assert_eq(count, 4);
    static const char *const paths[] = {"a.so", "/b/b.so", "c.so", "d.so"};
    for (size_t i = 0; i < count; i++) {
        cr_expect_str_eq(requests[i].path, paths[i]);
        cr_expect_str_eq(requests[i].where, i < 2 ? "<environment>" : "<command line>");
        cr_expect_str_eq(requests[i].before, i < 2 ? "HEDDLE_PLUGINS=" : "--plugin ");
    }
    free(requests);
    free(hd_plugins_requests(NULL, NULL, 0, &count));
    cr_expect_eq(count, 0);
}

Test(plugin_requests, are_loaded_without_a_netlist)
{
    char *error;
    const netlist_plugin_request good[] = {{"<command line>", "--plugin ", OBJECT("good")}};
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), good, 1);
    cr_expect_eq(hd_plugins_load_requests(plugins, &error), 1);
    cr_expect_eq(hd_plugins_registry(plugins).count, 2);
    hd_plugins_destroy(plugins);

    const netlist_plugin_request bad[] = {{"<command line>", "--plugin ", OBJECT("table_missing")}};
    plugins = hd_plugins_create(rig_built_in(), bad, 1);
    cr_expect_eq(hd_plugins_load_requests(plugins, &error), 0);
    cr_expect_str_eq(
        error, "error: plug-in '" OBJECT("table_missing") "': the declaration of class test_block/plugged is broken\n"
                                                          "note: 3 ports are declared, and the table is NULL\n");
    free(error);
    hd_plugins_destroy(plugins);
}
