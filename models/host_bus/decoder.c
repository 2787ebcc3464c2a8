/* SPDX-License-Identifier: MIT */
/* Order within one edge: responses, then requests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_link.h"
#include "hd_memory.h"
#include "host_bus.h"
#include "state.h"

static uint64_t cycles_of(const host_bus *self, const hd_packet *packet)
{
    const uint64_t cycles = (packet->wire_bytes + self->width - 1) / self->width;
    return cycles ? cycles : 1;
}

/* ---- Responses ---------------------------------------------------------------------------------------------------- */

static void send_response(host_bus *self, uint32_t initiator, hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    const uint64_t cycles = cycles_of(self, packet);
    self->responses_free = self->cursor.n + cycles;
    self->counters[STATISTIC_RESPONSE_BUSY_CYCLES] += cycles;
    s->send(s->context, self->initiators[initiator].out, packet, t);
}

static uint32_t has_credit(const host_bus *self, hd_link *link, hd_time t)
{
    return hd_link_has_credit(self->services, link, t);
}

static uint32_t is_known(const host_bus *self, const hd_packet *response, uint32_t target)
{
    return response->tag < self->slot_count && self->slots[response->tag].initiator != NOBODY &&
           self->slots[response->tag].target == target;
}

/* Returns 1 if a response moved. */
static uint32_t respond_from(host_bus *self, uint32_t target, hd_time t)
{
    const hd_services *s = self->services;
    hd_link *in = self->targets[target].in;
    const hd_packet *response = in ? hd_link_peek(in, t) : NULL;
    if (!response)
        return 0;
    if (!is_known(self, response, target)) {
        s->fault(s->context, t, "target[%u]: a response to an access that was not made", target);
        s->free(s->context, s->pop(s->context, in, t));
        return 0;
    }
    under_way *slot = &self->slots[response->tag];
    if (!has_credit(self, self->initiators[slot->initiator].out, t)) {
        self->is_stuck = 1;
        return 0;
    }
    hd_packet *packet = s->pop(s->context, in, t);
    packet->tag = slot->tag;
    packet->destination = slot->source;
    packet->address = slot->address;
    send_response(self, slot->initiator, packet, t);
    hd_trace_end(self->trace, self->access_tracks + (uint32_t)(slot - self->slots),
                 slot->is_write ? EVENT_WRITE : EVENT_READ, t);
    slot->initiator = NOBODY;
    self->used--;
    return 1;
}

static void move_responses(host_bus *self, hd_time t)
{
    self->is_stuck = 0;
    if (self->responses_free > self->cursor.n)
        return;
    if (self->complaint) {
        self->is_stuck = !has_credit(self, self->initiators[self->complaint_to].out, t);
        if (self->is_stuck)
            return;
        send_response(self, self->complaint_to, self->complaint, t);
        self->complaint = NULL;
        return;
    }
    for (uint32_t i = 0; i < self->target_count; i++) {
        const uint32_t target = (self->next_target + i) % self->target_count;
        if (!respond_from(self, target, t))
            continue;
        self->next_target = (target + 1) % self->target_count;
        self->is_stuck = 0;
        return;
    }
}

/* ---- Requests ----------------------------------------------------------------------------------------------------- */

static void complain(host_bus *self, uint32_t initiator, const hd_packet *request, hd_time t)
{
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_UNMAPPED, t, request->address, initiator);
    self->complaint =
        hd_memory_response(self->services, self->messages[MESSAGE_RESPONSE], request, HD_STATUS_ADDRESS_ERROR, 0);
    self->complaint_to = initiator;
    self->counters[STATISTIC_UNMAPPED]++;
}

static uint32_t free_slot(const host_bus *self)
{
    for (uint32_t i = 0; i < self->slot_count; i++)
        if (self->slots[i].initiator == NOBODY)
            return i;
    return NOBODY;
}

static void pass_on(host_bus *self, uint32_t initiator, uint32_t target, hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    const uint32_t slot = free_slot(self);
    self->slots[slot] = (under_way){.tag = packet->tag,
                                    .address = packet->address,
                                    .initiator = initiator,
                                    .target = target,
                                    .source = packet->source,
                                    .is_write = packet->message == self->messages[MESSAGE_WRITE]};
    hd_trace_begin(self->trace, self->access_tracks + slot, self->slots[slot].is_write ? EVENT_WRITE : EVENT_READ, t,
                   packet->address, packet->argument, initiator, target);
    packet->tag = slot;
    packet->source = (uint16_t)s->endpoint;
    self->used++;
    if (self->used > self->counters[STATISTIC_MAX_REQUESTS])
        self->counters[STATISTIC_MAX_REQUESTS] = self->used;
    self->counters[STATISTIC_REQUESTS]++;
    s->send(s->context, self->targets[target].out, packet, t);
}

/* Returns 1 if a request moved. */
static uint32_t request_from(host_bus *self, uint32_t initiator, hd_time t)
{
    const hd_services *s = self->services;
    hd_link *in = self->initiators[initiator].in;
    const hd_packet *request = in ? hd_link_peek(in, t) : NULL;
    if (!request)
        return 0;
    const uint32_t target = decode_target(self, request->address, request->argument);
    if (target == NOBODY ? self->complaint != NULL
                         : self->used == self->slot_count || !has_credit(self, self->targets[target].out, t)) {
        self->waits = 1;
        return 0;
    }
    const uint64_t cycles = cycles_of(self, request);
    self->requests_free = self->cursor.n + cycles;
    self->counters[STATISTIC_REQUEST_BUSY_CYCLES] += cycles;
    hd_packet *packet = s->pop(s->context, in, t);
    if (target != NOBODY) {
        pass_on(self, initiator, target, packet, t);
        return 1;
    }
    complain(self, initiator, packet, t);
    s->free(s->context, packet);
    return 1;
}

