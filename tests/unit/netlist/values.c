/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define PROBES BENCH_HEAD "blocks:\n  probe: {kind: probe, type: plain, clock: core}\n"

/* One crossbar is bound to itself, so that any class's parameters can be tried on a machine that is whole. */
#define CROSSBAR                                                                                                       \
    BENCH_HEAD "links: [{from: net.output, to: net.input}]\n"                                                          \
               "blocks:\n  net:\n    kind: crossbar\n    type: round_robin\n    clock: core\n    parameters: "

static uint64_t value_of(const char *parameters, const char *name)
{
    char text[512];
    snprintf(text, sizeof text, CROSSBAR "%s\n", parameters);
    netlist *machine = bench_load(text, NULL);
    uint64_t value = bench_value(machine, "net", name)->u;
    netlist_free(machine);
    return value;
}

TestSuite(netlist_values, .init = bench_enter, .fini = bench_leave);

Test(netlist_values, sizes_are_powers_of_two)
{
    cr_expect_eq(value_of("{flit_bytes: 64 B}", "flit_bytes"), 64);
    cr_expect_eq(value_of("{flit_bytes: 64B}", "flit_bytes"), 64);
    cr_expect_eq(value_of("{flit_bytes: 1 KiB}", "flit_bytes"), 1024);
    cr_expect_eq(value_of("{flit_bytes: 0.5 KiB}", "flit_bytes"), 512);
    cr_expect_eq(value_of("{flit_bytes: \"0x40 B\"}", "flit_bytes"), 64);
}

Test(netlist_values, cycles_are_written_as_such)
{
    cr_expect_eq(value_of("{latency: 7 cycles}", "latency"), 7);
    cr_expect_eq(value_of("{latency: 1 cycle}", "latency"), 1);
    cr_expect_eq(value_of("{latency: 7.000 cycles}", "latency"), 7);
    cr_expect_eq(value_of("{latency: 7.00000000000000000000000000000000 cycles}", "latency"), 7);
}

Test(netlist_values, defaults_hold_where_nothing_is_written)
{
    netlist *machine = bench_load(CROSSBAR "{latency: 9 cycles}\n", NULL);
    cr_expect_eq(bench_value(machine, "net", "flit_bytes")->u, 32);
    cr_expect_eq(bench_origin(machine, "net", "flit_bytes")->line, 0);
    cr_expect_str_eq(bench_origin(machine, "net", "flit_bytes")->file, "<default>");
    netlist_free(machine);
}

Test(netlist_values, an_origin_is_file_line_and_column)
{
    netlist *machine = bench_load(CROSSBAR "{latency: 9 cycles}\n", NULL);
    const netlist_place *origin = bench_origin(machine, "net", "latency");
    cr_expect_str_eq(origin->file, "machine.yaml");
    cr_expect_eq(origin->line, 10);
    cr_expect_eq(origin->column, 27);
    netlist_free(machine);
}

static const char small[] = "heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\nblocks:\n";

static netlist *load_over_small(const char *blocks)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s", small, blocks);
    return bench_load(text, NULL);
}

Test(netlist_values, every_type_of_parameter_is_read)
{
    netlist *machine =
        load_over_small("  core:\n    parameters:\n      l1: {prefetch: true, global: cache, bytes: 16 KiB}\n"
                        "      label: \"a text: with 3\"\n      bias: -2.5e-1\n"
                        "  dram: {parameters: {refresh: 7.8 us, bus: 1.25 GHz, row_policy: adaptive}}\n");
    cr_expect_eq(bench_value(machine, "core", "l1.prefetch")->u, 1);
    cr_expect_eq(bench_value(machine, "core", "l1.global")->u, 1);
    cr_expect_str_eq(bench_value(machine, "core", "l1.global")->text, "cache");
    cr_expect_eq(bench_value(machine, "core", "l1.bytes")->u, 16 * 1024);
    cr_expect_str_eq(bench_value(machine, "core", "label")->text, "a text: with 3");
    cr_expect(bench_value(machine, "core", "bias")->real == -0.25);
    cr_expect(bench_value(machine, "dram", "refresh")->u == 7800000);
    cr_expect_eq(bench_value(machine, "dram", "bus")->u, 1250000000);
    cr_expect_eq(bench_value(machine, "dram", "row_policy")->u, 2);
    netlist_free(machine);
}

Test(netlist_values, dotted_and_nested_names_are_the_same)
{
    static const char *const forms[] = {
        "{l1.ways: 3, scheduler: gto, scheduler.age_rotation: 50 cycles}",
        "{l1: {ways: 3}, scheduler: {type: gto, age_rotation: 50 cycles}}",
        "{l1: {ways: 3}, scheduler.type: gto, scheduler: {age_rotation: 50 cycles}}",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char blocks[256];
        snprintf(blocks, sizeof blocks, "  core: {parameters: %s}\n", forms[i]);
        netlist *machine = load_over_small(blocks);
        cr_expect_eq(bench_value(machine, "core", "l1.ways")->u, 3);
        cr_expect_str_eq(bench_value(machine, "core", "scheduler")->text, "gto");
        cr_expect_eq(bench_value(machine, "core", "scheduler.age_rotation")->u, 50);
        netlist_free(machine);
    }
}

