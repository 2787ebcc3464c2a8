/* SPDX-License-Identifier: MIT */
/* Answers leave in the order in which they were made, whoever they are for; until they have, nothing else is done. */
#include "hd_link.h"
#include "state.h"

hd_packet *ideal_answer(ideal_memory *self, uint32_t warp, uint32_t message, uint32_t body_bytes)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, body_bytes);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->destination = (uint16_t)self->warps[warp].endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->flow = warp;
    packet->epoch = self->warps[warp].epoch;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->body_bytes = body_bytes;
    return packet;
}

static uint32_t send(ideal_memory *self, uint32_t element, hd_packet *packet, hd_time t)
{
    const hd_services *services = self->services;
    if (!hd_link_has_credit(services, self->reply[element], t))
        return 0;
    services->send(services->context, self->reply[element], packet, t);
    return 1;
}

void ideal_post(ideal_memory *self, const warp *warp, hd_packet *packet, hd_time t)
{
    if (!self->outgoing.count && send(self, warp->element, packet, t))
        return;
    if (!self->outgoing.count)
        self->outbox_since = self->cursor.n;
    self->outbox[hd_ring_push(&self->outgoing)] = (answer){.packet = packet, .element = warp->element};
}

static uint32_t send_oldest(ideal_memory *self, hd_time t)
{
    const answer *oldest = &self->outbox[self->outgoing.first];
    return send(self, oldest->element, oldest->packet, t);
}

uint32_t ideal_flush(ideal_memory *self, hd_time t)
{
    if (!self->outgoing.count)
        return 1;
    while (self->outgoing.count && send_oldest(self, t))
        hd_ring_pop(&self->outgoing);
    if (self->outgoing.count)
        return 0;
    self->counters.reply_wait_cycles += self->cursor.n - self->outbox_since;
    return 1;
}

void ideal_send_verdict(ideal_memory *self, uint32_t warp, const hd_ideal_verdict *verdict, hd_time t)
{
    hd_packet *packet = ideal_answer(self, warp, self->message.verdict, sizeof *verdict);
    *(hd_ideal_verdict *)hd_body(packet) = *verdict;
    ideal_post(self, &self->warps[warp], packet, t);
}
