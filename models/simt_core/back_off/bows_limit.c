/* SPDX-License-Identifier: MIT */
#include "bows_limit.h"

void bows_limit_reset(bows_limit *limit, const bows_rules *rules)
{
    const uint64_t number = limit->number;
    *limit = (bows_limit){.cycles = rules->minimum, .number = number};
}

/* Has each spin branch come with so much fewer instructions than before? */
static uint32_t declines(const bows_limit *limit, const bows_rules *rules)
{
    const bows_window *now = &limit->now, *before = &limit->before;
    if (!now->spins)
        return 0;
    if (!before->spins)
        return rules->zero_is_infinite && before->total;
    return 1000 * now->total * before->spins < rules->decline * before->total * now->spins;
}

void bows_limit_adapt(bows_limit *limit, const bows_rules *rules)
{
    uint64_t cycles = limit->cycles;
    if (1000 * limit->now.spins > rules->share * limit->now.total)
        cycles += rules->step;
    if (declines(limit, rules))
        cycles -= cycles < 2 * rules->step ? cycles : 2 * rules->step;
    cycles = cycles < rules->minimum ? rules->minimum : cycles;
    limit->cycles = cycles > rules->maximum ? rules->maximum : cycles;
    limit->before = limit->now;
    limit->now = (bows_window){0};
}

uint64_t bows_limit_advance(bows_limit *limit, const bows_rules *rules, uint64_t cycle)
{
    const uint64_t windows = cycle / rules->window - limit->number;
    if (!windows)
        return 0;
    bows_limit_adapt(limit, rules);
    if (windows != 1)
        bows_limit_adapt(limit, rules); /* those without anything, after which it stays as it is */
    limit->number += windows;
    return windows;
}
