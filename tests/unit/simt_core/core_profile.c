/* SPDX-License-Identifier: MIT */
/* Counts by place in the program: which pc is charged with what. */
#include "core_profiled.h"

#include <criterion/criterion.h>

static const char *const standard[] = {NULL};
static const char *const one_port[] = {"schedulers=1", "simd_width=32", NULL};

/* Runs a block of so many threads. The rig and the counts are the caller's to end. */
static core_profiled run(const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    core_rig *rig = rig_create(parameters, words);
    core_profiled profiled = profiled_begin(rig, words);
    rig_launch(rig, threads, 0);
    rig_finish(rig);
    profiled_expect_identities(&profiled, "run");
    return profiled;
}

static void end(core_profiled *profiled)
{
    rig_destroy(profiled->rig);
    profiled_end(profiled);
}

Test(simt_core_profile, a_slot_goes_to_the_pc_that_waits_and_not_to_the_one_that_caused_it)
{
    const uint32_t words[] = {
        lui(A3, DATA), lw(T0, 0, A3), add(T1, T0, T0), divu(T2, T1, T1), add(T2, T2, T2), ret(), 0};
    core_profiled profiled = run(one_port, words, 32);
    cr_expect_eq(profiled_at(&profiled, 1, "slots_memory_data"), 0, "the load itself does not wait");
    cr_expect_gt(profiled_at(&profiled, 2, "slots_memory_data"), 20);
    cr_expect_eq(profiled_at(&profiled, 2, "slots_memory_data"), profiled_sum(&profiled, "slots_memory_data"));
    cr_expect_eq(profiled_at(&profiled, 3, "slots_memory_data"), 0);
    cr_expect_geq(profiled_at(&profiled, 4, "slots_dependence"), 145);
    cr_expect_leq(profiled_at(&profiled, 3, "slots_dependence"), 10, "of the addition");
    end(&profiled);
}

Test(simt_core_profile, waiting_is_counted_from_coming_to_issuing)
{
    const uint32_t words[] = {lui(A3, DATA), lw(T0, 0, A3), add(T1, T0, T0), ret(), 0};
    core_profiled profiled = run(one_port, words, 32);
    const uint64_t data = profiled_at(&profiled, 2, "slots_memory_data");
    const uint64_t wait = profiled_at(&profiled, 2, "wait_cycles");
    cr_expect(wait >= data && wait <= data + 4, "%lu and %lu", wait, data);
    /* one path from launch to return */
    cr_expect_leq(profiled_sum(&profiled, "wait_cycles"), kit_statistic(rig_kit(profiled.rig), "cycles"));
    cr_expect_geq(profiled_sum(&profiled, "wait_cycles") + 4, kit_statistic(rig_kit(profiled.rig), "cycles"));
    end(&profiled);
    core_profiled ten = run(one_port, words, 320);
    cr_expect_gt(profiled_sum(&ten, "wait_cycles"), 5 * kit_statistic(rig_kit(ten.rig), "cycles"));
    end(&ten);
}

Test(simt_core_profile, lanes_are_lost_where_some_do_not_take_part)
{
    /* lanes from 8 on skip the addition; 20 of 32 lanes exist */
    const uint32_t words[] = {
        csrr(T0, 0xCC0), addi(T1, ZERO, 8), blt(T0, T1, 8), jal(ZERO, 8), add(T2, T2, T2), ret(), 0};
    core_profiled profiled = run(standard, words, 20);
    cr_expect_eq(profiled_at(&profiled, 0, "thread_instructions"), 20);
    cr_expect_eq(profiled_at(&profiled, 0, "lost_lanes"), 12, "threads that the block does not have");
    cr_expect_eq(profiled_at(&profiled, 3, "lost_lanes"), 20);
    cr_expect_eq(profiled_at(&profiled, 4, "lost_lanes"), 24);
    cr_expect_eq(profiled_at(&profiled, 2, "divergent_branches"), 1);
    cr_expect_eq(profiled_sum(&profiled, "divergent_branches"), 1);
    cr_expect_eq(profiled_at(&profiled, 2, "taken_lanes"), 8);
    cr_expect_eq(profiled_sum(&profiled, "taken_lanes"), 8, "a jump is no branch");
    end(&profiled);
}

