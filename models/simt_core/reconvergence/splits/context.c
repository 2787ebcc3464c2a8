/* SPDX-License-Identifier: MIT */
/* The tables of a warp as bytes, which do not depend on the slot that it is in. */
#include "splits.h"

static void stream_point(split_point *point, byte_stream *stream)
{
    byte_stream_u32(stream, &point->pc);
    byte_stream_u32(stream, &point->depth);
}

/* Entries are numbered from 1 in the stream. 0: there is no such entry. */
static uint32_t stream_outer(const splits *s, uint32_t warp, uint32_t *outer, byte_stream *stream)
{
    uint32_t number = *outer == NO_MEETING || stream->from ? 0 : *outer - warp * s->lanes + 1;
    byte_stream_u32(stream, &number);
    if (stream->too_short || number > s->lanes)
        return 0;
    *outer = number ? warp * s->lanes + number - 1 : NO_MEETING;
    return 1;
}

static uint32_t stream_split(splits *s, uint32_t warp, uint32_t split, byte_stream *stream)
{
    path *p = &s->paths[split];
    split_point stop = {p->stop_pc, p->stop_depth};
    byte_stream_u64(stream, &p->mask);
    if (!p->mask)
        return !stream->too_short;
    byte_stream_u32(stream, &p->pc);
    byte_stream_u32(stream, &p->depth);
    stream_point(&stop, stream);
    p->stop_pc = stop.pc;
    p->stop_depth = stop.depth;
    s->counts[warp].splits += stream->from != NULL;
    return stream_outer(s, warp, &s->outer[split], stream);
}

/* How long lanes have waited is lost: the time-out begins anew. */
static uint32_t stream_meeting(splits *s, uint32_t warp, uint32_t entry, byte_stream *stream)
{
    meeting *m = &s->meetings[entry];
    byte_stream_u64(stream, &m->lanes);
    if (!m->lanes)
        return !stream->too_short;
    byte_stream_u64(stream, &m->pending);
    stream_point(&m->at, stream);
    stream_point(&m->next, stream);
    s->counts[warp].meetings += stream->from != NULL;
    return stream_outer(s, warp, &m->outer, stream);
}

/* Are the lanes `inner` pending in the entry, and in all outer ones, of which there is an end? */
static uint32_t are_pending(const splits *s, uint64_t inner, uint32_t entry)
{
    uint32_t steps = 0;
    for (; entry != NO_MEETING; entry = s->meetings[entry].outer)
        if (inner & ~s->meetings[entry].pending || steps++ == s->lanes)
            return 0;
    return 1;
}

uint32_t splits_can_be(const splits *s, uint32_t warp)
{
    uint64_t seen = 0;
    for (uint32_t i = warp * s->lanes; i < (warp + 1) * s->lanes; i++) {
        const meeting *m = &s->meetings[i];
        const uint64_t waiting = splits_waiting(s, i);
        if (seen & s->paths[i].mask || (s->paths[i].mask && !are_pending(s, s->paths[i].mask, s->outer[i])))
            return 0;
        seen |= s->paths[i].mask;
        if (seen & waiting ||
            (m->lanes && (!m->pending || m->pending & ~m->lanes || !are_pending(s, m->lanes, m->outer))))
            return 0;
        seen |= waiting;
    }
    return seen == s->live[warp] && !(s->lanes < 64 && seen >> s->lanes);
}

uint32_t splits_stream(splits *s, uint32_t warp, byte_stream *stream)
{
    const uint32_t begin = warp * s->lanes, end = begin + s->lanes;
    uint32_t right = 1;
    byte_stream_u64(stream, &s->live[warp]);
    for (uint32_t i = begin; i < end; i++)
        right = right && stream_split(s, warp, i, stream) && stream_meeting(s, warp, i, stream);
    for (uint32_t i = begin; i < end; i++)
        byte_stream_u32(stream, &s->returned[i]);
    right = right && !stream->too_short && splits_can_be(s, warp);
    if (stream->from && !right)
        splits_forget(s, warp);
    return right;
}

void splits_transfer_state(splits *s, const hd_state_stream *stream)
{
    const size_t threads = (size_t)s->warps * s->lanes;
    HD_STATE_ARRAY(stream, s->paths, threads);
    HD_STATE_ARRAY(stream, s->outer, threads);
    HD_STATE_ARRAY(stream, s->meetings, threads);
    HD_STATE_ARRAY(stream, s->counts, s->warps);
    HD_STATE_ARRAY(stream, s->live, s->warps);
    HD_STATE_ARRAY(stream, s->returned, threads);
    HD_STATE_VALUE(stream, s->maximum_splits);
}
