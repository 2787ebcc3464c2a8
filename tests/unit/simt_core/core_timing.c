/* SPDX-License-Identifier: MIT */
/* Cycles of straight-line and looping code against the formulas that the parameters imply. */
#include "core_cost.h"
#include "core_rig.h"

#include <criterion/criterion.h>

#define LENGTH 40u

static const char *const standard[] = {NULL};

Test(simt_core, dependent_adds_wait_for_register_read_execute_and_write_back)
{
    const char *const parameters[] = {"register_read.latency=3 cycles", "integer.latency=5 cycles",
                                      "write_back.latency=2 cycles", NULL};
    cr_expect_eq(core_cost(standard, addi(T0, T0, 1), LENGTH, 32), LENGTH * (2 + 4 + 1));
    cr_expect_eq(core_cost(parameters, addi(T0, T0, 1), LENGTH, 32), LENGTH * (3 + 5 + 2));
}

Test(simt_core, each_functional_unit_has_its_own_latency)
{
    static const struct {
        const char *parameter;
        uint32_t word;
        uint32_t latency;
    } units[] = {
        {"multiply.latency=9 cycles", 0x025282B3 /* mul t0, t0, t0 with rs2 = t0 */, 9},
        {"divide.latency=50 cycles", 0, 50},
        {"float.latency=6 cycles", 0x00107053 /* fadd.s ft0, ft0, ft1 */, 6},
        {"float_fma.latency=11 cycles", 0x00007043 /* fmadd.s ft0, ft0, ft0, ft0 */, 11},
        {"float_divide.latency=33 cycles", 0x18107053 /* fdiv.s ft0, ft0, ft1 */, 33},
        {"special.latency=17 cycles", 0x0200702B /* sf.sqrt ft0, ft0 */, 17},
        {"shift.latency=19 cycles", 0x00129293 /* slli t0, t0, 1 */, 19},
        {"integer.latency=7 cycles", 0x00129293, 7},
        {"compare.latency=21 cycles", 0x0012B293 /* sltiu t0, t0, 1 */, 21},
        {"compare.latency=22 cycles", 0x28000053 /* fmin.s ft0, ft0, ft0 */, 22},
        {"integer.latency=8 cycles", 0x0012B293, 8},
        {"float.latency=9 cycles", 0x28000053, 9},
        {"cross_lane.latency=13 cycles", 0, 13},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const char *const parameters[] = {units[i].parameter, NULL};
        uint32_t word = units[i].word;
        if (units[i].latency == 50)
            word = divu(T0, T0, T1);
        if (units[i].latency == 13)
            word = vote_any(T0, T0);
        cr_expect_eq(core_cost(parameters, word, 10, 32), 10 * (2 + units[i].latency + 1), "%s: %lu",
                     units[i].parameter, (unsigned long)core_cost(parameters, word, 10, 32));
    }
}

Test(simt_core, all_shifts_and_all_compares_have_theirs)
{
    static const uint32_t shifts[] = {0x00129293 /* slli t0, t0, 1 */, 0x0012D293 /* srli */, 0x4012D293 /* srai */,
                                      0x006292B3 /* sll t0, t0, t1 */, 0x0062D2B3 /* srl */,  0x4062D2B3 /* sra */};
    static const uint32_t compares[] = {0x0012A293 /* slti t0, t0, 1 */,       0x0012B293 /* sltiu */,
                                        0x0062A2B3 /* slt t0, t0, t1 */,       0x0062B2B3 /* sltu */,
                                        0x28000053 /* fmin.s ft0, ft0, ft0 */, 0x28001053 /* fmax.s */};
    static const uint32_t unordered[] = {0xA0002053 /* feq.s zero, ft0, ft0 */, 0xA0001053 /* flt.s */,
                                         0xA0000053 /* fle.s */};
    const char *const shift[] = {"shift.latency=19 cycles", NULL}, *const compare[] = {"compare.latency=21 cycles",
                                                                                       NULL};
    const char *const interval[] = {"compare.interval=5 cycles", NULL};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        cr_expect_eq(core_cost(shift, shifts[i], 10, 32), 10 * (2 + 19 + 1), "0x%08x", shifts[i]);
    for (size_t i = 0; i < sizeof compares / sizeof *compares; i++)
        cr_expect_eq(core_cost(compare, compares[i], 10, 32), 10 * (2 + 21 + 1), "0x%08x", compares[i]);
    for (size_t i = 0; i < sizeof unordered / sizeof *unordered; i++)
        cr_expect_eq(core_cost(interval, unordered[i], 10, 32), 10 * 5, "0x%08x", unordered[i]);
}

