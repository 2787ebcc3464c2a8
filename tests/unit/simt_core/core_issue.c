/* SPDX-License-Identifier: MIT */
/* Which instruction issues when: ports, units, ages, limits of the pipeline, and what a reset and an alignment restore. */
#include "core_everything.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define LENGTH 40u

/* Cycles that LENGTH further copies of the instruction cost. */
static uint64_t cost(const char *const *parameters, uint32_t word, uint32_t threads)
{
    uint32_t words[2 * LENGTH + 2] = {0};
    uint64_t cycles[2];
    for (uint32_t run = 0; run < 2; run++) {
        uint32_t count = LENGTH / 2 + run * LENGTH;
        for (uint32_t i = 0; i < count; i++)
            words[i] = word;
        words[count] = ret();
        cycles[run] = rig_cycles(parameters, words, threads);
    }
    return cycles[1] - cycles[0];
}

Test(simt_core, fetch_latency_holds_beside_other_warps)
{
    const char *const parameters[] = {"fetch.latency=6 cycles", "simd_width=32", NULL};
    cr_expect_eq(cost(parameters, addi(ZERO, T1, 1), 64), LENGTH * 6);
    cr_expect_eq(cost(parameters, addi(ZERO, T1, 1), 96), LENGTH * 6);
}

Test(simt_core, a_part_of_the_width_takes_a_whole_cycle)
{
    const char *const five[] = {"simd_width=5", NULL};
    const char *const one[] = {"simd_width=1", NULL};
    cr_expect_eq(cost(five, addi(ZERO, T1, 1), 32), LENGTH * 7);
    cr_expect_eq(cost(one, addi(ZERO, T1, 1), 32), LENGTH * 32);
}

Test(simt_core, an_instruction_takes_its_port_for_just_as_long)
{
    const char *const one[] = {"simd_width=1", NULL};
    const uint32_t words[] = {addi(T0, T0, 1), mul(T1, T0, T0), divu(T2, T1, T0),
                              lui(A3, DATA),   lw(T0, 0, A3),   add(T0, T0, T0),
                              sw(T0, 0, A3),   ret(),           0};
    core_rig *rig = rig_create(one, words);
    rig_launch(rig, 96, 0);
    rig_finish(rig);
    uint64_t issued = kit_statistic(rig_kit(rig), "slots_issued");
    cr_expect_eq(issued, 3 * 8);
    cr_expect_leq(kit_statistic(rig_kit(rig), "slots_port_busy"), 31 * issued);
    cr_expect_geq(kit_statistic(rig_kit(rig), "slots_port_busy"), 31 * (issued - 2), "but for the last of each port");
    rig_destroy(rig);
}

Test(simt_core, reading_a_csr_takes_as_long_as_an_add)
{
    const char *const parameters[] = {"integer.latency=9 cycles", NULL};
    cr_expect_eq(cost(parameters, csrr(T0, 0xCC0), 32), LENGTH * (2 + 9 + 1));
}

Test(simt_core, all_paths_of_a_warp_share_its_port)
{
    const char *const mimd[] = {"reconvergence=mimd", "simd_width=32", "fetch.width=8", NULL};
    cr_expect_eq(cost(mimd, addi(ZERO, T1, 1), 32), LENGTH * 32);
    cr_expect_eq(cost(mimd, addi(ZERO, T1, 1), 64), LENGTH * 32);
}

Test(simt_core, lanes_on_their_own_do_not_wait_for_each_others_registers)
{
    const char *const mimd[] = {"reconvergence=mimd", "simd_width=32", "fetch.width=8", NULL};
    cr_expect_eq(cost(mimd, addi(T0, T0, 1), 4), LENGTH * (2 + 4 + 1));
}

Test(simt_core, the_longest_latencies_hold)
{
    const char *const slow[] = {"integer.latency=512 cycles", "register_read.latency=64 cycles",
                                "write_back.latency=64 cycles", NULL};
    cr_expect_eq(cost(slow, addi(T0, T0, 1), 32), LENGTH * 640);
}

/* The barrier opens first, in front of the place that a wheel of 1024 cycles would give the quotient. */
Test(simt_core, the_longest_divide_outlasts_a_barrier_behind_it)
{
    const char *const slow[] = {"divide.latency=1024 cycles", "register_read.latency=64 cycles",
                                "write_back.latency=64 cycles", NULL};
    const uint32_t words[] = {divu(T0, T0, T1), bar_sync(0), addi(T0, T0, 1), ret(), 0};
    cr_expect_eq(rig_cycles(slow, words, 32), 1152 + rig_cycles(slow, words + 2, 32));
}

