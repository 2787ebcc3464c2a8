/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

#define STACK_POINTER 2u
#define FIRST_ARGUMENT 10u
#define THREAD_NUMBER 16u

void os_fault(os_model *self, hd_time t, const char *format, ...)
{
    char text[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    self->services->fault(self->services->context, t, "%s", text);
    self->faulted = 1;
}

/* ---- Sending ---------------------------------------------------------------------------------------------------------- */

static uint32_t can_tell(const os_model *self, uint32_t core, hd_time t)
{
    return hd_link_has_credit(self->services, self->cores[core].commands, t);
}

static void tell(os_model *self, uint32_t thread, uint32_t message, const void *body, uint32_t bytes, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet = s->alloc(s->context, bytes);
    packet->message = self->messages[message];
    packet->source = (uint16_t)s->endpoint;
    packet->traffic_class = HD_CLASS_CONTEXT;
    packet->tag = thread;
    packet->body_bytes = bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    packet->argument = message == MESSAGE_RETURN ? self->threads[thread].answer : 0;
    if (bytes)
        memcpy(hd_body(packet), body, bytes);
    s->send(s->context, self->cores[self->threads[thread].core].commands, packet, t);
}

/* ---- Starting and placing --------------------------------------------------------------------------------------------- */

void os_start(os_model *self)
{
    for (uint32_t i = 0; i < os_thread_count(self); i++) {
        hd_thread_context *context = &self->threads[i].context;
        context->pc = self->program->entry;
        context->x[STACK_POINTER] = context->memory_end & ~UINT32_C(63);
        context->x[THREAD_NUMBER] = i;
        memcpy(&context->x[FIRST_ARGUMENT], self->arguments, sizeof self->arguments);
        self->counters.threads_started++;
    }
    self->has_started = 1;
}

uint32_t os_is_free(const os_model *self, uint32_t core)
{
    const os_core *c = &self->cores[core];
    return c->bits && c->is_on && !c->goes_off && c->thread == OS_NOBODY;
}

uint32_t os_widest_free(const os_model *self)
{
    uint32_t found = OS_NOBODY;
    for (uint32_t i = 0; i < self->core_count; i++)
        if (os_is_free(self, i) && (found == OS_NOBODY || self->cores[i].bits > self->cores[found].bits))
            found = i;
    return found;
}

static uint32_t first_free(const os_model *self, const hd_thread_context *context)
{
    for (uint32_t i = 0; i < self->core_count; i++)
        if (os_is_free(self, i) && hd_thread_can_move(context, self->cores[i].bits))
            return i;
    return OS_NOBODY;
}

static void occupy(os_model *self, uint32_t thread, uint32_t core)
{
    os_thread *it = &self->threads[thread];
    self->cores[core].thread = thread;
    it->core = core;
    it->status = THREAD_ENTERING;
    it->run_sent = it->vectors_done = 0;
}

static void place_waiting(os_model *self)
{
    for (uint32_t i = 0; i < os_thread_count(self); i++) {
        os_thread *it = &self->threads[i];
        const uint32_t core = it->status == THREAD_WAITING ? first_free(self, &it->context) : OS_NOBODY;
        if (core != OS_NOBODY)
            occupy(self, i, core);
    }
}

/* The context, and behind it the vector registers, as far as there is room. */
static void send_context(os_model *self, uint32_t thread, hd_time t)
{
    os_thread *it = &self->threads[thread];
    if (!it->run_sent && can_tell(self, it->core, t)) {
        tell(self, thread, MESSAGE_RUN, &it->context, sizeof it->context, t);
        it->run_sent = 1;
    }
    while (it->run_sent && it->vectors_done < it->context.vector_bytes && can_tell(self, it->core, t)) {
        const uint32_t left = it->context.vector_bytes - it->vectors_done;
        const uint32_t bytes = left < HD_PACKET_BODY_MAX ? left : HD_PACKET_BODY_MAX;
        tell(self, thread, MESSAGE_VECTOR, it->vectors + it->vectors_done, bytes, t);
        it->vectors_done += bytes;
    }
    if (it->run_sent && it->vectors_done == it->context.vector_bytes)
        it->status = THREAD_RUNNING;
}

void os_answer(os_model *self, uint32_t thread, uint32_t answer)
{
    self->threads[thread].calls = 0;
    self->threads[thread].has_answer = 1;
    self->threads[thread].answer = answer;
}

static void send_answer(os_model *self, uint32_t thread, hd_time t)
{
    os_thread *it = &self->threads[thread];
    if (!can_tell(self, it->core, t))
        return;
    tell(self, thread, MESSAGE_RETURN, NULL, 0, t);
    it->has_answer = 0;
}

void os_dispatch(os_model *self, hd_time t)
{
    place_waiting(self);
    for (uint32_t i = 0; i < os_thread_count(self); i++) {
        os_thread *it = &self->threads[i];
        if (it->status == THREAD_ENTERING)
            send_context(self, i, t);
        if (it->has_answer && it->status == THREAD_RUNNING) /* one that is asked to move may be gone */
            send_answer(self, i, t);
    }
}

uint32_t os_ask(os_model *self, uint32_t thread, uint32_t target, enum asker asker, uint32_t forced, hd_time t)
{
    os_thread *it = &self->threads[thread];
    const hd_thread_move move = {.vector_bits = self->cores[target].bits, .forced = forced};
    if (!can_tell(self, it->core, t))
        return 0;
    tell(self, thread, MESSAGE_MOVE, &move, sizeof move, t);
    self->cores[target].thread = thread; /* kept free for it */
    it->target = target;
    it->asker = asker;
    it->forced = forced;
    it->status = THREAD_ASKED;
    self->counters.requests++;
    return 1;
}

/* ---- Events ----------------------------------------------------------------------------------------------------------- */

static void leave_core(os_model *self, uint32_t core)
{
    self->cores[core].thread = OS_NOBODY;
    if (self->cores[core].goes_off)
        os_switch_off(self, core);
}

static void give_back_target(os_model *self, uint32_t thread)
{
    os_thread *it = &self->threads[thread];
    if (it->status == THREAD_ASKED)
        leave_core(self, it->target);
}

static void take_refusal(os_model *self, uint32_t thread, hd_time t)
{
    give_back_target(self, thread);
    self->threads[thread].status = THREAD_RUNNING;
    self->counters.refused++;
    os_move_refused(self, thread, t);
}

static void count_move(os_model *self, uint32_t thread, uint32_t from)
{
    const os_thread *it = &self->threads[thread];
    const uint32_t bits = self->cores[it->target].bits, before = self->cores[from].bits;
    self->counters.moves++;
    self->counters.widened += bits > before;
    self->counters.narrowed += bits < before;
    self->counters.pinned_moves += hd_thread_is_pinned(&it->context);
    self->counters.forced += !hd_thread_can_move(&it->context, bits);
    self->counters.moved_bytes += sizeof it->context + it->context.vector_bytes;
}

/* All of the thread is here: on to its target. */
static void pass_on(os_model *self, uint32_t thread)
{
    os_thread *it = &self->threads[thread];
    const uint32_t from = it->core;
    count_move(self, thread, from);
    occupy(self, thread, it->target);
    os_move_done(self, thread, from);
    leave_core(self, from);
}

static void take_stopped(os_model *self, uint32_t thread, const hd_packet *packet)
{
    os_thread *it = &self->threads[thread];
    memcpy(&it->context, hd_body_const(packet), sizeof it->context);
    it->vectors_done = 0;
    it->status = THREAD_COMING;
    if (!it->context.vector_bytes)
        pass_on(self, thread);
}

static void take_vectors(os_model *self, uint32_t thread, const hd_packet *packet)
{
    os_thread *it = &self->threads[thread];
    const uint32_t wanted = it->context.vector_bytes - it->vectors_done;
    const uint32_t bytes = packet->body_bytes < wanted ? packet->body_bytes : wanted;
    memcpy(it->vectors + it->vectors_done, hd_body_const(packet), bytes);
    it->vectors_done += bytes;
    if (it->vectors_done == it->context.vector_bytes)
        pass_on(self, thread);
}

static void end_thread(os_model *self, uint32_t thread, hd_time t)
{
    os_thread *it = &self->threads[thread];
    give_back_target(self, thread);
    it->status = THREAD_ENDED;
    self->counters.threads_ended++;
    leave_core(self, it->core);
    self->services->progress(self->services->context, t);
}

static void take_trap(os_model *self, uint32_t thread, const hd_thread_trap *trap, hd_time t)
{
    static const char *const causes[] = {
        [0] = "a jump to an address that is no multiple of 4",
        [1] = "a jump out of memory",
        [2] = "an illegal instruction",
        [3] = "a breakpoint",
        [4] = "a load that is not aligned",
        [5] = "a load outside of memory",
        [6] = "a store that is not aligned",
        [7] = "a store outside of memory",
        [HD_CAUSE_UNPIN] = "unpin.vl without pin.vl",
        [HD_CAUSE_PIN_OVERFLOW] = "pin.vl at the highest PIN_LEVEL",
    };
    char place[256];
    const char *cause = trap->cause < sizeof causes / sizeof *causes ? causes[trap->cause] : NULL;
    isa_program_place(self->program, trap->pc, place, sizeof place);
    os_fault(self, t, "thread %u at %s: %s (0x%08x)", thread, place, cause ? cause : "an exception", trap->value);
    end_thread(self, thread, t);
}

static void take_call(os_model *self, uint32_t thread, const hd_thread_call *call, hd_time t)
{
    self->counters.calls++;
    if (call->number != HD_CALL_EXIT) {
        self->threads[thread].calls = 1;
        os_take_call(self, thread, call, t);
        return;
    }
    if (call->arguments[0])
        os_fault(self, t, "thread %u ended with %d", thread, (int)call->arguments[0]);
    end_thread(self, thread, t);
}

static void take(os_model *self, uint32_t core, const hd_packet *packet, hd_time t)
{
    const uint32_t thread = (uint32_t)packet->tag;
    if (packet->message == self->messages[MESSAGE_CORE_VECTOR])
        self->cores[core].bits = packet->argument;
    else if (thread >= os_thread_count(self) || self->threads[thread].core != core)
        os_fault(self, t, "core %u tells of a thread that it does not have", core);
    else if (packet->message == self->messages[MESSAGE_CALL])
        take_call(self, thread, hd_body_const(packet), t);
    else if (packet->message == self->messages[MESSAGE_TRAP])
        take_trap(self, thread, hd_body_const(packet), t);
    else if (packet->message == self->messages[MESSAGE_REFUSED])
        take_refusal(self, thread, t);
    else if (packet->message == self->messages[MESSAGE_STOPPED])
        take_stopped(self, thread, packet);
    else
        take_vectors(self, thread, packet);
}

void os_take_events(os_model *self, hd_time t)
{
    const hd_services *s = self->services;
    for (uint32_t core = 0; core < self->core_count; core++)
        for (hd_packet *packet; (packet = hd_link_pop(s, self->cores[core].events, t));) {
            if (!self->faulted)
                take(self, core, packet, t);
            s->free(s->context, packet);
        }
}
