/* SPDX-License-Identifier: MIT */
/* Which splits of a warp run, and which wait for room. */
#include "mp.h"

static uint32_t runs(const mp *u, uint32_t split)
{
    return u->paths[split].mask != 0;
}

void mp_added(void *context, uint32_t split)
{
    mp *u = context;
    u->begins[split] = u->splits.paths[split].pc;
    u->fresh[u->added++] = split;
}

/* Takes the split out of the list, if it is there; how many are left. */
static uint32_t without(uint32_t *list, uint32_t count, uint32_t split)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (list[i] != split)
            list[kept++] = list[i];
    return kept;
}

void mp_removed(void *context, uint32_t split)
{
    mp *u = context;
    const uint32_t warp = splits_warp_of(&u->splits, split);
    if (!runs(u, split)) {
        u->waits[warp] = without(u->waiting + (size_t)warp * u->lanes, u->waits[warp], split);
        u->added = without(u->fresh, u->added, split);
        return;
    }
    u->paths[split].mask = 0;
    u->running[warp]--;
    if (split != u->called)
        u->events.removed(u->events.context, split);
}

void mp_take_pc(mp *u, uint32_t split)
{
    if (!runs(u, split))
        return;
    u->splits.paths[split].pc = u->paths[split].pc;
    u->splits.paths[split].depth = u->paths[split].depth;
}

static uint32_t running_lanes(const mp *u, uint32_t warp)
{
    uint32_t lanes = 0, left = u->running[warp];
    for (uint32_t split = warp * u->lanes; left; split++) {
        left -= runs(u, split);
        lanes += (uint32_t)__builtin_popcountll(u->paths[split].mask);
    }
    return lanes;
}

void mp_count_time(mp *u, uint32_t warp, uint64_t cycle)
{
    const uint64_t live = u->splits.live[warp];
    if (live && u->since[warp] < cycle) {
        const uint64_t cycles = cycle - u->since[warp];
        mp_count(u, MP_WARP_CYCLES, cycles);
        mp_count(u, MP_SPLIT_CYCLES, cycles * u->running[warp]);
        mp_count(u, MP_SUSPENDED_CYCLES, cycles * ((uint32_t)__builtin_popcountll(live) - running_lanes(u, warp)));
    }
    u->since[warp] = live ? cycle : MP_NOT_SEEN;
}

static uint32_t has_room(const mp *u, uint32_t warp)
{
    const uint64_t splits = mp_value(u, MP_SPLITS);
    return !splits || u->running[warp] < splits;
}

static void run(mp *u, uint32_t warp, uint32_t split)
{
    u->paths[split] = u->splits.paths[split];
    u->running[warp]++;
    if (split != u->called)
        u->events.added(u->events.context, split);
}

void mp_settle(mp *u, uint32_t warp)
{
    uint32_t *waiting = u->waiting + (size_t)warp * u->lanes;
    hd_raise_maximum(&u->parameters.share.counters[MP_MAXIMUM_SPLITS], u->splits.counts[warp].splits);
    hd_raise_maximum(&u->parameters.share.counters[MP_MAXIMUM_MEETINGS], u->splits.counts[warp].meetings);
    uint32_t new_ones = u->added;
    while (u->added)
        waiting[u->waits[warp]++] = u->fresh[--u->added];
    for (; u->waits[warp] && has_room(u, warp); new_ones -= new_ones != 0)
        run(u, warp, waiting[--u->waits[warp]]);
    mp_count(u, MP_WAITS, new_ones);
    if (u->called == NO_PATH)
        return;
    (runs(u, u->called) ? u->events.changed : u->events.removed)(u->events.context, u->called);
    u->called = NO_PATH;
}