/* Every other lane of a warp goes, even or odd ones as the number of the warp is: two warps of three at once, where lanes are compacted. */
Test(simt_core_profile, lanes_that_compaction_has_saved_are_counted_where_they_would_have_been_lost)
{
    static const char *const compacts[] = {"reconvergence=block_stack", NULL};
    static const char *const stays[] = {"reconvergence=block_stack", "reconvergence.block_stack.compaction=false",
                                        NULL};
    const uint32_t words[] = {csrr(T0, 0xCC0),  srli(T1, T0, 5), add(T1, T1, T0), andi(T1, T1, 1),
                              beq(T1, ZERO, 8), add(T2, T2, T2), ret(),           0};
    core_profiled profiled = run(compacts, words, 96);
    cr_expect_eq(profiled_at(&profiled, 5, "warp_instructions"), 2);
    cr_expect_eq(profiled_at(&profiled, 5, "lost_lanes"), 2 * 32 - 48);
    cr_expect_eq(profiled_at(&profiled, 5, "lost_lanes_before"), 3 * 32 - 48);
    cr_expect_eq(profiled_sum(&profiled, "lost_lanes_before"), 3 * 32 - 48);
    end(&profiled);
    profiled = run(stays, words, 96);
    cr_expect_eq(profiled_at(&profiled, 5, "lost_lanes"), 3 * 32 - 48);
    cr_expect_eq(profiled_at(&profiled, 5, "lost_lanes_before"), 3 * 32 - 48);
    end(&profiled);
    profiled = run(standard, words, 96);
    cr_expect_eq(profiled_sum(&profiled, "lost_lanes_before"), 0, "nothing is compacted");
    end(&profiled);
}

Test(simt_core_profile, units_and_ports_that_are_busy_are_charged_to_who_wants_them)
{
    const char *const parameters[] = {"schedulers=1", "divide.interval=100 cycles", "simd_width=8", NULL};
    const uint32_t words[] = {addi(T0, ZERO, 1), divu(T1, T0, T0), divu(T2, T0, T0), ret(), 0};
    core_profiled profiled = run(parameters, words, 32);
    cr_expect_gt(profiled_at(&profiled, 2, "slots_unit_busy"), 80);
    cr_expect_eq(profiled_at(&profiled, 2, "slots_unit_busy"), profiled_sum(&profiled, "slots_unit_busy"));
    for (uint32_t word = 0; word < 3; word++)
        cr_expect_eq(profiled_at(&profiled, word, "slots_port_busy"), 3, "32 lanes, 8 a cycle: word %u", word);
    end(&profiled);
}

Test(simt_core_profile, of_several_that_wait_the_one_that_has_waited_longest_is_charged)
{
    /* three warps wait for loads that come in the order in which they began: each later than the one before */
    uint32_t words[96] = {csrr(T0, 0xCCD), lui(A3, DATA), slli(T0, T0, 7), add(A3, A3, T0)}, count = 4, waits[3];
    for (uint32_t warp = 0; warp < 3; warp++) {
        const uint32_t skip = count++;
        for (uint32_t i = 0; i < 8 * warp; i++)
            words[count++] = addi(T2, ZERO, 1);
        words[count++] = lw(T1, 0, A3);
        waits[warp] = count;
        words[count++] = add(T1, T1, T1);
        words[count++] = ret();
        words[skip] = bne(T0, ZERO, (int32_t)(count - skip) * 4);
        words[count++] = addi(T0, T0, -128);
    }
    words[count++] = ret();
    core_rig *rig = rig_create(one_port, words);
    core_profiled profiled = profiled_begin(rig, words);
    rig_memory_delay(rig, 400);
    rig_launch(rig, 96, 0);
    rig_finish(rig);
    uint64_t slots[3];
    for (uint32_t warp = 0; warp < 3; warp++) {
        slots[warp] = profiled_at(&profiled, waits[warp], "slots_memory_data");
        cr_expect_gt(profiled_at(&profiled, waits[warp], "wait_cycles"), 400, "warp %u waits as long as the others",
                     warp);
    }
    cr_expect_gt(slots[0], 300, "%lu", slots[0]);
    cr_expect(slots[1] > 5 && slots[1] < 100, "from the first one's data to its own: %lu", slots[1]);
    cr_expect(slots[2] > 5 && slots[2] < 100, "from the second one's data to its own: %lu", slots[2]);
    profiled_expect_identities(&profiled, "three warps");
    end(&profiled);
}

