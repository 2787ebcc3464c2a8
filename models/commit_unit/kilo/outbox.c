/* SPDX-License-Identifier: MIT */
/* Messages to cores, which leave one per cycle in the order in which they were made. What comes in never waits for them. */
#include <stdlib.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

static void grow(outbox *box)
{
    const hd_ring larger = {.capacity = 2 * box->ring.capacity, .count = box->ring.count};
    hd_packet **packets = malloc(larger.capacity * sizeof *packets);
    if (!packets)
        abort();
    for (uint32_t i = 0; i < larger.count; i++)
        packets[i] = box->packets[hd_ring_place(&box->ring, i)];
    free(box->packets);
    *box = (outbox){.packets = packets, .ring = larger};
}

static void post(kilo_unit *self, hd_packet *packet)
{
    outbox *box = &self->outbox;
    if (box->ring.count == box->ring.capacity)
        grow(box);
    box->packets[hd_ring_push(&box->ring)] = packet;
    self->counters.message_bytes += packet->wire_bytes;
    self->has_moved = 1;
}

static hd_packet *packet_for(const kilo_unit *self, const group *group, uint32_t message, uint32_t body_bytes)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->destination = group->core;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->tag = group->ids.first;
    packet->flow = group->warp;
    packet->epoch = group->epoch;
    packet->argument = services->index;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->body_bytes = body_bytes;
    return packet;
}

void kilo_unit_send_lanes(kilo_unit *self, const group *group, uint32_t message, uint64_t lanes, uint64_t marked)
{
    hd_packet *packet = packet_for(self, group, message, (uint32_t)sizeof(hd_kilo_lanes));
    *(hd_kilo_lanes *)hd_body(packet) = (hd_kilo_lanes){group->ids, lanes, marked};
    packet->wire_bytes += self->aggregates ? HD_KILO_MASK_WIRE_BYTES : 0;
    if (message == self->message.verdict)
        self->counters.verdicts++;
    else
        self->counters.committeds++;
    post(self, packet);
}

/* About words of this set. */
static hd_packet *packet_about(const kilo_unit *self, uint16_t receiver, uint32_t message, enum broadcast_set set,
                               uint32_t argument, const void *body, uint32_t bytes)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, bytes);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->destination = receiver;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->tag = set;
    packet->argument = argument;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + (self->broadcast.is_exact ? bytes : 0);
    packet->body_bytes = bytes;
    memcpy(hd_body(packet), body, bytes);
    return packet;
}

void kilo_unit_send_addresses(kilo_unit *self, uint16_t receiver, uint32_t message, enum broadcast_set set,
                              const uint32_t *addresses, uint32_t count)
{
    *(message == self->message.enter ? &self->counters.enters : &self->counters.leaves) += 1;
    post(self, packet_about(self, receiver, message, set, count, addresses, count * (uint32_t)sizeof *addresses));
}

void kilo_unit_send_signature(kilo_unit *self, uint16_t receiver, enum broadcast_set set, uint64_t bits)
{
    self->counters.signatures++;
    post(self, packet_about(self, receiver, self->message.signature, set, self->services->index, &bits, sizeof bits));
}

void kilo_unit_request_resend(kilo_unit *self, entry *entry, uint32_t is_write_set)
{
    const group *group = kilo_unit_group(self, entry);
    hd_packet *packet = packet_for(self, group, self->message.resend, (uint32_t)sizeof(hd_kilo_resend));
    const uint32_t kept = is_write_set ? entry->writes.kept : entry->reads.kept;
    *(hd_kilo_resend *)hd_body(packet) =
        (hd_kilo_resend){.group = group->ids, .lane = entry->lane, .is_write_set = is_write_set, .from = kept};
    self->counters.resends++;
    entry->is_asked = 1;
    post(self, packet);
}

void kilo_unit_send(kilo_unit *self, hd_time t)
{
    const hd_services *services = self->services;
    outbox *box = &self->outbox;
    self->waits.reply = 0;
    if (!box->ring.count)
        return;
    self->waits.reply = !hd_link_has_credit(services, self->reply, t);
    if (self->waits.reply)
        return;
    services->send(services->context, self->reply, box->packets[hd_ring_pop(&box->ring)], t);
    self->has_moved = 1;
}

/* Only the latest counts. */
void kilo_unit_report_room(kilo_unit *self, hd_time t)
{
    const hd_services *services = self->services;
    const uint64_t room = self->entry_limit ? self->retire_pointer + self->entry_limit : UINT64_MAX;
    if (!self->room || room == self->room_reported || !hd_link_has_credit(services, self->room, t))
        return;
    hd_packet *packet = services->alloc(services->context, 0);
    packet->message = self->message.room;
    packet->source = (uint16_t)services->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->address = self->room_reported = room;
    packet->argument = services->index;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    services->send(services->context, self->room, packet, t);
}
