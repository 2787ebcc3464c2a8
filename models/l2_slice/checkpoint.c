/* SPDX-License-Identifier: MIT */
/* The slice as it is between two calls (hd_state.h). Routes, and the range of memory used last, are found anew. */
#include <stdlib.h>

#include "cache_state.h"
#include "parts.h"

static void transfer_shape(struct slice *slice, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "bytes of a sector", 1u << slice->sector_shift);
    HD_STATE_SHAPE(stream, "lines on their way to memory", slice->write_back_count);
    HD_STATE_SHAPE(stream, "versions", slice->version_count);
    HD_STATE_SHAPE(stream, "requests past the lines", slice->uncached.limit);
    HD_STATE_SHAPE(stream, "lines of contexts", slice->buffers.count);
    HD_STATE_SHAPE(stream, "operations of atomics", slice->atomic_unit.capacity);
    HD_STATE_SHAPE(stream, "reply ports", slice->reply_ports);
    HD_STATE_SHAPE(stream, "counts of units", hd_unit_counters(slice->block_class));
}

static void transfer_requests(struct slice *slice, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, slice->cursor);
    HD_STATE_VALUE(stream, slice->next_request);
    HD_STATE_VALUE(stream, slice->port_free);
    HD_STATE_VALUE(stream, slice->stall);
    HD_STATE_VALUE(stream, slice->stalled_since);
    HD_STATE_VALUE(stream, slice->unlocked);
    HD_STATE_VALUE(stream, slice->looked_until);
    HD_STATE_VALUE(stream, slice->look_again);
    HD_STATE_VALUE(stream, slice->accepted);
}

static void transfer_targets(struct slice *slice, const hd_state_stream *stream)
{
    const cache_mshrs *mshrs = &slice->mshrs;
    for (uint32_t mshr = 0; mshr < mshrs->count; mshr++)
        for (uint32_t i = 0; i < cache_mshrs_waiting(mshrs, mshr); i++) {
            const uint32_t target = cache_mshrs_target(mshrs, mshr, i);
            struct access *access = &slice->targets[target];
            hd_state_packet(stream, &access->request);
            HD_STATE_VALUE(stream, access->touches);
            HD_STATE_VALUE(stream, access->needs);
            HD_STATE_VALUE(stream, access->partly);
            if (slice->tapped)
                HD_STATE_VALUE(stream, slice->tapped[target]);
        }
}

static void transfer_lines(struct slice *slice, const hd_state_stream *stream)
{
    cache_tags_transfer(&slice->tags, stream);
    HD_STATE_ARRAY(stream, slice->lines, slice->tags.places);
    HD_STATE_VALUE(stream, slice->seed);
    HD_STATE_ARRAY(stream, slice->versions, slice->version_count);
    HD_STATE_VALUE(stream, slice->watched);
    cache_mshrs_transfer(&slice->mshrs, stream);
    HD_STATE_ARRAY(stream, slice->misses, slice->mshrs.count);
    transfer_targets(slice, stream);
}

static void transfer_uncached(struct uncached *uncached, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, uncached->in_use);
    HD_STATE_ARRAY(stream, uncached->free, uncached->limit);
    for (uint32_t i = 0; i < uncached->limit; i++)
        hd_state_packet(stream, &uncached->requests[i]);
}

static void transfer_buffers(struct buffers *buffers, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, buffers->waiting);
    for (uint32_t i = 0; i < buffers->count; i++) {
        hd_state_packet(stream, &buffers->lines[i].load);
        HD_STATE_VALUE(stream, buffers->lines[i].bytes);
        HD_STATE_VALUE(stream, buffers->lines[i].data);
    }
}

static void transfer_memory(struct slice *slice, const hd_state_stream *stream)
{
    HD_STATE_ARRAY(stream, slice->write_backs, slice->write_back_count);
    HD_STATE_VALUE(stream, slice->write_backs_used);
    HD_STATE_VALUE(stream, slice->eviction);
    HD_STATE_VALUE(stream, slice->memory_awaits_credit);
    hd_state_ring(stream, &slice->memory_ring);
    for (uint32_t i = 0; i < slice->memory_ring.count; i++)
        hd_state_packet(stream, &slice->memory_queue[hd_ring_place(&slice->memory_ring, i)]);
}

/* The slice may have had a longer latency, and more of them under way than there will be. */
static void transfer_replies(struct reply_queue *queue, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, queue->ring.count);
    if (count > queue->ring.capacity) {
        queue->ring.capacity = count;
        queue->replies = realloc(queue->replies, count * sizeof *queue->replies);
        if (!queue->replies)
            abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        struct pending_reply *reply =
            &queue->replies[stream->is_restored ? hd_ring_push(&queue->ring) : hd_ring_place(&queue->ring, i)];
        hd_state_packet(stream, &reply->packet);
        HD_STATE_VALUE(stream, reply->ready);
    }
}

static void transfer_reply_ports(struct slice *slice, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, slice->reply_count);
    HD_STATE_VALUE(stream, slice->starved_ports);
    HD_STATE_VALUE(stream, slice->reply_edge);
    for (uint32_t port = 0; port < slice->reply_ports; port++) {
        HD_STATE_VALUE(stream, slice->replies[port].awaits_credit);
        for (uint32_t q = 0; slice->replies[port].link && q < QUEUE_COUNT; q++)
            transfer_replies(&slice->replies[port].queues[q], stream);
    }
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    struct slice *slice = (struct slice *)block;
    struct atomic_unit *atomics = &slice->atomic_unit;
    transfer_shape(slice, stream);
    transfer_requests(slice, stream);
    HD_STATE_VALUE(stream, atomics->first);
    HD_STATE_VALUE(stream, atomics->count);
    HD_STATE_ARRAY(stream, atomics->rounds, atomics->capacity);
    transfer_lines(slice, stream);
    transfer_uncached(&slice->uncached, stream);
    transfer_buffers(&slice->buffers, stream);
    transfer_memory(slice, stream);
    transfer_reply_ports(slice, stream);
    HD_STATE_VALUE(stream, slice->statistics);
    HD_STATE_ARRAY(stream, slice->unit_counters, hd_unit_counters(slice->block_class));
}

static uint32_t refuses(hd_block *block, char *text, size_t bytes)
{
    return cache_tags_refuse_state(&((const struct slice *)block)->tags, text, bytes);
}

const hd_state slice_state = {transfer, refuses};
