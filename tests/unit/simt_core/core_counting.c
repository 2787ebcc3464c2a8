/* SPDX-License-Identifier: MIT */
/* What threads read of counters, and what the core counts when things end early. */
#include "core_rig.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const stack[] = {"reconvergence=stack", NULL};
static const char *const mimd[] = {"reconvergence=mimd", NULL};
static const char *const wide[] = {"lanes=64", "warps=8", NULL};
static const char *const *const machines[] = {stack, mimd, wide};
#define MACHINES (sizeof machines / sizeof *machines)

Test(simt_core, instret_counts_the_instructions_of_the_thread)
{
    /* threads below 10 go round twice in the branch, the others once */
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              slli(T1, T0, 2),
                              lui(A3, DATA),
                              add(A3, A3, T1),
                              addi(T1, ZERO, 10),
                              addi(A0, ZERO, 1),
                              blt(T0, T1, 8),
                              jal(ZERO, 8),
                              addi(A0, A0, 1),
                              addi(A0, A0, -1),
                              bne(A0, ZERO, -4),
                              csrr(A1, 0xC02),
                              csrr(A2, 0xC82),
                              sw(A1, 0, A3),
                              add(A1, A1, A2),
                              ret(),
                              0};
    for (size_t i = 0; i < MACHINES; i++) {
        core_rig *rig = rig_create(machines[i], words);
        rig_launch(rig, 100, 0);
        rig_finish(rig);
        rig_launch(rig, 100, kit_now(rig_kit(rig))); /* on the same warps again */
        rig_finish(rig);
        for (uint32_t thread = 0; thread < 100; thread++)
            cr_expect_eq(rig_word(rig, DATA + 4 * thread), thread < 10 ? 7 + 1 + 4 : 7 + 1 + 2, "thread %u: %u", thread,
                         rig_word(rig, DATA + 4 * thread));
        rig_destroy(rig);
    }
}

Test(simt_core, cycle_counts_edges_since_the_last_alignment)
{
    const uint32_t words[] = {lui(A3, DATA),   csrr(T1, 0xC00), csrr(T2, 0xC01),
                              csrr(T0, 0xC80), sw(T1, 0, A3),   sw(T2, 4, A3),
                              sw(T0, 8, A3),   ret(),           0};
    core_rig *rig = rig_create(stack, words);
    rig_launch(rig, 1, kit_edge(rig_kit(rig), 1000));
    rig_finish(rig);
    /* accepted at 1000, lui issues at the next edge but one, the read one fetch later */
    cr_expect_eq(rig_word(rig, DATA), 1000 + 1 + 2, "%u", rig_word(rig, DATA));
    cr_expect_eq(rig_word(rig, DATA + 4), 1000 + 1 + 4, "%u", rig_word(rig, DATA + 4));
    cr_expect_eq(rig_word(rig, DATA + 8), 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 3000));
    kit_align(rig_kit(rig));
    rig_launch(rig, 1, kit_edge(rig_kit(rig), 3500));
    rig_finish(rig);
    cr_expect_eq(rig_word(rig, DATA), 500 + 1 + 2, "%u", rig_word(rig, DATA));
    rig_destroy(rig);
}

static uint64_t all_slots(kit_block *kit)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < hd_simt_core_timed.statistic_count; i++) {
        const char *name = hd_simt_core_timed.statistics[i].name;
        sum += strncmp(name, "slots_", 6) ? 0 : kit_statistic(kit, name);
    }
    return sum;
}

Test(simt_core, every_slot_is_counted_once_up_to_a_fault)
{
    const char *const three[] = {"schedulers=3", NULL};
    const uint32_t words[] = {csrr(T0, 0xCC0), mul(T1, T0, T0), add(T1, T1, T1), 0xFFFFFFFF, ret(), 0};
    core_rig *rig = rig_create(three, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 100, 0);
    rig_finish(rig);
    cr_expect_gt(kit_statistic(rig_kit(rig), "cycles"), 10);
    cr_expect_eq(all_slots(rig_kit(rig)), 3 * kit_statistic(rig_kit(rig), "cycles"));
    rig_destroy(rig);
}

Test(simt_core, nothing_is_sent_at_the_edge_of_a_fault)
{
    /* block 0 ends; block 1 runs into an illegal word after a while, in one of the runs at the same edge */
    for (uint32_t after = 0; after < 16; after++) {
        uint32_t words[32] = {csrr(T0, 0xCC3), bne(T0, ZERO, 8), ret()}, count;
        for (count = 3; count < 3 + after; count++)
            words[count] = addi(ZERO, ZERO, 1);
        words[count] = 0xFFFFFFFF;
        core_rig *rig = rig_create(stack, words);
        kit_expect_fault(rig_kit(rig));
        for (uint32_t block = 0; block < 2; block++)
            rig_launch_grid(rig, &(hd_grid){.grid_size = {2, 1, 1}, .block_size = {1, 1, 1}, .private_bytes = 128},
                            (uint32_t[]){block, 0, 0}, 0);
        rig_finish(rig);
        uint32_t sent;
        const kit_event *trace = kit_trace(rig_kit(rig), &sent);
        cr_assert_not_null(kit_fault_text(rig_kit(rig)));
        for (uint32_t i = 0; i < sent; i++)
            cr_expect_lt(trace[i].t, kit_fault_time(rig_kit(rig)), "%u instructions later", after);
        rig_destroy(rig);
    }
}

