/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static void intern_messages(validation *self)
{
    const hd_message_number messages[] = {
        {&self->message.load, HD_GETM_LOAD},
        {&self->message.store, HD_GETM_STORE},
        {&self->message.store_ok, HD_GETM_STORE_OK},
        {&self->message.abort, HD_GETM_ABORT},
        {&self->message.release, HD_GETM_RELEASE},
        {&self->message.released, HD_GETM_RELEASED},
        {&self->message.rollover, HD_GETM_ROLLOVER},
        {&self->message.rolled_over, HD_GETM_ROLLED_OVER},
        {&self->message.rollover_end, HD_GETM_ROLLOVER_END},
        {&self->message.ring_stop, HD_GETM_RING_STOP},
        {&self->message.ring_go, HD_GETM_RING_GO},
        {&self->message.global_load, HD_GLOBAL_LOAD},
        {&self->message.global_store, HD_GLOBAL_STORE},
        {&self->message.global_atomic, HD_GLOBAL_ATOMIC},
    };
    hd_number_messages(self->services, messages, sizeof messages / sizeof *messages);
}

static uint32_t conflict_of(hd_conflict *conflict, uint32_t parameter, uint32_t other, const char *text)
{
    conflict->parameter = parameter;
    conflict->other = other;
    snprintf(conflict->text, sizeof conflict->text, "%s", text);
    return 0;
}

uint32_t validation_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const uint64_t granule = values[PARAMETER_GRANULE].u;
    const uint64_t bits = values[PARAMETER_CLOCK_BITS].u;
    (void)clock;
    if (granule & (granule - 1))
        return conflict_of(conflict, PARAMETER_GRANULE, PARAMETER_GRANULE, "granule must be a power of two");
    if (bits + values[PARAMETER_WARP_BITS].u > 63)
        return conflict_of(conflict, PARAMETER_CLOCK_BITS, PARAMETER_WARP_BITS,
                           "a timestamp of clock_bits and warp_bits has more than 63 bits");
    if (values[PARAMETER_ROLLOVER_MARGIN].u >= UINT64_C(1) << bits)
        return conflict_of(conflict, PARAMETER_ROLLOVER_MARGIN, PARAMETER_CLOCK_BITS,
                           "rollover_margin leaves nothing of clocks of clock_bits");
    return 1;
}

/* Sets of a way, of so many entries in all partitions together. */
static uint32_t sets_of(const validation *self, uint64_t entries, uint64_t ways)
{
    const uint64_t share = self->services->count * ways;
    return (uint32_t)((entries + share - 1) / share);
}

static uint32_t create_tables(validation *self, const hd_value *values)
{
    const uint32_t is_filter = values[PARAMETER_APPROXIMATE].u == APPROXIMATE_BLOOM;
    const uint64_t filter_ways = is_filter ? values[PARAMETER_APPROXIMATE_WAYS].u : 1;
    const uint64_t filter_entries = is_filter ? values[PARAMETER_APPROXIMATE_ENTRIES].u : 1;
    const metadata_parameters parameters = {
        .sets = sets_of(self, values[PARAMETER_PRECISE_ENTRIES].u, values[PARAMETER_PRECISE_WAYS].u),
        .ways = (uint32_t)values[PARAMETER_PRECISE_WAYS].u,
        .stash = (uint32_t)values[PARAMETER_STASH].u,
        .max_kicks = (uint32_t)values[PARAMETER_PRECISE_KICKS].u,
        .eviction = (uint32_t)values[PARAMETER_PRECISE_EVICTION].u,
        .overflow_cycles = (uint32_t)values[PARAMETER_OVERFLOW_LATENCY].u,
        .overflow_lists = (uint32_t)values[PARAMETER_OVERFLOW_LISTS].u,
        .overflow_line = (uint32_t)values[PARAMETER_OVERFLOW_LINE].u,
        .approximate = (uint32_t)values[PARAMETER_APPROXIMATE].u,
        .filter_sets = sets_of(self, filter_entries, filter_ways),
        .filter_ways = (uint32_t)filter_ways,
        .seed = values[PARAMETER_HASH_SEED].u,
        .keeps_new = values[PARAMETER_TEST_PINNED].u == PINNED_YES,
    };
    self->reply_limit = (uint32_t)values[PARAMETER_REPLIES].u;
    self->load_limit = (uint32_t)values[PARAMETER_LOADS].u;
    /* Those on their way to the slice, and one in the tables, may be refused beyond the limit. */
    self->reply_ring.capacity = self->reply_limit + self->load_limit + 2;
    self->replies = calloc(self->reply_ring.capacity, sizeof *self->replies);
    return self->replies && metadata_create(&self->metadata, &parameters, &self->counters) &&
           stall_create(&self->stall, (uint32_t)values[PARAMETER_STALL_LINES].u,
                        (uint32_t)values[PARAMETER_STALL_ENTRIES].u, &self->counters);
}

