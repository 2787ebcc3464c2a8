/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "native.h"

static uint32_t is_wait(const host_call *call)
{
    return call->kind == HOST_CALL_WAIT;
}

/* Nothing more of the call leaves: all has left, or a packet was refused. */
static uint32_t all_issued(const native *self)
{
    return self->issued == self->call->bytes || self->call->status != HD_STATUS_OK;
}

uint32_t transfer_is_complete(const native *self)
{
    const host_call *call = self->call;
    if (self->cursor.n < self->call_edge)
        return 0;
    if (is_wait(call))
        return self->device_error || (int32_t)(self->completions[call->queue] - call->count) >= 0;
    return all_issued(self) && self->in_flight == 0;
}

static hd_packet *next_packet(native *self)
{
    const hd_services *s = self->services;
    const host_call *call = self->call;
    uint64_t address = call->address + self->issued;
    uint64_t left = call->bytes - self->issued;
    uint32_t room = self->packet_bytes - (uint32_t)(address % self->packet_bytes);
    uint32_t bytes = left < room ? (uint32_t)left : room;
    uint32_t is_read = call->kind == HOST_CALL_READ;

    hd_packet *packet = s->alloc(s->context, is_read ? 0 : bytes);
    packet->message = self->messages[is_read ? MESSAGE_READ : MESSAGE_WRITE];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_HOST;
    packet->tag = self->issued;
    packet->address = address;
    packet->argument = bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + (is_read ? 0 : bytes);
    packet->body_bytes = is_read ? 0 : bytes;
    if (call->kind == HOST_CALL_WRITE)
        memcpy(hd_body(packet), call->from + self->issued, bytes);
    else if (call->kind == HOST_CALL_FILL)
        memset(hd_body(packet), (int)(call->value & 0xFF), bytes);
    return packet;
}

uint32_t transfer_issue(native *self, hd_time t)
{
    const hd_services *s = self->services;
    const host_call *call = self->call;
    if (call == NULL || is_wait(call) || self->cursor.n < self->call_edge || all_issued(self))
        return 0;
    if (self->in_flight >= self->request_limit || s->credits(s->context, self->bus_out, t) == 0)
        return 0;
    hd_packet *packet = next_packet(self);
    uint32_t is_read = call->kind == HOST_CALL_READ;
    self->counters[is_read ? STATISTIC_READS : STATISTIC_WRITES]++;
    self->counters[is_read ? STATISTIC_READ_BYTES : STATISTIC_WRITE_BYTES] += packet->argument;
    self->issued += packet->argument;
    self->in_flight++;
    if (self->in_flight > self->counters[STATISTIC_MAX_REQUESTS])
        self->counters[STATISTIC_MAX_REQUESTS] = self->in_flight;
    s->send(s->context, self->bus_out, packet, t);
    return !all_issued(self);
}

static void take_response(native *self, const hd_packet *response, hd_time t)
{
    const hd_services *s = self->services;
    host_call *call = self->call;
    uint32_t fits = call != NULL && self->in_flight > 0 && response->tag < call->bytes &&
                    response->body_bytes <= call->bytes - response->tag;
    if (!fits) {
        s->fault(s->context, t, "bus: a response to an access that was not made (tag %llu)",
                 (unsigned long long)response->tag);
        self->stopped = 1;
        return;
    }
    self->in_flight--;
    if (response->argument != HD_STATUS_OK && call->status == HD_STATUS_OK) {
        call->status = response->argument;
        call->status_address = call->address + response->tag;
    }
    if (response->argument == HD_STATUS_OK && call->kind == HOST_CALL_READ)
        memcpy(call->into + response->tag, hd_body_const(response), response->body_bytes);
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
