/* SPDX-License-Identifier: MIT */
/* What GPU-LocalTM takes of a core's memories: the numbers of the paper's §4, by whole rows of banks. */
#include <criterion/criterion.h>
#include <string.h>

#include "core_class.h"
#include "estimate.h"

/* One work-group of 4 wavefronts of 64, 65,536 registers. */
static hd_estimate estimate_of(uint64_t bytes, uint64_t banks, const char *detection, const char *checkpoint)
{
    static hd_value values[CORE_VALUES_MAX];
    memset(values, 0, sizeof values);
    values[core_parameter_index("tx")].u = core_choice("tx", "local");
    values[core_parameter_index("tx.local.detection")].u = core_choice("tx.local.detection", detection);
    values[core_parameter_index("tx.local.checkpoint")].u = core_choice("tx.local.checkpoint", checkpoint);
    values[core_parameter_index("scratchpad.bytes")].u = bytes;
    values[core_parameter_index("scratchpad.banks")].u = banks;
    values[core_parameter_index("lanes")].u = 64;
    values[core_parameter_index("warps")].u = 4;
    values[core_parameter_index("registers")].u = 65536;
    netlist_block block = {.block_class = core_class, .count = 1, .values = values};
    netlist_clock clock = {.hz = 925000000};
    return hd_estimate_of(&(netlist){.blocks = &block, .block_count = 1, .clocks = &clock});
}

static double bytes_of(const hd_estimate *estimate, const char *structure)
{
    for (uint32_t i = 0; i < estimate->item_count; i++)
        if (strstr(estimate->items[i].structure, structure))
            return estimate->items[i].bytes;
    return 0;
}

/* The paper has 29,126 B of data, 7,282 B of owners and 228 registers: it does not divide the words among banks. */
Test(estimate, local_transactions_take_what_the_paper_says, .init = core_class_compose, .fini = core_class_release)
{
    const hd_estimate estimate = estimate_of(65536, 32, "dcd", "shadow");
    cr_expect_eq(estimate.item_count, 6);
    cr_expect_eq(bytes_of(&estimate, "backups"), 29056, "227 rows");
    cr_expect_eq(bytes_of(&estimate, "owners"), 57 * 128);
    cr_expect_eq(bytes_of(&estimate, "states"), 8 * 32 * 4, "8 registers of each bank; 7.1 of them have bits");
    cr_expect_eq(bytes_of(&estimate, "masks of conflicts"), 8 * 4, "8 scalar registers");
    cr_expect_eq(bytes_of(&estimate, "masks and turns"), 4 * (2 * 64 + 10) / 8.0);
    cr_expect_eq(bytes_of(&estimate, "copies"), 65536 / 2 * 4);
    cr_expect_eq(estimate.square_millimetres, 0);
    cr_expect_null(estimate.process);
    cr_expect_float_eq((29056.0 + 57 * 128) / 65536, 0.556, 0.002, "of the scratchpad");
    cr_expect_lt(bytes_of(&estimate, "states") / (65536 * 4), 0.004);
}

Test(estimate, local_transactions_with_several_readers_take_a_bit_more, .init = core_class_compose,
     .fini = core_class_release)
{
    const hd_estimate estimate = estimate_of(65536, 32, "smdcd", "ideal");
    cr_expect_eq(bytes_of(&estimate, "states"), 15 * 32 * 4);
    cr_expect_eq(bytes_of(&estimate, "copies"), 0);
    cr_expect_eq(estimate.item_count, 5);
}

Test(estimate, local_transactions_take_their_part_of_any_scratchpad, .init = core_class_compose,
     .fini = core_class_release)
{
    static const struct {
        uint64_t bytes, banks, backups, owners;
    } sizes[] = {{32768, 32, 14464, 29 * 128}, {16384, 32, 7168, 14 * 128}, {65536, 16, 29120, 114 * 64}};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const hd_estimate estimate = estimate_of(sizes[i].bytes, sizes[i].banks, "dcd", "shadow");
        cr_expect_eq(bytes_of(&estimate, "backups"), sizes[i].backups);
        cr_expect_eq(bytes_of(&estimate, "owners"), sizes[i].owners);
    }
}
