/* SPDX-License-Identifier: MIT */
/* Area and power of tables of scratchpad words (Beaumont 2019, Table 4.5), those of sizes in between too. */
#include <criterion/criterion.h>
#include <string.h>

#include "core_class.h"
#include "estimate.h"

static hd_estimate estimate_of(uint64_t entries, const char *scratchpad, const char *compress, uint32_t cores)
{
    static hd_value values[CORE_VALUES_MAX];
    memset(values, 0, sizeof values);
    values[core_parameter_index("context.scratchpad_entries")].u = entries;
    values[core_parameter_index("context.scratchpad")].u = core_choice("context.scratchpad", scratchpad);
    values[core_parameter_index("context.compress")].u = core_choice("context.compress", compress);
    values[core_parameter_index("context.compress_cache")].u = 2048;
    netlist_block block = {.block_class = core_class, .count = cores, .values = values};
    netlist_clock clock = {.hz = 1600000000};
    return hd_estimate_of(&(netlist){.blocks = &block, .block_count = 1, .clocks = &clock});
}

TestSuite(context_tables, .init = core_class_compose, .fini = core_class_release);

Test(context_tables, have_the_published_area_and_power)
{
    static const struct {
        uint64_t entries;
        double square_micrometres, milliwatts;
    } rows[] = {{16, 17902, 18.5},
                {32, 36236, 36},
                {64, 72789, 74},
                {128, 165310, 149},
                {8, 17902 / 2.0, 18.5 / 2},
                {24, (17902 + 36236) / 2.0, (18.5 + 36) / 2},
                {48, (36236 + 72789) / 2.0, (36 + 74) / 2.0},
                {96, (72789 + 165310) / 2.0, (74 + 149) / 2.0},
                {80, 72789 + (165310 - 72789) / 4.0, 74 + (149 - 74) / 4.0},
                {256, 2 * 165310, 2 * 149}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const hd_estimate estimate = estimate_of(rows[i].entries, "written", "none", 1);
        cr_expect_float_eq(estimate.square_millimetres * 1e6, rows[i].square_micrometres, 0.01, "%lu", rows[i].entries);
        cr_expect_float_eq(estimate.milliwatts, rows[i].milliwatts, 1e-6, "%lu", rows[i].entries);
        cr_expect_float_eq(estimate.bytes, 17.5 * (double)rows[i].entries, 1e-6, "%lu", rows[i].entries);
        cr_expect_str_eq(estimate.process, "28 nm");
    }
}

/* 80 SMs of 128 entries: 13.2 mm2 and 11.9 W. */
Test(context_tables, of_a_whole_machine_add_up)
{
    const hd_estimate estimate = estimate_of(128, "written", "none", 80);
    cr_expect_float_eq(estimate.square_millimetres, 13.2248, 1e-6);
    cr_expect_float_eq(estimate.milliwatts, 11920, 1e-3);
}

Test(context_tables, are_there_where_they_are_used)
{
    cr_expect_eq(estimate_of(128, "whole", "none", 1).bytes, 0);
    cr_expect_eq(estimate_of(0, "written", "none", 1).bytes, 0);
    cr_expect_eq(estimate_of(128, "whole", "move", 1).bytes, 0);
    const hd_estimate patterns = estimate_of(128, "whole", "write", 2);
    cr_expect_eq(patterns.bytes, 2 * 2048);
    cr_expect_null(patterns.process, "no area or power is published");
}
