/* SPDX-License-Identifier: MIT */
/* Loads that validate and stores that commit, on their way to the slice: of a word, or of a block that holds words of several lanes
 * of a warp (Fung 2015 §6.2). One leaves per cycle, stores first. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

/* ---- Put together ---------------------------------------------------------------------------------------------------- */

void kilo_unit_begin_batch(kilo_unit *self)
{
    self->load_batch = self->store_batch = NONE;
}

static void enqueue(kilo_unit *self, queue *queue, uint32_t place)
{
    if (queue->first == NONE)
        queue->first = place;
    else
        kilo_unit_access(self, queue->last)->next = place;
    queue->last = place;
}

/* One of the batch that begins at `place` for these bytes; NONE: there is none. */
static uint32_t find(const kilo_unit *self, uint32_t place, uint64_t address)
{
    while (place != NONE && kilo_unit_access(self, place)->address != address)
        place = kilo_unit_access(self, place)->next;
    return place;
}

static uint32_t open_access(kilo_unit *self, queue *queue, uint32_t *batch, const access *opened)
{
    const uint32_t place = places_take(&self->accesses);
    *kilo_unit_access(self, place) = *opened;
    enqueue(self, queue, place);
    if (*batch == NONE)
        *batch = place;
    return place;
}

static void add(kilo_unit *self, const entry *entry, const word *word, const access *kind)
{
    queue *queue = kind->is_store ? &self->stores : &self->validations;
    uint32_t *batch = kind->is_store ? &self->store_batch : &self->load_batch;
    const group *group = kilo_unit_group(self, entry);
    const uint32_t bytes = self->block_bytes && !kind->is_again ? self->block_bytes : 4;
    access opened = *kind;
    opened.address = word->address / bytes * bytes;
    opened.bytes = bytes;
    opened.next = NONE;
    opened.words = (list){NONE, NONE};
    opened.warp = group->warp;
    opened.epoch = group->epoch;
    uint32_t place = bytes > 4 ? find(self, *batch, opened.address) : NONE;
    if (place == NONE)
        place = open_access(self, queue, batch, &opened);
    kilo_unit_access(self, place)->count++;
    list words = kilo_unit_access(self, place)->words;
    kilo_unit_append(self, &words, word);
    kilo_unit_access(self, place)->words = words;
    self->has_moved = 1;
}

void kilo_unit_add_load(kilo_unit *self, entry *entry, const word *word, uint32_t is_again)
{
    entry->validations++;
    add(self, entry, word, &(access){.is_again = is_again});
}

void kilo_unit_add_store(kilo_unit *self, const entry *entry, const word *word)
{
    add(self, entry, word, &(access){.is_store = 1});
}

/* ---- To the slice ---------------------------------------------------------------------------------------------------- */

static hd_packet *packet_of(const kilo_unit *self, const access *access, uint32_t place, uint32_t body_bytes)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->source = (uint16_t)services->endpoint;
    packet->unit = HD_DESTINATION_L2_SLICE;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->tag = place;
    packet->address = access->address;
    packet->argument = access->bytes;
    packet->flow = access->warp;
    packet->epoch = access->epoch;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->body_bytes = body_bytes;
    return packet;
}

/* The slice keeps the order of accesses to a word. */
static void check_load(const kilo_unit *self, const access *access)
{
#ifndef NDEBUG
    for (uint32_t at = access->words.first; at != NONE; at = kilo_unit_word(self, at)->next) {
        const word *word = kilo_unit_word(self, at);
        assert(exact_of(&self->last_written, word->address / 4) < word->id && "I-9: no younger one has written it");
    }
#else
    (void)self, (void)access;
#endif
}

static hd_packet *load_of(kilo_unit *self, const access *access, uint32_t place)
{
    check_load(self, access);
    hd_packet *packet = packet_of(self, access, place, 0);
    packet->message = self->message.load;
    self->counters.validations++;
    return packet;
}

static void put_word(hd_store *store, const word *word, uint64_t base)
{
    const uint32_t offset = (uint32_t)(word->address - base);
    for (uint32_t byte = 0; byte < 4; byte++)
        if (word->byte_mask >> byte & 1) {
            hd_store_data(store)[offset + byte] = (uint8_t)(word->value >> 8 * byte);
            store->byte_mask[(offset + byte) / 32] |= UINT32_C(1) << (offset + byte) % 32;
        }
}

/* Of a word that is in it twice, what was logged later is written. */
static hd_packet *store_of(kilo_unit *self, const access *access, uint32_t place)
{
    hd_packet *packet = packet_of(self, access, place, (uint32_t)sizeof(hd_store) + access->bytes);
    hd_store *store = hd_body(packet);
    memset(store, 0, sizeof *store + access->bytes);
    packet->message = self->message.store;
    for (uint32_t at = access->words.first; at != NONE; at = kilo_unit_word(self, at)->next) {
        const word *word = kilo_unit_word(self, at);
        put_word(store, word, access->address);
#ifndef NDEBUG
        assert(kilo_unit_entry(self, word->id)->state == ENTRY_WRITES && "I-4: its outcome is to commit");
        assert(exact_of(&self->last_written, word->address / 4) <= word->id && "I-3: in the order of IDs");
        exact_note(&self->last_written, word->address / 4, word->id);
#endif
    }
    for (uint32_t i = 0; i < HD_LINE_BYTES / 32; i++)
        packet->wire_bytes += (uint32_t)__builtin_popcount(store->byte_mask[i]);
    self->counters.stores++;
    self->counters.stored_words += access->count;
    return packet;
}

