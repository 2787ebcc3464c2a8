/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "state.h"

static void refuse(host_cpu *self, host_hart *one, uint32_t is_misaligned, hd_time t)
{
    one->doing = DOING_RUNS;
    if (hart_refuse_access(&one->hart, is_misaligned, self->cursor.n)) {
        host_cpu_fault(self, one, t);
        return;
    }
    one->stop = HART_TRAP;
    host_cpu_keep(self);
}

static void send(host_cpu *self, const host_hart *one, hd_time t)
{
    const hd_services *s = self->services;
    const hart_access *access = &one->hart.access;
    const uint32_t body = access->is_store ? access->bytes : 0;
    hd_packet *packet = s->alloc(s->context, body);
    packet->message = self->messages[access->is_store ? MESSAGE_WRITE : MESSAGE_READ];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_HOST;
    packet->tag = one->hart.number;
    packet->address = access->address;
    packet->argument = access->bytes;
    packet->body_bytes = body;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + body;
    memcpy(hd_body(packet), &access->value, body);
    s->send(s->context, self->bus_out, packet, t);
    self->counters[access->is_store ? STATISTIC_BUS_WRITES : STATISTIC_BUS_READS]++;
}

void bus_send(host_cpu *self, host_hart *one, hd_time t)
{
    const hd_services *s = self->services;
    if (one->hart.access.address % one->hart.access.bytes) {
        refuse(self, one, 1, t);
        return;
    }
    one->doing = hd_link_has_credit(s, self->bus_out, t) ? DOING_ON_BUS : DOING_AWAITS_CREDIT;
    if (one->doing == DOING_ON_BUS)
        send(self, one, t);
    host_cpu_keep(self);
}

static void complete(host_cpu *self, host_hart *one, const hd_packet *response)
{
    uint64_t value = 0;
    memcpy(&value, hd_body_const(response), response->body_bytes < 8 ? response->body_bytes : 8);
    one->doing = DOING_RUNS;
    hart_complete_access(&one->hart, value, self->cursor.n);
    host_cpu_keep(self);
}

/* NULL: nobody waits for it. */
static host_hart *who_waits(const host_cpu *self, const hd_packet *response)
{
    const uint64_t number = self->hart_count > 1 ? response->tag : 0;
    host_hart *one = number < self->hart_count ? &self->harts[number] : NULL;
    return one && one->doing == DOING_ON_BUS ? one : NULL;
}

void bus_take_response(host_cpu *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *response = hd_link_pop(s, self->bus_in, t);
    if (!response)
        return;
    host_hart *one = who_waits(self, response);
    host_cpu_come_to(self, self->cursor.n);
    if (!one) {
        s->fault(s->context, t, "bus: a response to an access that was not made");
        self->activity = ACTIVITY_FAULTED;
    } else if (response->argument == HD_STATUS_OK) {
        complete(self, one, response);
    } else {
        one->refusal = response->argument;
        refuse(self, one, 0, t);
    }
    s->free(s->context, response);
}