Test(simt_core, as_many_results_are_in_flight_as_all_ports_can_start)
{
    const char *const slow[] = {"integer.latency=512 cycles",
                                "register_read.latency=64 cycles",
                                "write_back.latency=64 cycles",
                                "reconvergence=mimd",
                                "schedulers=8",
                                "fetch.width=8",
                                "simd_width=32",
                                NULL};
    cr_expect_eq(cost(slow, addi(ZERO, T1, 1), 1536), LENGTH * 1536 / 8);
}

/* The cycle at which each warp of the block has gone through `length` copies of its instruction. */
static void warp_cycles(const char *const *parameters, const uint32_t *by_warp, uint32_t warps, uint32_t *cycles)
{
    uint32_t words[256] = {csrr(T0, 0xCCD), lui(A3, DATA), slli(T1, T0, 2), add(A3, A3, T1)}, count = 4;
    for (uint32_t warp = 0; warp < warps; warp++) {
        words[count++] = addi(T1, ZERO, (int32_t)warp);
        words[count++] = bne(T0, T1, 4 * (LENGTH + 4));
        for (uint32_t i = 0; i < LENGTH; i++)
            words[count++] = by_warp[warp];
        words[count++] = csrr(T1, 0xC00);
        words[count++] = sw(T1, 0, A3);
        words[count++] = ret();
    }
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 32 * warps, 0);
    rig_finish(rig);
    for (uint32_t warp = 0; warp < warps; warp++)
        cycles[warp] = rig_word(rig, DATA + 4 * warp);
    rig_destroy(rig);
}

Test(simt_core, warps_take_turns_whatever_units_they_need)
{
    const char *const parameters[] = {"schedulers=1", "scheduler=lrr", "simd_width=32", "fetch.width=8", NULL};
    uint32_t loads[2], adds[2], divides[2];
    warp_cycles(parameters, (uint32_t[]){addi(ZERO, T1, 1), lw(ZERO, -4, SP)}, 2, loads);
    warp_cycles(parameters, (uint32_t[]){addi(ZERO, T1, 1), addi(ZERO, T1, 1)}, 2, adds);
    warp_cycles(parameters, (uint32_t[]){addi(ZERO, T1, 1), divu(ZERO, T1, T1)}, 2, divides);
    cr_expect_eq(loads[0], adds[0], "loads take their turn as adds do: %u, %u", loads[0], adds[0]);
    cr_expect_lt(divides[0], adds[0], "divides cannot take every turn");
    cr_expect_gt(loads[1], loads[0]);
}

Test(simt_core, a_warp_of_an_earlier_block_is_older_than_any_of_a_later_one)
{
    const char *const parameters[] = {"schedulers=1", "simd_width=32", "fetch.width=8", NULL};
    uint32_t words[64] = {0};
    for (uint32_t i = 0; i < LENGTH; i++)
        words[i] = addi(ZERO, ZERO, 1);
    words[LENGTH] = csrr(T1, 0xC00);
    words[LENGTH + 1] = csrr(T0, 0xCC3);
    words[LENGTH + 2] = csrr(T2, 0xCCD);
    words[LENGTH + 3] = slli(T0, T0, 4);
    words[LENGTH + 4] = slli(T2, T2, 2);
    words[LENGTH + 5] = lui(A3, DATA);
    words[LENGTH + 6] = add(A3, A3, T0);
    words[LENGTH + 7] = add(A3, A3, T2);
    words[LENGTH + 8] = sw(T1, 0, A3);
    words[LENGTH + 9] = ret();
    core_rig *rig = rig_create(parameters, words);
    hd_grid grid = {.grid_size = {2, 1, 1}, .block_size = {96, 1, 1}, .private_bytes = 128};
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_launch_grid(rig, &grid, (uint32_t[]){1, 0, 0}, 0);
    rig_finish(rig);
    cr_expect_lt(rig_word(rig, DATA + 8), rig_word(rig, DATA + 16), "last of the first block, first of the second");
    rig_destroy(rig);
}

