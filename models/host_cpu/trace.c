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

static uint32_t access_of(const host_hart *one)
{
    if (one->doing != DOING_ON_BUS)
        return EVENT_COUNT;
    return one->hart.access.is_store ? EVENT_WRITE : EVENT_READ;
}

static void trace_hart(const host_cpu *self, host_hart *one, hd_time t)
{
    const uint32_t span = one->doing == DOING_SLEEPS ? EVENT_SLEEP : EVENT_EXECUTE, access = access_of(one);
    const uint64_t pc = one->hart.kept.pc;
    if (access != one->shown_access && one->shown_access != EVENT_COUNT)
        hd_trace_end(self->trace, one->track, one->shown_access, t);
    if (span != one->shown) {
        if (one->shown != EVENT_COUNT)
            hd_trace_end(self->trace, one->track, one->shown, t);
        hd_trace_begin(self->trace, one->track, span, t, pc);
    }
    if (access != one->shown_access && access != EVENT_COUNT)
        hd_trace_begin(self->trace, one->track, access, t, one->hart.access.address, one->hart.access.bytes, pc);
    one->shown = span;
    one->shown_access = access;
}

void host_cpu_trace(host_cpu *self, hd_time t)
{
    for (uint32_t i = 0; i < self->hart_count; i++)
        trace_hart(self, &self->harts[i], t);
}

void host_cpu_trace_trap(const host_cpu *self, const host_hart *one)
{
    const hart_state *state = &one->hart.state;
    const uint32_t event = state->mcause >> CAUSE_BITS ? EVENT_INTERRUPT : EVENT_EXCEPTION;
    hd_trace_instant(self->trace, one->track, event, hd_clock_edge(self->services->clock, state->cycle),
                     state->mcause & ~(UINT64_C(1) << CAUSE_BITS), state->mepc);
}
