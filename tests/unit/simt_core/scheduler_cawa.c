/* SPDX-License-Identifier: MIT */
/* ElTantawy 2018 §6.1. */
#include <criterion/criterion.h>

#include "scheduler_units.h"

enum { PATHS = 4, CODE = 0x1000, CYCLES = 0, TRIANGULAR = 1 };

static path standing[PATHS];
static scheduler *s;

static void launch(uint32_t warp, uint32_t instructions, uint64_t cycle)
{
    scheduler_cawa.event(s, &(path_event){.kind = PATH_LAUNCHED,
                                          .path = NO_PATH,
                                          .warp = warp,
                                          .pc = CODE,
                                          .cycle = cycle,
                                          .instructions = instructions});
}

static void start(uint64_t stalls)
{
    static hd_value values[1];
    values[0].u = stalls;
    for (uint32_t path = 0; path < PATHS; path++)
        standing[path].pc = CODE;
    s = scheduler_cawa.create(&(scheduler_parameters){
        .paths = PATHS, .paths_per_warp = 1, .standing = standing, .share = {.values = values}});
    cr_assert(s);
    for (uint32_t path = 0; path < PATHS; path++) {
        scheduler_cawa.add(s, path, PATHS - path); /* the last is the oldest */
        launch(path, 100, 0);
    }
}

static void start_cycles(void)
{
    start(CYCLES);
}

static void stop(void)
{
    scheduler_cawa.destroy(s);
}

static void issue(uint32_t path, uint32_t pc, uint64_t cycle)
{
    scheduler_cawa.event(s, &(path_event){.kind = PATH_ISSUED, .path = path, .warp = path, .pc = pc, .cycle = cycle});
}

static uint32_t pick(uint64_t ready, uint64_t cycle)
{
    return scheduler_cawa.pick(s, &ready, cycle);
}

Test(scheduler_cawa, stays_with_a_path_while_it_is_ready, .init = start_cycles, .fini = stop)
{
    issue(1, CODE, 0);
    cr_expect_eq(pick(0xF, 1), 1);
    cr_expect_neq(pick(0xD, 1), 1);
    scheduler_cawa.remove(s, 1);
    scheduler_cawa.add(s, 1, 9);
    cr_expect_eq(pick(0xF, 1), 3);
}

Test(scheduler_cawa, of_equal_ones_takes_the_oldest, .init = start_cycles, .fini = stop)
{
    cr_expect_eq(pick(0xF, 0), 3);
    cr_expect_eq(pick(0x7, 0), 2);
    cr_expect_eq(pick(0x0, 0), NO_PATH);
}

/* Both have issued one in 10 cycles. A: 100 - 90 instructions are left, B: 100 - 10. */
Test(scheduler_cawa, takes_the_one_with_the_longest_way, .init = start_cycles, .fini = stop)
{
    issue(0, CODE + 4 * 90, 10);
    issue(1, CODE + 4 * 10, 10);
    issue(2, CODE, 10);
    cr_expect_eq(pick(0x3, 20), 1);
    launch(3, 1000, 0);
    issue(3, CODE + 4 * 10, 10);
    cr_expect_eq(pick(0x7, 20), 2);
    issue(2, CODE + 4 * 99, 20);
    cr_expect_eq(pick(0xB, 21), 3);
}

/* Behind the end of its entry function, in another one, nothing is known to be left. */
Test(scheduler_cawa, nothing_is_left_rather_than_less, .init = start_cycles, .fini = stop)
{
    issue(0, CODE + 4 * 150, 10);
    issue(1, CODE + 4 * 10, 10);
    issue(3, CODE, 10);
    cr_expect_eq(pick(0x3, 20), 1);
}

/* Who goes back has more to do: what makes it prefer those that spin. */
Test(scheduler_cawa, going_back_makes_a_path_more_critical, .init = start_cycles, .fini = stop)
{
    issue(0, CODE + 4 * 60, 10);
    issue(1, CODE + 4 * 60, 10);
    issue(1, CODE + 4 * 20, 11);
    issue(0, CODE + 4 * 61, 11);
    issue(3, CODE, 11);
    cr_expect_eq(pick(0x3, 12), 1);
    issue(0, CODE + 4 * 10, 12);
    issue(1, CODE + 4 * 20, 12);
    issue(3, CODE, 12);
    cr_expect_eq(pick(0x3, 13), 0);
}

