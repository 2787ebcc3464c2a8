/* SPDX-License-Identifier: MIT */
/* The stacks of a block's warps leave for another core, and come from one. */
#include "stack_state.h"

#include <string.h>

static void stream_entry(byte_stream *stream, stack_entry *entry)
{
    byte_stream_u64(stream, &entry->mask);
    byte_stream_u32(stream, &entry->pc);
    byte_stream_u32(stream, &entry->depth);
    byte_stream_u32(stream, &entry->stop_pc);
    byte_stream_u32(stream, &entry->stop_depth);
    byte_stream_u32(stream, &entry->type);
    byte_stream_u32(stream, &entry->likely_pc);
    byte_stream_u32(stream, &entry->likely_at);
}

static void stream_arrivals(byte_stream *stream, uint32_t *pcs, uint32_t lanes)
{
    for (uint32_t lane = 0; lane < lanes; lane++) {
        byte_stream_u32(stream, &pcs[lane]);
    }
}

static void save_warp(reconvergence *unit, uint32_t warp, byte_stream *stream)
{
    const stack *s = (const stack *)unit;
    warp_stack *ws = &s->warps[warp];
    byte_stream_u64(stream, &ws->live);
    byte_stream_u32(stream, &ws->size);
    for (uint32_t e = 0; e < ws->size; e++) {
        stack_entry entry = stack_entry_at(unit, warp, e);
        stream_entry(stream, &entry);
    }
    stream_arrivals(stream, ws->arrival_pcs, s->parameters.lanes);
}

void stack_save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        save_warp(unit, warps->slots[i], stream);
    }
}

/* No lane runs that has ended, no transaction is under way, and if any lane lives the warp runs some. */
static uint32_t makes_sense(const stack_entry *entries, uint32_t size, uint64_t live)
{
    for (uint32_t e = 0; e < size; e++) {
        if (entries[e].mask & ~live || entries[e].type != ENTRY_NORMAL ||
            (entries[e].likely_pc && entries[e].likely_at >= e)) {
            return 0;
        }
    }
    return size == 0 ? live == 0 : entries[size - 1].mask != 0;
}

static uint32_t restore_warp(stack *s, uint32_t warp, byte_stream *stream)
{
    warp_stack *ws = &s->warps[warp];
    stack_entry entries[3 * MAX_LANES + 1];
    uint32_t arrivals[MAX_LANES] = {0};
    uint64_t live = 0;
    uint32_t size = 0;
    byte_stream_u64(stream, &live);
    byte_stream_u32(stream, &size);
    if (size > s->capacity) {
        return 1;
    }
    memset(entries, 0, sizeof entries);
    for (uint32_t e = 0; e < size; e++) {
        stream_entry(stream, &entries[e]);
    }
    stream_arrivals(stream, arrivals, s->parameters.lanes);
    if (stream->too_short || !makes_sense(entries, size, live)) {
        return 1;
    }
    ws->live = live;
    ws->transaction = 0;
    ws->size = size;
    memcpy(ws->entries, entries, size * sizeof *entries);
    memcpy(ws->arrival_pcs, arrivals, s->parameters.lanes * sizeof *arrivals);
    if (size == 0) {
        return 0;
    }
    if (size > s->maximum_depth) {
        s->maximum_depth = size;
    }
    stack_publish_top(s, warp);
    s->events.added(s->events.context, warp);
    return 0;
}

static void drop_warp(stack *s, uint32_t warp)
{
    if (s->warps[warp].size == 0) {
        return;
    }
    s->warps[warp].live = 0;
    s->warps[warp].size = 0;
    s->paths[warp] = (path){.stop_pc = NO_STOP, .warp = warp, .home = warp};
    s->events.removed(s->events.context, warp);
}

void stack_drop(reconvergence *unit, const block_warps *warps)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        drop_warp((stack *)unit, warps->slots[i]);
    }
}

uint32_t stack_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        if (restore_warp((stack *)unit, warps->slots[i], stream)) {
            stack_drop(unit, &(block_warps){warps->slots, i});
            return 1;
        }
    }
    return 0;
}

void stack_transfer_state(reconvergence *unit, const hd_state_stream *stream)
{
    stack *s = (stack *)unit;
    const uint32_t warps = s->parameters.warps;
    HD_STATE_SHAPE(stream, "entries of a stack", s->capacity);
    HD_STATE_VALUE(stream, s->maximum_depth);
    HD_STATE_ARRAY(stream, s->paths, warps);
    HD_STATE_ARRAY(stream, s->arrival_pcs, (size_t)warps * s->parameters.lanes);
    for (uint32_t w = 0; w < warps; w++) {
        warp_stack *ws = &s->warps[w];
        HD_STATE_VALUE(stream, ws->live);
        HD_STATE_VALUE(stream, ws->size);
        HD_STATE_VALUE(stream, ws->retry);
        HD_STATE_VALUE(stream, ws->transaction);
        HD_STATE_ARRAY(stream, ws->entries, ws->size);
    }
}