Test(simt_core, nothing_is_sent_at_the_edge_of_a_launch_that_can_never_fit)
{
    const uint32_t words[] = {lui(A3, DATA), sw(T0, 0, A3), jal(ZERO, -4), ret(), 0};
    for (uint32_t edge = 60; edge < 68; edge++) {
        core_rig *rig = rig_create(stack, words);
        kit_expect_fault(rig_kit(rig));
        rig_launch(rig, 64, 0);
        rig_launch(rig, 100000, kit_edge(rig_kit(rig), edge));
        rig_finish(rig);
        uint32_t sent;
        const kit_event *trace = kit_trace(rig_kit(rig), &sent);
        cr_expect_eq(kit_fault_time(rig_kit(rig)), kit_edge(rig_kit(rig), edge));
        cr_assert_gt(sent, 5);
        for (uint32_t i = 0; i < sent; i++)
            cr_expect_lt(trace[i].t, kit_fault_time(rig_kit(rig)));
        rig_destroy(rig);
    }
}

Test(simt_core, each_release_of_a_warp_by_warp_sync_is_counted)
{
    static const char *const units[] = {"reconvergence=stack", "reconvergence=mimd", "reconvergence=aware",
                                        "reconvergence=mp"};
    const uint32_t words[] = {warp_sync(), warp_sync(), bar_sync(0), ret(), 0};
    for (uint32_t i = 0; i < 4; i++) {
        core_rig *rig = rig_create((const char *[]){units[i], NULL}, words);
        rig_launch(rig, 70, 0);
        rig_finish(rig);
        cr_expect_eq(kit_statistic(rig_kit(rig), "barriers_released"), 3 * 2 + 1);
        rig_destroy(rig);
    }
}

Test(simt_core, going_through_warp_sync_for_ever_is_no_progress)
{
    const uint32_t words[] = {warp_sync(), jal(ZERO, -4), ret(), 0};
    core_rig *rig = rig_create(mimd, words);
    rig_launch(rig, 32, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 3000));
    cr_expect_gt(kit_statistic(rig_kit(rig), "barriers_released"), 10);
    cr_expect_eq(kit_progress(rig_kit(rig)), 0);
    rig_destroy(rig);
}

Test(simt_core, promises_nothing_before_an_access_could_cross_the_pipe)
{
    const char *const slow[] = {"register_read.latency=9 cycles", NULL};
    const uint32_t words[] = {csrr(T0, 0xCC3), bne(T0, ZERO, 8), ret(), jal(ZERO, 0), ret(), 0};
    core_rig *rig = rig_create(slow, words);
    kit_block *kit = rig_kit(rig);
    hd_grid grid = {.grid_size = {2, 1, 1}, .block_size = {32, 1, 1}, .private_bytes = 128};
    for (uint32_t block = 0; block < 2; block++)
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    for (uint32_t cycle = 500; cycle < 530; cycle++) {
        kit_run_until(kit, kit_edge(kit, cycle));
        cr_expect_geq(hd_simt_core_timed.promise(kit_instance(kit), kit_now(kit)), kit_edge(kit, cycle + 9 + 1));
    }
    rig_destroy(rig);
}

Test(simt_core, high_water_marks_begin_again_at_a_mark)
{
    const uint32_t words[] = {
        csrr(T0, 0xCCC), csrr(T1, 0xCC3), bne(T1, ZERO, 12), bne(T0, ZERO, 8), addi(T0, T0, 1), ret(), 0};
    core_rig *rig = rig_create(stack, words);
    const hd_mark *marks = hd_simt_core_timed.extension(kit_instance(rig_kit(rig)), HD_EXTENSION_MARK);
    hd_grid grid = {.grid_size = {2, 1, 1}, .block_size = {64, 1, 1}, .private_bytes = 128};
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_stack_depth"), 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_blocks"), 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_warps"), 4);
    marks->mark(kit_instance(rig_kit(rig)));
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_warps"), 0);
    rig_launch_grid(rig, &grid, (uint32_t[]){1, 0, 0}, kit_now(rig_kit(rig)));
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_stack_depth"), 1);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_blocks"), 1);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_warps"), 2);
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, kit_now(rig_kit(rig)));
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_stack_depth"), 2);
    rig_reset(rig);
    rig_launch_grid(rig, &grid, (uint32_t[]){1, 0, 0}, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_stack_depth"), 1);
    rig_destroy(rig);
}