static void take_values(validation *self, const hd_value *values)
{
    self->granule_shift = (uint32_t)__builtin_ctzll(values[PARAMETER_GRANULE].u);
    self->rules = (verdict_rules){.last_reader = values[PARAMETER_TIE_BREAK].u == TIE_BREAK_LAST_READER,
                                  .written_at = values[PARAMETER_TEST_WRITTEN].u == WRITTEN_AT,
                                  .owned_by_warp = values[PARAMETER_TEST_OWNER].u == OWNER_WARP};
    self->cause = (uint32_t)values[PARAMETER_CAUSE].u;
    self->wakes = (uint32_t)values[PARAMETER_TEST_WAKE].u;
    self->verdict = (uint32_t)values[PARAMETER_TEST_VERDICT].u;
    self->latency = (uint32_t)values[PARAMETER_LATENCY].u;
    self->warp_bits = (uint32_t)values[PARAMETER_WARP_BITS].u;
    self->clock_end = UINT64_C(1) << values[PARAMETER_CLOCK_BITS].u;
    self->late_clock = self->clock_end - values[PARAMETER_ROLLOVER_MARGIN].u;
}

hd_block *validation_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    validation *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    self->services = services;
    self->receivers = services->extension(services->context, HD_EXTENSION_RECEIVERS);
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    intern_messages(self);
    take_values(self, values);
    if (!create_tables(self, values)) {
        validation_destroy((hd_block *)self);
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    return (hd_block *)self;
}

void validation_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    validation *self = (validation *)block;
    (void)element;
    switch (port) {
    case PORT_REQUEST: self->requests = in; break;
    case PORT_REPLY: self->reply = out; break;
    case PORT_LOAD: self->load = out; break;
    case PORT_RELEASE: self->release = in; break;
    case PORT_RELEASED: self->released = out; break;
    case PORT_NEXT: self->next = out; break;
    case PORT_PREVIOUS: self->previous = in; break;
    default: break; /* a tap is no link */
    }
}

void validation_forget(validation *self)
{
    const hd_services *services = self->services;
    for (hd_packet *request; (request = stall_take_any(&self->stall));) {
        services->free(services->context, request);
        self->counters.discarded++;
    }
    stall_reset(&self->stall);
    metadata_reset(&self->metadata);
    self->reserved_granules = 0;
    self->latest = 0;
}

static void drop_packets(validation *self)
{
    const hd_services *services = self->services;
    if (self->stall.lines)
        validation_forget(self);
    if (self->current)
        services->free(services->context, self->current);
    self->current = NULL;
    for (uint32_t i = 0; i < self->reply_ring.count; i++)
        services->free(services->context, self->replies[hd_ring_place(&self->reply_ring, i)].packet);
    hd_ring_clear(&self->reply_ring);
}

void validation_reset(hd_block *block)
{
    validation *self = (validation *)block;
    drop_packets(self);
    self->era = 0;
    self->is_woken = 0;
    self->loads_under_way = 0;
    self->wait = WAIT_NONE;
    self->reply_waits = self->load_waits = self->released_waits = 0;
    self->rollover = (rollover){.phase = ROLLOVER_NONE};
    memset(&self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, self->services->clock);
}

void validation_destroy(hd_block *block)
{
    validation *self = (validation *)block;
    if (!self)
        return;
    drop_packets(self);
    metadata_destroy(&self->metadata);
    stall_destroy(&self->stall);
    free(self->replies);
    free(self);
}