Test(simt_core, independent_instructions_issue_as_fast_as_port_and_fetch_allow)
{
    const char *const wide[] = {"simd_width=32", NULL};
    const char *const narrow[] = {"simd_width=8", NULL};
    const char *const slow_fetch[] = {"fetch.latency=6 cycles", NULL};
    cr_expect_eq(core_cost(wide, addi(T0, T1, 1), LENGTH, 32) / LENGTH, 7,
                 "a register written twice waits for the first write");
    cr_expect_eq(core_cost(standard, addi(ZERO, T1, 1), LENGTH, 32), LENGTH * 2);
    cr_expect_eq(core_cost(wide, addi(ZERO, T1, 1), LENGTH, 32), LENGTH * 1);
    cr_expect_eq(core_cost(narrow, addi(ZERO, T1, 1), LENGTH, 32), LENGTH * 4);
    cr_expect_eq(core_cost(slow_fetch, addi(ZERO, T1, 1), LENGTH, 32), LENGTH * 6);
}

Test(simt_core, warps_share_ports_and_fetch)
{
    const char *const one_port[] = {"schedulers=1", NULL};
    const char *const four_ports[] = {"schedulers=4", "simd_width=32", NULL};
    const char *const four_fetches[] = {"schedulers=4", "simd_width=32", "fetch.width=4", NULL};
    cr_expect_eq(core_cost(one_port, addi(ZERO, T1, 1), LENGTH, 128), LENGTH * 4 * 2);
    cr_expect_eq(core_cost(standard, addi(ZERO, T1, 1), LENGTH, 128), LENGTH * 4);
    cr_expect_eq(core_cost(four_ports, addi(ZERO, T1, 1), LENGTH, 128), LENGTH * 4);
    cr_expect_eq(core_cost(four_fetches, addi(ZERO, T1, 1), LENGTH, 128), LENGTH);
}

Test(simt_core, multiplies_without_an_interval_go_as_often_as_other_instructions)
{
    const char *const multiply[] = {"schedulers=4", "simd_width=32", "fetch.width=4", "multiply.interval=0 cycles",
                                    NULL};
    cr_expect_eq(core_cost(multiply, mul(ZERO, T1, T1), LENGTH, 128), LENGTH);
}

Test(simt_core, a_unit_with_an_interval_limits_all_warps)
{
    const char *const multiply[] = {"multiply.interval=6 cycles", NULL};
    const char *const divide[] = {"divide.interval=20 cycles", NULL};
    const char *const shift[] = {"shift.interval=3 cycles", "scheduler=lrr", NULL};
    const char *const compare[] = {"compare.interval=4 cycles", "scheduler=lrr", NULL};
    const char *const special[] = {"special.interval=5 cycles", "scheduler=lrr", NULL};
    const char *const float_divide[] = {"float_divide.interval=10 cycles", "scheduler=lrr", NULL};
    cr_expect_eq(core_cost(multiply, mul(ZERO, T1, T1), LENGTH, 128), LENGTH * 4 * 6);
    cr_expect_eq(core_cost(divide, divu(ZERO, T1, T1), 10, 128), 10 * 4 * 20);
    cr_expect_eq(core_cost(float_divide, 0x18107053, 10, 1024), 10 * 32 * 10);
    cr_expect_eq(core_cost(shift, slli(ZERO, T1, 1), 10, 1024), 10 * 32 * 3);
    cr_expect_eq(core_cost(shift, addi(ZERO, T1, 1), 10, 1024), 10 * 32, "others go on as they did");
    cr_expect_eq(core_cost(compare, 0x00133013 /* sltiu zero, t1, 1 */, 10, 1024), 10 * 32 * 4);
    cr_expect_eq(core_cost(compare, 0xA2102053 /* feq.s zero, ft0, ft1 */ & ~(1u << 25), 10, 1024), 10 * 32 * 4);
    cr_expect_eq(core_cost(special, 0x0600F02B /* sf.sin ft0, ft1 */, 10, 1024), 10 * 32 * 5);
}

