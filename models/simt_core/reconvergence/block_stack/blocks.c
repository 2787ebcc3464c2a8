/* SPDX-License-Identifier: MIT */
/* Blocks come to the core and leave it. What has been spilled is not saved apart: all entries of a block that comes are in memory. */
#include "block_stack.h"

#include <string.h>

/* Cycles are counted anew while no block is there. */
static void restart_clock(block_stack *u)
{
    if (masks_any(u->live, u->warps))
        return;
    u->cycle = u->arrivals_cycle = 0;
    u->arrivals_taken = 0;
}

resident_block *blocks_enter(block_stack *u, const block_warps *warps)
{
    resident_block *b = &u->blocks[warps->slots[0]];
    restart_clock(u);
    for (uint32_t i = 0; i < warps->count; i++) {
        b->slots[i] = warps->slots[i];
        u->first[warps->slots[i]] = warps->slots[0];
        u->index[warps->slots[i]] = i;
    }
    b->warps = b->stack.warps = b->targets.warps = warps->count;
    b->stack.count = b->targets.count = b->in_hardware = b->awaited = b->arrived = b->made = 0;
    b->arrivals = 0;
    b->arrival = ARRIVED_NOWHERE;
    return b;
}

static void stream_masks(uint64_t *masks, uint32_t warps, byte_stream *stream)
{
    for (uint32_t i = 0; i < warps; i++)
        byte_stream_u64(stream, &masks[i]);
}

/* Written, or read; 0: there is less. */
static uint32_t stream_entries(block_entries *list, byte_stream *stream)
{
    uint32_t count = list->count;
    byte_stream_u32(stream, &count);
    if (stream->from)
        list->count = 0;
    for (uint32_t e = 0; e < count && !stream->too_short; e++) {
        if (stream->from)
            entries_add(list, (block_entry){.pc = 0});
        block_entry *entry = &list->entries[e];
        byte_stream_u32(stream, &entry->pc);
        byte_stream_u32(stream, &entry->depth);
        byte_stream_u32(stream, &entry->stop_pc);
        byte_stream_u32(stream, &entry->stop_depth);
        byte_stream_u32(stream, &entry->likely_pc);
        byte_stream_u32(stream, &entry->likely_at);
        stream_masks(entry_masks(list, e), list->warps, stream);
    }
    return !stream->too_short;
}

static void stream_warp(block_stack *u, uint32_t slot, byte_stream *stream)
{
    struct path *p = &u->paths[slot];
    byte_stream_u64(stream, &p->mask);
    byte_stream_u32(stream, &p->pc);
    byte_stream_u32(stream, &p->depth);
    for (uint32_t lane = 0; lane < u->lanes; lane++)
        byte_stream_u32(stream, &u->arrival_pcs[(size_t)slot * u->lanes + lane]);
}

/* The same whatever the compactor has made of the top entry by now, but for which of its warps exist. */
static uint32_t stream_block(block_stack *u, resident_block *b, byte_stream *stream)
{
    uint32_t arrival = b->arrival;
    if (!stream_entries(&b->stack, stream) || !b->stack.count)
        return !stream->too_short;
    byte_stream_u32(stream, &arrival);
    byte_stream_u32(stream, &b->transfer.pc);
    byte_stream_u32(stream, &b->transfer.depth);
    byte_stream_u32(stream, &b->transfer.is_branch);
    byte_stream_u32(stream, &b->transfer.target);
    byte_stream_u32(stream, &b->transfer.meeting_pc);
    byte_stream_u32(stream, &b->transfer.likely_pc);
    byte_stream_u32(stream, &b->by_rows);
    byte_stream_u32(stream, &b->made);
    stream_masks(b->compacted, b->warps, stream);
    for (uint32_t i = 0; i < b->warps; i++)
        stream_warp(u, b->slots[i], stream);
    b->arrival = arrival <= ARRIVED_AT_LIKELY_POINT ? (enum block_arrival)arrival : ARRIVED_NOWHERE;
    return stream_entries(&b->targets, stream) && arrival <= ARRIVED_AT_LIKELY_POINT;
}

