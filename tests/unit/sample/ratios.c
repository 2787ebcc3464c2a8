/* SPDX-License-Identifier: MIT */
/* Totals from windows: by hand after Cochran 1977, and how often the interval holds a total that is known. */
#include <criterion/criterion.h>
#include <math.h>

#include "ratio.h"

#define COUNT(windows) ((uint32_t)(sizeof(windows) / sizeof *(windows)))

/* R = 2; distances 0, 2, -2; variance 8 / 2 / 3 / 10^2 * (1 - 30/300); t of 2 degrees is 4.30265. */
Test(ratio, by_hand)
{
    const ratio_window windows[] = {{.x = 10, .y = 20}, {.x = 10, .y = 22}, {.x = 10, .y = 18}};
    const double totals[RATIO_STRATA] = {300};
    const ratio_estimate found = ratio_of(windows, COUNT(windows), totals);
    cr_expect_float_eq(found.total, 600, 1e-9);
    cr_expect_float_eq(found.half_width, 4.30265 * 300 * sqrt(0.9 * 4. / 3) / 10, 0.001);
}

/* Windows of other sizes at the same rate leave no doubt, and neither does a sample that is all there is. */
Test(ratio, without_spread)
{
    const ratio_window same[] = {{.x = 10, .y = 30}, {.x = 20, .y = 60}, {.x = 5, .y = 15}};
    const ratio_window all[] = {{.x = 10, .y = 20}, {.x = 10, .y = 40}};
    const double totals[RATIO_STRATA] = {1000}, whole[RATIO_STRATA] = {20};
    cr_expect_float_eq(ratio_of(same, COUNT(same), totals).total, 3000, 1e-9);
    cr_expect_float_eq(ratio_of(same, COUNT(same), totals).half_width, 0, 1e-9);
    cr_expect_float_eq(ratio_of(all, COUNT(all), whole).total, 60, 1e-9);
    cr_expect_float_eq(ratio_of(all, COUNT(all), whole).half_width, 0, 1e-9);
}

Test(ratio, says_when_it_does_not_know)
{
    const ratio_window one[] = {{.x = 10, .y = 20}};
    const double totals[RATIO_STRATA] = {50};
    cr_expect_float_eq(ratio_of(one, 1, totals).total, 100, 1e-9);
    cr_expect_eq(ratio_of(one, 1, totals).half_width, -1);
    cr_expect_eq(ratio_of(one, 0, totals).total, 0);
    cr_expect_eq(ratio_of(one, 0, totals).half_width, -1);
}

/* Two rates that differ by 10: each stratum has no spread, all together have. 6 windows, 2 strata. */
Test(ratio, strata_are_estimated_apart)
{
    const ratio_window windows[] = {{.x = 10, .y = 10},
                                    {.x = 10, .y = 10},
                                    {.x = 10, .y = 10},
                                    {.x = 10, .y = 10},
                                    {.x = 10, .y = 100, .stratum = 3},
                                    {.x = 10, .y = 100, .stratum = 3}};
    const double totals[RATIO_STRATA] = {900, 0, 0, 100};
    const ratio_estimate found = ratio_of(windows, COUNT(windows), totals);
    cr_expect_float_eq(found.total, 900 + 1000, 1e-9);
    cr_expect_float_eq(found.half_width, 0, 1e-9);
}

/* A stratum of one window goes to the nearest, with its instructions; one without windows too. */
Test(ratio, thin_strata_are_joined)
{
    const ratio_window windows[] = {{.x = 10, .y = 10}, {.x = 10, .y = 10}, {.x = 10, .y = 40, .stratum = 1}};
    const double totals[RATIO_STRATA] = {100, 100, 100, 0};
    const ratio_estimate found = ratio_of(windows, COUNT(windows), totals);
    cr_expect_float_eq(found.total, 300 * 60. / 30, 1e-9);
    cr_expect_gt(found.half_width, 0);
}

static double noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth, MMIX */
    return (double)(*state >> 40) / (double)(1 << 24);
}

/* A series of 10,000 windows whose sum is known: each of its 200 systematic samples of 50 gives an interval, of which 95 % hold it. */
Test(ratio, intervals_hold_a_known_total_as_often_as_they_say)
{
    enum { ALL = 10000, PERIOD = 200 };
    static ratio_window series[ALL];
    uint64_t state = 1;
    double total = 0, totals[RATIO_STRATA] = {0};
    uint32_t held = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        series[i].x = 900 + 200 * noise(&state);
        series[i].y = series[i].x * (1 + noise(&state) + 0.5 * sin(i / 700.));
        totals[0] += series[i].x;
        total += series[i].y;
    }
    for (uint32_t offset = 0; offset < PERIOD; offset++) {
        ratio_window windows[ALL / PERIOD];
        for (uint32_t i = 0; i < ALL / PERIOD; i++)
            windows[i] = series[offset + i * PERIOD];
        const ratio_estimate found = ratio_of(windows, ALL / PERIOD, totals);
        held += fabs(found.total - total) <= found.half_width;
    }
    cr_expect_geq(held, PERIOD * 93 / 100, "%u of %u", held, PERIOD);
}
