/* SPDX-License-Identifier: MIT */
/* Registers that will be written, by row, register and lanes. */
#include <criterion/criterion.h>

#include "scoreboard/scoreboard.h"

enum { ROWS = 48 };

static scoreboard board;

static void open_board(void)
{
    cr_assert_eq(scoreboard_create(&board, ROWS), 0);
}

static void close_board(void)
{
    scoreboard_destroy(&board);
}

TestSuite(scoreboard, .init = open_board, .fini = close_board);

/* Lane 5 of register 7 and all lanes of register 40 of every row; the second by a load. */
static void reserve_all(void)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        scoreboard_reserve(&board, homes_of_row(row), 7, UINT64_C(1) << 5, 0);
        scoreboard_reserve(&board, homes_of_row(row), 40, UINT64_MAX, 1);
    }
}

Test(scoreboard, knows_rows_registers_and_lanes_apart)
{
    const uint64_t both = UINT64_C(1) << 7 | UINT64_C(1) << 40;
    reserve_all();
    for (uint32_t row = 0; row < ROWS; row++) {
        cr_expect_eq(scoreboard_conflicts(&board, homes_of_row(row), UINT64_MAX, UINT64_MAX), both);
        cr_expect_eq(scoreboard_conflicts(&board, homes_of_row(row), UINT64_MAX, UINT64_C(1) << 6), UINT64_C(1) << 40);
        cr_expect_eq(scoreboard_conflicts(&board, homes_of_row(row), UINT64_C(1) << 8, UINT64_MAX), 0);
        cr_expect_eq(board.loading[row], UINT64_C(1) << 40);
        cr_expect_eq(scoreboard_release(&board, homes_of_row(row), 40, 0xFF), ~UINT64_C(0xFF));
        cr_expect_eq(scoreboard_release(&board, homes_of_row(row), 40, ~UINT64_C(0xFF)), 0);
        cr_expect_eq(board.loading[row], 0);
        cr_expect_not(scoreboard_is_idle(&board, row));
        cr_expect_eq(scoreboard_release(&board, homes_of_row(row), 7, UINT64_MAX), 0);
        cr_expect(scoreboard_is_idle(&board, row));
    }
}

/* Lanes 0 and 2 of row 5, lane 1 of row 7, and lane 3 of row 5, which nobody reserves. */
Test(scoreboard, lanes_of_several_rows_are_each_in_their_own)
{
    static const uint32_t rows[] = {5, 7, 5, 5};
    const lane_homes homes = {.rows = rows};
    scoreboard_reserve(&board, homes, 9, 0x7, 1);
    cr_expect_eq(scoreboard_conflicts(&board, homes, UINT64_MAX, 0xF), 1u << 9);
    cr_expect_eq(scoreboard_conflicts(&board, homes, UINT64_MAX, 0x8), 0);
    cr_expect_eq(scoreboard_loads(&board, homes, 1u << 9, 0xF), 1u << 9);
    cr_expect_eq(scoreboard_loads(&board, homes, 1u << 9, 0x8), 0, "it waits for none of them");
    cr_expect_eq(scoreboard_conflicts(&board, homes_of_row(5), UINT64_MAX, 0x2), 0);
    cr_expect_eq(scoreboard_conflicts(&board, homes_of_row(7), UINT64_MAX, 0x2), 1u << 9);
    cr_expect_eq(scoreboard_release(&board, homes, 9, 0x3), 0x4);
    cr_expect(scoreboard_is_idle(&board, 7));
    cr_expect_eq(scoreboard_release(&board, homes_of_row(5), 9, 0x4), 0);
    cr_expect(scoreboard_is_idle(&board, 5));
}

Test(scoreboard, a_reset_clears_every_row)
{
    reserve_all();
    scoreboard_reset(&board);
    for (uint32_t row = 0; row < ROWS; row++) {
        cr_expect(scoreboard_is_idle(&board, row), "row %u", row);
        cr_expect_eq(board.loading[row], 0, "row %u", row);
        scoreboard_reserve(&board, homes_of_row(row), 7, 1, 0);
        scoreboard_reserve(&board, homes_of_row(row), 40, 1, 0);
        cr_expect_eq(scoreboard_release(&board, homes_of_row(row), 7, 1), 0, "row %u", row);
        cr_expect_eq(scoreboard_release(&board, homes_of_row(row), 40, 1), 0, "row %u", row);
    }
}
