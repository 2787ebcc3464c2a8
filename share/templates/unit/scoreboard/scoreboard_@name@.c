/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "scoreboard_units.h"

Test(scoreboard_@name@, waits_for_registers_of_other_lanes)
{
    const scoreboard_unit *unit = &scoreboard_@name@;
    pending_registers pending;
    cr_assert_eq(pending_create(&pending, 2), 0);
    scoreboard *board = unit->create(&(scoreboard_parameters){.rows = 2, .lanes = 32, .paths = 2, .pending = &pending});
    const scoreboard_question other_lanes = {.homes = homes_of_row(1), .mask = 0x2, .reads = UINT64_C(1) << 5},
                              other_warp = {.homes = homes_of_row(0), .mask = 0x2, .reads = UINT64_C(1) << 5};
    cr_assert_not_null(board);
    cr_expect_eq(unit->waits(board, &other_lanes), 0);
    pending_reserve(&pending, homes_of_row(1), 5, 0x1, 1);
    cr_expect_eq(unit->waits(board, &other_lanes), PATH_STALL_DATA);
    cr_expect_eq(unit->waits(board, &other_warp), 0);
    pending_release(&pending, homes_of_row(1), 5, 0x1);
    cr_expect_eq(unit->waits(board, &other_lanes), 0);
    unit->destroy(board);
    pending_destroy(&pending);
}
