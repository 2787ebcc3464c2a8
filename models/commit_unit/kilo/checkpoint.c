/* SPDX-License-Identifier: MIT */
/* The unit as it is between two calls (hd_state.h). Who listens to it is found by reset. */
#include <stdlib.h>

#include "state.h"

/* An array that grows: room for so many, at least. */
static void *with_room(void *items, uint64_t count, size_t item_bytes)
{
    void *larger = realloc(items, (count ? count : 1) * item_bytes);
    if (!larger)
        abort();
    return larger;
}

static void transfer_places(places *places, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, places->free);
    HD_STATE_VALUE(stream, places->used);
    if (places->used > places->capacity) {
        places->capacity = places->used;
        places->items = with_room(places->items, places->capacity, places->item_bytes);
    }
    stream->bytes(stream->context, places->items, places->used * places->item_bytes);
}

static void transfer_ring(kilo_unit *self, const hd_state_stream *stream)
{
    const uint64_t size = hd_state_number(stream, self->ring_size);
    if (size != self->ring_size) {
        self->ring_size = size;
        self->ring = with_room(self->ring, size, sizeof *self->ring);
    }
    HD_STATE_ARRAY(stream, self->ring, self->ring_size);
    HD_STATE_VALUE(stream, self->head);
    HD_STATE_VALUE(stream, self->hazard_pointer);
    HD_STATE_VALUE(stream, self->pass_pointer);
    HD_STATE_VALUE(stream, self->commit_pointer);
    HD_STATE_VALUE(stream, self->retire_pointer);
    HD_STATE_VALUE(stream, self->unsent);
    transfer_places(&self->groups, stream);
    transfer_places(&self->words, stream);
    transfer_places(&self->accesses, stream);
    HD_STATE_VALUE(stream, self->validations);
    HD_STATE_VALUE(stream, self->stores);
    HD_STATE_VALUE(stream, self->load_batch);
    HD_STATE_VALUE(stream, self->store_batch);
}

/* Its size may have grown. */
static void transfer_outbox(outbox *outbox, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, outbox->ring.count);
    if (stream->is_restored && count > outbox->ring.capacity) {
        outbox->ring.capacity = count;
        outbox->packets = with_room(outbox->packets, count, sizeof *outbox->packets);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = stream->is_restored ? hd_ring_push(&outbox->ring) : hd_ring_place(&outbox->ring, i);
        hd_state_packet(stream, &outbox->packets[place]);
    }
}

static void transfer_recency(recency *filter, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "entries of a recency filter", (uint64_t)filter->size * filter->subarrays);
    HD_STATE_ARRAY(stream, filter->slots, (size_t)filter->size * filter->subarrays);
}

static void transfer_history(kilo_unit *self, const hd_state_stream *stream)
{
    history *history = &self->history;
    HD_STATE_SHAPE(stream, "entries of the history", history->table ? history->parameters.entries : 0);
    HD_STATE_SHAPE(stream, "ways of the history", history->table ? history->parameters.ways : 0);
    HD_STATE_SHAPE(stream, "seed of the hashes", history->parameters.seed);
    HD_STATE_SHAPE(stream, "bits of a part of a signature", self->has_signatures ? self->hashes.part_bits : 0);
    if (history->table) {
        HD_STATE_ARRAY(stream, history->table, history->parameters.entries);
        transfer_recency(&history->filter, stream);
    }
    exact_transfer(&history->exact, stream);
    HD_STATE_SHAPE(stream, "bytes of a piece with a time", self->times.granularity);
    transfer_recency(&self->times.filter, stream);
    exact_transfer(&self->times.exact, stream);
#ifndef NDEBUG
    exact_transfer(&self->last_written, stream);
#endif
}

static void transfer_addresses(address_list *list, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, list->count);
    if (list->count > list->capacity) {
        list->capacity = list->count;
        list->items = with_room(list->items, list->count, sizeof *list->items);
    }
    HD_STATE_ARRAY(stream, list->items, list->count);
}

static void transfer_broadcast(broadcast *broadcast, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "receivers of broadcasts", broadcast->receiver_count);
    HD_STATE_SHAPE(stream, "broadcasts of signatures", broadcast->signs);
    HD_STATE_VALUE(stream, broadcast->busy);
    HD_STATE_VALUE(stream, broadcast->changes);
    HD_STATE_VALUE(stream, broadcast->signature);
    for (uint32_t set = 0; set < BROADCAST_SETS; set++) {
        transfer_addresses(&broadcast->entered[set], stream);
        transfer_addresses(&broadcast->left[set], stream);
    }
    if (broadcast->counts.slots)
        hd_state_word_map(stream, &broadcast->counts);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    kilo_unit *self = (kilo_unit *)block;
    HD_STATE_SHAPE(stream, "validation of read sets", self->validates);
    HD_STATE_SHAPE(stream, "signatures", self->has_signatures);
    HD_STATE_SHAPE(stream, "times of writes", self->has_times);
    HD_STATE_VALUE(stream, self->cursor);
    transfer_ring(self, stream);
    transfer_outbox(&self->outbox, stream);
    hd_state_packet(stream, &self->current);
    HD_STATE_VALUE(stream, self->current_word);
    HD_STATE_VALUE(stream, self->room_reported);
    transfer_history(self, stream);
    transfer_broadcast(&self->broadcast, stream);
    HD_STATE_VALUE(stream, self->has_moved);
    HD_STATE_VALUE(stream, self->waits);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->in_use);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state kilo_unit_state = {.transfer = transfer};
