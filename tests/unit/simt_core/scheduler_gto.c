/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>

#include "scheduler_units.h"

enum { ROTATION = 50000 };

static scheduler *s;

static void issue(scheduler *unit, uint32_t path, uint64_t cycle)
{
    const path_event event = {.kind = PATH_ISSUED, .path = path, .cycle = cycle};
    scheduler_gto.event(unit, &event);
}

static void start(uint32_t paths, uint64_t rotation)
{
    const hd_value values[] = {{.u = rotation}, {.u = 0}};
    s = scheduler_gto.create(&(scheduler_parameters){.paths = paths, .paths_per_warp = 1, .share = {.values = values}});
    cr_assert_not_null(s);
}

static void stop(void)
{
    scheduler_gto.destroy(s);
}

static void start_four(void)
{
    start(4, ROTATION);
    for (uint32_t p = 0; p < 4; p++) {
        scheduler_gto.add(s, p, 10 * p);
    }
}

static uint32_t pick(uint64_t ready, uint64_t cycle)
{
    return scheduler_gto.pick(s, &ready, cycle);
}

/* All ready paths, the oldest first. */
static void expect_order(uint64_t ready, uint64_t cycle, const uint32_t *order, uint32_t count, int line)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t path = pick(ready, cycle);
        cr_assert_eq(path, order[i], "line %d: place %u is path %u, expected %u", line, i, path, order[i]);
        ready &= ~(UINT64_C(1) << path);
    }
    cr_assert_eq(pick(ready, cycle), NO_PATH, "line %d", line);
}
#define EXPECT_ORDER(ready, cycle, ...)                                                                                \
    expect_order(ready, cycle, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, __LINE__)

Test(scheduler_gto, stays_with_a_path_while_it_is_ready_then_takes_the_oldest, .init = start_four, .fini = stop)
{
    cr_assert_eq(pick(0xf, 0), 0);
    issue(s, 2, 0);
    for (uint64_t cycle = 1; cycle < 20; cycle++) {
        cr_assert_eq(pick(0xf, cycle), 2);
        issue(s, 2, cycle);
    }
    cr_assert_eq(pick(0xa, 20), 1);
    issue(s, 1, 20);
    cr_assert_eq(pick(0xf, 21), 1, "greedy with the path that issued, not with the one before");
}

Test(scheduler_gto, orders_by_age_and_then_by_path, .fini = stop)
{
    start(8, 0);
    scheduler_gto.add(s, 5, 7);
    scheduler_gto.add(s, 1, 9);
    scheduler_gto.add(s, 3, 7);
    scheduler_gto.add(s, 7, 2);
    scheduler_gto.add(s, 0, 9);
    EXPECT_ORDER(0xab, 0, 7, 3, 5, 0, 1);
    scheduler_gto.remove(s, 3);
    scheduler_gto.add(s, 3, 10);
    EXPECT_ORDER(0xab, 0, 7, 5, 0, 1, 3);
}

Test(scheduler_gto, picks_nothing_if_nothing_is_ready, .init = start_four, .fini = stop)
{
    cr_assert_eq(pick(0, 0), NO_PATH);
    issue(s, 1, 0);
    cr_assert_eq(pick(0, 1), NO_PATH);
}

/* Path i takes the age of path i - 1, the first that of the last: one rotation makes path 1 the oldest. */
Test(scheduler_gto, rotates_the_ages, .init = start_four, .fini = stop)
{
    issue(s, 0, 0);
    EXPECT_ORDER(0xe, ROTATION - 1, 1, 2, 3);
    scheduler_gto.remove(s, 0);
    scheduler_gto.add(s, 0, 0);
    EXPECT_ORDER(0xf, ROTATION - 1, 0, 1, 2, 3);
    EXPECT_ORDER(0xf, ROTATION, 1, 2, 3, 0);
    EXPECT_ORDER(0xf, 2 * ROTATION - 1, 1, 2, 3, 0);
    EXPECT_ORDER(0xf, 2 * ROTATION, 2, 3, 0, 1);
    EXPECT_ORDER(0xf, 4 * ROTATION, 0, 1, 2, 3);
    EXPECT_ORDER(0xf, UINT64_C(1000003) * ROTATION, 3, 0, 1, 2);
}

