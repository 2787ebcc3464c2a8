/* SPDX-License-Identifier: MIT */
/* What the second level answers, one to a tile in a cycle, and replies to the PEs, one to each in a cycle. */
#include <string.h>

#include "hd_link.h"
#include "state.h"

void fabric_push_answer(tile_fabric *self, uint32_t flight, hd_packet *packet, const uint8_t *data, uint64_t ready)
{
    fabric_tile *tile = &self->tile[self->flights[flight].tile];
    fabric_answer *answer = &tile->answers[hd_ring_push(&tile->from_second)];
    answer->flight = flight;
    answer->packet = packet;
    answer->ready = ready;
    if (data)
        memcpy(answer->data, data, FABRIC_LINE);
    fabric_wake(self, ready);
}

/* ---- Replies ------------------------------------------------------------------------------------------------------ */

void fabric_reply_to(tile_fabric *self, uint32_t pe, hd_packet *reply, uint64_t ready)
{
    fabric_pe *to = &self->pe[pe];
    to->replies[hd_ring_push(&to->unsent)] = (fabric_reply){reply, ready};
    fabric_wake(self, ready);
}

hd_packet *fabric_reply_of(tile_fabric *self, const hd_packet *request, uint32_t message, uint32_t body_bytes)
{
    hd_packet *reply = self->services->alloc(self->services->context, body_bytes);
    reply->message = message;
    reply->source = (uint16_t)self->services->endpoint;
    reply->destination = request->source;
    reply->traffic_class = request->traffic_class;
    reply->tag = request->tag;
    reply->address = request->address;
    reply->flow = request->flow;
    reply->epoch = request->epoch;
    reply->wire_bytes = HD_HEADER_WIRE_BYTES;
    reply->body_bytes = body_bytes;
    return reply;
}

void fabric_acknowledge(tile_fabric *self, uint32_t pe, hd_packet *request, uint64_t ready)
{
    hd_packet *reply = fabric_reply_of(self, request, self->message.store_ack, 0);
    self->services->free(self->services->context, request);
    fabric_reply_to(self, pe, reply, ready);
}

void fabric_answer_load(tile_fabric *self, uint32_t pe, hd_packet *request, const uint8_t *bytes, uint64_t ready)
{
    hd_packet *reply = fabric_reply_of(self, request, self->message.load_reply, request->argument);
    reply->argument = request->argument;
    reply->wire_bytes += request->argument;
    memcpy(hd_body(reply), bytes, request->argument);
    self->services->free(self->services->context, request);
    fabric_reply_to(self, pe, reply, ready);
}

static void send(tile_fabric *self, fabric_pe *pe, hd_time t)
{
    const hd_services *s = self->services;
    const fabric_reply *first = &pe->replies[pe->unsent.first];
    if (first->ready > fabric_edge(self)) {
        fabric_wake(self, first->ready);
        return;
    }
    if (!hd_link_has_credit(s, pe->reply, t))
        return;
    s->send(s->context, pe->reply, first->packet, t);
    hd_ring_pop(&pe->unsent);
    pe->outstanding--;
    fabric_wake(self, fabric_edge(self) + 1);
}

void fabric_send_replies(tile_fabric *self, hd_time t)
{
    for (uint32_t p = 0; p < self->tiles * self->pes; p++)
        if (self->pe[p].unsent.count && self->pe[p].reply)
            send(self, &self->pe[p], t);
}

/* ---- Answers ------------------------------------------------------------------------------------------------------ */

static void answer_past_first(tile_fabric *self, const fabric_flight *flight, const uint8_t *line)
{
    hd_packet *request = flight->request;
    const uint32_t offset = (uint32_t)(request->address % FABRIC_LINE);
    uint32_t tile = 0;
    const uint64_t newer =
        fabric_dirty_elsewhere(self, request->address / FABRIC_LINE, fabric_bytes_of(self, request), NULL, &tile);
    if (newer)
        fabric_stale_load(self, flight->pe, request, line + offset, newer >> offset, tile, 1);
    else
        fabric_answer_load(self, flight->pe, request, line + offset, fabric_edge(self) + 1);
}

/* Of memory to a PE's own request. */
static void pass_on(tile_fabric *self, const fabric_flight *flight, hd_packet *packet)
{
    packet->tag = flight->tag;
    packet->destination = flight->source;
    packet->source = (uint16_t)self->services->endpoint;
    fabric_reply_to(self, flight->pe, packet, fabric_edge(self) + 1);
}

static void take(tile_fabric *self, uint32_t tile, fabric_answer *answer)
{
    fabric_flight *at = &self->flights[answer->flight];
    const fabric_flight flight = *at;
    *at = (fabric_flight){.kind = FLIGHT_FREE};
    self->free_flights[self->free_count++] = answer->flight;
    switch (flight.kind) {
    case FLIGHT_FILL: fabric_fill_line(self, tile, flight.mshr, answer->data); break;
    case FLIGHT_LOAD: answer_past_first(self, &flight, answer->data); break;
    case FLIGHT_WRITE_BACK:
        self->tile[tile].write_backs--;
        self->services->free(self->services->context, answer->packet);
        break;
    default: pass_on(self, &flight, answer->packet); break;
    }
    answer->packet = NULL;
}

void fabric_take_answer(tile_fabric *self, uint32_t tile)
{
    fabric_tile *of = &self->tile[tile];
    if (!of->from_second.count)
        return;
    const uint64_t ready = of->answers[of->from_second.first].ready;
    if (ready > fabric_edge(self)) {
        fabric_wake(self, ready);
        return;
    }
    take(self, tile, &of->answers[hd_ring_pop(&of->from_second)]);
    fabric_wake(self, fabric_edge(self) + 1);
}
