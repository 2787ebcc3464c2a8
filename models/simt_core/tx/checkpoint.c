/* SPDX-License-Identifier: MIT */
/* heddle.state/1 of the shared part. */
#include "instruction_places.h"
#include "transfer_span.h"
#include "tx/tx.h"

void tx_own_instructions(const transactions *t, instruction_places *places)
{
    if (!t)
        return;
    places->own[places->own_count++] = &t->undo_load;
    places->own[places->own_count++] = &t->undo_store;
    places->own[places->own_count++] = &t->walk;
}

/* Its words are in the read log's size for each lane. */
static void transfer_undo(tx_warp *w, const hd_state_stream *stream)
{
    tx_undo *undo = &w->undo;
    HD_STATE_VALUE(stream, undo->pending);
    HD_STATE_VALUE(stream, undo->restoring);
    HD_STATE_VALUE(stream, undo->restored);
    HD_STATE_VALUE(stream, undo->pending_lane);
    HD_STATE_ARRAY(stream, undo->count, w->reads.lanes);
    for (uint32_t lane = 0; lane < w->reads.lanes; lane++) {
        const size_t first = (size_t)lane * w->reads.capacity;
        HD_STATE_ARRAY(stream, undo->address + first, undo->count[lane]);
        HD_STATE_ARRAY(stream, undo->value + first, undo->count[lane]);
    }
}

static void transfer_warp(tx_warp *w, const instruction_places *places, const hd_state_stream *stream)
{
    const uint32_t lanes = w->reads.lanes;
    TRANSFER_SPAN(stream, w, state, paused);
    HD_STATE_VALUE(stream, w->pause_count);
    HD_STATE_ARRAY(stream, w->pauses, w->pause_count);
    TRANSFER_SPAN(stream, w, begun, order);
    tx_log_transfer(&w->reads, stream);
    tx_log_transfer(&w->writes, stream);
    transfer_undo(w, stream);
    tx_records_transfer(w, places, stream);
    HD_STATE_ARRAY(stream, w->attempts, lanes);
    if (w->state == TX_OUTSIDE)
        return;
    HD_STATE_ARRAY(stream, w->checkpoint, (size_t)ISA_REGISTER_COUNT * lanes);
    HD_STATE_ARRAY(stream, w->fcsr, lanes);
}

/* For a checker, if there is one. */
static void transfer_watched(transactions *t, uint32_t slot, const hd_state_stream *stream)
{
    tx_watched_block block = t->blocks ? t->blocks[slot] : (tx_watched_block){0};
    HD_STATE_VALUE(stream, block);
    if (t->blocks)
        t->blocks[slot] = block;
}

void tx_transfer(transactions *t, const instruction_places *places, const hd_state_stream *stream)
{
    if (!t)
        return;
    for (uint32_t warp = 0; warp < t->core.warp_count; warp++)
        transfer_warp(&t->warps[warp], places, stream);
    for (uint32_t slot = 0; slot < t->core.block_count; slot++)
        transfer_watched(t, slot, stream);
    HD_STATE_ARRAY(stream, t->times, t->core.warp_count);
    HD_STATE_ARRAY(stream, t->timed, t->core.warp_count / 64 + 1);
    tx_queue_transfer(&t->waiting, stream);
    tx_queue_transfer(&t->resolving, stream);
    HD_STATE_VALUE(stream, t->tables);
    HD_STATE_VALUE(stream, t->tokens);
    for (uint32_t i = 0; i < t->protocol_count; i++)
        t->protocols[i].unit->transfer(t->protocols[i].state, stream);
}
