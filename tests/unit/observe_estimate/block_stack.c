/* SPDX-License-Identifier: MIT */
/* What the stacks and the warp buffer of thread block compaction hold, in bits: 32 warps of 32 lanes, 8 blocks, 16 entries. */
#include <criterion/criterion.h>
#include <string.h>

#include "core_class.h"
#include "estimate.h"

#define MASK_BITS 16384u
#define ENTRY_BITS 8960u
#define LIKELY_BITS 4608u
#define THREAD_BITS 5120u

static hd_estimate estimate_of(uint64_t warps, uint64_t likely, uint32_t cores)
{
    static hd_value values[CORE_VALUES_MAX];
    memset(values, 0, sizeof values);
    values[core_parameter_index("reconvergence")].u = core_choice("reconvergence", "block_stack");
    values[core_parameter_index("reconvergence.block_stack.entries")].u = 16;
    values[core_parameter_index("reconvergence.block_stack.likely_points")].u = likely;
    values[core_parameter_index("warps")].u = warps;
    values[core_parameter_index("lanes")].u = 32;
    values[core_parameter_index("blocks")].u = 8;
    netlist_block block = {.block_class = core_class, .count = cores, .values = values};
    netlist_clock clock = {.hz = 325000000};
    return hd_estimate_of(&(netlist){.blocks = &block, .block_count = 1, .clocks = &clock});
}

TestSuite(block_stack, .init = core_class_compose, .fini = core_class_release);

Test(block_stack, has_the_bits_of_the_thesis)
{
    cr_expect_eq(estimate_of(32, 1, 1).bytes * 8, MASK_BITS + ENTRY_BITS + LIKELY_BITS + THREAD_BITS);
    cr_expect_eq(estimate_of(32, 0, 1).bytes * 8, MASK_BITS + ENTRY_BITS + THREAD_BITS, "without likely points");
    cr_expect_eq(estimate_of(32, 1, 30).bytes * 8, 30 * (MASK_BITS + ENTRY_BITS + LIKELY_BITS + THREAD_BITS));
    cr_expect_null(estimate_of(32, 1, 1).process, "no area or power is published");
}

Test(block_stack, grows_with_the_warps)
{
    cr_expect_eq(estimate_of(16, 0, 1).bytes * 8, MASK_BITS / 2 + 8 * 16 * (64 + 5) + 16 * 32 * 4);
}
