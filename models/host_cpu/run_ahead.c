/* SPDX-License-Identifier: MIT */
/*
 * The hart's state is known up to the last thing that it shared with others: a bus access, an interrupt, an access to its
 * RAM, or the end of a reach. From there it runs ahead. Whatever arrives before it is there takes it back and stops it where
 * it arrives. What it does follows from times of events, and neither from calls of advance nor from how far it ran ahead.
 */
#include "state.h"

#define SHORT_REACH 64u /* cycles, after having been taken back; doubled whenever it was of use */

void host_cpu_keep(host_cpu *self)
{
    hart_keep(&self->hart);
    self->activity = ACTIVITY_KNOWN;
    self->awaits_credit = 0;
}

void host_cpu_keep_trap(host_cpu *self)
{
    host_cpu_trace_trap(self);
    host_cpu_keep(self);
}

static void keep_stop(host_cpu *self)
{
    if (self->stop == HART_TRAP)
        host_cpu_keep_trap(self);
    else
        host_cpu_keep(self);
}

static void go_back(host_cpu *self, uint64_t edge)
{
    hart_go_back(&self->hart);
    self->stop = hart_run(&self->hart, edge);
    keep_stop(self);
    if (self->stop == HART_WAIT)
        self->activity = ACTIVITY_AHEAD;
}

void host_cpu_come_to(host_cpu *self, uint64_t edge)
{
    if (self->activity != ACTIVITY_AHEAD || self->awaits_credit)
        return;
    if (self->hart.state.cycle > edge) {
        go_back(self, edge);
        self->reach = SHORT_REACH < self->reach_limit ? SHORT_REACH : self->reach_limit;
    } else if (self->stop != HART_WAIT) {
        keep_stop(self); /* but for a trap, what stopped it has not begun, and begins after what arrives */
    }
}

void host_cpu_count(host_cpu *self)
{
    const hart_state *state = &self->hart.state;
    if (self->activity == ACTIVITY_AHEAD && state->cycle > self->accounted)
        go_back(self, self->accounted);
    self->counters[STATISTIC_INSTRUCTIONS] = state->instructions;
    for (uint32_t kind = 1; kind < HART_KINDS; kind++)
        self->counters[STATISTIC_KINDS + kind - 1] = state->kinds[kind];
    self->counters[STATISTIC_EXCEPTIONS] = state->exceptions;
    self->counters[STATISTIC_INTERRUPTS] = state->interrupts;
}

static void wake(host_cpu *self)
{
    self->hart.state.cycle = self->cursor.n;
    host_cpu_keep(self);
}

/* The hart came to this edge and stopped for something. Returns 1 if it can go on. */
static uint32_t arrive(host_cpu *self, hd_time t)
{
    self->services->progress(self->services->context, t); /* only a hart that waits or sleeps makes none */
    switch (self->stop) {
    case HART_LIMIT:
        self->reach = 2 * self->reach < self->reach_limit ? 2 * self->reach : self->reach_limit;
        host_cpu_keep(self);
        return 1;
    case HART_LOG_FULL: host_cpu_keep(self); return 1;
    case HART_TRAP: host_cpu_keep_trap(self); return 1;
    case HART_FENCE_I:
        hart_fence_i(&self->hart);
        host_cpu_keep(self);
        return 1;
    case HART_WAIT:
        host_cpu_keep(self);
        if (hart_is_awake(&self->hart))
            return 1;
        self->activity = ACTIVITY_ASLEEP;
        return 0;
    case HART_BUS: self->awaits_credit = !bus_send(self, t); return self->activity == ACTIVITY_KNOWN;
    default: host_cpu_fault(self, t); return 0;
    }
}

void host_cpu_run(host_cpu *self, hd_time t)
{
    if (self->activity == ACTIVITY_ASLEEP && hart_is_awake(&self->hart))
        wake(self);
    for (;;) {
        if (self->activity == ACTIVITY_KNOWN) {
            if (__builtin_expect(self->listener.before != NULL, 0) && !host_cpu_may_begin(self, t))
                return;
            self->stop = hart_run(&self->hart, self->hart.state.cycle + self->reach);
            self->activity = ACTIVITY_AHEAD;
        }
        if (self->activity != ACTIVITY_AHEAD || self->hart.state.cycle > self->cursor.n || !arrive(self, t))
            return;
    }
}

hd_time host_cpu_next(const host_cpu *self)
{
    const hart_state *state = &self->hart.state;
    if (self->activity == ACTIVITY_KNOWN) {
        const uint32_t waits = self->listener.before && state->cycle > self->cursor.n;
        return waits ? hd_cursor_time_of(&self->cursor, state->cycle) : self->cursor.t;
    }
    if (self->activity != ACTIVITY_AHEAD || self->awaits_credit)
        return HD_NEVER;
    return state->cycle <= self->cursor.n ? self->cursor.t : hd_cursor_time_of(&self->cursor, state->cycle);
}