Test(scheduler_gto, rotates_alike_whether_paths_issue_between_or_not, .fini = stop)
{
    for (uint32_t step = 1; step < 40; step++) {
        start(8, 10);
        for (uint32_t p = 0; p < 7; p++) {
            scheduler_gto.add(s, p, p);
        }
        scheduler_gto.add(s, 7, 100);
        for (uint64_t cycle = 0; cycle < 400; cycle += step) {
            issue(s, 7, cycle);
        }
        const uint32_t oldest = 399 / 10 % 8;
        for (uint32_t p = 0, ready = 0x7f; p < 8; p++) {
            const uint32_t path = (oldest + p) % 8;
            if (path != 7) {
                cr_assert_eq(pick(ready, 399), path, "issued every %u cycles", step);
                ready &= ~(1u << path);
            }
        }
        if (step + 1 < 40) {
            stop();
        }
    }
}

Test(scheduler_gto, never_rotates_if_told_so, .fini = stop)
{
    start(4, 0);
    for (uint32_t p = 0; p < 4; p++) {
        scheduler_gto.add(s, p, p);
    }
    issue(s, 3, 0);
    EXPECT_ORDER(0x7, UINT64_C(1) << 60, 0, 1, 2);
}

/* A later block's path is younger than all that are there, wherever the rotations have brought them. */
Test(scheduler_gto, puts_a_new_path_behind_the_rotated_ones, .init = start_four, .fini = stop)
{
    issue(s, 0, 0);
    issue(s, 0, ROTATION);
    scheduler_gto.remove(s, 0);
    scheduler_gto.remove(s, 1);
    scheduler_gto.add(s, 1, 1000);
    EXPECT_ORDER(0xe, ROTATION, 2, 3, 1);
    scheduler_gto.add(s, 0, 999);
    EXPECT_ORDER(0xf, ROTATION, 2, 3, 0, 1);
}

Test(scheduler_gto, begins_unrotated_when_it_was_empty, .init = start_four, .fini = stop)
{
    issue(s, 0, 0);
    for (uint32_t p = 0; p < 4; p++) {
        scheduler_gto.remove(s, p);
    }
    for (uint32_t p = 0; p < 4; p++) {
        scheduler_gto.add(s, p, 100 + p);
    }
    EXPECT_ORDER(0xf, 7 * ROTATION + 3, 0, 1, 2, 3);
    issue(s, 3, 7 * ROTATION + 3);
    EXPECT_ORDER(0x7, 8 * ROTATION - 1, 0, 1, 2);
    EXPECT_ORDER(0x7, 8 * ROTATION, 1, 2, 0);
}

Test(scheduler_gto, is_not_greedy_for_a_path_that_has_ended, .init = start_four, .fini = stop)
{
    issue(s, 2, 0);
    scheduler_gto.remove(s, 2);
    scheduler_gto.add(s, 2, 1000);
    EXPECT_ORDER(0xf, 1, 0, 1, 3, 2);
}

Test(scheduler_gto, is_not_changed_by_being_asked, .init = start_four, .fini = stop)
{
    issue(s, 3, 0);
    for (uint64_t i = 0; i < 100; i++) {
        pick(0xf, 9 * ROTATION + i);
        pick(1u << (i % 4), 9 * ROTATION + i);
    }
    EXPECT_ORDER(0x7, 1, 0, 1, 2);
    cr_assert_eq(pick(0xf, 1), 3);
}

Test(scheduler_gto, is_empty_after_reset, .init = start_four, .fini = stop)
{
    issue(s, 3, 5 * ROTATION);
    scheduler_gto.reset(s);
    for (uint32_t p = 4; p-- > 0;) {
        scheduler_gto.add(s, p, p);
    }
    EXPECT_ORDER(0xf, 9 * ROTATION, 0, 1, 2, 3);
}

