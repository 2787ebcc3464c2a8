/* SPDX-License-Identifier: MIT */
/* What the netlist does with plug-ins, whoever loads them: fake_blocks.c knows fake.so. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench.h"

#define CALLS_MAX 8

TestSuite(netlist_plugins, .init = bench_enter, .fini = bench_leave);

/* A loader that takes everything and writes down what it was asked for. */
typedef struct recorder {
    char paths[CALLS_MAX][128];
    uint32_t count;
} recorder;

static uint32_t record(void *context, const char *path, netlist_registry *registry, char **refusal)
{
    recorder *calls = context;
    (void)refusal;
    snprintf(calls->paths[calls->count++], sizeof calls->paths[0], "%s", path);
    *registry = fake_registry();
    return 0;
}

static netlist *load_with(const char *path, const netlist_plugin_loader *loader)
{
    char *errors;
    netlist_registry registry = fake_registry();
    registry.loader = loader;
    netlist *machine = netlist_load(path, registry, NULL, 0, &errors);
    cr_assert_not_null(machine, "%s", errors);
    return machine;
}

static void write_layers(void)
{
    mkdir("base", 0777);
    bench_text("base/base.yaml", BENCH_HEAD "plugins: [a.so, ../b.so]\nblocks:\n"
                                            "  a: {kind: crossbar, type: round_robin, clock: core}\n"
                                            "links: [{from: a.output, to: a.input}]\n");
    bench_text("machine.yaml", "heddle: 1\nextends: base/base.yaml\nplugins: [c.so, /d.so]\n");
}

Test(netlist_plugins, are_loaded_from_the_extended_file_on_each_beside_its_file)
{
    recorder calls = {0};
    const netlist_plugin_request requests[] = {{"<command line>", "--plugin ", "first.so"}};
    const netlist_plugin_loader loader = {.context = &calls, .load = record, .requests = requests, .request_count = 1};
    write_layers();
    netlist_free(load_with("machine.yaml", &loader));
    static const char *const expected[] = {"first.so", "base/a.so", "base/../b.so", "c.so", "/d.so"};
    cr_assert_eq(calls.count, 5);
    for (uint32_t i = 0; i < calls.count; i++)
        cr_expect_str_eq(calls.paths[i], expected[i]);
}

Test(netlist_plugins, of_a_file_take_the_place_of_the_extended_ones_behind_replace)
{
    recorder calls = {0};
    const netlist_plugin_loader loader = {.context = &calls, .load = record};
    write_layers();
    bench_text("machine.yaml", "heddle: 1\nextends: base/base.yaml\nplugins: !replace [c.so]\n");
    netlist_free(load_with("machine.yaml", &loader));
    cr_assert_eq(calls.count, 1);
    cr_expect_str_eq(calls.paths[0], "c.so");
}

Test(netlist_plugins, without_a_slash_are_looked_for_in_the_folder_if_they_are_not_beside)
{
    recorder calls = {0};
    const netlist_plugin_loader loader = {.context = &calls, .load = record, .folder = "installed"};
    mkdir("installed", 0777);
    bench_text("installed/a.so", "");
    bench_text("installed/c.so", "");
    bench_text("installed/b.so", "");
    write_layers();
    bench_text("c.so", "");
    netlist_free(load_with("machine.yaml", &loader));
    static const char *const expected[] = {"installed/a.so", "base/../b.so", "c.so", "/d.so"};
    cr_assert_eq(calls.count, 4);
    for (uint32_t i = 0; i < calls.count; i++)
        cr_expect_str_eq(calls.paths[i], expected[i]);
}

Test(netlist_plugins, are_part_of_the_netlist_once_each_and_printed_with_their_origin)
{
    recorder calls = {0};
    const netlist_plugin_request requests[] = {{"<environment>", "HEDDLE_PLUGINS=", "c.so"}};
    const netlist_plugin_loader loader = {.context = &calls, .load = record, .requests = requests, .request_count = 1};
    write_layers();
    bench_text("c.so", "");
    netlist *machine = load_with("machine.yaml", &loader);
    cr_expect_eq(machine->plugin_count, 4);
    cr_expect_eq(machine->plugins[0].path[0], '/');
    cr_expect_str_eq(machine->plugins[0].place.file, "<environment>");
    cr_expect_eq(machine->plugins[0].place.column, 16);
    char *text = bench_written(machine, netlist_print);
    cr_expect(strstr(text, "plugins:\n  - \"/"), "%s", text);
    cr_expect(strstr(text, "/c.so\"  # <environment>:1:16\n"), "%s", text);
    cr_expect(strstr(text, "  - base/a.so  # base/base.yaml:4:11\n"), "%s", text);
    free(text);
    netlist_free(machine);
}

Test(netlist_plugins, bring_classes_that_blocks_can_be_of)
{
    netlist *machine = bench_load("heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\nplugins: [fake.so]\n"
                                  "blocks: {dram: {type: plugged}}\n",
                                  NULL);
    cr_expect_str_eq(machine->blocks[bench_block(machine, "dram")].block_class->type, "plugged");
    netlist_free(machine);
}

Test(netlist_plugins, that_were_requested_are_refused_in_the_same_form)
{
    char *errors;
    const netlist_plugin_request requests[] = {{"<command line>", "--plugin ", "N42_x.so"},
                                               {"<environment>", "HEDDLE_PLUGINS=", "N47_y.so"}};
    netlist_registry registry = fake_registry();
    netlist_plugin_loader loader = *registry.loader;
    loader.requests = requests;
    loader.request_count = 2;
    registry.loader = &loader;
    write_layers();
    cr_assert_null(netlist_load("machine.yaml", registry, NULL, 0, &errors));
    cr_expect_str_eq(errors, "<command line>:1:10: error[N42]: plug-in 'N42_x.so' is refused\n"
                             "    --plugin N42_x.so\n"
                             "             ^~~~~~~~\n"
                             "note: the first reason\n"
                             "note: the second\n"
                             "<environment>:1:16: error[N47]: plug-in 'N47_y.so' is refused\n"
                             "    HEDDLE_PLUGINS=N47_y.so\n"
                             "                   ^~~~~~~~\n"
                             "note: the first reason\n"
                             "note: the second\n");
    free(errors);
}

Test(netlist_plugins, are_refused_by_a_program_that_loads_none)
{
    char *errors;
    netlist_registry registry = fake_registry();
    registry.loader = NULL;
    bench_text("machine.yaml", "heddle: 1\nname: x\nplugins: [a.so]\n");
    cr_assert_null(netlist_load("machine.yaml", registry, NULL, 0, &errors));
    cr_expect_str_eq(errors, "machine.yaml:3:11: error[N43]: this program loads no plug-ins\n"
                             "    plugins: [a.so]\n"
                             "              ^~~~\n");
    free(errors);
}
