/* SPDX-License-Identifier: MIT */
/* What AWARE does by itself: lanes lose patience, and entries go to memory and come back. */
#include "aware.h"

uint64_t aware_next(const reconvergence *unit, uint64_t cycle)
{
    const aware *u = (const aware *)unit;
    uint64_t first = tables_wait(u) ? cycle + 1 : UINT64_MAX;
    for (uint32_t warp = 0; warp < u->warps; warp++) {
        const uint64_t end = splits_patience(&u->splits, warp, aware_value(u, AWARE_TIMEOUT));
        first = end < first ? end : first;
    }
    return first > cycle ? first : cycle + 1;
}

void aware_due(reconvergence *unit, uint64_t cycle)
{
    aware *u = (aware *)unit;
    const uint64_t timeout = aware_value(u, AWARE_TIMEOUT);
    for (uint32_t warp = 0; warp < u->warps; warp++) {
        const uint32_t times = splits_lose_patience(&u->splits, warp, timeout, cycle);
        aware_count(u, AWARE_TIMEOUTS, times);
        if (times)
            queue_wake(u, warp);
    }
    if (u->parameters.memory)
        tables_send(u);
}