/* ---- Paths of one warp in turn ------------------------------------------------------------------------------------------------- */

/* Three warps of four paths, the first warp the oldest; of warp 1 the last path is not there. */
static void start_splits(void)
{
    const hd_value values[] = {{.u = ROTATION}, {.u = 1}};
    s = scheduler_gto.create(&(scheduler_parameters){.paths = 12, .paths_per_warp = 4, .share = {.values = values}});
    cr_assert_not_null(s);
    for (uint32_t p = 0; p < 12; p++) {
        if (p != 7) {
            scheduler_gto.add(s, p, p / 4);
        }
    }
}

static void expect_issues(uint64_t ready, const uint32_t *paths, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t path = pick(ready, i);
        cr_assert_eq(path, paths[i], "%u: path %u, not %u", i, path, paths[i]);
        issue(s, path, i);
    }
}
#define EXPECT_ISSUES(ready, ...)                                                                                      \
    expect_issues(ready, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

Test(scheduler_gto, paths_of_the_greedy_warp_take_turns, .init = start_splits, .fini = stop)
{
    issue(s, 5, 0);
    EXPECT_ISSUES(0xF7F, 6, 4, 5, 6);
    EXPECT_ISSUES(0xF5F, 4, 6, 4);
    EXPECT_ISSUES(0xF0C, 2, 3, 2);
    EXPECT_ISSUES(0xF70, 5, 6);
}

Test(scheduler_gto, a_warp_stays_greedy_without_the_path_that_has_ended, .init = start_splits, .fini = stop)
{
    issue(s, 5, 0);
    scheduler_gto.remove(s, 5);
    EXPECT_ISSUES(0xF5F, 6, 4);
    scheduler_gto.remove(s, 6);
    scheduler_gto.add(s, 7, 1);
    EXPECT_ISSUES(0xF9F, 7, 4);
    scheduler_gto.remove(s, 4);
    scheduler_gto.remove(s, 7);
    EXPECT_ISSUES(0xF0F, 0, 1);
}

typedef struct model {
    uint32_t order[1536];
    uint32_t count;
} model;

/* Paths in the order of the list, moved one rotation at a time. */
static uint32_t model_pick(const model *m, const uint64_t *ready, uint64_t rotations)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const uint32_t path = m->order[(i + rotations) % m->count];
        if (ready[path / 64] >> (path % 64) & 1) {
            return path;
        }
    }
    return NO_PATH;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 1536 paths with random ages; from one ready path to all of them. */
Test(scheduler_gto, finds_the_oldest_of_many_paths, .fini = stop)
{
    static model m;
    uint64_t state = 20150101;
    printf("seed %llu\n", (unsigned long long)state);
    start(1536, 100);
    uint64_t ages[1536];
    for (uint32_t p = 0; p < 1536; p++) {
        ages[p] = next_random(&state) % 400;
        scheduler_gto.add(s, p, ages[p]);
        uint32_t at = m.count++;
        for (; at > 0 && ages[m.order[at - 1]] > ages[p]; at--) {
            m.order[at] = m.order[at - 1];
        }
        m.order[at] = p;
    }
    uint32_t greedy = m.order[0];
    issue(s, greedy, 0);
    for (uint64_t cycle = 0; cycle < 20000; cycle += 7) {
        uint64_t ready[24] = {0};
        const uint64_t density = cycle % 12;
        for (uint32_t w = 0; w < 24; w++) {
            ready[w] = next_random(&state);
            for (uint64_t i = 0; i < density; i++) {
                ready[w] &= next_random(&state);
            }
        }
        ready[greedy / 64] &= ~(UINT64_C(1) << (greedy % 64));
        const uint32_t expected = model_pick(&m, ready, cycle / 100);
        cr_assert_eq(scheduler_gto.pick(s, ready, cycle), expected, "cycle %llu", (unsigned long long)cycle);
        if (expected != NO_PATH && next_random(&state) % 2) {
            greedy = expected;
            issue(s, greedy, cycle);
        }
    }
}
