/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "hd_time.h"

static const uint64_t clocks[] = {1,          3,          7,          999999937,  700000000,    924000000,
                                  1000000000, 1400000000, 1333333333, 3700000000, 1000000000000};
#define CLOCKS (sizeof clocks / sizeof *clocks)

Test(time, edges_of_1400_and_700_mhz_never_slip)
{
    const hd_clock fast = {1400000000}, slow = {700000000};
    for (uint64_t n = 0; n < UINT64_C(5000000000000); n = n * 3 + 1)
        cr_assert_eq(hd_clock_edge(fast, 2 * n), hd_clock_edge(slow, n), "edge %llu", (unsigned long long)n);
    cr_expect_eq(hd_clock_edge(fast, 1), 714);
    cr_expect_eq(hd_clock_edge(fast, 7), 5000);
    cr_expect_eq(hd_clock_edge(fast, UINT64_C(1400000000) * 3600), 3600 * HD_PS_PER_SECOND);
}

Test(time, the_index_at_or_after_is_the_smallest)
{
    for (uint32_t c = 0; c < CLOCKS; c++) {
        const hd_clock clock = {clocks[c]};
        for (uint64_t n = 1; n / clock.hz < 1000000; n = n * 5 + 3) {
            const hd_time edge = hd_clock_edge(clock, n);
            if (edge == hd_clock_edge(clock, n - 1))
                continue;
            cr_assert_eq(hd_clock_index_at_or_after(clock, edge), n, "%llu Hz, edge %llu", (unsigned long long)clock.hz,
                         (unsigned long long)n);
            cr_assert_eq(hd_clock_index_at_or_after(clock, edge - 1),
                         hd_clock_edge(clock, n - 1) >= edge - 1 ? n - 1 : n);
        }
        cr_expect_eq(hd_clock_index_at_or_after(clock, 0), 0);
    }
}

Test(time, a_cursor_walks_the_same_edges_as_the_division)
{
    for (uint32_t c = 0; c < CLOCKS; c++) {
        hd_cursor cursor;
        hd_cursor_init(&cursor, (hd_clock){clocks[c]});
        for (uint64_t n = 0; n < 3000; n++) {
            cr_assert_eq(cursor.n, n);
            cr_assert_eq(cursor.t, hd_clock_edge(cursor.clock, n), "%llu Hz, edge %llu", (unsigned long long)clocks[c],
                         (unsigned long long)n);
            hd_cursor_next(&cursor);
        }
    }
}

Test(time, a_cursor_that_seeks_goes_on_exactly)
{
    for (uint32_t c = 0; c < CLOCKS; c++) {
        hd_cursor cursor;
        hd_cursor_init(&cursor, (hd_clock){clocks[c]});
        for (hd_time t = 1; t < UINT64_C(1000000000000000); t = t * 7 + 5) {
            hd_cursor_seek(&cursor, t);
            cr_assert_geq(cursor.t, t);
            cr_assert_eq(cursor.n, hd_clock_index_at_or_after(cursor.clock, t));
            for (uint32_t i = 0; i < 5; i++)
                hd_cursor_next(&cursor);
            cr_assert_eq(cursor.t, hd_clock_edge(cursor.clock, cursor.n));
        }
    }
}

Test(time, cycles_are_rounded_down_so_that_they_never_overshoot_an_edge)
{
    for (uint32_t c = 0; c < CLOCKS; c++) {
        const hd_clock clock = {clocks[c]};
        for (uint64_t n = 0; n < 50; n++)
            for (uint64_t cycles = 1; cycles < 9; cycles++) {
                const hd_time sum = hd_clock_edge(clock, n) + hd_clock_cycles(clock, cycles);
                const hd_time edge = hd_clock_edge(clock, n + cycles);
                cr_assert(sum <= edge && edge - sum <= 1, "%llu Hz", (unsigned long long)clock.hz);
            }
    }
}

Test(time, what_is_near_a_cursor_is_what_the_division_says)
{
    uint64_t state = 1;
    for (size_t c = 0; c < CLOCKS; c++) {
        const hd_clock clock = {clocks[c]};
        for (uint32_t i = 0; i < 20000; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            hd_cursor cursor;
            hd_cursor_init(&cursor, clock);
            const hd_time at = state >> (i % 48 + 8), span = state * 0x9E3779B97F4A7C15u >> (i % 40 + 24);
            hd_cursor_seek(&cursor, at);
            const hd_time later = cursor.t + span, before = cursor.t > span ? cursor.t - span : 0;
            cr_assert_eq(hd_cursor_index_of(&cursor, later), hd_clock_index_at_or_after(clock, later));
            cr_assert_eq(hd_cursor_index_of(&cursor, before), hd_clock_index_at_or_after(clock, before));
            const uint64_t n = hd_cursor_index_of(&cursor, later);
            cr_assert_eq(hd_cursor_time_of(&cursor, n), hd_clock_edge(clock, n));
            hd_cursor moved = cursor;
            hd_cursor_move(&moved, n);
            hd_cursor_seek(&cursor, later);
            cr_assert_eq(cursor.n, n);
            cr_assert(moved.n == n && moved.t == cursor.t && moved.remainder == cursor.remainder);
            cr_assert_eq(cursor.t, hd_clock_edge(clock, n));
            hd_cursor_next(&cursor);
            cr_assert_eq(cursor.t, hd_clock_edge(clock, n + 1));
        }
    }
}