static uint32_t send_first(kilo_unit *self, queue *queue, hd_time t)
{
    const hd_services *services = self->services;
    const uint32_t place = queue->first;
    if (place == NONE)
        return 0;
    if (!hd_link_has_credit(services, self->access, t)) {
        self->waits.slice = 1;
        return 0;
    }
    access *access = kilo_unit_access(self, place);
    queue->first = access->next;
    kilo_unit_begin_batch(self);
    hd_packet *packet = access->is_store ? store_of(self, access, place) : load_of(self, access, place);
    access->is_sent = 1;
    services->send(services->context, self->access, packet, t);
    self->has_moved = 1;
    return 1;
}

void kilo_unit_issue(kilo_unit *self, hd_time t)
{
    self->waits.slice = 0;
    const uint32_t stored = send_first(self, &self->stores, t);
    if (!stored || self->issues_two)
        send_first(self, &self->validations, t);
}

/* ---- And back -------------------------------------------------------------------------------------------------------- */

static void tell_checker(const kilo_unit *self, const access *access, const word *word, uint32_t value, uint64_t sample,
                         hd_time t)
{
    if (!self->checker)
        return;
    const hd_transaction_validation validation = {
        .warp = access->warp,
        .lane = kilo_unit_entry(self, word->id)->lane,
        .epoch = access->epoch,
        .t = t,
        .word = {.address = word->address, .value = value, .byte_mask = word->byte_mask, .sample = sample}};
    self->checker->validated(self->checker->context, self->services->endpoint, &validation);
}

static void compare(kilo_unit *self, const access *access, const word *word, uint32_t value, hd_time t)
{
    entry *entry = kilo_unit_entry(self, word->id);
    const uint32_t differs = ((value ^ word->value) & hd_bits_of_bytes(word->byte_mask)) != 0;
    self->counters.validated_words++;
    self->counters.revalidated_words += access->is_again;
    self->counters.changed_words += differs;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_VALIDATED, t, access->warp, entry->lane, word->address, value);
    entry->fails |= (uint8_t)differs; /* for good: a second look does not make it true */
    if (--entry->validations)
        return;
    if (entry->state == ENTRY_WAIT)
        kilo_unit_end_validation(self, entry);
    else if (entry->state == ENTRY_AGAIN)
        kilo_unit_end_revalidation(self, entry, t);
}

static void take_loaded(kilo_unit *self, const access *access, const hd_packet *reply, hd_time t)
{
    const uint64_t sample = hd_transaction_sample(reply);
    for (uint32_t at = access->words.first; at != NONE; at = kilo_unit_word(self, at)->next) {
        const word word = *kilo_unit_word(self, at);
        uint32_t value;
        memcpy(&value, (const uint8_t *)hd_body_const(reply) + (word.address - access->address), sizeof value);
        tell_checker(self, access, &word, value, sample, t);
        compare(self, access, &word, value, t);
    }
}

static void take_stored(kilo_unit *self, const access *access, hd_time t)
{
    for (uint32_t at = access->words.first; at != NONE; at = kilo_unit_word(self, at)->next) {
        entry *entry = kilo_unit_entry(self, kilo_unit_word(self, at)->id);
        assert(entry->stores && "I-14: each word is written once");
        entry->stores--;
        kilo_unit_end_writing(self, entry);
    }
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_WRITTEN, t, access->warp, access->address, access->count);
}

static const char *mistake_in(const kilo_unit *self, const hd_packet *reply)
{
    if (reply->tag >= self->accesses.used || !kilo_unit_access(self, (uint32_t)reply->tag)->is_sent)
        return "an answer to nothing";
    const access *access = kilo_unit_access(self, (uint32_t)reply->tag);
    return reply->message == (access->is_store ? self->message.store_ack : self->message.load_reply) &&
                   (access->is_store || reply->body_bytes >= access->bytes)
               ? NULL
               : "an answer to something else";
}

static void take_answer(kilo_unit *self, const hd_packet *reply, hd_time t)
{
    const char *mistake = mistake_in(self, reply);
    if (mistake) {
        self->services->fault(self->services->context, t, "%s: %s: message %" PRIu32 ", tag %" PRIu64,
                              self->services->name, mistake, reply->message, reply->tag);
        return;
    }
    const uint32_t place = (uint32_t)reply->tag;
    access done = *kilo_unit_access(self, place);
    kilo_unit_access(self, place)->is_sent = 0;
    places_give(&self->accesses, place);
    if (done.is_store)
        take_stored(self, &done, t);
    else
        take_loaded(self, &done, reply, t);
    kilo_unit_free_words(self, &done.words);
}

void kilo_unit_take_answers(kilo_unit *self, hd_time t)
{
    const hd_services *services = self->services;
    for (hd_packet *packet; (packet = hd_link_pop(services, self->accessed, t));) {
        take_answer(self, packet, t);
        services->free(services->context, packet);
        self->has_moved = 1;
    }
}
