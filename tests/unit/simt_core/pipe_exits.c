/* SPDX-License-Identifier: MIT */
/* Pipelines with one exit: alone, against an oracle, and in the core. */
#include "pipe_exits.h"
#include "core_cost.h"
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* An instruction enters each port per cycle, or when the one before has entered; which cycles are taken is written down. */
Test(simt_core_pipe_exits, are_taken_by_one_each)
{
    enum { PORTS = 2, INSTRUCTIONS = 20000, LATENCY_MOST = 1000, CYCLES = INSTRUCTIONS * (LATENCY_MOST + 1) };
    pipe_exits exits = {0};
    cr_assert_eq(pipe_exits_create(&exits, 1, PORTS), 0);
    pipe_exits_reset(&exits);
    srand(5);
    for (uint32_t port = 0; port < PORTS; port++) {
        uint8_t *taken = calloc(CYCLES, 1);
        uint64_t cycle = 0;
        for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
            const uint32_t latency = rand() % 8 ? 1 + (uint32_t)rand() % 4 : 1 + (uint32_t)rand() % LATENCY_MOST;
            uint64_t leaves = cycle + latency;
            while (taken[leaves])
                leaves++;
            taken[leaves] = 1;
            const uint32_t waits = pipe_exits_take(&exits, port, cycle + latency);
            cr_assert_eq(waits, leaves - cycle - latency, "instruction %u of port %u", i, port);
            cycle += 1 + waits;
        }
        free(taken);
    }
    pipe_exits_destroy(&exits);
}

#define LATENCIES "integer.latency=4 cycles", "multiply.latency=7 cycles", "multiply.interval=0 cycles"
static const char *const off[] = {"simd_width=32", "fetch.width=2", LATENCIES, NULL};
static const char *const on[] = {"simd_width=32", "fetch.width=2", LATENCIES, "write_back.one_per_port=true", NULL};

enum { WORDS = 12, ROUNDS = 4 };

