/* SPDX-License-Identifier: MIT */
/* Known answers per class of instruction: lanes per cycle with many warps (K5 to K7), and warps that fill a port (K4). */
#include "core_cost.h"
#include "core_rig.h"

#include <criterion/criterion.h>

/* sf.rsqrt to eight registers in turn, from another one */
static uint64_t root_cost(const char *const *parameters, uint32_t more)
{
    uint32_t words[8];
    for (uint32_t i = 0; i < 8; i++)
        words[i] = r_type(0x2B, 7, 2, i, 15, 0);
    return core_cost_of(parameters, words, 8, more, 1024);
}

/* Cycles for a warp's instruction, with 32 warps. */
static void expect_interval(const char *const *parameters, uint32_t word, uint32_t cycles)
{
    const uint64_t cost = core_cost(parameters, word, 20, 1024);
    cr_expect_eq(cost, 20 * 32 * (uint64_t)cycles, "0x%08x: %lu cycles", word, (unsigned long)cost);
}

Test(simt_core_units, a_fermi_core_has_16_lanes_for_products_and_shifts_and_4_for_special_functions)
{
    const char *const fermi[] = {"simd_width=16",
                                 "multiply.interval=2 cycles",
                                 "shift.interval=2 cycles",
                                 "special.interval=8 cycles",
                                 "compare.interval=1 cycle",
                                 "scheduler=lrr",
                                 NULL};
    expect_interval(fermi, mul(ZERO, T1, T1), 2);
    expect_interval(fermi, slli(ZERO, T1, 3), 2);
    expect_interval(fermi, 0x00133013 /* sltiu zero, t1, 1 */, 1);
    expect_interval(fermi, addi(ZERO, T1, 1), 1);
    cr_expect_eq(root_cost(fermi, 4), 4 * 8 * 32 * 8);
}

Test(simt_core_units, a_volta_core_has_64_lanes_for_products_and_16_for_special_functions)
{
    const char *const volta[] = {"schedulers=4",
                                 "simd_width=16",
                                 "fetch.width=4",
                                 "multiply.interval=1 cycle",
                                 "special.interval=2 cycles",
                                 "scheduler=lrr",
                                 NULL};
    expect_interval(volta, mul(ZERO, T1, T1), 1);
    cr_expect_eq(root_cost(volta, 4), 4 * 8 * 32 * 2);
    cr_expect_eq(core_cost(volta, addi(ZERO, T1, 1), 20, 1024), 20 * 16, "two warps per cycle");
}

/* K1 and K4: a chain takes register read, unit and write-back; as many warps as that takes issues fill a port. */
Test(simt_core_units, dependent_instructions_of_several_warps_fill_a_port)
{
    const char *const port[] = {"schedulers=1", "simd_width=32", "integer.latency=15 cycles", "scheduler=lrr", NULL};
    const uint32_t chain = addi(T0, T0, 1);
    cr_expect_eq(core_cost(port, chain, 40, 32), 40 * 18);
    cr_expect_eq(core_cost(port, chain, 40, 9 * 32), 40 * 18);
    cr_expect_eq(core_cost(port, chain, 40, 18 * 32), 40 * 18, "18 warps: each cycle issues");
    cr_expect_eq(core_cost(port, chain, 40, 24 * 32), 40 * 24);
}
