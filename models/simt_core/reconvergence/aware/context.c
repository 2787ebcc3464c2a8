/* SPDX-License-Identifier: MIT */
/* Blocks that go to another core. */
#include "aware.h"

#include <string.h>

/* Where each split stands in the queue, from 1, and the barrier at which it is blocked. 0: a place is taken twice. */
static uint32_t stream_queue(aware *u, uint32_t warp, byte_stream *stream)
{
    uint32_t *queue = u->queue + (size_t)warp * u->lanes;
    uint64_t seen = 0;
    u->queued[warp] = u->splits.counts[warp].splits;
    for (uint32_t i = 0; i < u->queued[warp]; i++) {
        uint32_t place = stream->from ? 0 : queue[i] - warp * u->lanes;
        byte_stream_u32(stream, &place);
        if (stream->too_short || place >= u->lanes || seen >> place & 1)
            return 0;
        seen |= UINT64_C(1) << place;
        queue[i] = warp * u->lanes + place;
        byte_stream_u32(stream, &u->barrier[queue[i]]);
        if (stream->too_short || !u->splits.paths[queue[i]].mask)
            return 0;
    }
    return 1;
}

static uint32_t stream_warp(aware *u, uint32_t warp, byte_stream *stream)
{
    return splits_stream(&u->splits, warp, stream) && stream_queue(u, warp, stream);
}

void aware_save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    aware *u = (aware *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        queue_take_pc(u, warps->slots[i]);
        stream_warp(u, warps->slots[i], stream);
    }
}

static void forget(aware *u, uint32_t warp)
{
    splits_forget(&u->splits, warp);
    u->queued[warp] = 0;
    u->running[warp] = NO_SPLIT;
    memset(u->residency[warp], 0, sizeof u->residency[warp]);
    if (!u->paths[warp].mask)
        return;
    u->paths[warp].mask = 0;
    u->events.removed(u->events.context, warp);
}

void aware_drop(reconvergence *unit, const block_warps *warps)
{
    for (uint32_t i = 0; i < warps->count; i++)
        forget((aware *)unit, warps->slots[i]);
}

/* All entries come with the block; those for which there is no room go to memory. */
static void bring_in(aware *u, uint32_t warp)
{
    for (uint32_t i = warp * u->lanes; i < (warp + 1) * u->lanes; i++) {
        if (u->splits.paths[i].mask)
            tables_enter(u, TABLE_SPLITS, i);
        if (u->splits.meetings[i].lanes)
            tables_enter(u, TABLE_MEETINGS, i);
    }
}

uint32_t aware_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    aware *u = (aware *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        if (stream_warp(u, warps->slots[i], stream))
            continue;
        for (uint32_t k = 0; k <= i; k++)
            forget(u, warps->slots[k]);
        return 1;
    }
    for (uint32_t i = 0; i < warps->count; i++) {
        bring_in(u, warps->slots[i]);
        queue_wake(u, warps->slots[i]);
    }
    return 0;
}

void aware_transfer_state(reconvergence *unit, const hd_state_stream *stream)
{
    aware *u = (aware *)unit;
    const size_t threads = (size_t)u->warps * u->lanes;
    splits_transfer_state(&u->splits, stream);
    HD_STATE_ARRAY(stream, u->paths, u->warps);
    HD_STATE_ARRAY(stream, u->running, u->warps);
    HD_STATE_ARRAY(stream, u->queue, threads);
    HD_STATE_ARRAY(stream, u->queued, u->warps);
    HD_STATE_ARRAY(stream, u->barrier, threads);
    HD_STATE_ARRAY(stream, u->residency, u->warps);
    HD_STATE_ARRAY(stream, u->used, threads);
    HD_STATE_VALUE(stream, u->uses);
}
