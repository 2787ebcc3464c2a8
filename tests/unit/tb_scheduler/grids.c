/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"

Test(tb_scheduler, reports_a_grid_when_its_last_block_is_done)
{
    kit_block *kit = rig_create(NULL, 2, &rig_small_core);
    hd_grid grid = rig_grid(9, 2, 32);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    rig_finish(kit, 1, 1, 100000);
    kit_run_until(kit, 200000);
    cr_expect_eq(kit_waiting(kit, PORT_DONE, 0), 0);
    rig_finish(kit, 0, 0, 200000);
    cr_expect_null(kit_receive(kit, PORT_DONE, 0, 200999));
    hd_packet *done = kit_receive(kit, PORT_DONE, 0, 201000);
    cr_assert_not_null(done);
    cr_expect_eq(done->tag, 9);
    cr_expect_eq(done->destination, COMMAND_PROCESSOR);
    kit_free(kit, done);
    cr_expect_eq(kit_statistic(kit, "grids"), 1);
    cr_expect_eq(kit_progress(kit), 200000);
    /* Resident: two blocks from cycles 10 and 11 on, one of them until 100, the other until 200. */
    cr_expect_eq(kit_statistic(kit, "resident_block_cycles"), (100 - 11) + (200 - 10));
    cr_expect_eq(kit_statistic(kit, "busy_cycles"), 200 - 10);
    kit_destroy(kit);
}

Test(tb_scheduler, a_later_grid_fills_the_room_that_an_earlier_one_leaves)
{
    kit_block *kit = rig_create(NULL, 1, &rig_small_core);
    hd_grid first = rig_grid(0, 5, 64); /* 4 fit */
    hd_grid second = rig_grid(1, 1, 64);
    rig_launch(kit, &first, 10000);
    rig_launch(kit, &second, 11000);
    kit_run_until(kit, 100000);
    cr_expect_eq(kit_statistic(kit, "max_grids"), 2);
    rig_dispatch dispatch;
    for (uint32_t i = 0; i < 4; i++)
        cr_assert(rig_take(kit, 0, &dispatch, 100000));
    rig_finish(kit, 0, 0, 100000);
    rig_finish(kit, 0, 1, 100000);
    kit_run_until(kit, 200000);
    /* Arrival order: the last block of the first grid, then the second grid's. */
    cr_assert(rig_take(kit, 0, &dispatch, 200000));
    cr_expect_eq(dispatch.launch.grid.launch, 0);
    cr_assert(rig_take(kit, 0, &dispatch, 200000));
    cr_expect_eq(dispatch.launch.grid.launch, 1);
    rig_finish(kit, 0, dispatch.tag, 200000);
    hd_packet *done = kit_receive(kit, PORT_DONE, 0, 300000);
    cr_assert_not_null(done, "a later grid may end first");
    cr_expect_eq(done->tag, 1);
    kit_free(kit, done);
    kit_destroy(kit);
}

/* A grid of 4 blocks, one of the same stream and one of another; two blocks have room, of which one ends. */
static uint32_t grid_behind_two(const char *order)
{
    hd_core_capacity two = rig_small_core;
    two.blocks = 2;
    kit_block *kit = rig_create((const char *[]){order, NULL}, 1, &two);
    rig_dispatch dispatch;
    for (uint32_t launch = 0; launch < 3; launch++) {
        hd_grid grid = rig_grid(launch, launch ? 1 : 4, launch == 2 ? 32 : 128);
        grid.stream = launch == 2;
        rig_launch(kit, &grid, 10000 + launch * 1000);
    }
    kit_run_until(kit, 100000);
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert(rig_take(kit, 0, &dispatch, 100000));
        cr_expect_eq(dispatch.launch.grid.launch, 0);
    }
    rig_finish(kit, 0, 0, 100000);
    rig_finish(kit, 0, 1, 100000);
    for (uint32_t i = 0; i < 2; i++)
        cr_assert(rig_take(kit, 0, &dispatch, 200000));
    const uint32_t behind = dispatch.launch.grid.launch;
    kit_destroy(kit);
    return behind;
}

/* Where the first grid's blocks have room, they come first in either order. */
Test(tb_scheduler, the_oldest_grid_has_the_first_choice)
{
    cr_expect_eq(grid_behind_two("order=arrival"), 0);
    cr_expect_eq(grid_behind_two("order=stream"), 0);
}