Test(simt_core, a_slot_is_lost_to_the_memory_pipe_only_if_nothing_else_could_have_issued)
{
    /* two warps divide all the time, one loads now and then */
    const char *const parameters[] = {"schedulers=1", "divide.interval=400 cycles", "memory.accesses=1", NULL};
    uint32_t words[256] = {csrr(T0, 0xCCD), lui(A3, DATA), bne(T0, ZERO, 4 * 6)}, count = 3;
    for (uint32_t i = 0; i < 4; i++)
        words[count++] = lw(ZERO, 0, A3);
    words[count++] = ret();
    for (uint32_t i = 0; i < 5; i++)
        words[count++] = divu(ZERO, T1, T1);
    words[count++] = ret();
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 96, 0);
    rig_finish(rig);
    cr_expect_gt(kit_statistic(rig_kit(rig), "slots_unit_busy"), 3000);
    cr_expect_leq(kit_statistic(rig_kit(rig), "slots_memory_pipe"), 4);
    rig_destroy(rig);
}

/* Loads of one line, one every eight cycles; of a wide pipe one every cycle, as fast as one port issues. */
Test(simt_core, a_slot_is_lost_to_the_width_of_the_memory_pipe)
{
    uint32_t words[64] = {lui(A3, DATA)}, count = 1;
    while (count < 41)
        words[count++] = lw(ZERO, 0, A3);
    words[count++] = ret();
    for (uint32_t narrow = 0; narrow < 2; narrow++) {
        const char *const parameters[] = {"schedulers=1",
                                          "simd_width=32",
                                          "memory.queue=1",
                                          "l1.global=cache",
                                          narrow ? "memory.lanes=4" : "memory.lanes=32",
                                          NULL};
        core_rig *rig = rig_create(parameters, words);
        rig_launch(rig, 256, 0);
        rig_finish(rig);
        const uint64_t accesses = 8 * 40, lost = kit_statistic(rig_kit(rig), "slots_memory_width");
        cr_expect_eq(kit_statistic(rig_kit(rig), "pipe_lane_cycles"), narrow * 7 * accesses);
        cr_expect(narrow ? lost > 6 * accesses && lost <= 8 * accesses : lost == 0, "%lu", lost);
        cr_expect(narrow ? kit_statistic(rig_kit(rig), "slots_memory_pipe") < accesses : 1);
        rig_destroy(rig);
    }
}

/* Cycle at which the second warp has issued four loads, the first one so many; each has a scheduler and an address unit. */
static uint32_t cycle_after_loads(uint32_t loads, uint64_t *slots)
{
    const char *const parameters[] = {"schedulers=2", "memory.queue=1", "memory.address.interval=60 cycles",
                                      "fetch.width=8", NULL};
    uint32_t words[32] = {csrr(T0, 0xCCD), lui(A3, DATA)}, count = 3;
    for (uint32_t i = 0; i < loads; i++)
        words[count++] = lw(ZERO, 0, A3);
    words[count++] = ret();
    words[2] = bne(T0, ZERO, 4 * ((int32_t)count - 2));
    words[count++] = divu(T1, T0, T0);
    words[count++] = add(A3, A3, T1); /* one byte further */
    for (uint32_t i = 0; i < 4; i++)
        words[count++] = lb(ZERO, 128, A3);
    words[count++] = csrr(T1, 0xC00);
    words[count++] = sw(T1, 3, A3);
    words[count++] = ret();
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 64, 0);
    rig_finish(rig);
    *slots = kit_statistic(rig_kit(rig), "slots_memory_pipe");
    const uint32_t cycle = rig_word(rig, DATA + 4);
    rig_destroy(rig);
    return cycle;
}

Test(simt_core, a_full_address_unit_holds_up_its_scheduler_alone)
{
    uint64_t alone, both;
    const uint32_t cycle = cycle_after_loads(0, &alone);
    cr_expect(cycle > 145 + 60 && cycle < 145 + 2 * 60);
    cr_expect_eq(cycle_after_loads(12, &both), cycle);
    cr_expect_geq(alone, 50);
    cr_expect_geq(both, alone + 5 * 60);
}

/* One access at a time: once it has entered, it is not the pipe's width that the next one waits for. */
Test(simt_core, the_width_of_the_memory_pipe_has_no_slots_beyond_an_access)
{
    uint32_t words[64] = {lui(A3, DATA)}, count = 1;
    while (count < 21)
        words[count++] = lw(ZERO, 0, A3);
    words[count++] = ret();
    const char *const parameters[] = {"schedulers=1", "memory.accesses=1", "memory.lanes=4", NULL};
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, 64, 0);
    rig_finish(rig);
    const uint64_t accesses = 2 * 20, width = kit_statistic(rig_kit(rig), "slots_memory_width");
    cr_expect(width >= 6 * accesses && width <= 8 * accesses, "%lu", width);
    cr_expect_geq(kit_statistic(rig_kit(rig), "slots_memory_pipe"), 10 * accesses);
    rig_destroy(rig);
}

