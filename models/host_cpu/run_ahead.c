/* SPDX-License-Identifier: MIT */
/*
 * The state of the harts is known up to the last thing that they shared with others: a bus access, an interrupt, an access to their
 * RAM, or the end of a reach. From there they run ahead. Whatever arrives before they are there takes them back and stops them where
 * it arrives. What they do follows from times of events, and neither from calls of advance nor from how far they ran ahead.
 *
 * Harts that share RAM take turns in the order of cycles, of one cycle in that of their numbers: what one instruction stores, every
 * instruction behind it in that order loads.
 */
#include "hd_link.h"
#include "state.h"

#define SHORT_REACH 64u /* cycles, after having been taken back; doubled whenever it was of use */

/* ---- Turns ---------------------------------------------------------------------------------------------------------- */

host_hart *host_cpu_front(const host_cpu *self)
{
    host_hart *front = NULL;
    for (uint32_t i = 0; i < self->hart_count; i++) {
        host_hart *one = &self->harts[i];
        if (one->doing == DOING_RUNS && (!front || one->hart.state.cycle < front->hart.state.cycle))
            front = one;
    }
    return front;
}

/* The cycle before which its instructions begin while it is in front. */
static uint64_t end_of_turn(const host_cpu *self, const host_hart *front, uint64_t limit)
{
    for (uint32_t i = 0; i < self->hart_count; i++) {
        const host_hart *other = &self->harts[i];
        const uint64_t end = other->hart.state.cycle + (other > front);
        if (other != front && other->doing == DOING_RUNS && end < limit)
            limit = end;
    }
    return limit;
}

/* Stores of one hart take the reservations of the others. */
static void tell_of_stores(host_cpu *self, const host_hart *of, size_t from)
{
    const hart *first = &self->harts[0].hart;
    for (uint32_t i = 0; i < self->hart_count; i++) {
        hart *other = &self->harts[i].hart;
        if (&self->harts[i] == of || other->state.reservation == UINT64_MAX)
            continue;
        for (size_t store = from; store < first->undo_count; store++)
            hart_break_reservation(other, first->ram_base + first->undo[store].offset, sizeof first->undo->bytes);
    }
}

static void run_one(host_cpu *self, host_hart *one, uint64_t limit)
{
    hart *first = &self->harts[0].hart;
    const size_t from = first->undo_count;
    one->hart.undo_count = from;
    one->stop = hart_run(&one->hart, limit);
    first->undo_count = one->hart.undo_count;
    if (self->hart_count > 1)
        tell_of_stores(self, one, from);
}

/* Up to this cycle, or to what the one in front has come to. */
static void run_in_turns(host_cpu *self, uint64_t limit)
{
    for (;;) {
        host_hart *front = self->front = host_cpu_front(self);
        if (!front || front->stop != HART_LIMIT || front->hart.state.cycle >= limit)
            return;
        run_one(self, front, end_of_turn(self, front, limit));
    }
}

/* ---- To a state and back -------------------------------------------------------------------------------------------- */

/* Of what a hart came to, a trap has been entered, a wfi is done up to its waiting, and all else has not begun. */
void host_cpu_keep(host_cpu *self)
{
    for (uint32_t i = 0; i < self->hart_count; i++) {
        host_hart *one = &self->harts[i];
        if (one->stop == HART_TRAP)
            host_cpu_trace_trap(self, one);
        one->stop = one->kept_stop = one->stop == HART_WAIT ? HART_WAIT : HART_LIMIT;
        hart_keep(&one->hart);
    }
    self->activity = ACTIVITY_KNOWN;
}

static void go_back(host_cpu *self, uint64_t edge)
{
    for (uint32_t i = 0; i < self->hart_count; i++) {
        host_hart *one = &self->harts[i];
        if (i)
            one->hart.undo_count = 0; /* the first one has the log of all */
        hart_go_back(&one->hart);
        one->stop = one->kept_stop;
    }
    run_in_turns(self, edge);
    host_cpu_keep(self);
}

/* Has an instruction been executed that does not begin before this edge? At the front's own cycle those of lower numbers have. */
static uint32_t is_beyond(const host_cpu *self, uint64_t edge)
{
    const host_hart *front = self->front;
    return front->hart.state.cycle > edge || (front->hart.state.cycle == edge && front != self->harts);
}

void host_cpu_come_to(host_cpu *self, uint64_t edge)
{
    if (self->activity != ACTIVITY_AHEAD || !self->front)
        return;
    if (is_beyond(self, edge)) {
        go_back(self, edge);
        self->reach = SHORT_REACH < self->reach_limit ? SHORT_REACH : self->reach_limit;
    } else {
        host_cpu_keep(self);
    }
}

