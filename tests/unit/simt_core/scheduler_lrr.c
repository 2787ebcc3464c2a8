/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "scheduler_units.h"

static void issue(scheduler *unit, uint32_t path, uint64_t cycle)
{
    const path_event event = {.kind = PATH_ISSUED, .path = path, .cycle = cycle};
    scheduler_lrr.event(unit, &event);
}

static scheduler *start(uint32_t paths)
{
    scheduler *s = scheduler_lrr.create(&(scheduler_parameters){.paths = paths, .paths_per_warp = 1});
    cr_assert_not_null(s);
    for (uint32_t p = 0; p < paths; p++) {
        scheduler_lrr.add(s, p, p);
    }
    return s;
}

Test(scheduler_lrr, gives_every_ready_path_its_turn)
{
    scheduler *s = start(1536);
    uint64_t ready[24];
    for (uint32_t w = 0; w < 24; w++) {
        ready[w] = UINT64_MAX;
    }
    for (uint32_t i = 0; i < 3 * 1536; i++) {
        cr_assert_eq(scheduler_lrr.pick(s, ready, i), i % 1536);
        issue(s, i % 1536, i);
    }
    scheduler_lrr.destroy(s);
}

Test(scheduler_lrr, passes_over_paths_that_are_not_ready)
{
    scheduler *s = start(70);
    const uint64_t ready[2] = {UINT64_C(1) << 5 | UINT64_C(1) << 63, UINT64_C(1) << 4};
    const uint32_t expected[] = {5, 63, 68, 5, 63, 68};
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t path = scheduler_lrr.pick(s, ready, i);
        cr_assert_eq(path, expected[i]);
        issue(s, path, i);
    }
    scheduler_lrr.destroy(s);
}

/* Paths that fill words of the mask wholly: nothing behind these is looked at. */
Test(scheduler_lrr, looks_at_no_word_beyond_the_paths)
{
    for (uint32_t words = 1; words <= 2; words++) {
        scheduler *s = start(64 * words);
        uint64_t ready[3] = {UINT64_C(1) << 3, 0, 0};
        ready[words] = UINT64_MAX;
        issue(s, 64 * words - 1, 0);
        cr_expect_eq(scheduler_lrr.pick(s, ready, 1), 3);
        issue(s, 3, 1);
        cr_expect_eq(scheduler_lrr.pick(s, ready, 2), 3);
        scheduler_lrr.destroy(s);
    }
}

Test(scheduler_lrr, starts_after_the_path_that_issued_whoever_picked_it)
{
    scheduler *s = start(8);
    const uint64_t all = 0xff;
    const uint64_t low = 0x0f;
    issue(s, 4, 0);
    cr_assert_eq(scheduler_lrr.pick(s, &all, 1), 5);
    cr_assert_eq(scheduler_lrr.pick(s, &low, 1), 0);
    scheduler_lrr.destroy(s);
}

Test(scheduler_lrr, picks_the_last_path_again_only_if_it_is_alone)
{
    scheduler *s = start(8);
    const uint64_t alone = 0x04;
    const uint64_t two = 0x06;
    issue(s, 2, 0);
    cr_assert_eq(scheduler_lrr.pick(s, &alone, 1), 2);
    cr_assert_eq(scheduler_lrr.pick(s, &two, 1), 1);
    scheduler_lrr.destroy(s);
}

Test(scheduler_lrr, picks_nothing_if_nothing_is_ready)
{
    scheduler *s = start(130);
    const uint64_t ready[3] = {0};
    cr_assert_eq(scheduler_lrr.pick(s, ready, 0), NO_PATH);
    scheduler_lrr.destroy(s);
}

Test(scheduler_lrr, is_not_changed_by_being_asked)
{
    scheduler *s = start(8);
    const uint64_t all = 0xff;
    issue(s, 2, 0);
    for (uint32_t i = 0; i < 100; i++) {
        cr_assert_eq(scheduler_lrr.pick(s, &all, i), 3);
    }
    scheduler_lrr.remove(s, 3);
    cr_assert_eq(scheduler_lrr.pick(s, &(uint64_t){0xf7}, 100), 4);
    scheduler_lrr.destroy(s);
}

Test(scheduler_lrr, begins_with_the_first_path_after_reset)
{
    scheduler *s = start(8);
    const uint64_t all = 0xff;
    cr_assert_eq(scheduler_lrr.pick(s, &all, 0), 0);
    issue(s, 6, 0);
    scheduler_lrr.reset(s);
    cr_assert_eq(scheduler_lrr.pick(s, &all, 1), 0);
    scheduler_lrr.destroy(s);
}

/* ---- Greedy first ------------------------------------------------------------------------------------------------------ */

static void expect_greedy(scheduler *s, uint64_t ready, uint32_t expected)
{
    cr_expect_eq(scheduler_glrr.pick(s, &ready, 0), expected);
}

Test(scheduler_glrr, stays_with_a_path_while_it_is_ready_and_then_goes_round)
{
    scheduler *s = start(8);
    expect_greedy(s, 0xff, 0);
    issue(s, 4, 0);
    expect_greedy(s, 0xff, 4);
    expect_greedy(s, 0xef, 5);
    expect_greedy(s, 0x0f, 0);
    expect_greedy(s, 0, NO_PATH);
    scheduler_glrr.destroy(s);
}

Test(scheduler_glrr, goes_on_from_whoever_issued_after_a_turn)
{
    scheduler *s = start(130);
    const uint64_t two[3] = {0, UINT64_C(1) << 63, 2};
    issue(s, 127, 0);
    cr_expect_eq(scheduler_glrr.pick(s, two, 1), 127);
    const uint64_t one[3] = {1, 0, 2};
    cr_expect_eq(scheduler_glrr.pick(s, one, 1), 129);
    issue(s, 129, 1);
    cr_expect_eq(scheduler_glrr.pick(s, one, 2), 129);
    scheduler_glrr.destroy(s);
}

/* Whoever comes into the place of a path that has gone is not preferred for it, but the turn stays where it was. */
Test(scheduler_glrr, forgets_a_path_that_goes_and_after_reset)
{
    scheduler *s = start(8);
    issue(s, 4, 0);
    scheduler_glrr.remove(s, 3);
    expect_greedy(s, 0xf7, 4);
    scheduler_glrr.remove(s, 4);
    scheduler_glrr.add(s, 4, 9);
    expect_greedy(s, 0xf7, 5);
    issue(s, 6, 1);
    scheduler_glrr.reset(s);
    expect_greedy(s, 0xff, 0);
    scheduler_glrr.destroy(s);
}