Test(scheduler_cawa, slow_ones_come_first, .init = start_cycles, .fini = stop)
{
    for (uint64_t cycle = 1; cycle < 50; cycle++)
        issue(0, CODE, cycle);
    issue(1, CODE, 50);
    issue(2, CODE, 50);
    issue(2, CODE, 51);
    issue(3, CODE, 52);
    cr_expect_eq(pick(0x7, 53), 1);
    cr_expect_eq(pick(0x5, 53), 2);
}

/* No instruction is left of either, so that stalls decide: 1 in 9 + 9 cycles, the other in 18. */
Test(scheduler_cawa, stalls_add_up_by_cycles_or_grow)
{
    for (uint64_t stalls = CYCLES; stalls <= TRIANGULAR; stalls++) {
        start(stalls);
        launch(0, 0, 0);
        launch(1, 0, 0);
        issue(0, CODE, 10);
        issue(0, CODE, 20); /* without an instruction: 9 + 9, or 45 + 45 */
        issue(1, CODE, 1);
        issue(1, CODE, 19); /* 17, or 153 */
        issue(3, CODE, 20);
        cr_expect_eq(pick(0x3, 20), stalls == CYCLES ? 0 : 1);
        stop();
    }
}

Test(scheduler_cawa, a_path_without_a_launch_begins_with_its_first_instruction, .init = start_cycles, .fini = stop)
{
    scheduler_cawa.remove(s, 0);
    scheduler_cawa.add(s, 0, 9);
    cr_expect_eq(pick(0x3, 1000), 1);
    issue(0, CODE, 1000);
    issue(3, CODE, 1000);
    cr_expect_eq(pick(0x3, 1001), 1);
}

/* Where a path begins is where its way is counted from: the start of the kernel, or behind it. */
Test(scheduler_cawa, the_way_is_counted_from_where_a_path_begins, .init = start_cycles, .fini = stop)
{
    standing[0].pc = CODE + 4 * 50;
    scheduler_cawa.remove(s, 0);
    scheduler_cawa.add(s, 0, 9);
    launch(0, 100, 0);
    issue(0, CODE + 4 * 60, 10); /* 90 are left */
    issue(1, CODE + 4 * 20, 10); /* 80 */
    issue(3, CODE, 10);
    cr_expect_eq(pick(0x3, 20), 0);
}

/* Path 3, the oldest, has been there for 10 cycles, path 0 for 1010. */
Test(scheduler_cawa, time_is_counted_from_the_launch, .init = start_cycles, .fini = stop)
{
    launch(3, 100, 1000);
    cr_expect_eq(pick(0x9, 1010), 0);
}

Test(scheduler_cawa, of_the_same_age_the_lower_path_comes_first, .init = start_cycles, .fini = stop)
{
    for (uint32_t path = 1; path < 3; path++) {
        scheduler_cawa.remove(s, path);
        scheduler_cawa.add(s, path, 1);
        launch(path, 100, 0);
    }
    cr_expect_eq(pick(0x6, 0), 1);
}

/* ---- Many paths ----------------------------------------------------------------------------------------------------- */

enum { MANY = 130, OF_A_WARP = 2 };

static void start_many(void)
{
    static hd_value values[1];
    static path standing_many[MANY];
    s = scheduler_cawa.create(&(scheduler_parameters){
        .paths = MANY, .paths_per_warp = OF_A_WARP, .standing = standing_many, .share = {.values = values}});
    cr_assert(s);
    for (uint32_t path = 0; path < MANY; path++)
        scheduler_cawa.add(s, path, path);
    for (uint32_t warp = 0; warp < MANY / OF_A_WARP; warp++)
        launch(warp, 100, 0);
}

static uint32_t pick_of(uint32_t a, uint32_t b)
{
    uint64_t ready[(MANY + 63) / 64] = {0};
    ready[a / 64] |= UINT64_C(1) << a % 64;
    ready[b / 64] |= UINT64_C(1) << b % 64;
    return scheduler_cawa.pick(s, ready, 50);
}

Test(scheduler_cawa, all_paths_are_looked_at, .init = start_many, .fini = stop)
{
    cr_expect_eq(pick_of(129, 129), 129);
    cr_expect_eq(pick_of(70, 3), 3);
    issue(100, 0, 49);
    cr_expect_eq(pick_of(100, 3), 100, "the last that issued");
}

Test(scheduler_cawa, a_launch_is_that_of_all_paths_of_the_warp, .init = start_many, .fini = stop)
{
    launch(10, 1000, 0);
    cr_expect_eq(pick_of(20, 3), 20);
    cr_expect_eq(pick_of(21, 3), 21);
    cr_expect_eq(pick_of(22, 3), 3);
}
