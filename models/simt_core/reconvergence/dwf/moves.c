/* SPDX-License-Identifier: MIT */
/* Blocks that go to another core. What the lookup table knew of their warps is lost. */
#include "dwf.h"

/* Written, or read: 0 if nothing can have written it. Each thread is in one path, or held at its warp's barrier. */
static uint32_t stream_path(dwf *u, const block_warps *warps, uint32_t path, byte_stream *stream)
{
    struct path *p = &u->paths[path];
    uint32_t *row = dwf_row(u, path);
    uint64_t mask = p->mask;
    byte_stream_u64(stream, &mask);
    if (stream->too_short || (u->lanes < 64 && mask >> u->lanes))
        return 0;
    if (!mask)
        return 1;
    byte_stream_u32(stream, &p->pc);
    byte_stream_u32(stream, &p->depth);
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint32_t index = stream->from ? 0 : block_warps_index(warps, row[lane]);
        byte_stream_u32(stream, &index);
        if (stream->too_short || index >= warps->count)
            return 0;
        row[lane] = warps->slots[index];
        if (stream->from && u->live[row[lane]] >> lane & 1)
            return 0;
        if (stream->from)
            u->live[row[lane]] |= left & -left;
    }
    p->mask = mask;
    return 1;
}

static uint32_t stream_barrier(dwf *u, uint32_t warp, byte_stream *stream)
{
    dwf_barrier *b = &u->barriers[warp];
    byte_stream_u32(stream, &b->active);
    byte_stream_u32(stream, &b->pc);
    byte_stream_u32(stream, &b->depth);
    byte_stream_u64(stream, &b->expected);
    byte_stream_u64(stream, &b->arrived);
    if (stream->too_short || b->active > 1 || (b->active && !u->has_barriers) || (!b->active && b->arrived))
        return 0;
    return !(b->arrived & ~b->expected) && (!b->active || b->arrived != b->expected) &&
           !(u->lanes < 64 && b->expected >> u->lanes);
}

void dwf_save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    dwf *u = (dwf *)unit;
    for (uint32_t i = 0; i < warps->count; i++)
        stream_barrier(u, warps->slots[i], stream);
    for (uint32_t i = 0; i < warps->count * u->lanes; i++)
        stream_path(u, warps, warps->slots[i / u->lanes] * u->lanes + i % u->lanes, stream);
}

static void forget(dwf *u, const block_warps *warps)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        u->live[warps->slots[i]] = 0;
        u->barriers[warps->slots[i]] = (dwf_barrier){.active = 0};
    }
}

void dwf_drop(reconvergence *unit, const block_warps *warps)
{
    dwf *u = (dwf *)unit;
    forget(u, warps);
    for (uint32_t i = 0; i < warps->count; i++) {
        for (uint64_t left = u->used[warps->slots[i]]; left; left &= left - 1) {
            const uint32_t path = warps->slots[i] * u->lanes + (uint32_t)__builtin_ctzll(left);
            dwf_leave(u, path);
            u->events.removed(u->events.context, path);
        }
    }
}

static uint32_t read_block(dwf *u, const block_warps *warps, byte_stream *stream)
{
    for (uint32_t i = 0; i < warps->count; i++)
        if (!stream_barrier(u, warps->slots[i], stream))
            return 0;
    for (uint32_t i = 0; i < warps->count; i++)
        u->live[warps->slots[i]] = u->barriers[warps->slots[i]].arrived;
    for (uint32_t i = 0; i < warps->count * u->lanes; i++)
        if (!stream_path(u, warps, warps->slots[i / u->lanes] * u->lanes + i % u->lanes, stream))
            return 0;
    for (uint32_t i = 0; i < warps->count; i++) {
        const dwf_barrier *b = &u->barriers[warps->slots[i]];
        if (b->active && b->expected != u->live[warps->slots[i]])
            return 0;
        if (b->active && !point_set_add(&u->points, b->pc))
            return 0;
    }
    return 1;
}

uint32_t dwf_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    dwf *u = (dwf *)unit;
    dwf_enter_block(u, warps);
    const uint32_t whole = read_block(u, warps, stream);
    if (!whole)
        forget(u, warps);
    for (uint32_t i = 0; i < warps->count * u->lanes; i++) {
        const uint32_t path = warps->slots[i / u->lanes] * u->lanes + i % u->lanes;
        if (!whole)
            u->paths[path].mask = 0;
        if (!u->paths[path].mask)
            continue;
        dwf_exist(u, path);
        dwf_settle(u, path);
        u->events.added(u->events.context, path);
    }
    return !whole;
}

static void barrier_transfer(dwf_barrier *barrier, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, barrier->active);
    HD_STATE_VALUE(stream, barrier->pc);
    HD_STATE_VALUE(stream, barrier->depth);
    HD_STATE_VALUE(stream, barrier->expected);
    HD_STATE_VALUE(stream, barrier->arrived);
}

void dwf_transfer_state(reconvergence *unit, const hd_state_stream *stream)
{
    dwf *u = (dwf *)unit;
    const size_t paths = (size_t)u->warps * u->lanes;
    HD_STATE_SHAPE(stream, "entries of the lookup table", u->entries);
    HD_STATE_ARRAY(stream, u->paths, paths);
    HD_STATE_ARRAY(stream, u->homes, paths * u->lanes);
    HD_STATE_ARRAY(stream, u->live, u->warps);
    HD_STATE_ARRAY(stream, u->used, u->warps);
    HD_STATE_ARRAY(stream, u->block, (size_t)u->warps * u->warps);
    HD_STATE_ARRAY(stream, u->block_warps, u->warps);
    for (uint32_t warp = 0; warp < u->warps; warp++)
        barrier_transfer(&u->barriers[warp], stream);
    HD_STATE_ARRAY(stream, u->entered_pc, paths);
    HD_STATE_ARRAY(stream, u->entered, paths);
    HD_STATE_VALUE(stream, u->number);
    HD_STATE_VALUE(stream, u->pool);
    HD_STATE_VALUE(stream, u->maximum_depth);
    HD_STATE_ARRAY(stream, u->table, u->entries);
    HD_STATE_VALUE(stream, u->uses);
    point_set_transfer(&u->points, stream);
}
