/* SPDX-License-Identifier: MIT */
/* The queue of a warp's splits, and the one that runs. ElTantawy 2018 §5.2. */
#include "aware.h"

#include <string.h>

static uint32_t *queue_of(const aware *u, uint32_t warp)
{
    return u->queue + (size_t)warp * u->lanes;
}

void queue_add(aware *u, uint32_t split)
{
    const uint32_t warp = splits_warp_of(&u->splits, split);
    u->barrier[split] = NOT_BLOCKED;
    tables_enter(u, TABLE_SPLITS, split);
    queue_of(u, warp)[u->queued[warp]++] = split;
}

void queue_remove(aware *u, uint32_t split)
{
    const uint32_t warp = splits_warp_of(&u->splits, split);
    uint32_t *queue = queue_of(u, warp), kept = 0;
    for (uint32_t i = 0; i < u->queued[warp]; i++)
        if (queue[i] != split)
            queue[kept++] = queue[i];
    u->queued[warp] = kept;
    tables_leave(u, TABLE_SPLITS, split);
    if (u->running[warp] == split)
        u->running[warp] = NO_SPLIT;
}

void queue_rotate(aware *u, uint32_t warp)
{
    uint32_t *queue = queue_of(u, warp);
    const uint32_t front = queue[0];
    for (uint32_t i = 1; i < u->queued[warp]; i++)
        queue[i - 1] = queue[i];
    queue[u->queued[warp] - 1] = front;
}

void queue_bring(aware *u, uint32_t warp, uint64_t lanes)
{
    uint32_t *queue = queue_of(u, warp), brought = 0;
    for (uint32_t i = 0; lanes && i < u->queued[warp]; i++) {
        const uint32_t split = queue[i];
        if (!(u->splits.paths[split].mask & lanes))
            continue;
        memmove(queue + brought + 1, queue + brought, (i - brought) * sizeof *queue);
        queue[brought++] = split;
    }
}

void queue_take_pc(aware *u, uint32_t warp)
{
    if (u->running[warp] == NO_SPLIT)
        return;
    u->splits.paths[u->running[warp]].pc = u->paths[warp].pc;
    u->splits.paths[u->running[warp]].depth = u->paths[warp].depth;
}

static uint32_t first_that_may_run(aware *u, uint32_t warp)
{
    tables_settle(u, warp);
    if (tables_hold(u, warp))
        return NO_SPLIT;
    for (uint32_t i = 0; i < u->queued[warp]; i++) {
        const uint32_t front = queue_of(u, warp)[0];
        if (u->barrier[front] == NOT_BLOCKED && tables_have(u, warp, front))
            return front;
        queue_rotate(u, warp);
    }
    return NO_SPLIT;
}

void queue_show(aware *u, uint32_t warp)
{
    const uint32_t existed = u->paths[warp].mask != 0;
    u->running[warp] = first_that_may_run(u, warp);
    if (u->running[warp] != NO_SPLIT) {
        u->paths[warp] = u->splits.paths[u->running[warp]];
        (existed ? u->events.changed : u->events.added)(u->events.context, warp);
    } else if (existed) {
        u->paths[warp] = (path){.stop_pc = NO_STOP, .warp = warp, .home = warp};
        u->events.removed(u->events.context, warp);
    }
}

void queue_wake(aware *u, uint32_t warp)
{
    if (u->running[warp] == NO_SPLIT)
        queue_show(u, warp);
}
