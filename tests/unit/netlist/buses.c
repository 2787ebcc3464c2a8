/* SPDX-License-Identifier: MIT */
/* Which addresses lie behind which port of a bus. */
#include <criterion/criterion.h>

#include "bench.h"
#include "hd_extension.h"

TestSuite(netlist_buses, .init = bench_enter, .fini = bench_leave);

#define CLASS(k, t) .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = k, .type = t

enum { INITIATOR, TARGET, SIDE };
static const hd_port bus_ports[] = {
    [INITIATOR] = {"initiator", HD_PORT_TARGET, 0, 4, 1, 1, "who accesses"},
    [TARGET] = {"target", HD_PORT_INITIATOR, 0, 4, 1, 1, "what is accessed"},
    [SIDE] = {"side", HD_PORT_INITIATOR, 0, 1, 1, 1, "what only the bus itself accesses"},
};
static const hd_block_class bus = {CLASS("bus", "decoder"), .doc = "routes by address", .flags = HD_BLOCK_DECODES,
                                   .ports = bus_ports, .port_count = 3};

static const hd_parameter device_parameters[] = {{"address", HD_TYPE_UNSIGNED, 0, "0", 0, 0, NULL, "of its registers"}};
static const hd_port device_ports[] = {{"bus", HD_PORT_TARGET, 0, 1, 1, 1, "accesses"}};
static const hd_window device_windows[] = {{"registers", "bus", 0, 0x100, NULL, 0, 0, "registers", "address"}};
static const hd_block_class device = {
    CLASS("device", "plain"), .doc = "has registers", .parameters = device_parameters, .parameter_count = 1,
    .ports = device_ports,    .port_count = 1,        .windows = device_windows,       .window_count = 1};

static netlist *load(const char *text)
{
    static const hd_block_class *const classes[] = {&bus, &device};
    char *errors;
    bench_text("machine.yaml", text);
    netlist *machine =
        netlist_load("machine.yaml", (netlist_registry){.classes = classes, .count = 2}, NULL, 0, &errors);
    cr_assert(machine, "%s", errors);
    return machine;
}

static const char two_buses[] =
    BENCH_HEAD "blocks:\n"
               "  near: {kind: bus, type: decoder, clock: core}\n"
               "  far: {kind: bus, type: decoder, clock: core}\n"
               "  a: {kind: device, type: plain, clock: core, parameters: {address: 0x3000}}\n"
               "  b: {kind: device, type: plain, clock: core, parameters: {address: 0x1000}}\n"
               "  c: {kind: device, type: plain, clock: core, parameters: {address: 0x2000}}\n"
               "links:\n"
               "  - {from: \"near.target[0]\", to: a.bus}\n"
               "  - {from: \"near.target[1]\", to: far.initiator}\n"
               "  - {from: \"far.target[0]\", to: b.bus}\n"
               "  - {from: near.side, to: c.bus}\n";

static void expect_map(const netlist *machine, const char *block, uint32_t port, const hd_bus_window *expected)
{
    hd_bus_window found[8];
    const uint32_t count = netlist_bus_map(machine, bench_block(machine, block), 0, port, found, 8);
    uint32_t i = 0;
    for (; expected[i].last; i++) {
        cr_assert_lt(i, count, "%s has more behind it than %u windows", block, count);
        cr_expect_eq(found[i].first, expected[i].first, "%s, window %u", block, i);
        cr_expect_eq(found[i].last, expected[i].last, "%s, window %u", block, i);
        cr_expect_eq(found[i].element, expected[i].element, "%s, window %u", block, i);
    }
    cr_expect_eq(count, i, "%s", block);
}

/* Through the element to which the second bus is bound. */
Test(netlist_buses, have_behind_them_what_is_behind_further_buses)
{
    netlist *machine = load(two_buses);
    expect_map(machine, "near", TARGET,
               (const hd_bus_window[]){{0x1000, 0x10ff, 1, 0}, {0x3000, 0x30ff, 0, 0}, {0, 0, 0, 0}});
    expect_map(machine, "far", TARGET, (const hd_bus_window[]){{0x1000, 0x10ff, 0, 0}, {0, 0, 0, 0}});
    netlist_free(machine);
}

Test(netlist_buses, have_behind_a_port_nothing_of_their_other_ports)
{
    netlist *machine = load(two_buses);
    expect_map(machine, "near", SIDE, (const hd_bus_window[]){{0x2000, 0x20ff, 0, 0}, {0, 0, 0, 0}});
    netlist_free(machine);
}
