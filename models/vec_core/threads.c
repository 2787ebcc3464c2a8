/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "state.h"

/* ---- Coming --------------------------------------------------------------------------------------------------------- */

static void start(vec_core *self)
{
    self->activity = self->hart.thread.calls ? ACTIVITY_CALLING : ACTIVITY_RUNNING;
    vec_window_reset(&self->window, self->cursor.n);
    self->measured_from = self->cursor.n;
    core_begin(self);
}

static void enter(vec_core *self, const hd_packet *packet)
{
    hd_thread_context thread;
    memcpy(&thread, hd_body_const(packet), sizeof thread);
    core_forget_lines(self);
    if (self->loads.capacity &&
        !vec_image_reset(&self->image, thread.memory_base, thread.memory_end - thread.memory_base)) {
        self->services->fault(self->services->context, self->cursor.t, "%s: out of memory", self->services->name);
        self->activity = ACTIVITY_FAULTED;
        return;
    }
    vec_hart_enter(&self->hart, &thread);
    self->thread = packet->tag;
    self->has_move = 0;
    self->arrived_with = thread.instructions;
    self->waits = 0;
    self->counters.arrivals++;
    self->vectors_taken = 0;
    if (thread.vector_bytes)
        self->activity = ACTIVITY_ENTERING;
    else
        start(self);
}

static void take_vectors(vec_core *self, const hd_packet *packet)
{
    const uint32_t wanted = self->hart.thread.vector_bytes - self->vectors_taken;
    const uint32_t bytes = packet->body_bytes < wanted ? packet->body_bytes : wanted;
    memcpy(self->vectors + self->vectors_taken, hd_body_const(packet), bytes);
    self->vectors_taken += bytes;
    if (self->vectors_taken < self->hart.thread.vector_bytes)
        return;
    vec_hart_put_vectors(&self->hart, self->vectors);
    start(self);
}

/* ---- Going ---------------------------------------------------------------------------------------------------------- */

static void account_measured(vec_core *self)
{
    if (self->hart.thread.measured)
        self->counters.measured_cycles += self->window.retirement - self->measured_from;
    self->measured_from = self->window.retirement;
}

void core_consider_move(vec_core *self)
{
    const uint32_t can = hd_thread_can_move(&self->hart.thread, self->move.vector_bits) || self->move.forced;
    self->has_move = 0;
    self->outgoing = can ? OUTGOING_STOPPED : OUTGOING_REFUSED;
    self->vectors_taken = UINT32_MAX;
}

void core_exception(vec_core *self, uint32_t cause, uint32_t value)
{
    if (!vec_window_is_settled(&self->window)) {
        self->waits = 1; /* it comes again */
        return;
    }
    self->counters.exceptions++;
    if (vec_raise(&self->hart, cause)) {
        vec_window_hold(&self->window, self->window.retirement + 1);
        core_begin(self);
        return;
    }
    self->trap_cause = cause;
    self->trap_value = value;
    self->outgoing = OUTGOING_TRAP;
}

/* ---- Calling -------------------------------------------------------------------------------------------------------- */

static void measure(vec_core *self, uint32_t on)
{
    account_measured(self);
    self->hart.thread.measured = on != 0;
}

void core_call(vec_core *self)
{
    uint32_t *x = self->hart.thread.x;
    self->hart.thread.pc += 4;
    self->hart.thread.instructions++;
    self->counters.instructions++;
    self->counters.calls++;
    vec_window_hold(&self->window, self->cursor.n + 1);
    core_begin(self);
    switch (x[17]) {
    case HD_CALL_MEASURE:
        measure(self, x[10]);
        x[10] = 0;
        return;
    case HD_CALL_HANDLER:
        self->hart.thread.handler = x[10];
        x[10] = 0;
        return;
    default:
        self->activity = ACTIVITY_CALLING;
        self->outgoing = OUTGOING_CALL;
        return;
    }
}

static void take_return(vec_core *self, const hd_packet *packet)
{
    if (self->activity != ACTIVITY_CALLING)
        return;
    self->hart.thread.x[10] = packet->argument;
    self->activity = ACTIVITY_RUNNING;
    vec_window_hold(&self->window, self->cursor.n);
}

/* ---- Commands --------------------------------------------------------------------------------------------------------- */

static void refuse(vec_core *self, hd_time t)
{
    self->services->fault(self->services->context, t,
                          "%s: a thread comes to a core that has one, or a command is not one", self->services->name);
    self->activity = ACTIVITY_FAULTED;
}

static void take(vec_core *self, const hd_packet *packet, hd_time t)
{
    const uint32_t is_here = self->activity != ACTIVITY_EMPTY && packet->tag == self->thread;
    if (packet->message == self->messages[MESSAGE_RUN]) {
        if (self->activity == ACTIVITY_EMPTY && packet->body_bytes == sizeof(hd_thread_context))
            enter(self, packet);
        else
            refuse(self, t);
    } else if (packet->message == self->messages[MESSAGE_VECTOR]) {
        if (self->activity == ACTIVITY_ENTERING)
            take_vectors(self, packet);
        else
            refuse(self, t);
    } else if (packet->message == self->messages[MESSAGE_MOVE] && is_here) {
        memcpy(&self->move, hd_body_const(packet), sizeof self->move);
        self->has_move = 1;
    } else if (packet->message == self->messages[MESSAGE_RETURN] && is_here) {
        take_return(self, packet);
    }
}

