/* SPDX-License-Identifier: MIT */
/* The memory as it is between two calls (hd_state.h). */
#include "state.h"

static void transfer_pool(pool *pool, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "places of a table", pool->capacity);
    HD_STATE_VALUE(stream, pool->free_count);
    HD_STATE_VALUE(stream, pool->used);
    HD_STATE_VALUE(stream, pool->taken);
    HD_STATE_ARRAY(stream, pool->free, pool->free_count);
}

static void transfer_tables(ideal_memory *self, const hd_state_stream *stream)
{
    transfer_pool(&self->reader_pool, stream);
    HD_STATE_ARRAY(stream, self->readers, self->reader_pool.used);
    HD_STATE_ARRAY(stream, self->reader_buckets, self->reader_pool.buckets);
    transfer_pool(&self->word_pool, stream);
    HD_STATE_ARRAY(stream, self->words, self->word_pool.used);
    HD_STATE_ARRAY(stream, self->word_buckets, self->word_pool.buckets);
    transfer_pool(&self->store_pool, stream);
    HD_STATE_ARRAY(stream, self->stores, self->store_pool.used);
    HD_STATE_VALUE(stream, self->queues);
}

static void transfer_warp(warp *at, const hd_state_stream *stream)
{
    hd_packet *telling = at->telling;
    warp value = *at;
    value.telling = NULL;
    HD_STATE_VALUE(stream, value);
    hd_state_packet(stream, &telling);
    *at = value;
    at->telling = telling;
}

static void transfer_arriving(arriving *at, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, at->count);
    HD_STATE_ARRAY(stream, at->writes, at->count);
}

static void transfer_outbox(ideal_memory *self, const hd_state_stream *stream)
{
    hd_state_ring(stream, &self->outgoing);
    for (uint32_t i = 0; i < self->outgoing.count; i++) {
        answer *at = &self->outbox[hd_ring_place(&self->outgoing, i)];
        hd_state_packet(stream, &at->packet);
        HD_STATE_VALUE(stream, at->element);
    }
    HD_STATE_VALUE(stream, self->outbox_since);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    ideal_memory *self = (ideal_memory *)block;
    HD_STATE_SHAPE(stream, "warps", self->warp_limit);
    HD_STATE_SHAPE(stream, "cores", self->request_count);
    HD_STATE_SHAPE(stream, "words of a commit", self->commit_words);
    HD_STATE_SHAPE(stream, "conflicts by values", self->compares_values);
    HD_STATE_VALUE(stream, self->cursor);
    for (uint32_t i = 0; i < self->warp_limit; i++)
        transfer_warp(&self->warps[i], stream);
    HD_STATE_VALUE(stream, self->hit_count);
    HD_STATE_ARRAY(stream, self->hits, self->hit_count);
    transfer_tables(self, stream);
    for (uint32_t i = 0; i < self->request_count; i++)
        transfer_arriving(&self->arriving[i], stream);
    transfer_outbox(self, stream);
    HD_STATE_VALUE(stream, self->order);
    HD_STATE_VALUE(stream, self->dooms);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state ideal_state = {.transfer = transfer};
