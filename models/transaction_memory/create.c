/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* ---- Places ------------------------------------------------------------------------------------------------------------- */

uint32_t pool_take(pool *pool)
{
    if (!pool->free_count && pool->used == pool->capacity)
        return NONE;
    pool->taken++;
    return pool->free_count ? pool->free[--pool->free_count] : pool->used++;
}

void pool_give(pool *pool, uint32_t place)
{
    pool->free[pool->free_count++] = place;
    pool->taken--;
}

static int pool_create(pool *pool, uint64_t capacity)
{
    pool->capacity = (uint32_t)capacity;
    pool->buckets = 16;
    while (pool->buckets < capacity)
        pool->buckets *= 2;
    pool->free = calloc(capacity, sizeof *pool->free);
    return pool->free ? 0 : -1;
}

static void pool_clear(pool *pool)
{
    pool->free_count = pool->used = pool->taken = 0;
}

/* ---- Life --------------------------------------------------------------------------------------------------------------- */

static void intern_messages(ideal_memory *self)
{
    const hd_services *services = self->services;
    self->message.read = services->message(services->context, HD_IDEAL_READ);
    self->message.words = services->message(services->context, HD_IDEAL_WORDS);
    self->message.commit = services->message(services->context, HD_IDEAL_COMMIT);
    self->message.verdict = services->message(services->context, HD_IDEAL_VERDICT);
    self->message.doom = services->message(services->context, HD_IDEAL_DOOM);
    self->message.settled = services->message(services->context, HD_IDEAL_SETTLED);
    self->message.changed = services->message(services->context, HD_IDEAL_CHANGED);
    self->message.written = services->message(services->context, HD_IDEAL_WRITTEN);
    self->message.store = services->message(services->context, HD_GLOBAL_STORE);
    self->message.store_ack = services->message(services->context, HD_GLOBAL_STORE_ACK);
}

/* To a commit, at most: each warp is told of what is written. */
static uint32_t answers_of(const ideal_memory *self)
{
    const uint32_t packets = (self->commit_words + HD_IDEAL_WRITES - 1) / (uint32_t)HD_IDEAL_WRITES;
    return self->compares_values ? self->warp_limit * packets : self->warp_limit;
}

static int create_tables(ideal_memory *self, const hd_value *values)
{
    int failed = pool_create(&self->reader_pool, values[PARAMETER_READERS].u);
    failed |= pool_create(&self->word_pool, values[PARAMETER_WORDS].u);
    failed |= pool_create(&self->store_pool, values[PARAMETER_STORES].u);
    self->warp_limit = (uint32_t)values[PARAMETER_WARPS].u;
    self->commit_words = (uint32_t)values[PARAMETER_COMMIT_WORDS].u;
    self->compares_values = values[PARAMETER_CONFLICTS].u == HD_IDEAL_BY_VALUES;
    self->forwards = values[PARAMETER_TEST_FORWARDING].u == FORWARDING_YES;
    self->outgoing.capacity = answers_of(self) + 2;
    failed |= !(self->warps = calloc(self->warp_limit, sizeof *self->warps));
    failed |= !(self->hits = calloc(self->warp_limit, sizeof *self->hits));
    failed |= !(self->outbox = calloc(self->outgoing.capacity, sizeof *self->outbox));
    failed |= !(self->readers = calloc(self->reader_pool.capacity, sizeof *self->readers));
    failed |= !(self->reader_buckets = calloc(self->reader_pool.buckets, sizeof(uint32_t)));
    failed |= !(self->words = calloc(self->word_pool.capacity, sizeof *self->words));
    failed |= !(self->word_buckets = calloc(self->word_pool.buckets, sizeof(uint32_t)));
    failed |= !(self->stores = calloc(self->store_pool.capacity, sizeof *self->stores));
    return failed ? -1 : 0;
}

hd_block *ideal_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    ideal_memory *self = calloc(1, sizeof *self);
    if (!self || (self->services = services, create_tables(self, values))) {
        snprintf(error, error_bytes, "out of memory");
        ideal_destroy((hd_block *)self);
        return NULL;
    }
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    if (self->map->partitions > PARTITIONS_MAX) {
        snprintf(error, error_bytes, "%u memory partitions are more than %u", self->map->partitions, PARTITIONS_MAX);
        ideal_destroy((hd_block *)self);
        return NULL;
    }
    intern_messages(self);
    return (hd_block *)self;
}

static void connect_core(ideal_memory *self, uint32_t element, hd_link *in)
{
    self->request[element] = in;
    if (element >= self->request_count)
        self->request_count = element + 1;
    if (!self->arriving[element].writes)
        self->arriving[element].writes = calloc(self->commit_words, sizeof(hd_ideal_write));
}

void ideal_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    ideal_memory *self = (ideal_memory *)block;
    switch (port) {
    case PORT_REQUEST: connect_core(self, element, in); break;
    case PORT_REPLY: self->reply[element] = out; break;
    case PORT_STORE: self->store[element] = out; break;
    default:
        self->stored[element] = in;
        if (element >= self->stored_count)
            self->stored_count = element + 1;
        break;
    }
}

static void clear_warps(ideal_memory *self)
{
    for (uint32_t i = 0; i < self->warp_limit; i++)
        self->warps[i] = (warp){.readers = NONE};
}

void ideal_clear(ideal_memory *self)
{
    pool_clear(&self->reader_pool);
    pool_clear(&self->word_pool);
    pool_clear(&self->store_pool);
    clear_warps(self);
    self->hit_count = 0;
    memset(self->reader_buckets, 0, self->reader_pool.buckets * sizeof *self->reader_buckets);
    memset(self->word_buckets, 0, self->word_pool.buckets * sizeof *self->word_buckets);
    for (uint32_t p = 0; p < PARTITIONS_MAX; p++)
        self->queues[p] = (queue){.first = NONE, .last = NONE};
    for (uint32_t i = 0; i < self->request_count; i++)
        self->arriving[i].count = 0;
}

static void drop_packets(ideal_memory *self)
{
    while (self->outgoing.count)
        self->services->free(self->services->context, self->outbox[hd_ring_pop(&self->outgoing)].packet);
}

void ideal_reset(hd_block *block)
{
    ideal_memory *self = (ideal_memory *)block;
    const hd_services *services = self->services;
    drop_packets(self);
    ideal_clear(self);
    self->order = self->dooms = 0;
    hd_ring_clear(&self->outgoing);
    for (uint32_t p = 0; p < self->map->partitions; p++)
        self->route[p] = services->route(services->context, PORT_STORE, self->map->endpoints[p]);
    memset(&self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, services->clock);
}

void ideal_destroy(hd_block *block)
{
    ideal_memory *self = (ideal_memory *)block;
    if (!self)
        return;
    drop_packets(self);
    for (uint32_t i = 0; i < CORES_MAX; i++)
        free(self->arriving[i].writes);
    free(self->reader_pool.free);
    free(self->word_pool.free);
    free(self->store_pool.free);
    free(self->warps);
    free(self->hits);
    free(self->outbox);
    free(self->readers);
    free(self->reader_buckets);
    free(self->words);
    free(self->word_buckets);
    free(self->stores);
    free(self);
}
