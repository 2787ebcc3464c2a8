/* SPDX-License-Identifier: MIT */
/* A file of parameters that a block names: where it is looked for, what lies above it, what a change of type leaves. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench.h"

#define OVERRIDES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define CHILD "heddle: 1\nextends: base.yaml\n"

/* The base gives the crossbar one parameter itself, and all from the device's file. */
static void enter(void)
{
    bench_enter();
    cr_assert_eq(mkdir("devices", 0755), 0);
    bench_text("devices/wide.yaml",
               "heddle: 1\ndescription: wide\nparameters: {flit_bytes: 64 B, latency: 3 cycles}\n");
    bench_text("devices/narrow.yaml", "heddle: 1\nparameters:\n  flit_bytes: 16 B\n");
    bench_text("base.yaml", BENCH_HEAD "blocks:\n  a:\n    kind: crossbar\n    type: round_robin\n    clock: core\n"
                                       "    parameters_from: devices/wide.yaml\n    parameters: {latency: 7 cycles}\n"
                                       "links:\n  - {from: a.output, to: a.input}\n");
}

TestSuite(netlist_parameters_from, .init = enter, .fini = bench_leave);

static void expect_values(const char *text, const char *const *overrides, uint64_t flit_bytes, uint64_t latency)
{
    netlist *machine = bench_load(text, overrides);
    cr_expect_eq(bench_value(machine, "a", "flit_bytes")->u, flit_bytes, "%s", text);
    cr_expect_eq(bench_value(machine, "a", "latency")->u, latency, "%s", text);
    netlist_free(machine);
}

Test(netlist_parameters_from, the_blocks_own_parameters_lie_above_the_file)
{
    netlist *machine = bench_load(CHILD, NULL);
    cr_expect_eq(bench_value(machine, "a", "flit_bytes")->u, 64);
    cr_expect_eq(bench_value(machine, "a", "latency")->u, 7);
    cr_expect_str_eq(bench_origin(machine, "a", "flit_bytes")->file, "devices/wide.yaml");
    cr_expect_eq(bench_origin(machine, "a", "flit_bytes")->line, 3);
    cr_expect_str_eq(bench_origin(machine, "a", "latency")->file, "base.yaml");
    netlist_free(machine);
}

Test(netlist_parameters_from, layers_and_overrides_lie_above_it)
{
    expect_values(CHILD "blocks: {a: {parameters: {flit_bytes: 32 B}}}\n", NULL, 32, 7);
    expect_values(CHILD, OVERRIDES("a.flit_bytes=128 B"), 128, 7);
    expect_values(CHILD "blocks: {a: {parameters: !replace {}}}\n", NULL, 64, 3);
    expect_values(CHILD "blocks: {a: !replace {kind: crossbar, type: round_robin, clock: core}}\n", NULL, 32, 5);
}

Test(netlist_parameters_from, the_last_file_holds_and_nothing_of_the_one_before)
{
    expect_values(CHILD "blocks: {a: {parameters_from: devices/narrow.yaml}}\n", NULL, 16, 7);
    expect_values(CHILD "blocks: {a: {parameters_from: devices/narrow.yaml, parameters: !replace {}}}\n", NULL, 16, 5);
    expect_values(CHILD, OVERRIDES("a.parameters_from=devices/narrow.yaml"), 16, 7);
    expect_values(CHILD, OVERRIDES("blocks.a.parameters_from=./devices/narrow.yaml", "a.latency=9 cycles"), 16, 9);
}

Test(netlist_parameters_from, is_relative_to_the_file_that_says_so)
{
    cr_assert_eq(mkdir("sub", 0755), 0);
    bench_text("sub/middle.yaml",
               "heddle: 1\nextends: ../base.yaml\nblocks: {a: {parameters_from: ../devices/narrow.yaml}}\n");
    expect_values("heddle: 1\nextends: sub/middle.yaml\n", NULL, 16, 7);
}

Test(netlist_parameters_from, nested_and_dotted_names_are_one)
{
    bench_text("devices/core.yaml", "heddle: 1\nparameters: {l1: {bytes: 16 KiB}}\n");
    netlist *machine = bench_load("heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\n"
                                  "blocks: {core: {parameters_from: devices/core.yaml}}\n",
                                  NULL);
    cr_expect_eq(bench_value(machine, "core", "l1.bytes")->u, 16384);
    netlist_free(machine);
    machine = bench_load("heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\n"
                         "blocks: {core: {parameters_from: devices/core.yaml}}\n",
                         OVERRIDES("core.l1.bytes=24 KiB"));
    cr_expect_eq(bench_value(machine, "core", "l1.bytes")->u, 24576);
    netlist_free(machine);
}

Test(netlist_parameters_from, a_new_type_drops_what_it_does_not_have)
{
    bench_text("devices/dram.yaml", "heddle: 1\nparameters: {row_policy: closed, bus: 1 GHz}\n");
    bench_text("middle.yaml", "heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\n"
                              "blocks: {dram: {parameters: !replace {}, parameters_from: devices/dram.yaml}}\n");
    netlist *machine = bench_load("heddle: 1\nextends: middle.yaml\n", OVERRIDES("dram.type=plain"));
    const netlist_block *dram = &machine->blocks[bench_block(machine, "dram")];
    cr_expect_eq(bench_value(machine, "dram", "bus")->u, 1000000000, "both have it");
    cr_assert_eq(dram->dropped_count, 1);
    cr_expect_str_eq(dram->dropped[0].name, "row_policy");
    cr_expect_str_eq(dram->dropped[0].place.file, "devices/dram.yaml");
    netlist_free(machine);
}

Test(netlist_parameters_from, the_resolved_netlist_says_where_each_comes_from_and_needs_no_file)
{
    netlist *machine = bench_load(CHILD, NULL);
    char *text = bench_written(machine, netlist_print);
    netlist_free(machine);
    cr_expect(strstr(text, "      flit_bytes: 64 B  # devices/wide.yaml:3:26\n"), "%s", text);
    cr_expect(strstr(text, "      latency: 7 cycles  # base.yaml:"), "%s", text);
    cr_expect_not(strstr(text, "parameters_from"));
    expect_values(text, NULL, 64, 7);
    free(text);
}

Test(netlist_parameters_from, files_are_bounded_in_number)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    fputs(BENCH_HEAD "blocks:\n", out);
    for (int i = 0; i < 33; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%d.yaml", i);
        bench_text(name, "heddle: 1\nparameters: {}\n");
        fprintf(out, "  b%d: {kind: probe, type: plain, clock: core, parameters_from: %s}\n", i, name);
    }
    fclose(out);
    char *errors = bench_errors(text, NULL);
    cr_expect(strstr(errors, "machine.yaml:37:65: error[N02]: more than 32 files of parameters\n"), "%s", errors);
    free(errors);
    free(text);
}

Test(netlist_parameters_from, a_picture_names_the_file_and_not_what_is_in_it)
{
    netlist *machine = bench_load(CHILD, NULL);
    cr_expect_str_eq(machine->blocks[0].parameters_from, "devices/wide.yaml");
    char *text = bench_written(machine, netlist_graph);
    netlist_free(machine);
    cr_expect(strstr(text, "wide.yaml<br align=\"left\"/>latency: 7 cycles<br"), "%s", text);
    cr_expect_not(strstr(text, "flit_bytes"));
    free(text);
}
