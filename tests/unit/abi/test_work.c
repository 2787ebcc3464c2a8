/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "hd_work.h"
#include "kit.h"

#define SEED UINT64_C(20)

static const uint64_t clocks[] = {924000000, 1000000000, 1400000000, 7};
#define CLOCKS (sizeof clocks / sizeof *clocks)

Test(work, the_earliest_of_each_kind_is_kept)
{
    hd_work work = hd_work_none();
    hd_work_at_edge(&work, 9);
    hd_work_at_edge(&work, 4);
    hd_work_at_edge(&work, 6);
    hd_work_at_time(&work, 900);
    hd_work_at_time(&work, 1000);
    cr_expect_eq(work.edge, 4);
    cr_expect_eq(work.time, 900);
}

Test(work, none_leaves_the_cursor_where_it_is)
{
    hd_cursor cursor;
    hd_cursor_init(&cursor, (hd_clock){1000000000});
    hd_cursor_seek(&cursor, 5000);
    const hd_work work = hd_work_none();
    cr_expect_eq(hd_work_seek(&work, &cursor), 0);
    cr_expect_eq(cursor.n, 5);
}

static void expect_before(const hd_work *work, const hd_cursor *from, hd_time horizon)
{
    hd_cursor cursor = *from, sought = *from;
    const hd_time t = hd_work_seek_before(work, &cursor, horizon);
    const hd_time expected = hd_work_seek(work, &sought) ? sought.t : HD_NEVER;
    const hd_cursor *where = expected < horizon ? &sought : from;
    cr_assert_eq(t, expected);
    cr_assert_eq(cursor.n, where->n);
    cr_assert_eq(cursor.t, where->t);
    cr_assert_eq(cursor.remainder, where->remainder);
}

Test(work, a_seek_before_a_horizon_moves_only_to_what_is_before_it)
{
    uint64_t random = SEED;
    for (uint32_t round = 0; round < 4000; round++) {
        hd_cursor cursor;
        hd_cursor_init(&cursor, (hd_clock){clocks[round % CLOCKS]});
        hd_cursor_move(&cursor, kit_random(&random) % 50);
        hd_work work = hd_work_none();
        if (kit_random(&random) % 3)
            hd_work_at_edge(&work, kit_random(&random) % 100);
        if (kit_random(&random) % 3)
            hd_work_at_time(&work, kit_random(&random) % (100 * cursor.step));
        expect_before(&work, &cursor, kit_random(&random) % (100 * cursor.step));
    }
}

Test(work, a_seek_finds_the_first_edge_that_is_due_and_never_goes_back)
{
    uint64_t random = SEED;
    for (uint32_t round = 0; round < 4000; round++) {
        const hd_clock clock = {clocks[round % CLOCKS]};
        const uint64_t start = kit_random(&random) % 50;
        hd_work work = hd_work_none();
        if (kit_random(&random) % 3)
            hd_work_at_edge(&work, kit_random(&random) % 100);
        if (kit_random(&random) % 3)
            hd_work_at_time(&work, kit_random(&random) % hd_clock_edge(clock, 100));
        hd_cursor cursor;
        hd_cursor_init(&cursor, clock);
        while (cursor.n < start)
            hd_cursor_next(&cursor);
        uint64_t expected = start;
        while (expected < 200 && expected < work.edge && hd_clock_edge(clock, expected) < work.time)
            expected++;
        const int found = hd_work_seek(&work, &cursor);
        cr_assert_eq(found, expected < 200, "seed %llu, round %u", (unsigned long long)SEED, round);
        cr_assert_eq(cursor.n, found ? expected : start, "seed %llu, round %u", (unsigned long long)SEED, round);
        cr_assert_eq(cursor.t, hd_clock_edge(clock, cursor.n));
    }
}

Test(work, catching_up_is_a_seek_that_never_goes_back)
{
    uint64_t random = SEED;
    for (uint32_t c = 0; c < CLOCKS; c++) {
        hd_cursor cursor;
        hd_cursor_init(&cursor, (hd_clock){clocks[c]});
        hd_time t = 0;
        for (uint32_t round = 0; round < 1000; round++) {
            const uint64_t before = cursor.n;
            t += kit_random(&random) % (hd_clock_edge(cursor.clock, 1) << (round % 7));
            const hd_time asked = round % 5 ? t : t / 2;
            const uint64_t due = hd_clock_index_at_or_after(cursor.clock, asked);
            hd_cursor_catch_up(&cursor, asked);
            cr_assert_eq(cursor.n, due > before ? due : before, "seed %llu, round %u", (unsigned long long)SEED, round);
            cr_assert_eq(cursor.t, hd_clock_edge(cursor.clock, cursor.n));
        }
    }
}

/* Whatever edges are asked for, each is accounted once. */
Test(work, each_edge_is_accounted_once)
{
    uint64_t random = SEED, accounted = 0, sum = 0, last = 0;
    for (uint32_t round = 0; round < 1000; round++) {
        const uint64_t edge = kit_random(&random) % 5000;
        last = edge > last ? edge : last;
        sum += hd_walk_account(&accounted, edge);
        cr_assert_eq(accounted, last, "seed %llu, round %u", (unsigned long long)SEED, round);
        cr_assert_eq(sum, last, "seed %llu, round %u", (unsigned long long)SEED, round);
    }
}
