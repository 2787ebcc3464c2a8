/* SPDX-License-Identifier: MIT */
/* What is committed goes to the slices, in the order of commits, a store a cycle to each. */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

/* The commit's store to this line that has been made before; NONE: none has. */
static uint32_t find(const ideal_memory *self, const queue *queue, uint64_t line)
{
    uint32_t place = queue->commit == self->order ? queue->of_commit : NONE;
    while (place != NONE && self->stores[place].address != line)
        place = self->stores[place].next;
    return place;
}

static uint32_t add(ideal_memory *self, queue *queue, uint64_t line, uint32_t number)
{
    warp *warp = &self->warps[number];
    const uint32_t place = pool_take(&self->store_pool);
    if (place == NONE)
        return NONE;
    self->stores[place] = (store){.address = line,
                                  .commit = self->order,
                                  .since = self->cursor.n,
                                  .warp = number,
                                  .epoch = warp->epoch,
                                  .next = NONE};
    if (queue->first == NONE)
        queue->first = place;
    else
        self->stores[queue->last].next = place;
    queue->last = place;
    if (queue->commit != self->order)
        queue->of_commit = place;
    queue->commit = self->order;
    warp->stores++;
    hd_raise_maximum(&self->counters.stores_maximum, self->store_pool.taken);
    return place;
}

int ideal_store_word(ideal_memory *self, const hd_ideal_write *write, uint32_t warp, hd_time t)
{
    const uint64_t line = write->address & ~(uint64_t)(HD_LINE_BYTES - 1);
    const uint32_t at = (uint32_t)(write->address - line);
    queue *queue = &self->queues[hd_partition_of(self->map, line)];
    uint32_t place = find(self, queue, line);
    if (place == NONE && (place = add(self, queue, line, warp)) == NONE) {
        ideal_overflow(self, t, PARAMETER_STORES);
        return -1;
    }
    store *store = &self->stores[place];
    const uint32_t was_there = store->byte_mask[at / 32] >> at % 32 & 0xF;
    for (uint32_t byte = 0; byte < 4; byte++)
        if (write->byte_mask >> byte & 1)
            store->data[at + byte] = (uint8_t)(write->value >> 8 * byte);
    store->byte_mask[at / 32] |= (uint32_t)write->byte_mask << at % 32;
    return was_there == 0;
}

static hd_packet *packet_of(const ideal_memory *self, uint32_t place)
{
    const store *store = &self->stores[place];
    hd_packet *packet =
        hd_partition_request(self->services, self->map, store->address, (uint32_t)sizeof(hd_store) + HD_LINE_BYTES);
    hd_store *body = hd_body(packet);
    packet->message = self->message.store;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->tag = place;
    packet->argument = HD_LINE_BYTES;
    packet->flow = store->warp;
    packet->epoch = store->epoch;
    memcpy(body->byte_mask, store->byte_mask, sizeof body->byte_mask);
    memcpy(hd_store_data(body), store->data, sizeof store->data);
    for (uint32_t i = 0; i < HD_LINE_BYTES / 32; i++)
        packet->wire_bytes += (uint32_t)__builtin_popcount(store->byte_mask[i]);
    return packet;
}

/* 0: no credit. */
static uint32_t has_credit(ideal_memory *self, queue *queue, hd_link *link, uint64_t n, hd_time t)
{
    const uint32_t has_one = hd_link_has_credit(self->services, link, t);
    if (queue->waits && has_one)
        self->counters.slice_wait_cycles += n - queue->waits_since;
    if (!queue->waits && !has_one)
        queue->waits_since = n;
    queue->waits = !has_one;
    return has_one;
}

void ideal_send_stores(ideal_memory *self, uint64_t n, hd_time t)
{
    for (uint32_t p = 0; p < self->map->partitions; p++) {
        queue *queue = &self->queues[p];
        hd_link *link = self->store[self->route[p]];
        const uint32_t place = queue->first;
        if (place == NONE || !has_credit(self, queue, link, n, t))
            continue;
        hd_packet *packet = packet_of(self, place);
        self->counters.stores++;
        self->counters.bytes += packet->wire_bytes - HD_HEADER_WIRE_BYTES;
        queue->first = self->stores[place].next;
        self->stores[place].is_sent = 1;
        self->services->send(self->services->context, link, packet, t);
    }
}

static void settle(ideal_memory *self, const store *store, hd_time t)
{
    warp *warp = &self->warps[store->warp];
    for (uint32_t at = 0; at < HD_LINE_BYTES; at += 4)
        if (store->byte_mask[at / 32] >> at % 32 & 0xF)
            ideal_word_stored(self, store->address + at);
    self->counters.settle_cycles += self->cursor.n - store->since;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_WORDS, t, self->word_pool.taken);
    if (--warp->stores == 0)
        ideal_post(self, warp, ideal_answer(self, store->warp, self->message.settled, 0), t);
}

void ideal_stored(ideal_memory *self, const hd_packet *packet, hd_time t)
{
    store *store = packet->tag < self->store_pool.used ? &self->stores[packet->tag] : NULL;
    if (!store || !store->is_sent || packet->message != self->message.store_ack) {
        self->services->fault(self->services->context, t, "%s: an answer to store %" PRIu64 ", which was not sent",
                              self->services->name, packet->tag);
        return;
    }
    settle(self, store, t);
    store->is_sent = 0;
    pool_give(&self->store_pool, (uint32_t)packet->tag);
}
