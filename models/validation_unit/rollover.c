/* SPDX-License-Identifier: MIT */
/*
 * Logical clocks begin anew before they overflow (Ren & Lis 2018 §V-B1). The unit that sees a late one stops and sends STOP
 * round the ring; each unit that it comes by stops. If several begin, the lowest index wins: it passes no other STOP on,
 * and others give up when they see its own. When it is back all units have stopped, and the cores are told. They
 * abort what runs, wait for the logs they have sent, and answer. Now nothing is reserved for anybody: the unit empties its
 * tables and sends GO round the ring, with which the others do the same and go on. Then the cores are told that it is over.
 */
#include <inttypes.h>

#include "hd_link.h"
#include "state.h"

uint32_t rollover_is_stopped(const validation *self)
{
    return self->rollover.phase > ROLLOVER_BEGIN;
}

void rollover_see_clock(validation *self, uint64_t timestamp, hd_time t)
{
    const uint64_t clock = timestamp >> self->warp_bits;
    hd_raise_maximum(&self->counters.clock_maximum, clock);
    if (clock >= self->late_clock && self->rollover.phase == ROLLOVER_NONE)
        self->rollover.phase = ROLLOVER_BEGIN;
    if (clock >= self->clock_end)
        self->services->fault(self->services->context, t,
                              "%s: clock %" PRIu64 " does not fit: rollover_margin is too small", self->services->name,
                              clock);
}

static void stop(validation *self, uint32_t phase, uint64_t n, hd_time t)
{
    if (!rollover_is_stopped(self)) {
        self->rollover.since = n;
        hd_trace_begin(self->trace, HD_TRACE_BLOCK, EVENT_ROLLOVER, t, 0);
    }
    self->rollover.phase = phase;
}

static void go_on(validation *self, uint64_t n, hd_time t)
{
    hd_trace_end(self->trace, HD_TRACE_BLOCK, EVENT_ROLLOVER, t);
    self->rollover.phase = ROLLOVER_NONE;
    self->counters.rollover_cycles += n - self->rollover.since;
}

static void begin_round_of_cores(validation *self, uint32_t phase)
{
    self->rollover.phase = phase;
    self->rollover.core = 0;
}

void rollover_take_answer(validation *self)
{
    self->rollover.awaited--;
}

/* Nothing of the old era may touch the tables any more. */
static uint32_t may_empty(const validation *self)
{
    return !self->current && !self->loads_under_way;
}

static void empty(validation *self, hd_time t)
{
    validation_forget(self);
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_WAITING, t, 0);
    self->era++;
}

/* ---- The ring ------------------------------------------------------------------------------------------------------ */

static uint32_t has_credit(validation *self, hd_time t)
{
    self->rollover.waits = !hd_link_has_credit(self->services, self->next, t);
    return !self->rollover.waits;
}

static void send_round(validation *self, uint32_t message, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, 0);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->argument = services->index;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    services->send(services->context, self->next, packet, t);
}

static void take_from_ring(validation *self, hd_time t)
{
    self->services->free(self->services->context, self->services->pop(self->services->context, self->previous, t));
}

static void pass_round(validation *self, hd_time t)
{
    const hd_services *services = self->services;
    services->send(services->context, self->next, services->pop(services->context, self->previous, t), t);
}

/* These return 0 if it has to wait where it is. */
static uint32_t take_stop(validation *self, uint32_t index, uint64_t n, hd_time t)
{
    const uint32_t phase = self->rollover.phase, own = self->services->index;
    if (index == own) {
        take_from_ring(self, t);
        self->counters.rollovers++;
        begin_round_of_cores(self, ROLLOVER_TELL);
    } else if (phase == ROLLOVER_BEGUN && index > own) {
        take_from_ring(self, t);
    } else if (has_credit(self, t)) {
        pass_round(self, t);
        stop(self, ROLLOVER_STOPPED, n, t);
    } else {
        return 0;
    }
    return 1;
}

static uint32_t take_go(validation *self, uint64_t n, hd_time t)
{
    if (self->rollover.phase == ROLLOVER_GOING) {
        take_from_ring(self, t);
        begin_round_of_cores(self, ROLLOVER_TELL_END);
    } else if (may_empty(self) && has_credit(self, t)) {
        pass_round(self, t);
        empty(self, t);
        go_on(self, n, t);
    } else {
        return 0;
    }
    return 1;
}

/* ---- Its own steps ------------------------------------------------------------------------------------------------- */

/* One core at a time, as answers leave. 1: all have been told. */
static uint32_t send_to_all_cores(validation *self, uint32_t message, uint64_t n)
{
    const hd_receivers *receivers = self->receivers;
    while (self->reply_ring.count < self->reply_limit) {
        const uint32_t core =
            receivers ? receivers->next(receivers->context, self->message.rollover, self->rollover.core) : UINT32_MAX;
        if (core == UINT32_MAX)
            return 1;
        validation_send_to_core(self, message, core, n);
        self->rollover.core = core + 1;
        self->rollover.awaited++;
    }
    return 0;
}

static void step_own(validation *self, uint64_t n, hd_time t)
{
    rollover *rollover = &self->rollover;
    if (rollover->phase == ROLLOVER_BEGIN && has_credit(self, t)) {
        send_round(self, self->message.ring_stop, t);
        stop(self, ROLLOVER_BEGUN, n, t);
    }
    if (rollover->phase == ROLLOVER_TELL && send_to_all_cores(self, self->message.rollover, n))
        rollover->phase = ROLLOVER_COLLECT;
    if (rollover->phase == ROLLOVER_COLLECT && !rollover->awaited && may_empty(self)) {
        empty(self, t);
        rollover->phase = ROLLOVER_GO;
    }
    if (rollover->phase == ROLLOVER_GO && has_credit(self, t)) {
        send_round(self, self->message.ring_go, t);
        rollover->phase = ROLLOVER_GOING;
    }
    if (rollover->phase == ROLLOVER_TELL_END && send_to_all_cores(self, self->message.rollover_end, n)) {
        rollover->awaited = 0;
        go_on(self, n, t);
    }
}

void rollover_step(validation *self, uint64_t n, hd_time t)
{
    self->rollover.waits = 0;
    step_own(self, n, t);
    for (const hd_packet *head; (head = hd_link_peek(self->previous, t));) {
        const uint32_t is_stop = head->message == self->message.ring_stop;
        if (is_stop ? !take_stop(self, head->argument, n, t) : !take_go(self, n, t))
            return;
        step_own(self, n, t);
    }
}

void rollover_add_work(const validation *self, hd_work *work)
{
    const rollover *rollover = &self->rollover;
    if (rollover->waits)
        return;
    if (rollover->phase == ROLLOVER_BEGIN ||
        ((rollover->phase == ROLLOVER_TELL || rollover->phase == ROLLOVER_TELL_END) &&
         self->reply_ring.count < self->reply_limit) ||
        (rollover->phase == ROLLOVER_COLLECT && !rollover->awaited && may_empty(self)) ||
        rollover->phase == ROLLOVER_GO)
        hd_work_at_edge(work, self->cursor.n);
    if (rollover->phase != ROLLOVER_STOPPED || may_empty(self))
        hd_work_at_time(work, hd_link_arrival(self->previous));
}
