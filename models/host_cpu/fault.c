/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "state.h"

#define STACK_NEIGHBOURHOOD 65536u /* bytes below RAM in which an access is one of a stack that grew too far */

void host_cpu_place(const host_cpu *self, char *text, size_t bytes)
{
    const uint64_t pc = self->hart.state.pc;
    if (self->firmware.place)
        self->firmware.place(self->firmware.context, pc, text, bytes);
    else
        snprintf(text, bytes, "0x%llx", (unsigned long long)pc);
}

/* The stack lies at the lowest addresses of RAM: one that overflows leaves it. */
static uint32_t is_stack_overflow(const host_cpu *self, uint64_t address)
{
    const uint64_t base = self->hart.ram_base, sp = self->hart.state.x[2];
    const uint64_t below = base - STACK_NEIGHBOURHOOD;
    return address >= below && address < base && sp >= below && sp < base + STACK_NEIGHBOURHOOD;
}

static void access_text(const host_cpu *self, const char *what, char *text, size_t bytes)
{
    const unsigned long long address = self->hart.exception.value;
    if (is_stack_overflow(self, address))
        snprintf(text, bytes, "stack overflow: %s at 0x%llx, below the stack (sp is 0x%llx)", what, address,
                 (unsigned long long)self->hart.state.x[2]);
    else
        snprintf(text, bytes, "%s at 0x%llx, %s", what, address,
                 self->refusal == HD_STATUS_ADDRESS_ERROR ? "where nothing answers" : "which what is there refuses");
}

static void fault_text(const host_cpu *self, char *text, size_t bytes)
{
    const unsigned long long value = self->hart.exception.value;
    switch (self->hart.exception.cause) {
    case HART_FETCH_FAULT: snprintf(text, bytes, "jumped to 0x%llx, which is not in RAM", value); break;
    case HART_ILLEGAL: snprintf(text, bytes, "illegal instruction 0x%08llx", value); break;
    case HART_BREAKPOINT: snprintf(text, bytes, "ebreak"); break;
    case HART_LOAD_MISALIGNED: snprintf(text, bytes, "load at 0x%llx is not aligned", value); break;
    case HART_STORE_MISALIGNED: snprintf(text, bytes, "store at 0x%llx is not aligned", value); break;
    case HART_LOAD_FAULT: access_text(self, "load", text, bytes); break;
    default: access_text(self, "store", text, bytes); break;
    }
}

void host_cpu_fault(host_cpu *self, hd_time t)
{
    char place[192], text[192];
    host_cpu_place(self, place, sizeof place);
    fault_text(self, text, sizeof text);
    self->services->fault(self->services->context, t, "firmware: %s\n  pc %s", text, place);
    self->activity = ACTIVITY_FAULTED;
}
