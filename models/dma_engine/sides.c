/* SPDX-License-Identifier: MIT */
/* What leaves for host memory and device memory, and what comes from there. */
#include "hd_link.h"
#include "state.h"

void sides_reset(dma *self)
{
    for (uint32_t i = 0; i < SIDES; i++) {
        side *at = &self->sides[i];
        at->out_free = at->in_end = 0;
        at->next_channel = at->awaits_credit = 0;
    }
}

static uint64_t cycles_of(const side *at, const hd_packet *packet)
{
    const uint64_t cycles = at->width ? (packet->wire_bytes + at->width - 1) / at->width : 1;
    return cycles ? cycles : 1;
}

/* ---- In ----------------------------------------------------------------------------------------------------------- */

/* The next answer begins to come in. */
static void begin_to_receive(dma *self, uint32_t from, hd_time t)
{
    side *at = &self->sides[from];
    const hd_packet *answer = hd_link_peek(at->in, t);
    if (!answer)
        return;
    const uint64_t cycles = cycles_of(at, answer);
    at->in_end = self->cursor.n + cycles;
    if (from == SIDE_HOST)
        self->counters[STATISTIC_LINK_IN_CYCLES] += cycles;
}

void sides_receive(dma *self, uint32_t from, hd_time t)
{
    const hd_services *s = self->services;
    side *at = &self->sides[from];
    if (at->in_end && self->cursor.n >= at->in_end) {
        at->in_end = 0;
        if (!bursts_take(self, from, hd_link_pop(s, at->in, t))) {
            s->fault(s->context, t, "%s: a response to an access that was not made",
                     from == SIDE_HOST ? "host" : "device");
            self->stopped = 1;
            return;
        }
    }
    if (!at->in_end)
        begin_to_receive(self, from, t);
}

/* ---- Out ---------------------------------------------------------------------------------------------------------- */

static uint32_t whose_turn(const dma *self, uint32_t to)
{
    for (uint32_t i = 0; i < self->channel_count && self->busy; i++) {
        const uint32_t number = (self->sides[to].next_channel + i) % self->channel_count;
        if (bursts_can_send(self, &self->channels[number], to))
            return number;
    }
    return NOBODY;
}

void sides_send(dma *self, uint32_t to, hd_time t)
{
    const hd_services *s = self->services;
    side *at = &self->sides[to];
    const uint32_t number = self->cursor.n >= at->out_free ? whose_turn(self, to) : NOBODY;
    at->awaits_credit = 0;
    if (number == NOBODY)
        return;
    if (!hd_link_has_credit(s, at->out, t)) {
        at->awaits_credit = 1;
        return;
    }
    hd_packet *packet = bursts_next(self, number, to);
    const uint64_t cycles = cycles_of(at, packet);
    at->out_free = self->cursor.n + cycles;
    at->next_channel = (number + 1) % self->channel_count;
    if (to == SIDE_HOST)
        self->counters[STATISTIC_LINK_OUT_CYCLES] += cycles;
    s->send(s->context, at->out, packet, t);
}

/* ---- Time --------------------------------------------------------------------------------------------------------- */

static hd_time edge_time(const dma *self, uint64_t edge)
{
    return edge <= self->cursor.n ? self->cursor.t : hd_cursor_time_of(&self->cursor, edge);
}

static hd_time next_start(const dma *self)
{
    hd_time next = HD_NEVER;
    for (uint32_t i = 0; i < self->channel_count && self->busy; i++)
        if (self->channels[i].is_busy && self->channels[i].start > self->cursor.n)
            next = hd_earlier(next, edge_time(self, self->channels[i].start));
    return next;
}

hd_time sides_next(const dma *self, uint32_t number)
{
    const side *at = &self->sides[number];
    hd_time next =
        at->in_end ? edge_time(self, at->in_end) : hd_cursor_edge_from(&self->cursor, hd_link_arrival(at->in));
    if (!at->awaits_credit && whose_turn(self, number) != NOBODY)
        next = hd_earlier(next, edge_time(self, at->out_free));
    return number == SIDE_HOST ? hd_earlier(next, next_start(self)) : next;
}