Test(netlist_values, an_anchor_stands_for_what_it_marks)
{
    netlist *machine = load_over_small("  requests: {parameters: &shared {latency: 11 cycles}}\n"
                                       "  replies: {parameters: *shared}\n");
    cr_expect_eq(bench_value(machine, "requests", "latency")->u, 11);
    cr_expect_eq(bench_value(machine, "replies", "latency")->u, 11);
    cr_expect_eq(bench_origin(machine, "replies", "latency")->line, 4);
    netlist_free(machine);
}

Test(netlist_values, instances_are_numbered_in_file_order)
{
    netlist *machine = load_over_small("  l2: {count: 2}\n");
    uint32_t endpoint = 0;
    for (uint32_t b = 0; b < machine->block_count; b++) {
        cr_expect_eq(machine->blocks[b].first_endpoint, endpoint);
        endpoint += machine->blocks[b].count;
    }
    cr_expect_eq(machine->endpoint_count, endpoint);
    char name[32];
    cr_expect_str_eq(netlist_instance_name(machine, bench_block(machine, "core"), 3, name, sizeof name), "core[3]");
    cr_expect_str_eq(netlist_instance_name(machine, bench_block(machine, "host"), 0, name, sizeof name), "host");
    netlist_free(machine);
}

Test(netlist_values, the_keys_of_the_machine_have_defaults)
{
    netlist *machine = bench_load(PROBES, NULL);
    cr_expect_str_eq(machine->name, "bench");
    cr_expect_str_eq(machine->description, "");
    cr_expect_str_eq(machine->file, "machine.yaml");
    cr_expect_eq(machine->watchdog, 2 * HD_PS_PER_SECOND / 1000);
    cr_expect_eq(machine->limit, HD_PS_PER_SECOND);
    cr_expect_eq(machine->launch_align, 1);
    cr_expect_eq(machine->address_map.block, NETLIST_NONE);
    netlist_free(machine);
}

Test(netlist_values, the_keys_of_the_machine_can_be_written)
{
    netlist *machine = bench_load(PROBES "watchdog: 10 us\nlimit: 1.5 s\nlaunch_align: false\ndescription: d\n", NULL);
    cr_expect_str_eq(machine->description, "d");
    cr_expect_eq(machine->watchdog, 10 * HD_PS_PER_SECOND / 1000000);
    cr_expect_eq(machine->limit, HD_PS_PER_SECOND + HD_PS_PER_SECOND / 2);
    cr_expect_eq(machine->launch_align, 0);
    netlist_free(machine);
}

/* The shortest times are those of a machine without a slow clock; the longest keep arithmetic far from its end. */
Test(netlist_values, watchdog_and_limit_are_long_enough_for_the_slowest_clock_of_a_block)
{
    netlist *slow = bench_load(PROBES, (const char *const[]){"clocks.core=1 kHz", "clocks.slow=2 Hz", NULL});
    cr_expect_eq(slow->watchdog, 500 * HD_PS_PER_SECOND);
    cr_expect_eq(slow->limit, 500000 * HD_PS_PER_SECOND);
    netlist_free(slow);
    netlist *slower = bench_load(PROBES, (const char *const[]){"clocks.core=1 Hz", "clocks.slow=1 Hz", NULL});
    cr_expect_eq(slower->watchdog, 500000 * HD_PS_PER_SECOND);
    cr_expect_eq(slower->limit, UINT64_C(1) << 63);
    netlist_free(slower);
}

Test(netlist_values, watchdog_and_limit_may_be_cycles_of_that_clock)
{
    netlist *machine = bench_load(PROBES "watchdog: 3 cycles\nlimit: 18446744073709551615 cycles\n",
                                  (const char *const[]){"clocks.core=1 kHz", NULL});
    cr_expect_eq(machine->watchdog, 3 * HD_PS_PER_SECOND / 1000);
    cr_expect_eq(machine->limit, HD_NEVER - 1);
    netlist_free(machine);
}

Test(netlist_values, the_address_map_names_the_block_that_holds_the_memory)
{
    netlist *machine = load_over_small("  l2: {count: 2}\naddress_map: {interleave: 1 KiB}\n");
    cr_expect_eq(machine->address_map.block, bench_block(machine, "l2"));
    cr_expect_eq(machine->address_map.interleave_bytes, 1024);
    netlist_free(machine);
}

Test(netlist_values, an_address_map_may_have_a_hash_and_groups)
{
    netlist *machine = load_over_small("  l2: {count: 2}\naddress_map: {interleave: 1 KiB}\n");
    cr_expect_eq(machine->address_map.hash, HD_HASH_NONE);
    cr_expect_eq(machine->address_map.sub_partitions, 1);
    cr_expect_eq(machine->address_map.sub_interleave_bytes, 1024, "the interleave, where nothing is said");
    netlist_free(machine);
    machine =
        load_over_small("  l2: {count: 2}\naddress_map: {hash: ipoly, sub_partitions: 2, sub_interleave: 512 B}\n");
    cr_expect_eq(machine->address_map.hash, HD_HASH_IPOLY);
    cr_expect_eq(machine->address_map.sub_partitions, 2);
    cr_expect_eq(machine->address_map.sub_interleave_bytes, 512);
    netlist_free(machine);
    machine = load_over_small("  l2: {count: 2}\naddress_map: {hash: xor}\n");
    cr_expect_eq(machine->address_map.hash, HD_HASH_XOR);
    netlist_free(machine);
}
