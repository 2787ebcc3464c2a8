/* SPDX-License-Identifier: MIT */
/* What an instruction waits for: its own registers, of which the core takes care, and what each scoreboard says. */
#include <criterion/criterion.h>

#include "scoreboard_units.h"

static uint64_t set(uint32_t number)
{
    return UINT64_C(1) << number;
}

static pending_registers empty(void)
{
    pending_registers pending;
    cr_assert_eq(pending_create(&pending, 8), 0);
    return pending;
}

static scoreboard_result result(uint32_t number, uint32_t row, uint64_t mask)
{
    return (scoreboard_result){.number = number, .homes = homes_of_row(row), .mask = mask};
}

static scoreboard_question question(uint64_t reads, uint32_t row, uint64_t mask)
{
    return (scoreboard_question){.reads = reads, .homes = homes_of_row(row), .mask = mask};
}

static void reserve(pending_registers *pending, const scoreboard_result *result, uint32_t is_load)
{
    pending_reserve(pending, result->homes, result->number, result->mask, is_load);
}

static uint64_t release(pending_registers *pending, const scoreboard_result *result)
{
    return pending_release(pending, result->homes, result->number, result->mask);
}

static uint32_t waits(const pending_registers *pending, const scoreboard_question *question)
{
    const uint64_t conflicts =
        pending_conflicts(pending, question->homes, question->reads | question->writes, question->mask);
    if (!conflicts)
        return 0;
    return pending_loads(pending, question->homes, conflicts, question->mask) ? PATH_STALL_DATA : PATH_STALL_RESULT;
}

/* Whichever of its registers it is: a load takes longer. */
Test(pending_registers, a_load_among_what_it_waits_for_is_what_it_waits_for)
{
    pending_registers board = empty();
    const scoreboard_result added = result(5, 2, 0xF), loaded = result(9, 2, 0xF0);
    const scoreboard_question low = question(set(5) | set(9), 2, 0xF), high = question(set(9), 2, 0x10),
                              both = question(set(5) | set(9), 2, 0xFF);
    reserve(&board, &added, 0);
    reserve(&board, &loaded, 1);
    cr_expect_eq(waits(&board, &low), PATH_STALL_RESULT, "other lanes wait for the load");
    cr_expect_eq(waits(&board, &high), PATH_STALL_DATA);
    cr_expect_eq(waits(&board, &both), PATH_STALL_DATA);
    release(&board, &loaded);
    cr_expect_eq(waits(&board, &both), PATH_STALL_RESULT);
    reserve(&board, &loaded, 0);
    cr_expect_eq(waits(&board, &high), PATH_STALL_RESULT, "it is no load this time");
    pending_destroy(&board);
}

Test(pending_registers, lanes_of_several_rows_are_each_in_their_own)
{
    const uint32_t rows[4] = {5, 7, 5, 3};
    const lane_homes homes = {.rows = rows};
    pending_registers board = empty();
    scoreboard_result loaded = {.number = 9, .homes = homes, .mask = 0x7};
    reserve(&board, &loaded, 1);
    const scoreboard_question fourth = {.reads = set(9), .homes = homes, .mask = 0x8},
                              all = {.reads = set(9), .homes = homes, .mask = 0xF};
    const scoreboard_question wrong_row = question(set(9), 5, 0x2), right_row = question(set(9), 7, 0x2);
    cr_expect_eq(waits(&board, &fourth), 0);
    cr_expect_eq(waits(&board, &all), PATH_STALL_DATA);
    cr_expect_eq(waits(&board, &wrong_row), 0);
    cr_expect_eq(waits(&board, &right_row), PATH_STALL_DATA);
    loaded.mask = 0x3;
    cr_expect_eq(release(&board, &loaded), 0x4);
    cr_expect_eq(board.any[7], 0);
    cr_expect_eq(board.any[5], set(9));
    pending_destroy(&board);
}

/* ElTantawy 2018 Fig. 7.6: even lanes run I1 (load R1 by R0), odd lanes I2 (load R1 by R4) and I3 (R4 = R0 + R1). */
Test(pending_registers, paths_of_a_warp_wait_each_for_its_own_lanes)
{
    enum { R0, R1, R4 = 4 };
    pending_registers board = empty();
    const uint64_t all = 0xF, even = 0x5, odd = 0xA;
    const scoreboard_result i0 = result(R0, 0, all), i1 = result(R1, 0, even), i2 = result(R1, 0, odd);
    const scoreboard_question ask_1 = question(set(R0) | set(R1), 0, even), ask_2 = question(set(R4) | set(R1), 0, odd),
                              ask_3 = question(set(R0) | set(R1) | set(R4), 0, odd);
    reserve(&board, &i0, 1);
    cr_expect_neq(waits(&board, &ask_1), 0);
    cr_expect_eq(waits(&board, &ask_2), 0);
    reserve(&board, &i2, 1);
    cr_expect_neq(waits(&board, &ask_3), 0);
    release(&board, &i0);
    cr_expect_eq(waits(&board, &ask_1), 0, "what the odd lanes load is no matter of the even ones");
    cr_expect_neq(waits(&board, &ask_3), 0);
    reserve(&board, &i1, 1);
    cr_expect_eq(release(&board, &i2), even, "one entry for both paths");
    cr_expect_eq(waits(&board, &ask_3), 0);
    pending_destroy(&board);
}

Test(scoreboard_simple, waits_for_whatever_its_path_has_in_flight)
{
    const scoreboard_unit *unit = &scoreboard_simple;
    scoreboard_question other = question(set(1), 0, 1);
    cr_expect_eq(unit->waits(NULL, &other), 0);
    other.in_flight = 1;
    cr_expect_eq(unit->waits(NULL, &other), PATH_STALL_RESULT);
    other.memory_in_flight = 1;
    cr_expect_eq(unit->waits(NULL, &other), PATH_STALL_DATA);
    cr_expect(unit->always_asked, "also of what needs no register in flight");
}