void block_stack_save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    block_stack *u = (block_stack *)unit;
    resident_block *b = block_stack_of(u, warps->slots[0]);
    stream_block(u, b, stream);
}

/* ---- What has been read ----------------------------------------------------------------------------------------------------- */

static uint32_t are_within(const uint64_t *masks, const uint64_t *all, uint32_t warps)
{
    uint64_t outside = 0;
    for (uint32_t i = 0; i < warps; i++)
        outside |= masks[i] & ~all[i];
    return !outside;
}

/* The lowest entry has every thread. */
static uint32_t is_stack(const block_stack *u, const resident_block *b)
{
    uint64_t beyond = 0;
    for (uint32_t i = 0; i < b->warps && u->lanes < 64; i++)
        beyond |= entry_masks(&b->stack, 0)[i] >> u->lanes;
    for (uint32_t e = 1; e < b->stack.count; e++)
        beyond |= !are_within(entry_masks(&b->stack, e), entry_masks(&b->stack, 0), b->warps);
    for (uint32_t e = 0; e < b->stack.count; e++)
        beyond |= b->stack.entries[e].likely_pc && b->stack.entries[e].likely_at >= e;
    for (uint32_t i = 0; i < b->warps && u->lanes < 64; i++)
        beyond |= b->compacted[i] >> u->lanes;
    return !beyond && masks_any(entry_masks(&b->stack, b->stack.count - 1), b->warps);
}

/* The threads of this warp that have gone somewhere from a transfer, by the warps of the block that they are of. */
static uint64_t at_targets(const block_stack *u, const resident_block *b, uint32_t path, uint64_t lanes)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t warp = u->index[block_stack_row(u, path)[__builtin_ctzll(left)]];
        for (uint32_t t = 0; t < b->targets.count; t++)
            found |= entry_masks(&b->targets, t)[warp] & left & -left;
    }
    return found;
}

/* A warp is as the compactor has made it, without those who have left, or has arrived, or has left. 0: it is no such warp. */
static uint32_t make_again(block_stack *u, resident_block *b, uint32_t *gone)
{
    const uint32_t path = b->slots[b->made];
    const struct path read = u->paths[path];
    compactor_make(u, b);
    struct path *p = &u->paths[path];
    const uint64_t whole = p->mask;
    if (read.mask & ~whole)
        return 0;
    for (uint64_t left = read.mask; left; left &= left - 1)
        if (!(entry_masks(&b->stack, b->stack.count - 1)[u->index[block_stack_row(u, path)[__builtin_ctzll(left)]]] &
              left & -left))
            return 0;
    p->mask = read.mask;
    p->pc = read.pc;
    p->depth = read.depth;
    block_stack_set_stop(b, p);
    u->arrived[path] = at_targets(u, b, path, whole);
    b->awaited += read.mask != 0;
    *gone += read.mask == 0;
    return !(u->arrived[path] & read.mask);
}

/* The warps, from what has been read of them. */
static uint32_t make_warps(block_stack *u, resident_block *b)
{
    const uint32_t made = b->made;
    uint32_t gone = 0;
    memcpy(b->latch, b->compacted, b->warps * sizeof *b->latch);
    b->made = 0;
    while (b->made < made)
        if (b->made == b->warps || !masks_any(b->latch, b->warps) || !make_again(u, b, &gone))
            return 0;
    for (uint32_t i = made; i < b->warps; i++)
        if (u->paths[b->slots[i]].mask)
            return 0;
    b->awaited += b->by_rows ? static_warps(b->latch, b->warps) : compacted_warps(b->latch, b->warps);
    b->arrived = b->arrival == ARRIVED_NOWHERE ? 0 : gone;
    b->arrivals = b->arrived * u->cycle;
    return b->awaited && (b->arrival != ARRIVED_AT_TRANSFER) == !b->targets.count &&
           are_within(b->latch, entry_masks(&b->stack, b->stack.count - 1), b->warps);
}

