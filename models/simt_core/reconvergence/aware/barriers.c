/* SPDX-License-Identifier: MIT */
/* Barriers block a split, not its warp. ElTantawy 2018 §5.4.1. */
#include "aware.h"

uint32_t aware_wants(const reconvergence *unit)
{
    (void)unit;
    return PATH_BARRIER_REACHED | PATH_BARRIER_OPENED;
}

static void reached(aware *u, uint32_t warp, uint32_t barrier)
{
    const uint32_t split = u->running[warp];
    queue_take_pc(u, warp);
    u->splits.paths[split].pc += 4;
    u->barrier[split] = barrier;
    aware_count(u, AWARE_BARRIER_BLOCKS, 1);
    queue_rotate(u, warp);
    queue_show(u, warp);
}

/* Behind the barrier a split may be where it meets others. */
static void go_on(aware *u, uint32_t split, uint64_t cycle)
{
    const path *p = &u->splits.paths[split];
    u->barrier[split] = NOT_BLOCKED;
    if (p->pc == p->stop_pc && p->depth == p->stop_depth)
        splits_arrive(&u->splits, split, cycle);
}

static void opened(aware *u, uint32_t warp, uint32_t barrier, uint64_t cycle)
{
    for (uint32_t split = warp * u->lanes; split < (warp + 1) * u->lanes; split++)
        if (u->splits.paths[split].mask && u->barrier[split] == barrier)
            go_on(u, split, cycle);
    queue_wake(u, warp);
}

void aware_told(reconvergence *unit, const path_event *event)
{
    if (event->kind == PATH_BARRIER_REACHED)
        reached((aware *)unit, event->warp, event->barrier);
    else
        opened((aware *)unit, event->warp, event->barrier, event->cycle);
}

uint64_t aware_at_barrier(const reconvergence *unit, uint32_t warp, uint32_t barrier)
{
    const aware *u = (const aware *)unit;
    uint64_t lanes = 0;
    for (uint32_t split = warp * u->lanes; split < (warp + 1) * u->lanes; split++)
        lanes |= u->barrier[split] == barrier ? u->splits.paths[split].mask : 0;
    return lanes;
}

/* Lanes that wait where they are to meet those of the path do not come to the barrier, unless a time-out lets them go. */
uint32_t aware_may_wait(const reconvergence *unit, uint32_t path)
{
    const aware *u = (const aware *)unit;
    return aware_value(u, AWARE_TIMEOUT) || !splits_are_awaited(&u->splits, u->running[path]);
}
