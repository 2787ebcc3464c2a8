/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "hd_address.h"
#include "rig.h"

static const hd_time later = 1000000; /* ps: 1000 cycles of the kit's standard clock */

Test(tb_scheduler, hands_blocks_to_the_cores_in_turn)
{
    kit_block *kit = rig_create(NULL, 3, &rig_small_core);
    hd_grid grid = rig_grid(0, 7, 64);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, later);
    for (uint32_t block = 0; block < 7; block++) {
        rig_dispatch dispatch;
        cr_assert(rig_take(kit, block % 3, &dispatch, later), "block %u", block);
        cr_expect_eq(dispatch.launch.block_index[0], block);
        cr_expect_eq(dispatch.launch.grid.entry_pc, grid.entry_pc);
        /* One dispatch per cycle from the launch's arrival on, and one cycle on the link. */
        cr_expect_eq(dispatch.arrival, 10000 + (block + 1) * 1000);
    }
    cr_expect_eq(kit_statistic(kit, "blocks"), 7);
    kit_destroy(kit);
}

Test(tb_scheduler, dispatches_as_many_blocks_per_cycle_as_the_parameter_says)
{
    kit_block *kit = rig_create((const char *[]){"dispatches=2", NULL}, 2, &rig_small_core);
    hd_grid grid = rig_grid(0, 6, 32);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, later);
    for (uint32_t block = 0; block < 6; block++) {
        rig_dispatch dispatch;
        cr_assert(rig_take(kit, block % 2, &dispatch, later));
        cr_expect_eq(dispatch.arrival, 11000 + block / 2 * 1000);
    }
    kit_destroy(kit);
}

Test(tb_scheduler, gives_each_core_a_block_in_its_turn)
{
    static const struct {
        const char *per_core;
        hd_time period;
    } cases[] = {{"per_core=1 cycle", 1000}, {"per_core=3 cycles", 3000}};
    for (uint32_t i = 0; i < 2; i++) {
        kit_block *kit = rig_create((const char *[]){cases[i].per_core, NULL}, 3, &rig_small_core);
        hd_grid grid = rig_grid(0, 11, 32);
        rig_launch(kit, &grid, 10000);
        kit_run_until(kit, later);
        for (uint32_t block = 0; block < 11; block++) {
            rig_dispatch dispatch;
            cr_assert(rig_take(kit, block % 3, &dispatch, later));
            cr_expect_eq(dispatch.launch.block_index[0], block);
            cr_expect_eq(dispatch.arrival, 11000 + block / 3 * cases[i].period, "%s, block %u", cases[i].per_core,
                         block);
        }
        /* The first three blocks leave at once, and two are left for the fourth turn. */
        cr_expect_eq(kit_statistic(kit, "dispatch_cycles"), 3 * cases[i].period / 1000);
        cr_expect_eq(kit_statistic(kit, "stall_room_cycles"), 0, "who waits for a turn does not lack room");
        kit_destroy(kit);
    }
}

/* A core that is full does not hold up the others, nor does one whose turn has not come say that there is no room. */
Test(tb_scheduler, turns_of_cores_do_not_hide_that_there_is_no_room)
{
    kit_block *kit = rig_create((const char *[]){"per_core=2 cycles", NULL}, 2, &rig_small_core);
    hd_grid grid = rig_grid(0, 9, 64);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 8, "4 on each core");
    /* Turns at 10, 12, 14 and 16; at 17 no core has room. */
    cr_expect_eq(kit_statistic(kit, "stall_room_cycles"), 100 - 17);
    rig_finish(kit, 1, 3, 100000);
    kit_run_until(kit, 200000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 9);
    rig_dispatch dispatch;
    for (uint32_t i = 0; i < 4; i++)
        cr_assert(rig_take(kit, 1, &dispatch, 200000));
    cr_assert(rig_take(kit, 1, &dispatch, 200000));
    cr_expect_eq(dispatch.launch.block_index[0], 8);
    kit_destroy(kit);
}

/* Nor does one that takes no more blocks: the other gets its own when their turns come. */
Test(tb_scheduler, turns_come_beside_a_core_that_takes_no_block)
{
    const hd_time later = 100000;
    kit_block *kit = rig_create((const char *[]){"per_core=10 cycles", NULL}, 2, &rig_small_core);
    kit_hold_credits(kit, PORT_DISPATCH, 0, 1); /* it takes two */
    hd_grid grid = rig_grid(0, 11, 32);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, later);
    rig_dispatch dispatch;
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(rig_take(kit, 1, &dispatch, later), "block %u", i);
        cr_expect_eq(dispatch.arrival, 11000 + i * 10000);
    }
    cr_expect_eq(kit_statistic(kit, "blocks"), 2 + 4);
    cr_expect_eq(kit_statistic(kit, "stall_credit_cycles"), 100 - 40, "when no other turn is to come");
    kit_destroy(kit);
}

