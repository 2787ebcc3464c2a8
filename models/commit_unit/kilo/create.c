/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define RING_SIZE 64u /* at first; powers of two */
#define OUTBOX_SIZE 64u

static uint32_t is_power_of_two(uint64_t number)
{
    return number && !(number & (number - 1));
}

static uint32_t refuse(hd_conflict *conflict, uint32_t parameter, uint32_t other, const char *text)
{
    conflict->parameter = parameter;
    conflict->other = other;
    snprintf(conflict->text, sizeof conflict->text, "%s", text);
    return 0;
}

uint32_t kilo_unit_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const uint64_t block = values[PARAMETER_COALESCE].u, entries = values[PARAMETER_ENTRIES].u;
    (void)clock;
    if (block && block != 32 && block != 64 && block != 128)
        return refuse(conflict, PARAMETER_COALESCE, PARAMETER_COALESCE, "coalesce must be 0 B, 32 B, 64 B or 128 B");
    if (entries && entries < HD_KILO_GROUP_MAX)
        return refuse(conflict, PARAMETER_ENTRIES, PARAMETER_ENTRIES,
                      "entries must be 0 (unlimited), or at least 64: all lanes of a warp take IDs together");
    if (values[PARAMETER_VALIDATE].u == HD_KILO_VALIDATE_NOTHING && values[PARAMETER_BUFFER_WORDS].u)
        return refuse(
            conflict, PARAMETER_VALIDATE, PARAMETER_BUFFER_WORDS,
            "buffer.words must be 0 (unlimited) where nothing is validated: nobody keeps logs to send them again");
    if (values[PARAMETER_VALIDATE].u == HD_KILO_VALIDATE_NOTHING && values[PARAMETER_BROADCAST].u != BROADCAST_NOTHING)
        return refuse(
            conflict, PARAMETER_VALIDATE, PARAMETER_BROADCAST,
            "broadcast must be nothing where nothing is validated: words are told of until there are verdicts");
    if (!is_power_of_two(values[PARAMETER_TCD_GRANULARITY].u))
        return refuse(conflict, PARAMETER_TCD_GRANULARITY, PARAMETER_TCD_GRANULARITY,
                      "tcd.granularity must be a power of two");
    if (values[PARAMETER_HISTORY].u == HISTORY_LWH &&
        values[PARAMETER_HISTORY_ENTRIES].u % values[PARAMETER_HISTORY_WAYS].u)
        return refuse(conflict, PARAMETER_HISTORY_ENTRIES, PARAMETER_HISTORY_WAYS,
                      "history.entries must be a multiple of history.ways");
    if (values[PARAMETER_HISTORY].u == HISTORY_BFARRAY && values[PARAMETER_HISTORY_SIGNATURE].u % SIGNATURE_PARTS)
        return refuse(conflict, PARAMETER_HISTORY_SIGNATURE, PARAMETER_HISTORY_SIGNATURE,
                      "history.signature must be a multiple of 4");
    return 1;
}