/* The block of the first grid needs more than there is; a later one of its stream waits with it, that of another one does not. */
static uint32_t grid_that_passes(const char *order, const char *stall)
{
    kit_block *kit = rig_create((const char *[]){order, NULL}, 1, &rig_small_core);
    rig_dispatch dispatch;
    for (uint32_t launch = 0; launch < 3; launch++) {
        hd_grid grid = rig_grid(launch, launch ? 1 : 2, launch ? 64 : 160); /* of 256 threads */
        grid.stream = launch == 2;
        rig_launch(kit, &grid, 10000 + launch * 1000);
    }
    cr_assert(rig_take(kit, 0, &dispatch, 100000));
    cr_expect_eq(dispatch.launch.grid.launch, 0);
    const uint32_t passes = rig_take(kit, 0, &dispatch, 100000) ? dispatch.launch.grid.launch : 0;
    cr_expect(!rig_take(kit, 0, &dispatch, 200000), "the others wait");
    cr_expect_gt(kit_statistic(kit, stall), 90, "for what the oldest waits for");
    kit_destroy(kit);
    return passes;
}

Test(tb_scheduler, streams_may_pass_one_another)
{
    cr_expect_eq(grid_that_passes("order=arrival", "stall_room_cycles"), 0);
    cr_expect_eq(grid_that_passes("order=stream", "stall_room_cycles"), 2);
}

Test(tb_scheduler, holds_no_more_grids_than_the_parameter_says)
{
    kit_block *kit = rig_create((const char *[]){"grids=2", NULL}, 1, &rig_small_core);
    const uint64_t cycles = 20;
    for (uint32_t launch = 0; launch < 4; launch++) {
        hd_grid grid = rig_grid(launch, 1, 32);
        rig_launch(kit, &grid, 10000);
    }
    rig_answer(kit, &cycles);
    kit_run_until(kit, 20000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 2);
    kit_drain(kit, 10000000);
    cr_expect_eq(kit_statistic(kit, "grids"), 4);
    cr_expect_eq(kit_statistic(kit, "max_grids"), 2);
    kit_destroy(kit);
}

Test(tb_scheduler, keeps_finished_grids_until_there_is_a_credit)
{
    kit_block *kit = kit_create(&hd_tb_scheduler_round_robin, NULL);
    kit_connect(kit, PORT_DONE, 0, 1, 1);
    kit_connect(kit, PORT_DISPATCH, 0, 1, 0);
    kit_connect(kit, PORT_EVENT, 0, 1, 0);
    kit_start(kit);
    rig_report_capacity(kit, 0, &rig_small_core);
    kit_hold_credits(kit, PORT_DONE, 0, 1);
    const uint64_t cycles = 1;
    rig_answer(kit, &cycles);
    for (uint32_t launch = 0; launch < 3; launch++) {
        hd_grid grid = rig_grid(launch, 1, 32);
        rig_launch(kit, &grid, 10000);
    }
    kit_run_until(kit, 100000);
    cr_expect_eq(kit_waiting(kit, PORT_DONE, 0), 1);
    for (uint32_t i = 2; i <= 3; i++) {
        kit_release_credits(kit, PORT_DONE, 0, 1, i * 100000);
        kit_run_until(kit, (i + 1) * 100000);
        cr_expect_eq(kit_waiting(kit, PORT_DONE, 0), i);
    }
    kit_destroy(kit);
}

Test(tb_scheduler, grids_that_end_at_the_same_edge_are_reported_one_per_cycle)
{
    kit_block *kit = rig_create(NULL, 2, &rig_small_core);
    for (uint32_t launch = 0; launch < 2; launch++) {
        hd_grid grid = rig_grid(launch, 1, 32);
        rig_launch(kit, &grid, 10000);
    }
    rig_finish(kit, 0, 0, 100000);
    rig_finish(kit, 1, 1, 100000);
    for (uint32_t launch = 0; launch < 2; launch++) {
        hd_packet *done = kit_receive(kit, PORT_DONE, 0, 101000 + launch * 1000);
        cr_assert_not_null(done);
        cr_expect_eq(done->tag, launch);
        cr_expect_eq(kit_received_at(kit), 101000 + launch * 1000);
        kit_free(kit, done);
    }
    kit_destroy(kit);
}

static void expect_fault(kit_block *kit, const char *text)
{
    kit_run_until(kit, 300000);
    const char *fault = kit_fault_text(kit);
    cr_assert_not_null(fault, "expected: %s", text);
    cr_expect_not_null(strstr(fault, text), "expected: %s\n     got: %s", text, fault);
    kit_destroy(kit);
}

