/* SPDX-License-Identifier: MIT */
/* Copies of the queues, which a DMA engine carries out. */
#include <string.h>

#include "hd_link.h"
#include "queues.h"

uint32_t copies_possible(const queues *self)
{
    return self->copy_out != NULL && self->copied_in != NULL;
}

uint32_t copies_check(const queues *self, const hd_copy *copy)
{
    const uint32_t has_meaning = copy->direction <= HD_COPY_FILL && copy->bytes > 0;
    return has_meaning && queues_in_memory(self, copy->device_address, copy->bytes) ? HD_QUEUE_ERROR_NONE
                                                                                    : HD_QUEUE_ERROR_RANGE;
}

static uint32_t next_due(const queues *self)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        const uint32_t index = (self->next_copy_ring + i) % self->ring_count;
        if (self->rings[index].state == RING_COPY_DUE)
            return index;
    }
    return NO_RING;
}

static void send_copy(queues *self, uint32_t index, hd_time t)
{
    const hd_services *s = self->services;
    ring *ring = &self->rings[index];
    hd_packet *packet = s->alloc(s->context, sizeof ring->copy);
    packet->message = self->messages[MESSAGE_COPY_START];
    packet->source = (uint16_t)s->endpoint;
    packet->tag = index;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + sizeof ring->copy;
    packet->body_bytes = sizeof ring->copy;
    memcpy(hd_body(packet), &ring->copy, sizeof ring->copy);
    s->send(s->context, self->copy_out, packet, t);
    ring->state = RING_COPYING;
    ring->start_cycle = self->cursor.n;
    self->next_copy_ring = (index + 1) % self->ring_count;
    self->copying++;
    queues_maximum(self, STATISTIC_MAX_COPIES, self->copying);
}

uint32_t copies_issue(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    const uint32_t index = next_due(self);
    /* An aligned launch is one on an idle device. */
    if (index == NO_RING || launch_holds_host(self) || !hd_link_has_credit(s, self->copy_out, t))
        return 0;
    send_copy(self, index, t);
    return next_due(self) != NO_RING;
}

static void end_copy(queues *self, const hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    ring *ring = &self->rings[packet->tag];
    self->copying--;
    s->progress(s->context, t);
    if (packet->argument == HD_STATUS_OK) {
        ring->end_cycle = self->cursor.n;
        ring->state = RING_COMPLETION_DUE;
        self->counters[STATISTIC_COPIES]++;
        self->counters[STATISTIC_COPY_BYTES] += ring->copy.bytes;
    } else if (rings_stop(self, (uint32_t)packet->tag, HD_QUEUE_ERROR_COPY)) {
        self->error_status = packet->argument;
        self->error_address = packet->address;
    }
}

void copies_take_done(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    while (!self->stopped && self->copied_in != NULL && (packet = hd_link_pop(s, self->copied_in, t)) != NULL) {
        if (packet->tag < self->ring_count && self->rings[packet->tag].state == RING_COPYING) {
            end_copy(self, packet, t);
        } else {
            s->fault(s->context, t, "copied: queue %llu has no copy under way", (unsigned long long)packet->tag);
            self->stopped = 1;
        }
        s->free(s->context, packet);
    }
}
