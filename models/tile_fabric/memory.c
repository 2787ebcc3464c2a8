/* SPDX-License-Identifier: MIT */
/* The fixed crossbar to memory: requests of second-level banks, and what comes back. */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

#define TAG_LINE (UINT64_C(1) << 63) /* a line for a second-level bank: bank and MSHR; else the number of a flight */
#define TAG_BANK_SHIFT 32

hd_packet *fabric_memory_request(tile_fabric *self, uint32_t message, uint64_t address, uint32_t body_bytes)
{
    hd_packet *packet = hd_partition_request(self->services, self->map, address, body_bytes);
    packet->message = message;
    packet->traffic_class = HD_CLASS_GLOBAL;
    return packet;
}

void fabric_queue_out(tile_fabric *self, uint32_t bank, hd_packet *packet)
{
    fabric_l1 *l1 = &self->l1[bank];
    l1->out[hd_ring_push(&l1->unsent)] = packet;
    fabric_wake(self, fabric_edge(self) + 1);
}

void fabric_fetch(tile_fabric *self, uint32_t bank, uint32_t mshr, uint64_t address)
{
    hd_packet *packet = fabric_memory_request(self, self->message.load, address, 0);
    packet->argument = FABRIC_LINE;
    packet->tag = TAG_LINE | (uint64_t)bank << TAG_BANK_SHIFT | mshr;
    self->counters.memory_bytes_read += FABRIC_LINE;
    fabric_queue_out(self, bank, packet);
}

void fabric_send_to_memory(tile_fabric *self, hd_time t)
{
    const hd_services *s = self->services;
    for (uint32_t b = 0; b < self->l1_banks; b++) {
        fabric_l1 *l1 = &self->l1[b];
        if (!l1->unsent.count || !l1->memory || !hd_link_has_credit(s, l1->memory, t))
            continue;
        hd_packet **packet = &l1->out[hd_ring_pop(&l1->unsent)];
        s->send(s->context, l1->memory, *packet, t);
        *packet = NULL;
        if (l1->unsent.count)
            fabric_wake(self, fabric_edge(self) + 1);
    }
}

/* ---- What comes back ---------------------------------------------------------------------------------------------- */

static void install(tile_fabric *self, fabric_l1 *l1, uint64_t line, const uint8_t *data)
{
    const uint32_t place = cache_tags_room(&l1->tags, cache_tags_set(&l1->tags, line / self->l1_banks));
    cache_tags_put(&l1->tags, place, line);
    memcpy(&l1->data[(size_t)place * FABRIC_LINE], data, FABRIC_LINE);
}

static void receive_line(tile_fabric *self, fabric_l1 *l1, uint32_t mshr, const hd_packet *packet)
{
    const uint64_t ready = fabric_edge(self) + fabric_value(self, PARAMETER_CROSSBAR_LATENCY);
    if (l1->mshrs.of[mshr].is_listed)
        install(self, l1, packet->address / FABRIC_LINE, hd_body_const(packet));
    while (cache_mshrs_waiting(&l1->mshrs, mshr))
        fabric_push_answer(self, l1->targets[cache_mshrs_pop(&l1->mshrs, mshr)], NULL, hd_body_const(packet), ready);
    cache_mshrs_release(&l1->mshrs, mshr);
}

static uint32_t is_awaited(const tile_fabric *self, const hd_packet *packet)
{
    const uint32_t number = (uint32_t)packet->tag, bank = (uint32_t)(packet->tag >> TAG_BANK_SHIFT & 0x7FFFFFFFu);
    if (!(packet->tag & TAG_LINE))
        return packet->tag < self->flight_count && self->flights[number].kind >= FLIGHT_STORE;
    return packet->message == self->message.load_reply && packet->argument == FABRIC_LINE && bank < self->l1_banks &&
           number < self->l1[bank].mshrs.count && cache_mshrs_waiting(&self->l1[bank].mshrs, number);
}

static void receive(tile_fabric *self, hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    if (!is_awaited(self, packet)) {
        s->fault(s->context, t, "%s: an answer that nobody awaits, of message %" PRIu32 " from endpoint %" PRIu16,
                 s->name, packet->message, packet->source);
        self->faulted = 1;
    } else if (!(packet->tag & TAG_LINE)) {
        fabric_push_answer(self, (uint32_t)packet->tag, packet, NULL,
                           fabric_edge(self) + fabric_value(self, PARAMETER_CROSSBAR_LATENCY));
        return;
    } else {
        receive_line(self, &self->l1[packet->tag >> TAG_BANK_SHIFT & 0x7FFFFFFFu], (uint32_t)packet->tag, packet);
    }
    s->free(s->context, packet);
}

void fabric_receive(tile_fabric *self, hd_time t)
{
    for (uint32_t i = 0; i < self->fill_count; i++)
        for (hd_packet *packet; (packet = hd_link_pop(self->services, self->fill[i], t));)
            receive(self, packet, t);
}
