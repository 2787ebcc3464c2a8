/* SPDX-License-Identifier: MIT */
/* A layer that changes the type of a block, and what becomes of the parameters that were given for the old one. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define OVERRIDES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define CHILD "heddle: 1\nextends: base.yaml\n"

/* row_policy is that of fr_fcfs, bus that of plain too, and latency only that of plain. Both have a refresh, in seconds and
 * in cycles: two parameters. */
static void enter(void)
{
    bench_enter();
    bench_text("base.yaml", "heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\nblocks:\n"
                            "  dram:\n    parameters: {refresh: 2 us, bus: 1 GHz}\n");
}

TestSuite(netlist_swaps, .init = enter, .fini = bench_leave);

static const netlist_block *dram_of(const netlist *machine)
{
    return &machine->blocks[bench_block(machine, "dram")];
}

static void expect_dropped(const netlist *machine, uint32_t index, const char *name, const char *text, uint32_t line)
{
    cr_assert_lt(index, dram_of(machine)->dropped_count);
    const netlist_dropped *gone = &dram_of(machine)->dropped[index];
    cr_expect_str_eq(gone->name, name);
    cr_expect_str_eq(gone->text, text);
    cr_expect_str_eq(gone->block_class->type, "fr_fcfs");
    cr_expect_eq(gone->place.line, line);
}

Test(netlist_swaps, what_the_new_type_does_not_have_is_dropped_and_the_rest_stays)
{
    netlist *machine = bench_load(CHILD "blocks: {dram: {type: plain}}\n", NULL);
    cr_expect_str_eq(dram_of(machine)->block_class->type, "plain");
    cr_expect_eq(dram_of(machine)->count, 2);
    cr_expect_eq(bench_value(machine, "dram", "bus")->u, 1000000000);
    cr_expect_str_eq(bench_origin(machine, "dram", "bus")->file, "base.yaml");
    cr_expect_eq(bench_value(machine, "dram", "latency")->u, 50000, "the default");
    cr_expect_eq(dram_of(machine)->dropped_count, 2);
    expect_dropped(machine, 0, "row_policy", "open", 21);
    expect_dropped(machine, 1, "refresh", "2 us", 5);
    netlist_free(machine);
}

Test(netlist_swaps, an_override_swaps_as_a_file_does)
{
    netlist *machine = bench_load(CHILD, OVERRIDES("dram.type=plain", "dram.latency=70 ns"));
    cr_expect_eq(bench_value(machine, "dram", "latency")->u, 70000);
    cr_expect_eq(dram_of(machine)->dropped_count, 2);
    netlist_free(machine);
}

Test(netlist_swaps, the_resolved_netlist_shows_what_was_dropped_and_loads)
{
    netlist *machine = bench_load(CHILD "blocks: {dram: {type: plain}}\n", NULL);
    char *text = bench_written(machine, netlist_print);
    netlist_free(machine);
    cr_expect(strstr(text,
                     "      latency: 50000 ps  # default\n"
                     "      bus: 1000000000 Hz  # base.yaml:5:38\n"
                     "      refresh: 900 cycles  # default\n"
                     "      # dropped: row_policy: open, for dram/fr_fcfs  # " NETLIST_ERRORS "/base/small.yaml:21:30\n"
                     "      # dropped: refresh: \"2 us\", for dram/fr_fcfs  # base.yaml:5:27\n"),
              "%s", text);
    machine = bench_load(text, NULL);
    cr_expect_eq(dram_of(machine)->dropped_count, 0);
    netlist_free(machine);
    free(text);
}

Test(netlist_swaps, the_kind_may_change_too)
{
    bench_text("base.yaml",
               BENCH_HEAD "blocks:\n  x: {kind: dram, type: fr_fcfs, clock: core, parameters: {bus: 1 GHz}}\n"
                          "  y: {kind: probe, type: plain, clock: core}\n");
    netlist *machine = bench_load(CHILD "blocks: {x: {kind: probe, type: plain}}\n", NULL);
    cr_expect_eq(machine->blocks[0].dropped_count, 1);
    netlist_free(machine);
    machine = bench_load(CHILD, OVERRIDES("x.kind=probe", "x.type=plain"));
    cr_expect_eq(machine->blocks[0].dropped_count, 1, "probe/fr_fcfs between the two exists nowhere");
    netlist_free(machine);
}

Test(netlist_swaps, what_was_dropped_does_not_come_back)
{
    bench_text("middle.yaml", CHILD "blocks: {dram: {type: plain, parameters: {latency: 9 ns}}}\n");
    bench_text("last.yaml", "heddle: 1\nextends: middle.yaml\nblocks: {dram: {type: fr_fcfs}}\n");
    netlist *machine =
        bench_load("heddle: 1\nextends: last.yaml\nplugins: [fake.so]\nblocks: {dram: {type: plugged}}\n", NULL);
    cr_expect_eq(bench_value(machine, "dram", "refresh")->u, 3900000, "the default");
    cr_expect_eq(bench_value(machine, "dram", "bus")->u, 1000000000);
    cr_expect_eq(dram_of(machine)->dropped_count, 3);
    expect_dropped(machine, 1, "refresh", "2 us", 5);
    cr_expect_str_eq(dram_of(machine)->dropped[2].name, "latency");
    cr_expect_str_eq(dram_of(machine)->dropped[2].block_class->type, "plain");
    netlist_free(machine);
}

Test(netlist_swaps, a_later_layer_gives_it_anew)
{
    bench_text("middle.yaml", CHILD "blocks: {dram: {type: plain}}\n");
    netlist *machine = bench_load(
        "heddle: 1\nextends: middle.yaml\nblocks: {dram: {type: fr_fcfs, parameters: {refresh: 5 us}}}\n", NULL);
    cr_expect_eq(bench_value(machine, "dram", "refresh")->u, 5000000);
    cr_expect_eq(dram_of(machine)->dropped_count, 1);
    netlist_free(machine);
}

Test(netlist_swaps, the_same_type_again_drops_nothing)
{
    netlist *machine = bench_load(CHILD "blocks: {dram: {type: fr_fcfs}}\n", NULL);
    cr_expect_eq(bench_value(machine, "dram", "refresh")->u, 2000000);
    cr_expect_eq(dram_of(machine)->dropped_count, 0);
    netlist_free(machine);
}

Test(netlist_swaps, a_type_of_a_plugin_swaps_too)
{
    netlist *machine =
        bench_load(CHILD "plugins: [fake.so]\nblocks: {dram: {type: plugged}}\n", OVERRIDES("dram.type=plain"));
    cr_expect_eq(dram_of(machine)->dropped_count, 2);
    netlist_free(machine);
}
