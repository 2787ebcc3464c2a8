/* SPDX-License-Identifier: MIT */
/* What the stacks and the warp buffer of thread block compaction hold, in bits: 32 warps of 32 lanes, 8 blocks, 16 entries. */
#include <criterion/criterion.h>
#include <string.h>

#include "compose.h"
#include "estimate.h"
#include "simt_core.h"

#define VALUES_MAX 320u
#define MASK_BITS 16384u
#define ENTRY_BITS 8960u
#define LIKELY_BITS 4608u
#define THREAD_BITS 5120u

static const hd_block_class *core;

static uint32_t index_of(const char *name)
{
    for (uint32_t i = 0; i < core->parameter_count; i++)
        if (!strcmp(core->parameters[i].name, name))
            return i;
    cr_assert_fail("no %s", name);
    return 0;
}

static uint64_t number_of(const char *name, const char *choice)
{
    const char *choices = core->parameters[index_of(name)].choices;
    uint64_t number = 0;
    for (const char *at = choices; at < strstr(choices, choice); at++)
        number += *at == '|';
    return number;
}

static hd_estimate estimate_of(uint64_t warps, uint64_t likely, uint32_t cores)
{
    static hd_value values[VALUES_MAX];
    memset(values, 0, sizeof values);
    cr_assert_leq(core->parameter_count, VALUES_MAX);
    values[index_of("reconvergence")].u = number_of("reconvergence", "block_stack");
    values[index_of("reconvergence.block_stack.entries")].u = 16;
    values[index_of("reconvergence.block_stack.likely_points")].u = likely;
    values[index_of("warps")].u = warps;
    values[index_of("lanes")].u = 32;
    values[index_of("blocks")].u = 8;
    netlist_block block = {.block_class = core, .count = cores, .values = values};
    netlist_clock clock = {.hz = 325000000};
    return hd_estimate_of(&(netlist){.blocks = &block, .block_count = 1, .clocks = &clock});
}

static void compose(void)
{
    core = units_compose(&hd_simt_core_timed, NULL, 0);
}

static void release(void)
{
    units_release(core);
}

TestSuite(block_stack, .init = compose, .fini = release);

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
