/* SPDX-License-Identifier: MIT */
/* What schedulers and scoreboards are told, and what becomes of answers that their interfaces do not allow. */
#include "core_rig.h"
#include "toy_scoreboard.h"
#include "toy_units.h"

#include <criterion/criterion.h>
#include <string.h>

#define LATE UINT64_C(0xFFFFFC00) /* lanes that do not take the branch */

/* Of the second warp those lanes load, multiply, add, and use what they have loaded. */
static const uint32_t words[] = {0x10010A37 /* lui s4, DATA */,
                                 0xCCC022F3 /* csrr t0, lane */,
                                 0x00A00313 /* addi t1, zero, 10 */,
                                 0x0062CA63 /* 12: blt t0, t1, 32 */,
                                 0x000A2383 /* 16: lw t2, 0(s4) */,
                                 0x02630433 /* 20: mul s0, t1, t1 */,
                                 0x006304B3 /* 24: add s1, t1, t1 */,
                                 0x007383B3 /* 28: add t2, t2, t2 */,
                                 0x00008067 /* 32: ret */,
                                 0};
static const char *const slow_products[] = {"schedulers=1", "simd_width=32", "multiply.latency=60 cycles",
                                            "integer.latency=20 cycles", NULL};

#define REGISTER(number) (UINT64_C(1) << (number))

static core_rig *rig_of(const hd_unit *unit)
{
    kit_fit_unit(unit);
    core_rig *rig = rig_create(slow_products, words);
    rig_memory_delay(rig, 200);
    return rig;
}

/* The last question about an instruction of the second warp that writes this register. */
static const scoreboard_question *asked(uint32_t number)
{
    for (uint32_t i = toy_board.questions; i-- > 0;)
        if (toy_board.question[i].path == 1 && toy_board.question[i].writes == REGISTER(number))
            return &toy_board.question[i];
    cr_assert_fail("nothing is asked of x%u", number);
    return NULL;
}

static void record(void)
{
    toy_board = (toy_board_log){0};
    core_rig *rig = rig_of(&toy_recording_scoreboard);
    rig_launch(rig, 64, 0);
    rig_finish(rig);
    rig_destroy(rig);
}

Test(simt_core_events, a_scoreboard_is_asked_with_what_the_path_has_in_flight)
{
    record();
    const scoreboard_question *sum = asked(S1), *product = asked(S0), *load = asked(T2);
    cr_expect(sum->mask == LATE && sum->homes.row == 1 && sum->reads == REGISTER(T1), "mask %lx", sum->mask);
    cr_expect(sum->in_flight == 2 && sum->memory_in_flight == 1, "%u, %u", sum->in_flight, sum->memory_in_flight);
    cr_expect(product->in_flight == 1 && product->memory_in_flight == 1, "%u, %u", product->in_flight,
              product->memory_in_flight);
    cr_expect(load->reads == REGISTER(T2) && load->memory_in_flight == 0, "the addition, when the load is done");
}

/* Of the second warp: what is told of this register. The lanes, of parts that do not overlap. */
static uint64_t told(const scoreboard_result *results, uint32_t count, uint32_t number, uint32_t *parts)
{
    uint64_t lanes = 0;
    *parts = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (results[i].path != 1 || results[i].number != number)
            continue;
        cr_expect(results[i].homes.row == 1 && !results[i].homes.rows && results[i].mask);
        cr_expect_eq(lanes & results[i].mask, 0);
        lanes |= results[i].mask;
        ++*parts;
    }
    return lanes;
}

static uint32_t is_load(uint32_t number)
{
    for (uint32_t i = 0; i < toy_board.reserved; i++)
        if (toy_board.reserve[i].path == 1 && toy_board.reserve[i].number == number)
            return toy_board.is_load[i];
    return UINT32_MAX;
}

