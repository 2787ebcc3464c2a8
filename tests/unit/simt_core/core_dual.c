/* SPDX-License-Identifier: MIT */
/* Two instructions of a warp in one cycle: which pairs, what they save, and how they are counted. */
#include "core_cost.h"
#include "core_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define ONE_WARP "simd_width=32", "multiply.interval=1 cycle"
static const char *const single[] = {ONE_WARP, NULL};
static const char *const dual[] = {ONE_WARP, "issue.per_warp=2", NULL};
static const char *const any_unit[] = {ONE_WARP, "issue.per_warp=2", "issue.different_units=false", NULL};

static uint64_t pair_cost(const char *const *parameters, uint32_t first, uint32_t second)
{
    const uint32_t words[] = {first, second};
    return core_cost_of(parameters, words, 2, 20, 32);
}

Test(simt_core_dual, independent_instructions_of_two_units_issue_together)
{
    const uint32_t sum = addi(ZERO, T1, 1), product = mul(ZERO, T1, T1);
    cr_expect_eq(pair_cost(single, sum, product), 20 * 2);
    cr_expect_eq(pair_cost(dual, sum, product), 20 * 1);
    cr_expect_eq(pair_cost(dual, product, sum), 20 * 1);
    cr_expect_eq(pair_cost(dual, sum, sum), 20 * 2, "one unit");
    cr_expect_eq(pair_cost(dual, product, product), 20 * 2);
    cr_expect_eq(pair_cost(any_unit, sum, sum), 20 * 1);
    cr_expect_eq(pair_cost(any_unit, product, product), 20 * 2, "it is busy");
}

Test(simt_core_dual, dependent_instructions_do_not)
{
    const uint32_t read[] = {addi(T0, ZERO, 1), mul(T1, T0, T0)}, written[] = {addi(T0, T2, 1), mul(T0, T2, T2)};
    cr_expect_eq(pair_cost(dual, read[0], read[1]), pair_cost(single, read[0], read[1]));
    cr_expect_eq(pair_cost(dual, written[0], written[1]), pair_cost(single, written[0], written[1]));
}

Test(simt_core_dual, a_branch_comes_second_but_has_no_second)
{
    const uint32_t product = mul(ZERO, T1, T1), branch = beq(ZERO, T1, 4);
    const uint64_t alone = core_cost(single, branch, 20, 32);
    cr_expect_eq(pair_cost(dual, product, branch), alone);
    cr_expect_eq(pair_cost(single, product, branch), alone + 20);
    cr_expect_eq(pair_cost(dual, branch, branch), 2 * alone);
}

Test(simt_core_dual, operands_must_be_there)
{
    const char *const window[] = {ONE_WARP, "issue.per_warp=2", "registers.banks=1", "registers.read_window=3 cycles",
                                  NULL};
    const char *const collectors[] = {ONE_WARP, "issue.per_warp=2", "registers.banks=8", "registers.collectors=1",
                                      NULL};
    cr_expect_eq(pair_cost(window, addi(ZERO, T1, 1), mul(ZERO, T1, T1)), 20 * 2, "one read per cycle");
    cr_expect_eq(pair_cost(collectors, addi(ZERO, T1, 1), mul(ZERO, T2, T2)), 20 * 2);
}

static uint64_t value_of(core_rig *rig, const char *name)
{
    return kit_statistic(rig_kit(rig), name);
}

static void expect_pairs(const char *const *parameters, const uint32_t *words, uint32_t instructions, uint64_t pairs)
{
    uint64_t slots = 0;
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    for (uint32_t i = 0; i < hd_simt_core_timed.statistic_count; i++) {
        const char *name = hd_simt_core_timed.statistics[i].name;
        slots += strncmp(name, "slots_", 6) ? 0 : value_of(rig, name);
    }
    cr_expect_eq(slots, value_of(rig, "cycles") * 2);
    cr_expect_eq(value_of(rig, "warp_instructions"), instructions);
    cr_expect_eq(value_of(rig, "dual_issues"), pairs, "%lu", value_of(rig, "dual_issues"));
    cr_expect_eq(value_of(rig, "slots_issued"), instructions - pairs);
    rig_destroy(rig);
}

/* Every second product stays in its port for a cycle, and nothing comes with it. */
Test(simt_core_dual, what_waits_for_its_operands_is_alone)
{
    const char *const window[] = {ONE_WARP, "issue.per_warp=2", "registers.banks=1", "registers.read_window=3 cycles",
                                  NULL};
    uint32_t words[18];
    for (uint32_t i = 0; i < 8; i++) {
        words[2 * i] = r_type(0x53, 0, 0x08, 20 + i, 0, 1); /* fmul.s: two reads */
        words[2 * i + 1] = mul(ZERO, ZERO, ZERO);
    }
    words[16] = ret();
    words[17] = 0;
    expect_pairs(window, words, 17, 5);
}

/* A branch, pairs from the next word on, and two products at the end. */
Test(simt_core_dual, a_pair_comes_from_one_line_of_the_instruction_cache)
{
    const char *const long_lines[] = {ONE_WARP, "issue.per_warp=2", "instruction_cache.bytes=1 KiB",
                                      "instruction_cache.line=128 B", NULL};
    const char *const short_lines[] = {ONE_WARP, "issue.per_warp=2", "instruction_cache.bytes=1 KiB",
                                       "instruction_cache.line=32 B", NULL};
    uint32_t words[18] = {beq(ZERO, T1, 4)};
    for (uint32_t i = 1; i < 15; i++)
        words[i] = i % 2 ? addi(ZERO, T1, 1) : mul(ZERO, T1, T1);
    words[15] = mul(ZERO, T1, T1);
    words[16] = ret();
    words[17] = 0;
    expect_pairs(single, words, 17, 0);
    expect_pairs(dual, words, 17, 8);
    expect_pairs(long_lines, words, 17, 8);
    expect_pairs(short_lines, words, 17, 6);
}

/* Lanes that wait at the meeting point join before its instruction. */
Test(simt_core_dual, lanes_that_meet_do_not_issue_what_is_behind_in_the_same_cycle)
{
    const uint32_t product = mul(ZERO, T1, T1), sum = addi(ZERO, T1, 1);
    const uint32_t words[] = {csrr(T0, 0xCCC), beq(T0, ZERO, 8), sum, product, product, ret(), 0};
    const uint32_t without[] = {csrr(T0, 0xCCC), sum, product, product, ret(), 0};
    expect_pairs(dual, words, 6, 1); /* the last two */
    expect_pairs(dual, without, 5, 2);
}