Test(tb_scheduler, refuses_a_block_that_ends_twice_or_elsewhere)
{
    hd_grid grid = rig_grid(0, 3, 32);
    kit_block *kit = rig_create(NULL, 2, &rig_small_core);
    kit_expect_fault(kit);
    rig_launch(kit, &grid, 10000);
    rig_finish(kit, 0, 0, 100000);
    rig_finish(kit, 0, 0, 110000);
    expect_fault(kit, "event[0]: block 0 is done, but does not run there");

    kit = rig_create(NULL, 2, &rig_small_core);
    kit_expect_fault(kit);
    rig_launch(kit, &grid, 10000);
    rig_finish(kit, 1, 0, 100000);
    expect_fault(kit, "event[1]: block 0 is done, but does not run there");

    kit = rig_create(NULL, 2, &rig_small_core);
    kit_expect_fault(kit);
    rig_launch(kit, &grid, 10000);
    rig_finish(kit, 1, 99999, 100000);
    expect_fault(kit, "block 99999 is done");
}

Test(tb_scheduler, refuses_a_launch_number_that_it_holds)
{
    kit_block *kit = rig_create(NULL, 1, &rig_small_core);
    kit_expect_fault(kit);
    hd_grid grid = rig_grid(4, 1, 32);
    rig_launch(kit, &grid, 10000);
    rig_launch(kit, &grid, 20000);
    expect_fault(kit, "launch 4 is already held");
}

Test(tb_scheduler, refuses_a_second_capacity_and_a_core_without_lanes)
{
    kit_block *kit = rig_create(NULL, 1, &rig_small_core);
    kit_expect_fault(kit);
    kit_run_until(kit, 10000);
    rig_report_capacity(kit, 0, &rig_small_core);
    expect_fault(kit, "arrives a second time");

    kit = rig_create(NULL, 1, NULL);
    kit_expect_fault(kit);
    hd_core_capacity none = {0};
    rig_report_capacity(kit, 0, &none);
    expect_fault(kit, "has warps of no lanes");
}

static void append(void *context, const char *format, ...)
{
    char *text = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + strlen(text), 1000 - strlen(text), format, arguments);
    va_end(arguments);
    strcat(text, "\n");
}

Test(tb_scheduler, says_what_its_grids_wait_for)
{
    kit_block *kit = rig_create(NULL, 1, &rig_small_core);
    hd_grid first = rig_grid(0, 5, 64);
    rig_launch(kit, &first, 10000);
    kit_run_until(kit, 100000);
    const hd_pending *pending = hd_tb_scheduler_round_robin.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    char text[1024] = "";
    cr_expect(pending->has_work(kit_instance(kit)));
    pending->describe(kit_instance(kit), &(hd_text_sink){text, append});
    cr_expect_str_eq(text, "launch 0: 4 blocks resident, block (4, 0, 0) waits for room on a core\n");
    rig_finish(kit, 0, 0, 100000);
    kit_run_until(kit, 200000);
    text[0] = '\0';
    pending->describe(kit_instance(kit), &(hd_text_sink){text, append});
    cr_expect_str_eq(text, "launch 0 waits for its last 4 blocks\n");
    for (uint32_t slot = 0; slot < 4; slot++)
        rig_finish(kit, 0, slot, 200000);
    kit_drain(kit, 1000000);
    cr_expect_not(pending->has_work(kit_instance(kit)));
    kit_destroy(kit);
}

Test(tb_scheduler, an_aligned_grid_begins_with_the_first_core)
{
    kit_block *kit = rig_create(NULL, 2, &rig_small_core);
    const uint64_t cycles = 4;
    rig_answer(kit, &cycles);
    hd_grid grid = rig_grid(0, 1, 32);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    rig_dispatch dispatch;
    cr_assert(rig_take(kit, 0, &dispatch, 100000));
    kit_align(kit);
    grid.launch = 1;
    rig_launch(kit, &grid, 100000);
    kit_run_until(kit, 200000);
    cr_expect(rig_take(kit, 0, &dispatch, 200000));
    kit_destroy(kit);
}

Test(tb_scheduler, high_water_marks_restart)
{
    kit_block *kit = rig_create(NULL, 1, &rig_small_core);
    hd_grid grid = rig_grid(0, 3, 32);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    rig_finish(kit, 0, 0, 100000);
    kit_run_until(kit, 200000);
    cr_expect_eq(kit_statistic(kit, "max_resident_blocks"), 3);
    const hd_mark *mark = hd_tb_scheduler_round_robin.extension(kit_instance(kit), HD_EXTENSION_MARK);
    mark->mark(kit_instance(kit));
    cr_expect_eq(kit_statistic(kit, "max_resident_blocks"), 2);
    kit_destroy(kit);
}