static void forget(block_stack *u, resident_block *b)
{
    compactor_drop(u, b);
    b->stack.count = b->targets.count = 0;
    for (uint32_t i = 0; i < b->warps; i++) {
        u->paths[b->slots[i]].mask = 0;
        u->live[b->slots[i]] = 0;
    }
}

uint32_t block_stack_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    block_stack *u = (block_stack *)unit;
    resident_block *b = blocks_enter(u, warps);
    const uint64_t entries = u->parameters.share.values[BLOCK_STACK_ENTRIES].u;
    const uint32_t read = stream_block(u, b, stream);
    if (read && !b->stack.count)
        return 0;
    if (!read || b->by_rows > 1 || !is_stack(u, b) || !make_warps(u, b)) {
        forget(u, b);
        return 1;
    }
    b->in_hardware = b->stack.count > entries ? b->stack.count - (uint32_t)entries : 0;
    for (uint32_t i = 0; i < b->warps; i++)
        u->live[b->slots[i]] = entry_masks(&b->stack, 0)[i];
    for (uint32_t i = 0; i < b->made; i++)
        if (u->paths[b->slots[i]].mask)
            u->events.added(u->events.context, b->slots[i]);
    if (masks_any(b->latch, b->warps))
        compactor_resume(u, b, u->cycle);
    return 0;
}

void block_stack_drop(reconvergence *unit, const block_warps *warps)
{
    block_stack *u = (block_stack *)unit;
    resident_block *b = block_stack_of(u, warps->slots[0]);
    uint64_t exists[MAX_WARPS];
    for (uint32_t i = 0; i < b->warps; i++)
        exists[i] = u->paths[b->slots[i]].mask;
    forget(u, b);
    for (uint32_t i = 0; i < b->warps; i++)
        if (exists[i])
            u->events.removed(u->events.context, b->slots[i]);
}

static void resident_block_transfer(resident_block *b, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, b->warps);
    HD_STATE_ARRAY(stream, b->slots, b->warps);
    b->stack.warps = b->targets.warps = b->warps;
    entries_transfer(&b->stack, stream);
    entries_transfer(&b->targets, stream);
    HD_STATE_VALUE(stream, b->in_hardware);
    HD_STATE_VALUE(stream, b->arrival);
    HD_STATE_VALUE(stream, b->transfer);
    HD_STATE_VALUE(stream, b->awaited);
    HD_STATE_VALUE(stream, b->arrived);
    HD_STATE_VALUE(stream, b->arrivals);
    HD_STATE_ARRAY(stream, b->compacted, b->warps);
    HD_STATE_ARRAY(stream, b->latch, b->warps);
    HD_STATE_VALUE(stream, b->by_rows);
    HD_STATE_VALUE(stream, b->made);
}

void block_stack_transfer_state(reconvergence *unit, const hd_state_stream *stream)
{
    block_stack *u = (block_stack *)unit;
    const size_t threads = (size_t)u->warps * u->lanes;
    HD_STATE_ARRAY(stream, u->paths, u->warps);
    HD_STATE_ARRAY(stream, u->homes, threads);
    HD_STATE_ARRAY(stream, u->live, u->warps);
    HD_STATE_ARRAY(stream, u->arrived, u->warps);
    HD_STATE_ARRAY(stream, u->arrival_pcs, threads);
    for (uint32_t warp = 0; warp < u->warps; warp++)
        resident_block_transfer(&u->blocks[warp], stream);
    HD_STATE_ARRAY(stream, u->first, u->warps);
    HD_STATE_ARRAY(stream, u->index, u->warps);
    HD_STATE_VALUE(stream, u->queued);
    for (uint32_t i = 0; i < u->queued; i++) {
        HD_STATE_VALUE(stream, u->queue[i].block);
        HD_STATE_VALUE(stream, u->queue[i].cycle);
    }
    HD_STATE_VALUE(stream, u->cycle);
    HD_STATE_VALUE(stream, u->arrivals_cycle);
    HD_STATE_VALUE(stream, u->arrivals_taken);
    HD_STATE_VALUE(stream, u->maximum_depth);
}