Test(simt_core, what_follows_a_loaded_value_waits_for_a_result_again)
{
    const uint32_t words[] = {lui(A3, DATA),    lw(T0, 0, A3),   add(T0, T0, T0),
                              divu(T0, T0, T0), add(T0, T0, T0), divu(T0, T0, T0),
                              add(T0, T0, T0),  ret(),           0};
    core_rig *rig = rig_create((const char *const[]){NULL}, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_geq(kit_statistic(rig_kit(rig), "slots_dependence"), 2 * 145);
    cr_expect_leq(kit_statistic(rig_kit(rig), "slots_memory_data"), 40);
    rig_destroy(rig);
}

Test(simt_core, instructions_are_counted_by_kind)
{
    const uint32_t words[] = {lui(A3, DATA),
                              mul(T0, T0, T0),
                              divu(T0, T0, T0),
                              csrr(T0, 0xCC0),
                              0x00107053,
                              0x18107053,
                              lw(T0, 0, A3),
                              sw(T0, 4, A3),
                              bar_sync(0),
                              warp_sync(),
                              vote_any(T0, T0),
                              fence(),
                              jal(ZERO, 4),
                              beq(ZERO, ZERO, 4),
                              amoadd(T0, T0, A3),
                              ret(),
                              0};
    const char *const one[] = {"lanes=1", NULL};
    core_rig *rig = rig_create(one, words);
    rig_launch(rig, 1, kit_edge(rig_kit(rig), 5000));
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "integer_instructions"), 4);
    cr_expect_eq(kit_statistic(rig_kit(rig), "float_instructions"), 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "memory_instructions"), 3);
    cr_expect_eq(kit_statistic(rig_kit(rig), "synchronisation_instructions"), 4);
    cr_expect_eq(kit_statistic(rig_kit(rig), "control_instructions"), 3);
    cr_expect_eq(kit_statistic(rig_kit(rig), "lanes_29_32"), 16, "all lanes of a warp of one");
    cr_expect_lt(kit_statistic(rig_kit(rig), "cycles"), 1000, "cycles without a block do not count");
    rig_destroy(rig);
}

/* Lanes and operands of the instructions, for the energy of units and registers. */
static void expect_lanes(kit_block *kit, const char *suffix, uint64_t lanes)
{
    static const struct {
        const char *name;
        uint64_t instructions;
    } works[] = {{"integer", 9},   {"multiply", 1},     {"divide", 1},  {"float", 1},
                 {"float_fma", 1}, {"float_divide", 1}, {"special", 0}, {"memory", 3}};
    for (uint32_t i = 0; i < sizeof works / sizeof *works; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", works[i].name, suffix);
        cr_expect_eq(kit_statistic(kit, name), works[i].instructions * lanes, "%s", name);
    }
}

Test(simt_core, lanes_and_operands_are_counted_by_what_computes)
{
    const uint32_t words[] = {lui(A3, DATA),
                              mul(T0, T1, T2),
                              divu(T0, T1, T2),
                              csrr(T0, 0xCC0),
                              0x00107053,
                              0x18107053,
                              0x10107043, /* fmadd.s ft0, ft0, ft1, ft2 */
                              lw(T0, 0, A3),
                              sw(T0, 4, A3),
                              bar_sync(0),
                              warp_sync(),
                              vote_any(T0, T0),
                              fence(),
                              jal(ZERO, 4),
                              beq(ZERO, ZERO, 4),
                              amoadd(T0, T1, A3),
                              ret(),
                              0};
    const char *const four[] = {"lanes=4", NULL};
    core_rig *rig = rig_create(four, words);
    rig_launch(rig, 1, kit_edge(rig_kit(rig), 5000));
    rig_finish(rig);
    expect_lanes(rig_kit(rig), "_lanes", 1);
    expect_lanes(rig_kit(rig), "_inactive_lanes", 3);
    const uint64_t reads = 2 + 2 + 2 + 2 + 3 + 1 + 2 + 1 + 2 + 1, writes = 10;
    cr_expect_eq(kit_statistic(rig_kit(rig), "register_reads"), reads);
    cr_expect_eq(kit_statistic(rig_kit(rig), "register_inactive_reads"), 3 * reads);
    cr_expect_eq(kit_statistic(rig_kit(rig), "register_writes"), writes);
    cr_expect_eq(kit_statistic(rig_kit(rig), "register_inactive_writes"), 3 * writes);
    rig_destroy(rig);
}

