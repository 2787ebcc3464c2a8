/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "state.h"

static void refuse(host_cpu *self, uint32_t is_misaligned, hd_time t)
{
    if (hart_refuse_access(&self->hart, is_misaligned, self->cursor.n))
        host_cpu_fault(self, t);
    else
        host_cpu_keep_trap(self);
}

uint32_t bus_send(host_cpu *self, hd_time t)
{
    const hd_services *s = self->services;
    const hart_access *access = &self->hart.access;
    if (access->address % access->bytes) {
        refuse(self, 1, t);
        return 1;
    }
    if (!s->credits(s->context, self->bus_out, t))
        return 0;
    const uint32_t body = access->is_store ? access->bytes : 0;
    hd_packet *packet = s->alloc(s->context, body);
    packet->message = self->messages[access->is_store ? MESSAGE_WRITE : MESSAGE_READ];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_HOST;
    packet->address = access->address;
    packet->argument = access->bytes;
    packet->body_bytes = body;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + body;
    memcpy(hd_body(packet), &access->value, body);
    s->send(s->context, self->bus_out, packet, t);
    self->counters[access->is_store ? STATISTIC_BUS_WRITES : STATISTIC_BUS_READS]++;
    host_cpu_keep(self);
    self->activity = ACTIVITY_ON_BUS;
    return 1;
}

static void complete(host_cpu *self, const hd_packet *response)
{
    uint64_t value = 0;
    memcpy(&value, hd_body_const(response), response->body_bytes < 8 ? response->body_bytes : 8);
    hart_complete_access(&self->hart, value, self->cursor.n);
    host_cpu_keep(self);
}

void bus_take_response(host_cpu *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *response = s->pop(s->context, self->bus_in, t);
    if (!response)
        return;
    if (self->activity != ACTIVITY_ON_BUS) {
        s->fault(s->context, t, "bus: a response to an access that was not made");
        self->activity = ACTIVITY_FAULTED;
    } else if (response->argument == HD_STATUS_OK) {
        complete(self, response);
    } else {
        self->refusal = response->argument;
        refuse(self, 0, t);
    }
    s->free(s->context, response);
}
