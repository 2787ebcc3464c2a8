/* SPDX-License-Identifier: MIT */
/* The unit as it is between two calls (hd_state.h). */
#include "state.h"

static void transfer_overflow(overflow *overflow, const hd_state_stream *stream)
{
    const uint32_t capacity = (uint32_t)hd_state_number(stream, overflow->capacity);
    if (stream->is_restored)
        overflow_make_room(overflow, capacity);
    HD_STATE_ARRAY(stream, overflow->nodes, capacity);
    HD_STATE_ARRAY(stream, overflow->heads, overflow->lists);
    HD_STATE_VALUE(stream, overflow->free);
    HD_STATE_VALUE(stream, overflow->used);
}

static void transfer_metadata(metadata *metadata, const hd_state_stream *stream)
{
    cuckoo *table = &metadata->table;
    recency_filter *filter = &metadata->filter;
    HD_STATE_VALUE(stream, table->used);
    HD_STATE_ARRAY(stream, table->slots, (size_t)table->sets * table->ways);
    HD_STATE_VALUE(stream, metadata->stash.used);
    HD_STATE_ARRAY(stream, metadata->stash.entries, (size_t)metadata->stash.capacity + 1);
    transfer_overflow(&metadata->overflow, stream);
    if (filter->slots)
        HD_STATE_ARRAY(stream, filter->slots, (size_t)filter->sets * filter->ways);
    HD_STATE_VALUE(stream, metadata->turn);
}

static void transfer_line(stall_line *line, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, line->granule);
    HD_STATE_VALUE(stream, line->since);
    HD_STATE_VALUE(stream, line->count);
    HD_STATE_VALUE(stream, line->returned);
    for (uint32_t i = 0; i < line->count; i++) {
        hd_state_packet(stream, &line->waiters[i].request);
        HD_STATE_VALUE(stream, line->waiters[i].since);
    }
}

static void transfer_stalled(stall_buffer *stall, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, stall->requests);
    HD_STATE_VALUE(stream, stall->used);
    HD_STATE_VALUE(stream, stall->marked);
    for (uint32_t i = 0; i < stall->line_count; i++)
        transfer_line(&stall->lines[i], stream);
}

static void transfer_replies(validation *self, const hd_state_stream *stream)
{
    hd_state_ring(stream, &self->reply_ring);
    for (uint32_t i = 0; i < self->reply_ring.count; i++) {
        struct pending_reply *reply = &self->replies[hd_ring_place(&self->reply_ring, i)];
        hd_state_packet(stream, &reply->packet);
        HD_STATE_VALUE(stream, reply->ready);
    }
    HD_STATE_VALUE(stream, self->reply_waits);
    HD_STATE_VALUE(stream, self->load_waits);
    HD_STATE_VALUE(stream, self->released_waits);
}

static void transfer_shape(const validation *self, const hd_state_stream *stream)
{
    const metadata_parameters *tables = &self->metadata.parameters;
    HD_STATE_SHAPE(stream, "bits of a granule", self->granule_shift);
    HD_STATE_SHAPE(stream, "sets of the table", self->metadata.table.sets);
    HD_STATE_SHAPE(stream, "ways of the table", self->metadata.table.ways);
    HD_STATE_SHAPE(stream, "entries of the stash", self->metadata.stash.capacity);
    HD_STATE_SHAPE(stream, "lists in memory", self->metadata.overflow.lists);
    HD_STATE_SHAPE(stream, "number of the approximate table", tables->approximate);
    HD_STATE_SHAPE(stream, "entries of the approximate table",
                   self->metadata.filter.slots ? (uint64_t)self->metadata.filter.sets * self->metadata.filter.ways : 0);
    HD_STATE_SHAPE(stream, "seed of the hashes", tables->seed);
    HD_STATE_SHAPE(stream, "lines of the stall buffer", self->stall.line_count);
    HD_STATE_SHAPE(stream, "requests of a line of the stall buffer", self->stall.capacity);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    validation *self = (validation *)block;
    transfer_shape(self, stream);
    HD_STATE_VALUE(stream, self->cursor);
    transfer_metadata(&self->metadata, stream);
    transfer_stalled(&self->stall, stream);
    HD_STATE_VALUE(stream, self->reserved_granules);
    HD_STATE_VALUE(stream, self->latest);
    HD_STATE_VALUE(stream, self->era);
    hd_state_packet(stream, &self->current);
    HD_STATE_VALUE(stream, self->done);
    HD_STATE_VALUE(stream, self->is_woken);
    HD_STATE_VALUE(stream, self->loads_under_way);
    HD_STATE_VALUE(stream, self->wait);
    HD_STATE_VALUE(stream, self->wait_since);
    transfer_replies(self, stream);
    HD_STATE_VALUE(stream, self->rollover);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state validation_state = {.transfer = transfer};
