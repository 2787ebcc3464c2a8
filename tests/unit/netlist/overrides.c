/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define SMALL "heddle: 1\nextends: " NETLIST_ERRORS "/base/small.yaml\n"
#define OVERRIDES(...) ((const char *const[]){__VA_ARGS__, NULL})

TestSuite(netlist_overrides, .init = bench_enter, .fini = bench_leave);

Test(netlist_overrides, the_full_and_the_short_path_mean_the_same)
{
    static const char *const paths[] = {"blocks.core.parameters.warps=16", "core.parameters.warps=16", "core.warps=16"};
    for (size_t i = 0; i < 3; i++) {
        netlist *machine = bench_load(SMALL, OVERRIDES(paths[i]));
        cr_expect_eq(bench_value(machine, "core", "warps")->u, 16, "%s", paths[i]);
        netlist_free(machine);
    }
}

Test(netlist_overrides, come_from_the_command_line)
{
    netlist *machine = bench_load(SMALL, OVERRIDES("core.lanes=8", "core.l1.bytes=16 KiB"));
    const netlist_place *origin = bench_origin(machine, "core", "l1.bytes");
    cr_expect_str_eq(origin->file, "<command line>");
    cr_expect_eq(origin->line, 1);
    cr_expect_eq(origin->column, strlen("--set core.lanes=8 --set core.l1.bytes=") + 1);
    netlist_free(machine);
}

Test(netlist_overrides, reach_every_part_of_the_machine)
{
    netlist *machine =
        bench_load(SMALL, OVERRIDES("core.count=2", "core.clock=memory", "clocks.core=2 GHz", "dram.row_policy=closed",
                                    "watchdog=1 ms", "name=other", "core.scheduler={type: gto, age_rotation: 9 cycles}",
                                    "address_map.interleave=512 B", "launch_align=false"));
    cr_expect_eq(machine->blocks[bench_block(machine, "core")].count, 2);
    cr_expect_eq(machine->blocks[bench_block(machine, "core")].clock, 1);
    cr_expect_eq(machine->clocks[0].hz, 2000000000);
    cr_expect_eq(machine->clocks[1].hz, 1500000000, "the ratio follows");
    cr_expect_eq(bench_value(machine, "dram", "row_policy")->u, 1);
    cr_expect_eq(machine->watchdog, HD_PS_PER_SECOND / 1000);
    cr_expect_str_eq(machine->name, "other");
    cr_expect_eq(bench_value(machine, "core", "scheduler")->u, 1);
    cr_expect_eq(bench_value(machine, "core", "scheduler.age_rotation")->u, 9);
    cr_expect_eq(machine->address_map.interleave_bytes, 512);
    cr_expect_eq(machine->launch_align, 0);
    netlist_free(machine);
}

Test(netlist_overrides, the_later_one_wins)
{
    netlist *machine = bench_load(SMALL, OVERRIDES("core.warps=16", "core.warps=8"));
    cr_expect_eq(bench_value(machine, "core", "warps")->u, 8);
    netlist_free(machine);
}

Test(netlist_overrides, an_error_in_the_value_is_shown_in_its_place)
{
    char *errors = bench_errors(SMALL, OVERRIDES("core.warps=16", "core.label=[a"));
    cr_expect_str_eq(errors, "<command line>:1:40: error[N05]: did not find expected ',' or ']', while parsing a flow "
                             "sequence\n"
                             "    --set core.warps=16 --set core.label=[a\n"
                             "                                           ^\n"
                             "<command line>:1:38: note: it begins here\n"
                             "    --set core.warps=16 --set core.label=[a\n"
                             "                                         ^\n");
    free(errors);
}

Test(netlist_overrides, must_be_utf8)
{
    char *errors = bench_errors(SMALL, OVERRIDES("name=\xFF"));
    cr_expect_str_eq(errors, "<command line>:1:7: error[N03]: an override is not UTF-8 text\n"
                             "    --set name= \n"
                             "          ^~~~~~\n");
    free(errors);
}

Test(netlist_overrides, all_errors_are_shown_at_once)
{
    char *errors = bench_errors(SMALL, OVERRIDES("cor.warps=1", "core", "core.warps="));
    size_t count = 0;
    for (const char *at = errors; (at = strstr(at, "error[N14]")); at++)
        count++;
    cr_expect_eq(count, 3, "%s", errors);
    free(errors);
}