Test(simt_core_profile, waiting_at_a_barrier_is_the_barriers)
{
    const char *const slow[] = {"barrier.latency=60 cycles", NULL};
    const uint32_t words[] = {addi(T0, ZERO, 1), bar_sync(0), addi(T0, ZERO, 2), ret(), 0};
    core_profiled profiled = run(slow, words, 64);
    cr_expect_geq(profiled_at(&profiled, 1, "slots_barrier"), 2 * 50);
    cr_expect_eq(profiled_at(&profiled, 1, "slots_barrier"), profiled_sum(&profiled, "slots_barrier"));
    cr_expect_geq(profiled_at(&profiled, 1, "wait_cycles"), 2 * 60);
    cr_expect_leq(profiled_at(&profiled, 2, "wait_cycles"), 2 * 10, "it goes on at once");
    end(&profiled);
}

Test(simt_core_profile, a_full_pipe_without_credits_is_the_networks)
{
    const char *const parameters[] = {"schedulers=1", "memory.queue=1", NULL};
    uint32_t words[32] = {lui(A3, DATA)}, count = 1;
    while (count < 24)
        words[count++] = sw(ZERO, 0, A3);
    words[count++] = ret();
    for (uint32_t held = 0; held < 2; held++) {
        core_rig *rig = rig_create(parameters, words);
        core_profiled profiled = profiled_begin(rig, words);
        kit_hold_credits(rig_kit(rig), REQUEST, 0, held);
        rig_launch(rig, 32, 0);
        kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 3000));
        kit_hold_credits(rig_kit(rig), REQUEST, 0, 0);
        for (uint32_t i = 0; held && i < 8; i++)
            kit_release_credits(rig_kit(rig), REQUEST, 0, 1, kit_edge(rig_kit(rig), 3000));
        rig_finish(rig);
        const uint64_t network = kit_statistic(rig_kit(rig), "slots_network");
        cr_expect(held ? network > 2800 && network < 3000 : network == 0, "%lu", network);
        cr_expect_lt(kit_statistic(rig_kit(rig), "slots_memory_pipe"), 100);
        profiled_expect_identities(&profiled, "no credits");
        end(&profiled);
    }
}

Test(simt_core_profile, cycles_without_a_block_are_counted_apart)
{
    const uint32_t words[] = {addi(T0, ZERO, 1), ret(), 0};
    core_profiled profiled = run(standard, words, 32);
    kit_block *kit = rig_kit(profiled.rig);
    const uint64_t slots = 2 * kit_statistic(kit, "cycles");
    kit_run_until(kit, kit_edge(kit, 5000));
    cr_expect_eq(kit_statistic(kit, "cycles") + kit_statistic(kit, "empty_cycles"), 5000);
    cr_expect_eq(2 * kit_statistic(kit, "cycles"), slots);
    rig_launch(profiled.rig, 32, kit_edge(kit, 7000));
    rig_finish(profiled.rig);
    kit_run_until(kit, kit_edge(kit, 9000));
    cr_expect_eq(kit_statistic(kit, "cycles") + kit_statistic(kit, "empty_cycles"), 9000);
    cr_expect_eq(2 * kit_statistic(kit, "cycles"), 2 * slots);
    end(&profiled);
}

Test(simt_core_profile, reset_ends_it)
{
    const uint32_t words[] = {addi(T0, ZERO, 1), ret(), 0};
    core_profiled profiled = run(standard, words, 32);
    const uint64_t before = profiled_fingerprint(&profiled);
    rig_reset(profiled.rig);
    rig_launch(profiled.rig, 32, 0);
    rig_finish(profiled.rig);
    cr_expect_eq(profiled_fingerprint(&profiled), before);
    end(&profiled);
}