void core_take_commands(vec_core *self, hd_time t)
{
    const hd_services *s = self->services;
    for (hd_packet *packet; (packet = hd_link_pop(s, self->commands, t));) {
        if (self->activity != ACTIVITY_FAULTED)
            take(self, packet, t);
        s->free(s->context, packet);
    }
}

/* ---- Events ----------------------------------------------------------------------------------------------------------- */

static void send(vec_core *self, uint32_t message, const void *body, uint32_t bytes, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet = s->alloc(s->context, bytes);
    packet->message = self->messages[message];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_CONTEXT;
    packet->tag = self->thread;
    packet->body_bytes = bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    if (bytes)
        memcpy(hd_body(packet), body, bytes);
    if (message == MESSAGE_CORE_VECTOR)
        packet->argument = self->hart.native_bits;
    s->send(s->context, self->events, packet, t);
}

static void send_call(vec_core *self, hd_time t)
{
    const uint32_t *x = self->hart.thread.x;
    const hd_thread_call call = {.number = x[17], .arguments = {x[10], x[11], x[12]}};
    send(self, MESSAGE_CALL, &call, sizeof call, t);
    self->outgoing = OUTGOING_NOTHING;
    if (call.number != HD_CALL_EXIT)
        return;
    account_measured(self);
    self->activity = ACTIVITY_EMPTY;
}

static void send_trap(vec_core *self, hd_time t)
{
    const hd_thread_trap trap = {.cause = self->trap_cause, .pc = self->hart.thread.pc, .value = self->trap_value};
    send(self, MESSAGE_TRAP, &trap, sizeof trap, t);
    account_measured(self);
    self->outgoing = OUTGOING_NOTHING;
    self->activity = ACTIVITY_EMPTY;
}

static void send_refusal(vec_core *self, hd_time t)
{
    const hd_thread_context *thread = &self->hart.thread;
    const hd_thread_refusal refusal = {thread->pin_level, thread->legacy, thread->pinned_bits, 0};
    send(self, MESSAGE_REFUSED, &refusal, sizeof refusal, t);
    self->counters.refusals++;
    self->outgoing = OUTGOING_NOTHING;
}

/* The context, and behind it the vector registers in parts: one packet in a call. */
static void send_context(vec_core *self, hd_time t)
{
    hd_thread_context thread = vec_hart_leave(&self->hart);
    thread.calls = self->activity == ACTIVITY_CALLING;
    if (self->vectors_taken == UINT32_MAX) {
        account_measured(self);
        send(self, MESSAGE_STOPPED, &thread, sizeof thread, t);
        self->counters.context_bytes += sizeof thread + thread.vector_bytes;
        self->vectors_taken = 0;
    } else {
        const uint32_t left = thread.vector_bytes - self->vectors_taken;
        const uint32_t bytes = left < HD_PACKET_BODY_MAX ? left : HD_PACKET_BODY_MAX;
        send(self, MESSAGE_VECTOR, self->hart.v + self->vectors_taken, bytes, t);
        self->vectors_taken += bytes;
    }
    if (self->vectors_taken < thread.vector_bytes)
        return;
    self->counters.departures++;
    self->outgoing = OUTGOING_NOTHING;
    self->activity = ACTIVITY_EMPTY;
}

static uint32_t is_quiet(const vec_core *self)
{
    return self->outgoing == OUTGOING_VECTOR || self->outgoing == OUTGOING_REFUSED ||
           (!self->storing && !self->fetching && vec_window_is_settled(&self->window) &&
            self->window.retirement <= self->cursor.n);
}

static void send_all(vec_core *self, hd_time t)
{
    const hd_services *s = self->services;
    while (self->outgoing != OUTGOING_NOTHING && self->activity != ACTIVITY_FAULTED && is_quiet(self) &&
           hd_link_has_credit(s, self->events, t))
        switch (self->outgoing) {
        case OUTGOING_VECTOR:
            send(self, MESSAGE_CORE_VECTOR, NULL, 0, t);
            self->outgoing = OUTGOING_NOTHING;
            break;
        case OUTGOING_CALL: send_call(self, t); break;
        case OUTGOING_TRAP: send_trap(self, t); break;
        case OUTGOING_STOPPED: send_context(self, t); break;
        default: send_refusal(self, t); break;
        }
}

void core_settle(vec_core *self, hd_time t)
{
    send_all(self, t);
    if (!self->has_move || self->activity != ACTIVITY_CALLING || self->outgoing != OUTGOING_NOTHING)
        return;
    core_consider_move(self);
    send_all(self, t);
}