static void intern_messages(kilo_unit *self)
{
    const struct {
        uint32_t *number;
        const char *name;
    } names[] = {
        {&self->message.read_set, HD_KILO_READ_SET},   {&self->message.write_set, HD_KILO_WRITE_SET},
        {&self->message.done_skip, HD_KILO_DONE_SKIP}, {&self->message.verdict, HD_KILO_VERDICT},
        {&self->message.outcome, HD_KILO_OUTCOME},     {&self->message.committed, HD_KILO_COMMITTED},
        {&self->message.resend, HD_KILO_RESEND},       {&self->message.resent, HD_KILO_RESENT},
        {&self->message.room, HD_KILO_ROOM},           {&self->message.enter, HD_KILO_ENTER},
        {&self->message.leave, HD_KILO_LEAVE},         {&self->message.signature, HD_KILO_SIGNATURE},
        {&self->message.load, HD_GLOBAL_LOAD},         {&self->message.load_reply, HD_GLOBAL_LOAD_REPLY},
        {&self->message.store, HD_GLOBAL_STORE},       {&self->message.store_ack, HD_GLOBAL_STORE_ACK},
        {&self->message.atomic, HD_GLOBAL_ATOMIC},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *names[i].number = self->services->message(self->services->context, names[i].name);
}

static void take_values(kilo_unit *self, const hd_value *values)
{
    const uint64_t words = values[PARAMETER_BUFFER_WORDS].u;
    self->entry_limit = (uint32_t)values[PARAMETER_ENTRIES].u;
    self->buffer_words = words ? (uint32_t)words : UINT32_MAX;
    self->validates = values[PARAMETER_VALIDATE].u == HD_KILO_VALIDATE_READ_SETS;
    self->issues_two = (uint32_t)values[PARAMETER_DUAL_ISSUE].u;
    self->aggregates = (uint32_t)values[PARAMETER_AGGREGATE].u;
    self->block_bytes = (uint32_t)values[PARAMETER_COALESCE].u;
    self->clamps = (self->aggregates || self->block_bytes) && values[PARAMETER_TEST_CLAMP].u == CLAMP_YES;
    self->hazard_rate = (uint32_t)values[PARAMETER_HAZARD_RATE].u;
    self->has_signatures = values[PARAMETER_HISTORY].u == HISTORY_BFARRAY;
    self->has_times = (uint32_t)values[PARAMETER_TCD].u;
    self->is_strict = (uint32_t)values[PARAMETER_TCD_STRICT].u;
    self->notes_all = values[PARAMETER_TCD_WRITES].u == TCD_WRITES_ALL;
    self->skew = hd_clock_cycles(self->services->clock, values[PARAMETER_TCD_SKEW].u);
}

static uint32_t create_tables(kilo_unit *self, const hd_value *values)
{
    const history_parameters parameters = {
        .kind = self->has_signatures ? HISTORY_PERFECT : (uint32_t)values[PARAMETER_HISTORY].u,
        .entries = (uint32_t)values[PARAMETER_HISTORY_ENTRIES].u,
        .ways = (uint32_t)values[PARAMETER_HISTORY_WAYS].u,
        .filter = (uint32_t)values[PARAMETER_HISTORY_FILTER].u,
        .subarrays = (uint32_t)values[PARAMETER_HISTORY_SUBARRAYS].u,
        .seed = values[PARAMETER_HASH_SEED].u,
        .overwrites = values[PARAMETER_TEST_FILTER].u == FILTER_OVERWRITE,
        .drops_retired = values[PARAMETER_TEST_RETIRED].u == RETIRED_DROP,
    };
    self->groups = (places){.item_bytes = sizeof(group), .next_at = offsetof(group, next), .free = NONE};
    self->words = (places){.item_bytes = sizeof(word), .next_at = offsetof(word, next), .free = NONE};
    self->accesses = (places){.item_bytes = sizeof(access), .next_at = offsetof(access, next), .free = NONE};
    self->ring_size = RING_SIZE;
    self->ring = calloc(self->ring_size, sizeof *self->ring);
    self->outbox.ring.capacity = OUTBOX_SIZE;
    self->outbox.packets = calloc(OUTBOX_SIZE, sizeof(hd_packet *));
    signature_hashes_draw(&self->hashes, (uint32_t)values[PARAMETER_HISTORY_SIGNATURE].u, parameters.seed);
    return self->ring && self->outbox.packets && broadcast_create(&self->broadcast, values) &&
           history_create(&self->history, &parameters, &self->counters) &&
           write_times_create(&self->times, (uint32_t)values[PARAMETER_TCD_ENTRIES].u,
                              (uint32_t)values[PARAMETER_TCD_SUBARRAYS].u,
                              (uint32_t)values[PARAMETER_TCD_GRANULARITY].u, parameters.seed);
}

hd_block *kilo_unit_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    kilo_unit *self = calloc(1, sizeof *self);
    if (self) {
        self->services = services;
        self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
        self->checker = services->extension(services->context, HD_EXTENSION_TRANSACTIONS);
        intern_messages(self);
        take_values(self, values);
    }
    if (!self || !create_tables(self, values)) {
        snprintf(error, error_bytes, "out of memory");
        kilo_unit_destroy((hd_block *)self);
        return NULL;
    }
    return (hd_block *)self;
}

void kilo_unit_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    kilo_unit *self = (kilo_unit *)block;
    (void)element;
    switch (port) {
    case PORT_REQUEST: self->request = in; break;
    case PORT_REPLY: self->reply = out; break;
    case PORT_ACCESS: self->access = out; break;
    case PORT_ACCESSED: self->accessed = in; break;
    case PORT_ROOM: self->room = out; break;
    default: break; /* a tap is no link */
    }
}

static void drop_packets(kilo_unit *self)
{
    const hd_services *services = self->services;
    if (self->current)
        services->free(services->context, self->current);
    self->current = NULL;
    while (self->outbox.ring.count)
        services->free(services->context, self->outbox.packets[hd_ring_pop(&self->outbox.ring)]);
}

void kilo_unit_reset(hd_block *block)
{
    kilo_unit *self = (kilo_unit *)block;
    drop_packets(self);
    kilo_unit_clear_ring(self);
    history_reset(&self->history);
    write_times_reset(&self->times);
    broadcast_reset(self);
#ifndef NDEBUG
    exact_reset(&self->last_written);
#endif
    self->room_reported = 0;
    self->has_moved = 1; /* it has to tell for how many IDs it has room */
    memset(&self->waits, 0, sizeof self->waits);
    self->accounted = 0;
    memset(&self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, self->services->clock);
}

void kilo_unit_destroy(hd_block *block)
{
    kilo_unit *self = (kilo_unit *)block;
    if (!self)
        return;
    if (self->outbox.packets)
        drop_packets(self);
    free(self->outbox.packets);
    free(self->ring);
    free(self->groups.items);
    free(self->words.items);
    free(self->accesses.items);
    history_destroy(&self->history);
    write_times_destroy(&self->times);
    broadcast_destroy(&self->broadcast);
#ifndef NDEBUG
    exact_reset(&self->last_written);
#endif
    free(self);
}
