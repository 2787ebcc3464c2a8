/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "native.h"

#define TAG_NUMBER_SHIFT 48 /* of the transfer; below it the offset in its bytes */

void transfer_add(native *self, transfer *added)
{
    added->number = self->transfer_count;
    self->transfers[self->transfer_count++] = added;
}

void transfer_begin(transfer *at, host_call *call, uint64_t edge)
{
    at->call = call;
    at->edge = edge;
    at->issued = 0;
}

/* Nothing more of the call leaves: all has left, or a packet was refused. */
static uint32_t all_issued(const transfer *at)
{
    return at->issued == at->call->bytes || at->call->status != HD_STATUS_OK;
}

uint32_t transfer_is_complete(const native *self, const transfer *at)
{
    return self->cursor.n >= at->edge && all_issued(at) && at->in_flight == 0;
}

static transfer *whose_turn(const native *self)
{
    for (uint32_t i = 0; i < self->transfer_count; i++) {
        transfer *at = self->transfers[(self->next_transfer + i) % self->transfer_count];
        if (at->call != NULL && self->cursor.n >= at->edge && !all_issued(at))
            return at;
    }
    return NULL;
}

static hd_packet *next_packet(native *self, const transfer *at)
{
    const hd_services *s = self->services;
    const host_call *call = at->call;
    uint64_t address = call->address + at->issued;
    uint64_t left = call->bytes - at->issued;
    uint32_t room = self->packet_bytes - (uint32_t)(address % self->packet_bytes);
    uint32_t bytes = left < room ? (uint32_t)left : room;
    uint32_t is_read = call->kind == HOST_CALL_READ;

    hd_packet *packet = s->alloc(s->context, is_read ? 0 : bytes);
    packet->message = self->messages[is_read ? MESSAGE_READ : MESSAGE_WRITE];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_HOST;
    packet->tag = (uint64_t)at->number << TAG_NUMBER_SHIFT | at->issued;
    packet->address = address;
    packet->argument = bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + (is_read ? 0 : bytes);
    packet->body_bytes = is_read ? 0 : bytes;
    if (call->kind == HOST_CALL_WRITE)
        memcpy(hd_body(packet), call->from + at->issued, bytes);
    else if (call->kind == HOST_CALL_FILL)
        memset(hd_body(packet), (int)(call->value & 0xFF), bytes);
    return packet;
}

uint32_t transfer_issue(native *self, hd_time t)
{
    const hd_services *s = self->services;
    transfer *at = whose_turn(self);
    if (at == NULL || self->in_flight >= self->request_limit || s->credits(s->context, self->bus_out, t) == 0)
        return 0;
    hd_packet *packet = next_packet(self, at);
    uint32_t is_read = at->call->kind == HOST_CALL_READ;
    self->counters[is_read ? STATISTIC_READS : STATISTIC_WRITES]++;
    self->counters[is_read ? STATISTIC_READ_BYTES : STATISTIC_WRITE_BYTES] += packet->argument;
    at->issued += packet->argument;
    at->in_flight++;
    self->next_transfer = (at->number + 1) % self->transfer_count;
    self->in_flight++;
    if (self->in_flight > self->counters[STATISTIC_MAX_REQUESTS])
        self->counters[STATISTIC_MAX_REQUESTS] = self->in_flight;
    s->send(s->context, self->bus_out, packet, t);
    return whose_turn(self) != NULL;
}

/* Of which transfer; NULL: of none. */
static transfer *answered(const native *self, const hd_packet *response, uint64_t offset)
{
    const uint64_t number = response->tag >> TAG_NUMBER_SHIFT;
    transfer *at = number < self->transfer_count ? self->transfers[number] : NULL;
    const uint32_t fits = at != NULL && at->call != NULL && at->in_flight > 0 && offset < at->call->bytes &&
                          response->body_bytes <= at->call->bytes - offset;
    return fits ? at : NULL;
}

static void take_response(native *self, const hd_packet *response, hd_time t)
{
    const hd_services *s = self->services;
    const uint64_t offset = response->tag & ((UINT64_C(1) << TAG_NUMBER_SHIFT) - 1);
    transfer *at = answered(self, response, offset);
    if (at == NULL) {
        s->fault(s->context, t, "bus: a response to an access that was not made (tag %llu)",
                 (unsigned long long)response->tag);
        self->stopped = 1;
        return;
    }
    host_call *call = at->call;
    if (call->address + offset != self->answered) /* who asks for the same again and again polls */
        s->progress(s->context, t);
    self->answered = call->address + offset;
    self->in_flight--;
    at->in_flight--;
    if (response->argument != HD_STATUS_OK && call->status == HD_STATUS_OK) {
        call->status = response->argument;
        call->status_address = call->address + offset;
    }
    if (response->argument == HD_STATUS_OK && call->kind == HOST_CALL_READ)
        memcpy(call->into + offset, hd_body_const(response), response->body_bytes);
}

void transfer_take_responses(native *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *response;
    while (!self->stopped && (response = s->pop(s->context, self->bus_in, t)) != NULL) {
        take_response(self, response, t);
        s->free(s->context, response);
    }
}
