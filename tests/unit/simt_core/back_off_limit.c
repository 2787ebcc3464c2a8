/* SPDX-License-Identifier: MIT */
/* ElTantawy 2018 §6.3.3, Fig. 6.4. */
#include <criterion/criterion.h>

#include "bows_limit.h"

static bows_rules rules;
static bows_limit limit;

static void start(void)
{
    rules = (bows_rules){.window = 1000, .minimum = 1000, .maximum = 10000, .step = 250, .share = 50, .decline = 800};
    limit = (bows_limit){0};
    bows_limit_reset(&limit, &rules);
}

static uint64_t after(uint64_t total, uint64_t spins)
{
    limit.now = (bows_window){.total = total, .spins = spins};
    bows_limit_adapt(&limit, &rules);
    return limit.cycles;
}

static void expect_limits(uint64_t last)
{
    static const uint64_t spins[] = {100, 100, 200, 20, 40, 0}, limits[] = {1250, 1500, 1250, 1250, 1000, 1000};
    for (uint32_t i = 0; i < 6; i++)
        cr_expect_eq(after(1000, spins[i]), limits[i], "window %u: %llu", i, (unsigned long long)limit.cycles);
    cr_expect_eq(after(1000, 100), last);
}

Test(bows_limit, rises_with_the_share_of_spin_branches_and_falls_when_less_is_done, .init = start)
{
    expect_limits(1250);
}

Test(bows_limit, a_window_without_spin_branches_may_count, .init = start)
{
    rules.zero_is_infinite = 1;
    expect_limits(1000);
}

Test(bows_limit, stays_in_its_bounds, .init = start)
{
    for (uint32_t window = 1; window <= 36; window++)
        cr_expect_eq(after(1000, 60), 1000 + 250 * window);
    for (uint32_t window = 0; window < 9; window++)
        cr_expect_eq(after(1000, 60), 10000);
    rules.minimum = rules.maximum = 500;
    bows_limit_reset(&limit, &rules);
    cr_expect_eq(after(1000, 900), 500);
    rules.minimum = rules.maximum = 0;
    bows_limit_reset(&limit, &rules);
    cr_expect_eq(after(1000, 900), 0);
    cr_expect_eq(after(1000, 1000), 0);
}

Test(bows_limit, exactly_the_share_is_not_more_and_exactly_the_ratio_is_not_less, .init = start)
{
    cr_expect_eq(after(1000, 50), 1000);
    cr_expect_eq(after(1000, 51), 1250);
    limit.before = (bows_window){.total = 1000, .spins = 40};
    limit.cycles = 2000;
    cr_expect_eq(after(800, 40), 2000); /* exactly 0.8, and 5 % */
    limit.before = (bows_window){.total = 1000, .spins = 40};
    cr_expect_eq(after(799, 39), 2000);
    limit.before = (bows_window){.total = 1000, .spins = 30};
    cr_expect_eq(after(799, 30), 1500);
}

/* Windows are of cycles, whether or not anything happens in them. */
Test(bows_limit, windows_pass_by_themselves, .init = start)
{
    bows_limit_advance(&limit, &rules, 10);
    limit.now = (bows_window){.total = 100, .spins = 10};
    bows_limit_advance(&limit, &rules, 999);
    cr_expect_eq(limit.cycles, 1000);
    bows_limit_advance(&limit, &rules, 1000);
    cr_expect_eq(limit.cycles, 1250);
    cr_expect_eq(limit.before.spins, 10);
    bows_limit_advance(&limit, &rules, 2500);
    cr_expect_eq(limit.before.spins, 0);
    limit.now = (bows_window){.total = 100, .spins = 10};
    bows_limit_advance(&limit, &rules, 9000); /* and six empty ones */
    cr_expect_eq(limit.cycles, 1500);
    cr_expect_eq(limit.before.spins, 0);
    cr_expect_eq(limit.number, 9);
}