Test(simt_core_events, a_scoreboard_is_told_of_registers_by_path_and_lanes)
{
    uint32_t reserved, released;
    record();
    cr_expect_eq(told(toy_board.reserve, toy_board.reserved, S0, &reserved), LATE);
    cr_expect_eq(reserved, 1);
    cr_expect_eq(told(toy_board.release, toy_board.released, S0, &released), LATE);
    cr_expect_eq(released, 1);
    cr_expect_eq(told(toy_board.reserve, toy_board.reserved, T1, &reserved), 0xFFFFFFFF);
    cr_expect_eq(told(toy_board.release, toy_board.released, T1, &released), 0xFFFFFFFF);
    cr_expect(is_load(S0) == 0 && is_load(T1) == 0 && is_load(T2) == 1);
    cr_expect_eq(toy_board.reserved, 2 * 7, "of both warps, and nothing for the branch and the end");
}

/* ---- Answers ------------------------------------------------------------------------------------------------------------- */

static void expect_fault(core_rig *rig, const char *expected)
{
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 64, 0);
    rig_finish(rig);
    const char *text = kit_fault_text(rig_kit(rig));
    cr_assert_not_null(text, "expected: %s", expected);
    cr_expect_str_eq(text, expected);
    rig_destroy(rig);
}

/* There are 48 warps, of which the block has two: path 5 is not ready, and 70 and 99999 do not exist. */
Test(simt_core_events, a_scheduler_that_picks_what_it_may_not_ends_the_run)
{
    static const struct {
        uint32_t path;
        const char *text;
    } wrong[] = {
        {5, "block: scheduler 'wrong' picked path 5, which is not among those that it was given"},
        {70, "block: scheduler 'wrong' picked path 70, which is not among those that it was given"},
        {99999, "block: scheduler 'wrong' picked path 99999, which is not among those that it was given"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        toy_pick = wrong[i].path;
        expect_fault(rig_of(&toy_wrong_scheduler), wrong[i].text);
    }
}

Test(simt_core_events, a_scheduler_that_declines_until_now_ends_the_run)
{
    toy_declines = 1;
    expect_fault(rig_of(&toy_wrong_scheduler),
                 "block: scheduler 'wrong' declines until cycle 1, which is not after cycle 1");
    toy_after = -1;
    expect_fault(rig_of(&toy_wrong_scheduler),
                 "block: scheduler 'wrong' declines until cycle 0, which is not after cycle 1");
}

Test(simt_core_events, a_scoreboard_that_names_no_stall_ends_the_run)
{
    toy_board = (toy_board_log){.holds = REGISTER(S1), .answer = 4000000000};
    expect_fault(
        rig_of(&toy_recording_scoreboard),
        "block: scoreboard 'recording' says that path 0 waits for 4000000000, which is no kind of stall that it "
        "may name");
}

/* Nothing is in flight any more, and it says what a register would be waited for. */
static void expect_held(uint32_t answer)
{
    toy_board = (toy_board_log){.holds = REGISTER(S1), .answer = answer};
    core_rig *rig = rig_of(&toy_recording_scoreboard);
    rig_launch(rig, 64, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 1000));
    const char *text = kit_described(rig_kit(rig));
    cr_expect(strstr(text, "(kernel+0x18), is held back by its scoreboard"), "%s", text);
    rig_destroy(rig);
}

Test(simt_core_events, who_is_held_back_by_the_scoreboard_alone_is_described_so)
{
    expect_held(PATH_STALL_RESULT);
    expect_held(PATH_STALL_DATA);
}

Test(simt_core_events, who_waits_for_a_register_is_described_so)
{
    static const struct {
        uint32_t cycle;
        const char *text;
    } expected[] = {{150, "waits for loaded data"}, {20, "waits for a result"}};
    for (uint32_t i = 0; i < 2; i++) {
        toy_board = (toy_board_log){0};
        core_rig *rig = rig_of(&toy_recording_scoreboard);
        rig_launch(rig, 32, 0);
        kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), expected[i].cycle));
        cr_expect(strstr(kit_described(rig_kit(rig)), expected[i].text), "%s", kit_described(rig_kit(rig)));
        rig_destroy(rig);
    }
}