Test(simt_core, a_branch_stops_fetch_until_it_is_resolved)
{
    const char *const slow[] = {"branch.latency=7 cycles", NULL};
    cr_expect_eq(core_cost(standard, beq(ZERO, T1, 4), LENGTH, 32), LENGTH * (2 + 2 + 1 + 1));
    cr_expect_eq(core_cost(slow, beq(ZERO, T1, 4), LENGTH, 32), LENGTH * (2 + 7 + 1 + 1));
    cr_expect_eq(core_cost(standard, jal(ZERO, 4), LENGTH, 32), LENGTH * (2 + 2 + 1 + 1));
}

Test(simt_core, the_simple_scoreboard_lets_one_instruction_fly)
{
    const char *const simple[] = {"scoreboard=simple", NULL};
    cr_expect_eq(core_cost(simple, addi(ZERO, T1, 1), LENGTH, 32), LENGTH * 7);
}

Test(simt_core, a_barrier_releases_some_cycles_after_the_last_arrival)
{
    const char *const slow[] = {"barrier.latency=25 cycles", NULL};
    uint64_t fast_cost = core_cost(standard, bar_sync(0), 10, 32), slow_cost = core_cost(slow, bar_sync(0), 10, 32);
    cr_expect_eq(slow_cost - fast_cost, 10 * (25 - 5));
    cr_expect_eq(fast_cost, 10 * (5 + 1), "release, then fetch and decode");
    cr_expect_eq(core_cost(standard, warp_sync(), 10, 32), 10 * (5 + 1));
}

Test(simt_core, every_issue_slot_is_counted_once)
{
    static const uint32_t words[] = {0x010007B7 /* lui a5, scratchpad */,
                                     0x10010737 /* lui a4, DATA */,
                                     0x00072283 /* lw t0, 0(a4) */,
                                     0x00128293 /* addi t0, t0, 1 */,
                                     0x0000300B /* bar.sync 0 */,
                                     0x00572023 /* sw t0, 0(a4) */,
                                     0x00008067 /* ret */,
                                     0};
    core_rig *rig = rig_create(standard, words);
    uint64_t sum = 0;
    rig_launch(rig, 300, 0);
    rig_finish(rig);
    for (uint32_t i = 0; i < hd_simt_core_timed.statistic_count; i++) {
        const char *name = hd_simt_core_timed.statistics[i].name;
        sum += strncmp(name, "slots_", 6) ? 0 : kit_statistic(rig_kit(rig), name);
    }
    cr_expect_eq(sum, kit_statistic(rig_kit(rig), "cycles") * 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "slots_issued"), kit_statistic(rig_kit(rig), "warp_instructions"));
    cr_expect_eq(kit_statistic(rig_kit(rig), "warp_instructions"), 7 * 10);
    cr_expect_eq(kit_statistic(rig_kit(rig), "thread_instructions"), 7 * 300);
    cr_expect_gt(kit_statistic(rig_kit(rig), "slots_memory_data"), 0);
    cr_expect_gt(kit_statistic(rig_kit(rig), "slots_decode"), 0);
    rig_destroy(rig);
}
