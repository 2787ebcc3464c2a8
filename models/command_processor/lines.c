/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "queues.h"

static hd_packet *new_line(queues *self, uint32_t message, uint64_t address, uint32_t bytes, uint64_t tag,
                           uint32_t traffic_class, uint32_t body_bytes)
{
    hd_packet *packet = hd_partition_request(self->services, self->map, address, body_bytes);
    packet->message = self->messages[message];
    packet->traffic_class = traffic_class;
    packet->tag = tag;
    packet->argument = bytes;
    return packet;
}

hd_packet *lines_load(queues *self, uint64_t address, uint32_t bytes, uint64_t tag, uint32_t traffic_class)
{
    return new_line(self, MESSAGE_LOAD, address, bytes, tag, traffic_class, 0);
}

hd_packet *lines_store(queues *self, uint64_t address, const uint8_t *data, const uint8_t *enables, uint32_t bytes,
                       uint64_t tag, uint32_t traffic_class)
{
    hd_packet *packet =
        new_line(self, MESSAGE_STORE, address, bytes, tag, traffic_class, (uint32_t)sizeof(hd_store) + bytes);
    packet->wire_bytes += bytes;
    hd_store *store = hd_body(packet);
    memset(store, 0, sizeof *store);
    for (uint32_t i = 0; i < bytes; i++) {
        if (enables == NULL || enables[i] != 0)
            store->byte_mask[i / 32] |= UINT32_C(1) << (i % 32);
    }
    memcpy(hd_store_data(store), data, bytes);
    return packet;
}

void lines_take_replies(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *reply;
    while (!self->stopped && (reply = hd_link_pop(s, self->reply_in, t)) != NULL) {
        uint64_t tag = reply->tag & (TAG_RING - 1);
        self->lines_in_flight--;
        if (reply->tag & TAG_RING)
            rings_line_done(self, (uint32_t)tag, reply, t);
        else
            host_access_line_done(self, (uint32_t)tag, reply, t);
        s->free(s->context, reply);
    }
}

uint32_t lines_issue(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    uint32_t ring_wants = rings_need_line(self) && !launch_holds_rings(self);
    uint32_t host_wants = host_access_needs_line(self) && !launch_holds_host(self);
    self->stall = STALL_NONE;
    if (!ring_wants && !host_wants)
        return 0;
    if (self->lines_in_flight >= self->line_limit) {
        self->stall = STALL_LINES;
        return 0;
    }
    if (!hd_link_has_credit(s, self->request_out, t)) {
        self->stall = STALL_CREDIT;
        return 0;
    }
    hd_packet *packet = ring_wants ? rings_next_line(self) : host_access_next_line(self);
    if (packet == NULL)
        return 0;
    self->counters[STATISTIC_LINE_ACCESSES]++;
    self->lines_in_flight++;
    queues_maximum(self, STATISTIC_MAX_LINES_IN_FLIGHT, self->lines_in_flight);
    s->send(s->context, self->request_out, packet, t);
    return 1;
}