Test(tb_scheduler, walks_a_grid_of_three_dimensions_x_fastest)
{
    kit_block *kit = rig_create(NULL, 1, &rig_small_core);
    const uint64_t cycles = 5;
    rig_answer(kit, &cycles);
    hd_grid grid = rig_grid(0, 1, 8);
    grid.grid_size[0] = 3;
    grid.grid_size[1] = 2;
    grid.grid_size[2] = 4;
    grid.block_size[1] = 2;
    grid.block_size[2] = 2;
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, later);
    for (uint32_t i = 0; i < 24; i++) {
        rig_dispatch dispatch;
        cr_assert(rig_take(kit, 0, &dispatch, later), "block %u", i);
        cr_expect_eq(dispatch.launch.block_index[0], i % 3);
        cr_expect_eq(dispatch.launch.block_index[1], i / 3 % 2);
        cr_expect_eq(dispatch.launch.block_index[2], i / 6);
    }
    rig_dispatch none;
    cr_expect_not(rig_take(kit, 0, &none, later));
    cr_expect_eq(kit_waiting(kit, PORT_DONE, 0), 1);
    kit_destroy(kit);
}

Test(tb_scheduler, gives_each_block_the_lowest_free_context_slot)
{
    kit_block *kit = rig_create(NULL, 2, &rig_small_core);
    hd_grid grid = rig_grid(0, 9, 64);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    rig_dispatch dispatch;
    for (uint32_t block = 0; block < 8; block++) {
        cr_assert(rig_take(kit, block % 2, &dispatch, 100000));
        cr_expect_eq(dispatch.launch.context_slot, block);
        cr_expect_eq(dispatch.launch.context_slots, 1024);
    }
    rig_finish(kit, 1, 5, 200000);
    kit_run_until(kit, 300000);
    cr_assert(rig_take(kit, 1, &dispatch, 300000));
    cr_expect_eq(dispatch.launch.block_index[0], 8);
    cr_expect_eq(dispatch.launch.context_slot, 5);
    kit_destroy(kit);
}

Test(tb_scheduler, waits_for_a_context_slot_when_the_pool_is_empty)
{
    kit_block *kit = rig_create((const char *[]){"context_slots=3", NULL}, 2, &rig_small_core);
    hd_grid grid = rig_grid(0, 4, 32);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 3);
    rig_finish(kit, 0, 0, 100000);
    kit_run_until(kit, 200000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 4);
    /* The fourth block could have gone at cycle 13 and went at cycle 100. */
    cr_expect_eq(kit_statistic(kit, "stall_slot_cycles"), 100 - 13);
    kit_destroy(kit);
}

Test(tb_scheduler, marks_the_first_block_of_a_grid_on_each_core)
{
    kit_block *kit = rig_create(NULL, 2, &rig_small_core);
    hd_grid first = rig_grid(0, 3, 32);
    hd_grid second = rig_grid(1, 3, 32);
    rig_launch(kit, &first, 10000);
    rig_launch(kit, &second, 20000);
    kit_run_until(kit, later);
    static const struct {
        uint32_t core, launch, block, is_first;
    } expected[] = {{0, 0, 0, 1}, {1, 0, 1, 1}, {0, 0, 2, 0}, {1, 1, 0, 1}, {0, 1, 1, 1}, {1, 1, 2, 0}};
    for (uint32_t i = 0; i < 6; i++) {
        rig_dispatch dispatch;
        cr_assert(rig_take(kit, expected[i].core, &dispatch, later), "dispatch %u", i);
        cr_expect_eq(dispatch.launch.grid.launch, expected[i].launch);
        cr_expect_eq(dispatch.launch.block_index[0], expected[i].block);
        cr_expect_eq(dispatch.launch.first_of_grid, expected[i].is_first, "dispatch %u", i);
    }
    kit_destroy(kit);
}

Test(tb_scheduler, goes_on_to_another_core_when_one_takes_no_more_packets)
{
    kit_block *kit = rig_create(NULL, 2, &rig_small_core); /* a dispatch link has 2 credits */
    kit_hold_credits(kit, PORT_DISPATCH, 0, 1);
    hd_grid grid = rig_grid(0, 7, 32);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    /* Core 0 has had its 2, core 1 is full with 4. */
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 0), 2);
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 1), 4);
    kit_release_credits(kit, PORT_DISPATCH, 0, 1, 100000);
    kit_run_until(kit, 200000);
    cr_expect_eq(kit_waiting(kit, PORT_DISPATCH, 0), 3);
    /* From the edge behind the sixth dispatch (cycles 10 to 15) until the credit is there at cycle 101. */
    cr_expect_eq(kit_statistic(kit, "stall_credit_cycles"), 101 - 16);
    kit_destroy(kit);
}

Test(tb_scheduler, starts_no_grid_before_every_core_has_reported)
{
    kit_block *kit = rig_create(NULL, 2, NULL);
    rig_report_capacity(kit, 0, &rig_small_core);
    hd_grid grid = rig_grid(0, 2, 32);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 50000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 0);
    rig_report_capacity(kit, 1, &rig_small_core);
    kit_run_until(kit, 100000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 2);
    kit_destroy(kit);
}