/* Independent instructions of two warps, each with a port of its own: sums, every second one a product if mixed. */
static uint64_t cycles_of(const char *const *parameters, uint32_t mixed)
{
    uint32_t words[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = mixed && i % 2 == 0 ? mul(A0 + i, T1, T1) : addi(A0 + i, T1, 1);
    return core_cost_of(parameters, words, WORDS, ROUNDS, 64);
}

/* A product leaves in the cycle of the sum three cycles behind it. */
static uint64_t expected(void)
{
    uint8_t taken[10 * WORDS * ROUNDS] = {0};
    uint64_t cycle = 0;
    for (uint32_t i = 0; i < WORDS * ROUNDS; i++) {
        uint64_t leaves = cycle + (i % 2 ? 4 : 7);
        const uint64_t first = leaves;
        while (taken[leaves])
            leaves++;
        taken[leaves] = 1;
        cycle += 1 + leaves - first;
    }
    return cycle;
}

Test(simt_core_pipe_exits, instructions_of_several_latencies_keep_each_other_waiting)
{
    cr_expect_eq(cycles_of(off, 0), WORDS * ROUNDS);
    cr_expect_eq(cycles_of(on, 0), WORDS * ROUNDS, "of one latency nobody waits");
    cr_expect_eq(cycles_of(off, 1), WORDS * ROUNDS);
    const uint64_t cycles = cycles_of(on, 1), at_least = expected();
    cr_expect_gt(at_least, WORDS * ROUNDS + 10);
    cr_expect(cycles >= at_least && cycles <= at_least + 8, "%lu, expected %lu and the edges", cycles, at_least);
}

/* The third sum behind a product leaves a cycle later than without it, and so does what needs the sum. */
Test(simt_core_pipe_exits, results_come_later)
{
    const uint32_t words[] = {mul(A0, T1, T1), addi(A1, T1, 1), addi(A2, T1, 1), addi(A3, T1, 1), add(A4, A3, A3)};
    cr_expect_eq(core_cost_of(on, words, 5, 1, 32), core_cost_of(off, words, 5, 1, 32) + 1);
}

/* A quotient or a product that takes as long as the sum behind it and one more; the return leaves two cycles after it is issued. Only
 * the divider has a pipeline of its own. */
Test(simt_core_pipe_exits, concern_the_units_of_the_port)
{
    static const char *const parameters[] = {"integer.latency=4 cycles",
                                             "divide.latency=5 cycles",
                                             "divide.interval=1 cycle",
                                             "multiply.latency=5 cycles",
                                             "multiply.interval=0 cycles",
                                             "branch.latency=2 cycles",
                                             "simd_width=32",
                                             "fetch.width=2",
                                             "write_back.one_per_port=true",
                                             NULL};
    static const struct {
        uint32_t words[4], waits, cycles;
    } cases[] = {
        {{0x02634533 /* div a0, t1, t1 */, 0x00130593 /* addi a1, t1, 1 */, 0x00008067 /* ret */, 0}, 0, 0},
        {{0x02630533 /* mul a0, t1, t1 */, 0x00130593 /* addi a1, t1, 1 */, 0x00008067 /* ret */, 0}, 2, 3},
    };
    for (size_t i = 0; i < 2; i++) {
        core_rig *rig = rig_create(parameters, cases[i].words);
        rig_launch(rig, 32, 0);
        rig_finish(rig);
        cr_expect_eq(kit_statistic(rig_kit(rig), "exit_waits"), cases[i].waits, "case %zu", i);
        cr_expect_eq(kit_statistic(rig_kit(rig), "exit_wait_cycles"), cases[i].cycles, "case %zu: %lu", i,
                     kit_statistic(rig_kit(rig), "exit_wait_cycles"));
        rig_destroy(rig);
    }
}

/* A compare that leaves beside the sum behind it, which waits a cycle in the port. A quotient would issue with the sum, but comes when the
 * port is free, with the next compare. */
Test(simt_core_pipe_exits, what_waits_for_its_exit_is_alone)
{
#define TWO_PER_WARP                                                                                                   \
    "simd_width=32", "issue.per_warp=2", "integer.latency=4 cycles", "compare.latency=5 cycles",                       \
        "divide.interval=1 cycle"
    static const char *const free_exits[] = {TWO_PER_WARP, NULL};
    static const char *const one_exit[] = {TWO_PER_WARP, "write_back.one_per_port=true", NULL};
    const uint32_t words[] = {r_type(0x33, 2, 0, ZERO, T1, T1), addi(ZERO, T1, 1), r_type(0x33, 4, 1, ZERO, T1, T1)};
    cr_expect_eq(core_cost_of(free_exits, words, 3, 20, 32), 20 * 2);
    cr_expect_eq(core_cost_of(one_exit, words, 3, 20, 32), 20 * 3);
}

/* A product and a sum that would leave beside it read registers of different banks. */
Test(simt_core_pipe_exits, a_wait_is_not_for_operands)
{
    static const char *const parameters[] = {"simd_width=32",
                                             "integer.latency=4 cycles",
                                             "multiply.latency=5 cycles",
                                             "multiply.interval=0 cycles",
                                             "registers.banks=8",
                                             "registers.read_window=3 cycles",
                                             "write_back.one_per_port=true",
                                             NULL};
    const uint32_t words[] = {mul(A0, T1, T2), addi(A1, T1, 1), ret(), 0};
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_gt(kit_statistic(rig_kit(rig), "exit_wait_cycles"), 0);
    cr_expect_eq(kit_statistic(rig_kit(rig), "slots_port_busy"), kit_statistic(rig_kit(rig), "exit_wait_cycles"));
    cr_expect_eq(kit_statistic(rig_kit(rig), "operand_wait_cycles"), 0);
    cr_expect_eq(kit_statistic(rig_kit(rig), "slots_registers"), 0);
    rig_destroy(rig);
}

/* The product has both operands from one bank and leaves a cycle later, beside the sum; the return cannot leave before either. */
Test(simt_core_pipe_exits, are_reached_later_by_what_waits_for_operands)
{
    static const char *const parameters[] = {"simd_width=32",
                                             "integer.latency=4 cycles",
                                             "multiply.latency=4 cycles",
                                             "multiply.interval=0 cycles",
                                             "branch.latency=8 cycles",
                                             "registers.banks=8",
                                             "registers.collectors=8",
                                             "write_back.one_per_port=true",
                                             NULL};
    const uint32_t words[] = {mul(A0, 8, 16), addi(A1, T1, 1), ret(), 0};
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "operand_wait_cycles"), 1);
    cr_expect_eq(kit_statistic(rig_kit(rig), "exit_waits"), 1);
    cr_expect_eq(kit_statistic(rig_kit(rig), "exit_wait_cycles"), 1);
    rig_destroy(rig);
}
