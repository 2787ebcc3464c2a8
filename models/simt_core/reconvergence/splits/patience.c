/* SPDX-License-Identifier: MIT */
/* Lanes that have waited for too long where they are to meet others go on without them. ElTantawy 2018 §5.4.3. */
#include "splits.h"

/* Cycle in which those that wait in the entry give up. */
static uint64_t end_of(const splits *s, uint32_t entry, uint64_t timeout)
{
    return timeout && splits_waiting(s, entry) ? s->meetings[entry].since + timeout + 1 : UINT64_MAX;
}

uint64_t splits_patience(const splits *s, uint32_t warp, uint64_t timeout)
{
    uint64_t first = UINT64_MAX;
    if (!timeout || !s->counts[warp].meetings)
        return first;
    for (uint32_t entry = warp * s->lanes; entry < (warp + 1) * s->lanes; entry++) {
        const uint64_t end = end_of(s, entry, timeout);
        first = end < first ? end : first;
    }
    return first;
}

uint32_t splits_lose_patience(splits *s, uint32_t warp, uint64_t timeout, uint64_t cycle)
{
    uint32_t times = 0;
    for (uint32_t entry = warp * s->lanes; entry < (warp + 1) * s->lanes; entry++) {
        if (end_of(s, entry, timeout) > cycle)
            continue;
        times++;
        splits_give_up(s, entry, cycle);
    }
    return times;
}
