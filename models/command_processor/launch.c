/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "queues.h"

uint32_t launch_holds_host(const queues *self)
{
    return self->launch_phase != LAUNCH_NONE && self->launch_aligned;
}

uint32_t launch_holds_rings(const queues *self)
{
    return launch_holds_host(self) && self->launch_phase != LAUNCH_DRAIN;
}

hd_time launch_next(const queues *self)
{
    uint32_t timed = self->launch_phase == LAUNCH_SETTLE || self->launch_phase == LAUNCH_WAIT;
    return timed ? self->launch_time : HD_NEVER;
}

static uint32_t next_ready(const queues *self)
{
    for (uint32_t i = 0; i < self->ring_count; i++) {
        uint32_t index = (self->next_launch_ring + i) % self->ring_count;
        if (self->rings[index].state == RING_READY)
            return index;
    }
    return NO_RING;
}

static void choose(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    uint32_t index = next_ready(self);
    if (index == NO_RING || self->running >= self->grid_limit)
        return;
    if (!hd_link_has_credit(s, self->launch_out, t))
        return;
    self->launching = index;
    self->rings[index].state = RING_LAUNCHING;
    self->next_launch_ring = (index + 1) % self->ring_count;
    self->launch_aligned = self->launch_align && self->running == 0 && self->copying == 0 && self->rendezvous != NULL;
    self->launch_phase = LAUNCH_DRAIN;
}

static void meet(queues *self, hd_time t)
{
    const hd_rendezvous *rendezvous = self->rendezvous;
    uint32_t what = HD_RENDEZVOUS_KERNEL_BEGIN | (self->launch_aligned ? HD_RENDEZVOUS_ALIGN : 0);
    self->launch_phase = LAUNCH_WAIT;
    self->launch_time = rendezvous == NULL ? t
                                           : rendezvous->request(rendezvous->context, t, what,
                                                                 self->rings[self->launching].grid.launch);
}

static void send_launch(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    ring *ring = &self->rings[self->launching];
    hd_packet *packet = s->alloc(s->context, sizeof ring->grid);
    packet->message = self->messages[MESSAGE_GRID_LAUNCH];
    packet->source = (uint16_t)s->endpoint;
    packet->tag = ring->grid.launch;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + sizeof ring->grid;
    packet->body_bytes = sizeof ring->grid;
    memcpy(hd_body(packet), &ring->grid, sizeof ring->grid);
    s->send(s->context, self->launch_out, packet, t);
    ring->state = RING_RUNNING;
    ring->start_cycle = self->cursor.n;
    self->running++;
    self->counters[STATISTIC_LAUNCHES]++;
    if (self->launch_aligned)
        self->counters[STATISTIC_ALIGNED_LAUNCHES]++;
    queues_maximum(self, STATISTIC_MAX_GRIDS, self->running);
    self->launch_phase = LAUNCH_NONE;
    self->launching = NO_RING;
}

static uint32_t memory_is_idle(const queues *self)
{
    return self->lines_in_flight == 0 && !rings_need_line(self);
}

static void wait_for_start(queues *self)
{
    const uint64_t settle = self->launch_aligned ? self->settle_cycles : 0;
    const uint64_t cycles = settle > self->launch_cycles ? settle : self->launch_cycles;
    self->launch_phase = LAUNCH_SETTLE;
    self->launch_time = hd_clock_edge(self->services->clock, self->cursor.n + cycles);
}

uint32_t launch_step(queues *self, hd_time t)
{
    if (self->launch_phase == LAUNCH_NONE)
        choose(self, t);
    if (self->launch_phase == LAUNCH_DRAIN) {
        if (!self->launch_aligned && self->launch_cycles == 0)
            meet(self, t);
        else if (!self->launch_aligned || memory_is_idle(self))
            wait_for_start(self);
    }
    if (self->launch_phase == LAUNCH_SETTLE && t >= self->launch_time)
        meet(self, t);
    if (self->launch_phase == LAUNCH_WAIT && t >= self->launch_time) {
        send_launch(self, t);
        return 1;
    }
    return 0;
}
