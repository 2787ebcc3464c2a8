/* SPDX-License-Identifier: MIT */
#include "state.h"

#define CAUSE_BITS 63u /* above them, whether it is an interrupt */

const hd_trace_event host_cpu_trace_events[EVENT_COUNT] = {
    [EVENT_EXECUTE] = {"execute", HD_TRACE_SPAN, 0, "0xpc", NULL, "the hart executes, or waits for the bus"},
    [EVENT_SLEEP] = {"sleep", HD_TRACE_SPAN, 0, "0xpc", NULL, "the hart waits for an interrupt (wfi)"},
    [EVENT_READ] = {"read", HD_TRACE_SPAN, 0, "0xaddress|bytes|0xpc", NULL, "the hart waits for a load outside RAM"},
    [EVENT_WRITE] = {"write", HD_TRACE_SPAN, 0, "0xaddress|bytes|0xpc", NULL, "the hart waits for a store outside RAM"},
    [EVENT_INTERRUPT] = {"interrupt", HD_TRACE_INSTANT, 0, "line|0xpc", NULL,
                         "the hart takes an interrupt; pc is the return address"},
    [EVENT_EXCEPTION] = {"exception", HD_TRACE_INSTANT, 0, "cause|0xpc", NULL, "an exception goes to the trap handler"},
};

static uint32_t access_of(const host_cpu *self)
{
    if (self->activity != ACTIVITY_ON_BUS)
        return EVENT_COUNT;
    return self->hart.access.is_store ? EVENT_WRITE : EVENT_READ;
}

void host_cpu_trace(host_cpu *self, hd_time t)
{
    const uint32_t span = self->activity == ACTIVITY_ASLEEP ? EVENT_SLEEP : EVENT_EXECUTE, access = access_of(self);
    const uint64_t pc = self->hart.kept.pc;
    if (access != self->shown_access && self->shown_access != EVENT_COUNT)
        hd_trace_end(self->trace, HD_TRACE_BLOCK, self->shown_access, t);
    if (span != self->shown) {
        if (self->shown != EVENT_COUNT)
            hd_trace_end(self->trace, HD_TRACE_BLOCK, self->shown, t);
        hd_trace_begin(self->trace, HD_TRACE_BLOCK, span, t, pc);
    }
    if (access != self->shown_access && access != EVENT_COUNT)
        hd_trace_begin(self->trace, HD_TRACE_BLOCK, access, t, self->hart.access.address, self->hart.access.bytes, pc);
    self->shown = span;
    self->shown_access = access;
}

void host_cpu_trace_trap(const host_cpu *self)
{
    const hart_state *state = &self->hart.state;
    const uint32_t event = state->mcause >> CAUSE_BITS ? EVENT_INTERRUPT : EVENT_EXCEPTION;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, event, hd_clock_edge(self->services->clock, state->cycle),
                     state->mcause & ~(UINT64_C(1) << CAUSE_BITS), state->mepc);
}