Test(simt_core, a_reset_at_any_time_leaves_nothing_behind)
{
    static const char *const machines[][4] = {{NULL}, {"reconvergence=mimd", "l1.global=cache", "scheduler=lrr", NULL}};
    for (uint32_t m = 0; m < 2; m++) {
        uint64_t fresh = 0;
        for (uint32_t cycle = 0; cycle < 600; cycle += 29) {
            core_rig *rig = everything_create(machines[m]);
            if (cycle) {
                everything_launch(rig);
                kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), cycle));
                rig_reset(rig);
            }
            everything_launch(rig);
            rig_finish(rig);
            uint64_t print = kit_fingerprint(rig_kit(rig));
            fresh = cycle ? fresh : print;
            cr_expect_eq(print, fresh, "machine %u, reset at cycle %u", m, cycle);
            rig_destroy(rig);
        }
    }
}

/* Cycles at which two warps that go in step pass the same instruction; a block of one warp may have run before. */
static void passing_cycles(const char *const *parameters, uint32_t before, uint32_t cycles[2])
{
    const uint32_t words[] = {csrr(T2, 0xC00), csrr(T0, 0xCCD), slli(T0, T0, 2), lui(A3, DATA),
                              add(A3, A3, T0), sw(T2, 0, A3),   ret(),           0};
    core_rig *rig = rig_create(parameters, words);
    if (before) {
        rig_launch(rig, 32, 0);
        rig_finish(rig);
        kit_align(rig_kit(rig));
    }
    rig_launch(rig, 64, kit_now(rig_kit(rig)));
    rig_finish(rig);
    for (uint32_t warp = 0; warp < 2; warp++)
        cycles[warp] = rig_word(rig, DATA + 4 * warp);
    rig_destroy(rig);
}

Test(simt_core, each_fetch_takes_its_whole_latency)
{
    const char *const parameters[] = {"fetch.latency=6 cycles", NULL};
    uint32_t cycles[2];
    passing_cycles(parameters, 0, cycles);
    cr_expect_eq(cycles[1], cycles[0] + 1, "fetched one after the other: %u, %u", cycles[0], cycles[1]);
}

Test(simt_core, an_alignment_gives_the_first_warp_the_first_turn)
{
    const char *const parameters[] = {"scheduler=lrr", "schedulers=1", "fetch.width=8", NULL};
    uint32_t fresh[2], aligned[2];
    passing_cycles(parameters, 0, fresh);
    passing_cycles(parameters, 1, aligned);
    cr_expect_lt(fresh[0], fresh[1]);
    cr_expect_lt(aligned[0], aligned[1]);
}

Test(simt_core, an_alignment_frees_ports_and_units)
{
    static const char *const machines[][8] = {
        {"simd_width=1", "branch.latency=1 cycle", "register_read.latency=0 cycles", "write_back.latency=0 cycles",
         "divide.latency=1 cycle", NULL},
        {"divide.interval=512 cycles", "divide.latency=1 cycle", NULL},
    };
    const uint32_t words[] = {csrr(T0, 0xCCD), divu(T1, T1, T1), csrr(T2, 0xC00),    slli(T0, T0, 2), lui(A3, DATA),
                              add(A3, A3, T0), sw(T2, 0, A3),    divu(ZERO, T1, T1), ret(),           0};
    for (uint32_t m = 0; m < 2; m++) {
        core_rig *rig = rig_create(machines[m], words);
        uint32_t cycles[2][2];
        for (uint32_t run = 0; run < 2; run++) {
            if (run) {
                kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), rig_ended(rig)));
                kit_align(rig_kit(rig));
            }
            rig_launch(rig, 64, kit_now(rig_kit(rig)));
            rig_finish(rig);
            for (uint32_t warp = 0; warp < 2; warp++)
                cycles[run][warp] = rig_word(rig, DATA + 4 * warp);
        }
        cr_expect_eq(cycles[0][0], cycles[1][0], "machine %u: %u, %u", m, cycles[0][0], cycles[1][0]);
        cr_expect_eq(cycles[0][1], cycles[1][1], "machine %u: %u, %u", m, cycles[0][1], cycles[1][1]);
        rig_destroy(rig);
    }
}