static void move_requests(host_bus *self, hd_time t)
{
    self->waits = 0;
    if (self->requests_free > self->cursor.n)
        return;
    for (uint32_t i = 0; i < self->initiator_count; i++) {
        const uint32_t initiator = (self->next_initiator + i) % self->initiator_count;
        if (!request_from(self, initiator, t))
            continue;
        self->next_initiator = (initiator + 1) % self->initiator_count;
        self->waits = 0;
        return;
    }
}

/* ---- Time --------------------------------------------------------------------------------------------------------- */

static void account_until(void *block, uint64_t edge)
{
    host_bus *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    if (self->waits)
        self->counters[STATISTIC_REQUEST_WAIT_CYCLES] += cycles;
}

static void work(void *block, hd_time t)
{
    host_bus *self = block;
    move_responses(self, t);
    move_requests(self, t);
    self->looked_at = t;
    if (self->shown_accesses != self->used)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_ACCESSES, t, self->used);
    self->shown_accesses = self->used;
}

/* Of what can move: where a channel is stuck, what arrived before it was looked at last waits for a credit or a slot. */
static hd_time earliest_arrival(const host_bus *self, const ends *array, uint32_t count, uint32_t is_stuck)
{
    hd_time earliest = HD_NEVER;
    for (uint32_t i = 0; i < count; i++) {
        const hd_time arrival = array[i].in ? hd_link_arrival(array[i].in) : HD_NEVER;
        if (!is_stuck || arrival > self->looked_at)
            earliest = hd_earlier(earliest, arrival);
    }
    return earliest;
}

/* When a channel with something at its ends moves next. */
static hd_time channel_next(const host_bus *self, hd_time arrival, uint64_t free_edge)
{
    if (arrival == HD_NEVER)
        return HD_NEVER;
    const hd_time free_time =
        free_edge <= self->cursor.n ? self->cursor.t : hd_cursor_time_of(&self->cursor, free_edge);
    const hd_time edge = hd_cursor_edge_from(&self->cursor, arrival);
    return edge > free_time ? edge : free_time;
}

static hd_time next(const void *block)
{
    const host_bus *self = block;
    const uint32_t complains = self->complaint && !self->is_stuck;
    const hd_time response = complains ? 0 : earliest_arrival(self, self->targets, self->target_count, self->is_stuck);
    const hd_time request = earliest_arrival(self, self->initiators, self->initiator_count, self->waits);
    return hd_earlier(channel_next(self, response, self->responses_free),
                      channel_next(self, request, self->requests_free));
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    host_bus *self = (host_bus *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    host_bus *self = calloc(1, sizeof *self);
    under_way *slots = calloc(values[PARAMETER_REQUESTS].u, sizeof *slots);
    if (!self || !slots) {
        snprintf(error, error_bytes, "out of memory");
        free(self);
        free(slots);
        return NULL;
    }
    self->services = services;
    self->width = (uint32_t)values[PARAMETER_WIDTH].u;
    self->slots = slots;
    self->slot_count = (uint32_t)values[PARAMETER_REQUESTS].u;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->access_tracks = hd_trace_tracks(self->trace, HD_TRACE_BLOCK, "access", self->slot_count);
    self->messages[MESSAGE_READ] = services->message(services->context, HD_MEMORY_READ);
    self->messages[MESSAGE_WRITE] = services->message(services->context, HD_MEMORY_WRITE);
    self->messages[MESSAGE_RESPONSE] = services->message(services->context, HD_MEMORY_RESPONSE);
    if (decode_prepare(self))
        return (hd_block *)self;
    snprintf(error, error_bytes, "more than %u address windows lie behind it", WINDOWS_MAX);
    free(self);
    free(slots);
    return NULL;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    host_bus *self = (host_bus *)block;
    ends *array = port == PORT_INITIATOR ? self->initiators : self->targets;
    uint32_t *count = port == PORT_INITIATOR ? &self->initiator_count : &self->target_count;
    array[element] = (ends){.out = out, .in = in};
    if (element >= *count)
        *count = element + 1;
}

static void drop(host_bus *self)
{
    if (self->complaint)
        self->services->free(self->services->context, self->complaint);
    self->complaint = NULL;
}

static void reset(hd_block *block)
{
    host_bus *self = (host_bus *)block;
    drop(self);
    for (uint32_t i = 0; i < self->slot_count; i++)
        self->slots[i].initiator = NOBODY;
    self->shown_accesses = self->used = self->waits = self->is_stuck = 0;
    self->looked_at = 0;
    self->next_initiator = self->next_target = 0;
    self->requests_free = self->responses_free = 0;
    self->accounted = 0;
    memset(self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, self->services->clock);
}

static const uint64_t *counters(hd_block *block)
{
    return ((host_bus *)block)->counters;
}

static void destroy(hd_block *block)
{
    host_bus *self = (host_bus *)block;
    if (!self)
        return;
    drop(self);
    free(self->slots);
    free(self);
}

const hd_block_class hd_host_bus_decoder = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "host_bus",
    .type = "decoder",
    .doc = "routes accesses of host CPU and DMA engine to the device or memory at their address",
    .source = "a shared bus with split transactions",
    .flags = HD_BLOCK_DECODES,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = MESSAGE_USES,
    .parameters = host_bus_parameters,
    .ports = host_bus_ports,
    .statistics = host_bus_statistics,
    .messages = host_bus_messages,
    .trace_events = host_bus_trace_events,
    .trace_event_count = EVENT_COUNT,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = host_bus_extension,
};
