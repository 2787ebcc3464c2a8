/* SPDX-License-Identifier: MIT */
/* Blocks that go to another core. */
#include "mp.h"

/* Splits that wait for room, in their order, and where splits began. 0: that cannot be. */
static uint32_t stream_room(mp *u, uint32_t warp, byte_stream *stream)
{
    uint32_t *waiting = u->waiting + (size_t)warp * u->lanes;
    uint64_t seen = 0;
    byte_stream_u32(stream, &u->waits[warp]);
    if (stream->too_short || u->waits[warp] > u->splits.counts[warp].splits)
        return 0;
    for (uint32_t i = 0; i < u->waits[warp]; i++) {
        uint32_t place = stream->from ? 0 : waiting[i] - warp * u->lanes;
        byte_stream_u32(stream, &place);
        if (stream->too_short || place >= u->lanes || seen >> place & 1 ||
            !u->splits.paths[warp * u->lanes + place].mask)
            return 0;
        seen |= UINT64_C(1) << place;
        waiting[i] = warp * u->lanes + place;
    }
    for (uint32_t split = warp * u->lanes; split < (warp + 1) * u->lanes; split++)
        byte_stream_u32(stream, &u->begins[split]);
    return !stream->too_short;
}

static uint32_t stream_warp(mp *u, uint32_t warp, byte_stream *stream)
{
    return splits_stream(&u->splits, warp, stream) && stream_room(u, warp, stream);
}

void mp_save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    mp *u = (mp *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        for (uint32_t split = warps->slots[i] * u->lanes; split < (warps->slots[i] + 1) * u->lanes; split++)
            mp_take_pc(u, split);
        stream_warp(u, warps->slots[i], stream);
    }
}

static void forget(mp *u, uint32_t warp)
{
    for (uint32_t split = warp * u->lanes; split < (warp + 1) * u->lanes; split++) {
        if (!u->paths[split].mask)
            continue;
        u->paths[split].mask = 0;
        u->events.removed(u->events.context, split);
    }
    splits_forget(&u->splits, warp);
    u->running[warp] = u->waits[warp] = 0;
    u->since[warp] = MP_NOT_SEEN;
}

void mp_drop(reconvergence *unit, const block_warps *warps)
{
    for (uint32_t i = 0; i < warps->count; i++)
        forget((mp *)unit, warps->slots[i]);
}

static uint32_t waits(const mp *u, uint32_t warp, uint32_t split)
{
    for (uint32_t i = 0; i < u->waits[warp]; i++)
        if (u->waiting[warp * u->lanes + i] == split)
            return 1;
    return 0;
}

static void go_on(mp *u, uint32_t warp)
{
    for (uint32_t split = warp * u->lanes; split < (warp + 1) * u->lanes; split++) {
        if (!u->splits.paths[split].mask || waits(u, warp, split))
            continue;
        u->paths[split] = u->splits.paths[split];
        u->running[warp]++;
        u->events.added(u->events.context, split);
    }
}

uint32_t mp_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    mp *u = (mp *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        if (stream_warp(u, warps->slots[i], stream))
            continue;
        for (uint32_t k = 0; k <= i; k++)
            forget(u, warps->slots[k]);
        return 1;
    }
    for (uint32_t i = 0; i < warps->count; i++)
        go_on(u, warps->slots[i]);
    return 0;
}

void mp_transfer_state(reconvergence *unit, const hd_state_stream *stream)
{
    mp *u = (mp *)unit;
    const size_t threads = (size_t)u->warps * u->lanes;
    splits_transfer_state(&u->splits, stream);
    HD_STATE_ARRAY(stream, u->paths, threads);
    HD_STATE_ARRAY(stream, u->begins, threads);
    HD_STATE_ARRAY(stream, u->running, u->warps);
    HD_STATE_ARRAY(stream, u->waiting, threads);
    HD_STATE_ARRAY(stream, u->waits, u->warps);
    HD_STATE_ARRAY(stream, u->since, u->warps);
}
