/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench.h"

#define BASE                                                                                                           \
    "heddle: 1\nname: base\ndescription: of the base\nclocks: {core: 1 GHz, slow: 500 MHz}\n"                          \
    "blocks:\n"                                                                                                        \
    "  a: {kind: crossbar, type: round_robin, clock: core, parameters: {flit_bytes: 64 B, latency: 3 cycles}}\n"       \
    "  b: {kind: crossbar, type: round_robin, clock: core}\n"                                                          \
    "links:\n  - {from: a.output, to: b.input}\n  - {from: b.output, to: a.input}\n"

static netlist *load_child(const char *child)
{
    char text[1024];
    bench_text("base.yaml", BASE);
    snprintf(text, sizeof text, "heddle: 1\nextends: base.yaml\n%s", child);
    return bench_load(text, NULL);
}

TestSuite(netlist_layers, .init = bench_enter, .fini = bench_leave);

Test(netlist_layers, a_child_changes_what_it_names_and_keeps_the_rest)
{
    netlist *machine =
        load_child("name: child\nclocks: {slow: 250 MHz}\nblocks:\n  a: {parameters: {latency: 8 cycles}}\n");
    cr_expect_str_eq(machine->name, "child");
    cr_expect_str_eq(machine->description, "of the base");
    cr_expect_eq(machine->clocks[0].hz, 1000000000);
    cr_expect_eq(machine->clocks[1].hz, 250000000);
    cr_expect_eq(bench_value(machine, "a", "flit_bytes")->u, 64);
    cr_expect_eq(bench_value(machine, "a", "latency")->u, 8);
    cr_expect_str_eq(bench_origin(machine, "a", "flit_bytes")->file, "base.yaml");
    cr_expect_str_eq(bench_origin(machine, "a", "latency")->file, "machine.yaml");
    cr_expect_eq(machine->link_count, 2);
    netlist_free(machine);
}

Test(netlist_layers, new_blocks_and_links_come_after_those_of_the_base)
{
    netlist *machine = load_child("blocks:\n  c: {kind: crossbar, type: round_robin, clock: slow}\n"
                                  "links:\n  - {from: c.output, to: a.input}\n  - {from: a.output, to: c.input}\n");
    cr_expect_eq(bench_block(machine, "a"), 0);
    cr_expect_eq(bench_block(machine, "c"), 2);
    cr_assert_eq(machine->link_count, 4);
    cr_expect_str_eq(bench_link(machine, 1), "b.output[0] -> a.input[0]");
    cr_expect_str_eq(bench_link(machine, 2), "c.output[0] -> a.input[1]");
    cr_expect_str_eq(bench_link(machine, 3), "a.output[1] -> c.input[0]");
    netlist_free(machine);
}

Test(netlist_layers, a_link_with_the_same_ends_takes_the_place_of_the_old_one)
{
    netlist *machine = load_child("links:\n  - {from: a.output, to: b.input, latency: 9 cycles, credits: 3}\n");
    cr_assert_eq(machine->link_count, 2);
    cr_expect_str_eq(bench_link(machine, 0), "a.output[0] -> b.input[0]");
    cr_expect_eq(machine->links[0].forward.latency, 9000);
    cr_expect_eq(machine->links[0].forward.credits, 3);
    cr_expect_str_eq(machine->links[0].place.file, "machine.yaml");
    netlist_free(machine);
}

Test(netlist_layers, replace_takes_the_place_of_the_whole)
{
    netlist *machine = load_child("blocks:\n  a: {parameters: !replace {latency: 8 cycles}}\n");
    cr_expect_eq(bench_value(machine, "a", "flit_bytes")->u, 32, "the default, not the base's 64");
    cr_expect_eq(bench_value(machine, "a", "latency")->u, 8);
    netlist_free(machine);

    machine = load_child("links: !replace\n  - {from: b.output, to: a.input}\n  - {from: a.output, to: b.input}\n");
    cr_assert_eq(machine->link_count, 2);
    cr_expect_str_eq(bench_link(machine, 0), "b.output[0] -> a.input[0]");
    netlist_free(machine);

    machine = load_child("links: !replace []\nblocks: !replace\n  p: {kind: probe, type: plain, clock: slow}\n");
    cr_expect_eq(machine->block_count, 1);
    cr_expect_eq(machine->link_count, 0);
    netlist_free(machine);
}

Test(netlist_layers, remove_takes_a_block_with_its_links)
{
    netlist *machine = load_child("remove: [b]\nlinks:\n  - {from: a.output, to: a.input}\n");
    cr_expect_eq(machine->block_count, 1);
    cr_assert_eq(machine->link_count, 1);
    cr_expect_str_eq(bench_link(machine, 0), "a.output[0] -> a.input[0]");
    netlist_free(machine);
}

Test(netlist_layers, a_removed_block_can_be_written_anew)
{
    netlist *machine = load_child("remove: [a]\nblocks:\n  a: {kind: crossbar, type: round_robin, clock: slow}\n"
                                  "links:\n  - {from: a.output, to: b.input}\n  - {from: b.output, to: a.input}\n");
    cr_expect_eq(bench_block(machine, "a"), 1);
    cr_expect_eq(bench_value(machine, "a", "latency")->u, 5);
    netlist_free(machine);
}

Test(netlist_layers, remove_takes_one_link)
{
    netlist *machine = load_child("remove: [{from: a.output, to: b.input}]\n"
                                  "links:\n  - {from: a.output, to: a.input}\n  - {from: b.output, to: b.input}\n");
    cr_assert_eq(machine->link_count, 3);
    cr_expect_str_eq(bench_link(machine, 0), "b.output[0] -> a.input[0]");
    netlist_free(machine);
}

Test(netlist_layers, a_chain_is_followed_relative_to_each_file)
{
    cr_assert_eq(mkdir("sub", 0755), 0);
    bench_text("base.yaml", BASE);
    bench_text("sub/middle.yaml",
               "heddle: 1\nextends: ../base.yaml\nblocks: {a: {parameters: {latency: 20 cycles, flit_bytes: 16 B}}}\n");
    netlist *machine =
        bench_load("heddle: 1\nextends: sub/middle.yaml\nblocks: {a: {parameters: {latency: 30 cycles}}}\n", NULL);
    cr_expect_eq(bench_value(machine, "a", "latency")->u, 30);
    cr_expect_eq(bench_value(machine, "a", "flit_bytes")->u, 16);
    cr_expect_str_eq(bench_origin(machine, "a", "flit_bytes")->file, "sub/middle.yaml");
    netlist_free(machine);
}

Test(netlist_layers, an_error_in_the_base_names_every_file_of_the_chain)
{
    bench_text("base.yaml", "heddle: 1\nname: [1]\n");
    bench_text("middle.yaml", "heddle: 1\nextends: base.yaml\n");
    char *errors = bench_errors("heddle: 1\nextends: middle.yaml\n", NULL);
    cr_expect_str_eq(errors, "base.yaml:2:7: error[N09]: name must be a single value, not a list\n"
                             "    name: [1]\n"
                             "          ^\n"
                             "note: extended from middle.yaml:2:10\n"
                             "note: extended from machine.yaml:2:10\n");
    free(errors);
}
