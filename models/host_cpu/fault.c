/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "state.h"

#define STACK_NEIGHBOURHOOD 65536u /* bytes below RAM in which an access is one of a stack that grew too far */

void host_cpu_place(const host_cpu *self, const host_hart *one, char *text, size_t bytes)
{
    const uint64_t pc = one->hart.state.pc;
    if (self->firmware.place)
        self->firmware.place(self->firmware.context, pc, text, bytes);
    else
        snprintf(text, bytes, "0x%llx", (unsigned long long)pc);
}

/* The stack lies at the lowest addresses of RAM: one that overflows leaves it. */
static uint32_t is_stack_overflow(const hart *self, uint64_t address)
{
    const uint64_t base = self->ram_base, sp = self->state.x[2];
    const uint64_t below = base - STACK_NEIGHBOURHOOD;
    return address >= below && address < base && sp >= below && sp < base + STACK_NEIGHBOURHOOD;
}

static void access_text(const host_hart *one, const char *what, char *text, size_t bytes)
{
    const unsigned long long address = one->hart.exception.value;
    if (one->hart.exception.reason == HART_REASON_PROTECTION)
        snprintf(text, bytes, "%s at 0x%llx, which memory protection (PMP) forbids", what, address);
    else if (is_stack_overflow(&one->hart, address))
        snprintf(text, bytes, "stack overflow: %s at 0x%llx, below the stack (sp is 0x%llx)", what, address,
                 (unsigned long long)one->hart.state.x[2]);
    else
        snprintf(text, bytes, "%s at 0x%llx, %s", what, address,
                 one->refusal == HD_STATUS_ADDRESS_ERROR ? "where nothing answers" : "which what is there refuses");
}

static void fetch_text(const hart_fault *fault, char *text, size_t bytes)
{
    snprintf(text, bytes, "jumped to 0x%llx, which %s", (unsigned long long)fault->value,
             fault->reason == HART_REASON_PROTECTION ? "memory protection (PMP) forbids" : "is not in RAM");
}

static void breakpoint_text(const hart_fault *fault, char *text, size_t bytes)
{
    if (fault->reason == HART_REASON_TRIGGER)
        snprintf(text, bytes, "a trigger stops it at 0x%llx", (unsigned long long)fault->value);
    else
        snprintf(text, bytes, "ebreak");
}

static void fault_text(const host_hart *one, char *text, size_t bytes)
{
    const hart_fault *fault = &one->hart.exception;
    const unsigned long long value = fault->value;
    switch (fault->cause) {
    case HART_FETCH_FAULT: fetch_text(fault, text, bytes); break;
    case HART_ILLEGAL: snprintf(text, bytes, "illegal instruction 0x%08llx", value); break;
    case HART_BREAKPOINT: breakpoint_text(fault, text, bytes); break;
    case HART_LOAD_MISALIGNED: snprintf(text, bytes, "load at 0x%llx is not aligned", value); break;
    case HART_STORE_MISALIGNED: snprintf(text, bytes, "store at 0x%llx is not aligned", value); break;
    case HART_ENVIRONMENT_CALL_OF_USER:
    case HART_ENVIRONMENT_CALL: snprintf(text, bytes, "ecall"); break;
    case HART_LOAD_FAULT: access_text(one, "load", text, bytes); break;
    default: access_text(one, "store", text, bytes); break;
    }
}

/* It would have gone to a handler, but there is none. */
static void handler_text(const host_hart *one, char *text, size_t bytes)
{
    const uint32_t cause = one->hart.exception.cause;
    const uint32_t is_call = cause == HART_ENVIRONMENT_CALL || cause == HART_ENVIRONMENT_CALL_OF_USER;
    text[0] = 0;
    if (is_call || !one->hart.exceptions_stop)
        snprintf(text, bytes, ", and there is no trap handler: mtvec is 0x%llx, which is not in RAM",
                 (unsigned long long)one->hart.state.mtvec);
}

static void hart_text(const host_cpu *self, const host_hart *one, char *text, size_t bytes)
{
    text[0] = 0;
    if (self->hart_count > 1)
        snprintf(text, bytes, "hart %u: ", one->hart.number);
}

static uint32_t debug_fault_of(uint32_t cause)
{
    switch (cause) {
    case HART_ILLEGAL: return HD_DEBUG_FAULT_INSTRUCTION;
    case HART_BREAKPOINT:
    case HART_ENVIRONMENT_CALL_OF_USER:
    case HART_ENVIRONMENT_CALL: return HD_DEBUG_FAULT_TRAP;
    default: return HD_DEBUG_FAULT_ADDRESS;
    }
}

/* Who debugs sees the hart where it was wrong, before the run ends. */
static void tell_debugger(const host_cpu *self, const host_hart *one, hd_time t, const char *what)
{
    const hd_debug_listener *listener = &self->listener;
    const hd_debug_moment moment = {.t = t, .pc = one->hart.state.pc, .lanes = 1, .group = one->hart.number};
    if (listener->fault)
        listener->fault(listener->context, &moment, debug_fault_of(one->hart.exception.cause), what);
}

void host_cpu_fault(host_cpu *self, const host_hart *one, hd_time t)
{
    char place[192], what[288], text[192], handler[96], number[32];
    host_cpu_place(self, one, place, sizeof place);
    fault_text(one, text, sizeof text);
    handler_text(one, handler, sizeof handler);
    hart_text(self, one, number, sizeof number);
    snprintf(what, sizeof what, "%s%s", text, handler);
    self->activity = ACTIVITY_FAULTED;
    tell_debugger(self, one, t, what);
    self->services->fault(self->services->context, t, "firmware: %s%s\n  pc %s", number, what, place);
}
