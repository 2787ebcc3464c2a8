/* SPDX-License-Identifier: MIT */
/* Lanes that have waited for too long where they are to meet others go on without them. ElTantawy 2018 §5.4.3. */
#include "aware.h"

/* Cycle in which those that wait in the entry give up; UINT64_MAX: none do. */
static uint64_t end_of(const aware *u, uint32_t entry)
{
    const uint64_t timeout = aware_value(u, AWARE_TIMEOUT);
    if (!timeout || !splits_waiting(&u->splits, entry))
        return UINT64_MAX;
    return u->splits.meetings[entry].since + timeout + 1;
}

static uint64_t end_of_warp(const aware *u, uint32_t warp)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t entry = warp * u->lanes; u->splits.counts[warp].meetings && entry < (warp + 1) * u->lanes; entry++)
        first = end_of(u, entry) < first ? end_of(u, entry) : first;
    return first;
}

uint64_t aware_next(const reconvergence *unit, uint64_t cycle)
{
    const aware *u = (const aware *)unit;
    uint64_t first = tables_wait(u) ? cycle + 1 : UINT64_MAX;
    for (uint32_t warp = 0; aware_value(u, AWARE_TIMEOUT) && warp < u->warps; warp++)
        first = end_of_warp(u, warp) < first ? end_of_warp(u, warp) : first;
    return first > cycle ? first : cycle + 1;
}

static void give_up(aware *u, uint32_t warp, uint64_t cycle)
{
    for (uint32_t entry = warp * u->lanes; entry < (warp + 1) * u->lanes; entry++) {
        if (end_of(u, entry) > cycle)
            continue;
        aware_count(u, AWARE_TIMEOUTS, 1);
        splits_give_up(&u->splits, entry, cycle);
    }
    queue_wake(u, warp);
}

void aware_due(reconvergence *unit, uint64_t cycle)
{
    aware *u = (aware *)unit;
    for (uint32_t warp = 0; warp < u->warps; warp++)
        if (end_of_warp(u, warp) <= cycle)
            give_up(u, warp, cycle);
    if (u->parameters.memory)
        tables_send(u);
}