static void count(host_cpu *self, const hart_state *state)
{
    self->counters[STATISTIC_INSTRUCTIONS] += state->instructions;
    for (uint32_t kind = 1; kind < HART_KINDS; kind++)
        self->counters[STATISTIC_KINDS + kind - 1] += state->kinds[kind];
    self->counters[STATISTIC_EXCEPTIONS] += state->exceptions;
    self->counters[STATISTIC_INTERRUPTS] += state->interrupts;
}

void host_cpu_count(host_cpu *self)
{
    if (self->activity == ACTIVITY_AHEAD && self->front && is_beyond(self, self->accounted))
        go_back(self, self->accounted);
    for (uint32_t i = STATISTIC_INSTRUCTIONS; i <= STATISTIC_INTERRUPTS; i++)
        self->counters[i] = 0;
    for (uint32_t i = 0; i < self->hart_count; i++)
        count(self, &self->harts[i].hart.state);
}

/* ---- An edge -------------------------------------------------------------------------------------------------------- */

static void wake(host_cpu *self)
{
    for (uint32_t i = 0; i < self->hart_count; i++) {
        host_hart *one = &self->harts[i];
        if (one->doing != DOING_SLEEPS || !hart_is_awake(&one->hart))
            continue;
        one->hart.state.cycle = self->cursor.n;
        one->doing = DOING_RUNS;
        host_cpu_keep(self);
    }
}

static void send_what_waits(host_cpu *self, hd_time t)
{
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < self->hart_count; i++) {
        host_hart *one = &self->harts[i];
        if (one->doing != DOING_AWAITS_CREDIT || !hd_link_has_credit(s, self->bus_out, t))
            continue;
        host_cpu_come_to(self, self->cursor.n);
        bus_send(self, one, t);
    }
}

/* The one in front came to this edge and stopped for something. Returns 1 if the harts can go on. */
static uint32_t arrive(host_cpu *self, hd_time t)
{
    host_hart *front = self->front;
    self->services->progress(self->services->context, t); /* only harts that wait or sleep make none */
    switch (front->stop) {
    case HART_LIMIT:
        self->reach = 2 * self->reach < self->reach_limit ? 2 * self->reach : self->reach_limit;
        host_cpu_keep(self);
        return 1;
    case HART_LOG_FULL:
    case HART_TRAP: host_cpu_keep(self); return 1;
    case HART_IN_PLACE:
        hart_execute_in_place(&front->hart);
        host_cpu_keep(self);
        return 1;
    case HART_WAIT:
        front->stop = HART_LIMIT;
        front->doing = hart_is_awake(&front->hart) ? DOING_RUNS : DOING_SLEEPS;
        host_cpu_keep(self);
        return 1;
    case HART_BUS: bus_send(self, front, t); return self->activity != ACTIVITY_FAULTED;
    default: host_cpu_fault(self, front, t); return 0;
    }
}

/* Returns 0 if what comes next may not begin yet. */
static uint32_t run_ahead(host_cpu *self, hd_time t)
{
    host_hart *front = host_cpu_front(self);
    self->activity = ACTIVITY_AHEAD;
    if (__builtin_expect(self->listener.before != NULL, 0) && front && front->stop == HART_LIMIT) {
        self->activity = ACTIVITY_KNOWN;
        if (!host_cpu_may_begin(self, front, t))
            return 0;
        run_one(self, front, front->hart.state.cycle + 1);
        self->activity = ACTIVITY_AHEAD;
        self->front = host_cpu_front(self);
        return 1;
    }
    run_in_turns(self, front ? front->hart.state.cycle + self->reach : 0);
    return 1;
}

void host_cpu_run(host_cpu *self, hd_time t)
{
    send_what_waits(self, t);
    wake(self);
    for (;;) {
        if (self->activity == ACTIVITY_KNOWN && !run_ahead(self, t))
            return;
        if (self->activity != ACTIVITY_AHEAD || !self->front || self->front->hart.state.cycle > self->cursor.n ||
            !arrive(self, t))
            return;
    }
}

hd_time host_cpu_next(const host_cpu *self)
{
    const uint32_t is_known = self->activity == ACTIVITY_KNOWN;
    const host_hart *front = is_known ? host_cpu_front(self) : self->front;
    if (self->activity == ACTIVITY_FAULTED || !front)
        return HD_NEVER;
    if ((is_known && !self->listener.before) || front->hart.state.cycle <= self->cursor.n)
        return self->cursor.t;
    return hd_cursor_time_of(&self->cursor, front->hart.state.cycle);
}
