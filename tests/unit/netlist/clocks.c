/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define BLOCKS "blocks:\n  probe: {kind: probe, type: plain, clock: core}\n"

static netlist *load_clocks(const char *clocks)
{
    char text[512];
    snprintf(text, sizeof text, "heddle: 1\nname: x\n" BLOCKS "clocks:\n%s", clocks);
    return bench_load(text, NULL);
}

static uint64_t hz_of(const netlist *machine, const char *name)
{
    for (uint32_t i = 0; i < machine->clock_count; i++) {
        if (strcmp(machine->clocks[i].name, name) == 0)
            return machine->clocks[i].hz;
    }
    return 0;
}

TestSuite(netlist_clocks, .init = bench_enter, .fini = bench_leave);

Test(netlist_clocks, a_frequency_is_exact)
{
    netlist *machine = load_clocks("  core: 1.4 GHz\n  slow: 32.768 kHz\n  fast: 1000 GHz\n  one: 1 Hz\n");
    cr_expect_eq(hz_of(machine, "core"), 1400000000);
    cr_expect_eq(hz_of(machine, "slow"), 32768);
    cr_expect_eq(hz_of(machine, "fast"), HD_PS_PER_SECOND);
    cr_expect_eq(hz_of(machine, "one"), 1);
    netlist_free(machine);
}

Test(netlist_clocks, a_ratio_is_of_any_clock_in_any_order)
{
    netlist *machine = load_clocks("  l2: network / 2\n  network: core * 3 / 2\n  core: 1400 MHz\n  same: core\n"
                                   "  third: core / 3 * 3\n");
    cr_expect_eq(hz_of(machine, "core"), 1400000000);
    cr_expect_eq(hz_of(machine, "network"), 2100000000);
    cr_expect_eq(hz_of(machine, "l2"), 1050000000);
    cr_expect_eq(hz_of(machine, "same"), 1400000000);
    cr_expect_eq(hz_of(machine, "third"), 1400000000, "only the result must be whole");
    netlist_free(machine);
}

Test(netlist_clocks, keep_the_order_and_place_of_the_file)
{
    netlist *machine = load_clocks("  b: 1 GHz\n  core: b\n");
    cr_expect_str_eq(machine->clocks[0].name, "b");
    cr_expect_str_eq(machine->clocks[1].name, "core");
    cr_expect_eq(machine->clocks[1].place.line, 7);
    cr_expect_eq(machine->clocks[1].place.column, 9);
    cr_expect_eq(machine->blocks[0].clock, 1);
    netlist_free(machine);
}

Test(netlist_clocks, one_bad_clock_is_one_error_however_many_follow_it)
{
    char *errors =
        bench_errors("heddle: 1\nname: x\n" BLOCKS "clocks:\n  core: 0 Hz\n  a: core\n  b: a * 2\n  c: b / 2\n", NULL);
    cr_expect_str_eq(errors,
                     "machine.yaml:6:9: error[N28]: '0 Hz' is not a whole number of hertz between 1 Hz and 1000 "
                     "GHz\n    core: 0 Hz\n          ^~~~\n");
    free(errors);
}
