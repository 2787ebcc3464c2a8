/* SPDX-License-Identifier: MIT */
#include "hd_link.h"
#include "state.h"

static void enqueue(validation *self, hd_packet *packet, uint64_t n)
{
    self->replies[hd_ring_push(&self->reply_ring)] = (struct pending_reply){packet, n + self->latency};
}

void validation_answer(validation *self, hd_packet *request, uint32_t message, uint64_t n)
{
    request->message = message;
    request->destination = request->source;
    request->source = (uint16_t)self->services->endpoint;
    request->unit = HD_DESTINATION_DEFAULT;
    request->body_bytes = 0;
    request->wire_bytes = HD_HEADER_WIRE_BYTES;
    enqueue(self, request, n);
}

void validation_refuse(validation *self, hd_packet *request, const verdict *verdict, uint64_t n)
{
    /* A refusal is no longer than the request that it was. */
    *(hd_getm_refusal *)hd_body(request) = (hd_getm_refusal){
        .cause = verdict->cause, .reason = verdict->reason, .winner = verdict->winner, .winner_pc = verdict->winner_pc};
    validation_answer(self, request, self->message.abort, n);
    request->body_bytes = (uint32_t)sizeof(hd_getm_refusal);
    request->wire_bytes = HD_HEADER_WIRE_BYTES + HD_GETM_ABORT_WIRE_BYTES;
}

void validation_send_to_core(validation *self, uint32_t message, uint32_t endpoint, uint64_t n)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, 0);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->destination = (uint16_t)endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    enqueue(self, packet, n);
}

void validation_send_replies(validation *self, uint64_t n, hd_time t)
{
    const hd_services *services = self->services;
    const struct pending_reply *first = &self->replies[self->reply_ring.first];
    self->reply_waits = 0;
    if (!self->reply_ring.count || first->ready > n)
        return;
    self->reply_waits = !hd_link_has_credit(services, self->reply, t);
    if (self->reply_waits)
        return;
    services->send(services->context, self->reply, first->packet, t);
    hd_ring_pop(&self->reply_ring);
}
