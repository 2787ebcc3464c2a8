/* SPDX-License-Identifier: MIT */
#include "hart_internal.h"

#define MCAUSE_INTERRUPT (UINT64_C(1) << 63)
#define MTVEC_VECTORED UINT64_C(1)

static void enter(hart_state *state, uint64_t cause, uint64_t value)
{
    const uint64_t base = state->mtvec & ~UINT64_C(3);
    const uint64_t vector = cause & MCAUSE_INTERRUPT && state->mtvec & MTVEC_VECTORED ? 4 * (cause & 63) : 0;
    state->mepc = state->pc;
    state->mcause = cause;
    state->mtval = value;
    state->mstatus &= ~HART_MSTATUS_MPIE;
    state->mstatus |= state->mstatus & HART_MSTATUS_MIE ? HART_MSTATUS_MPIE : 0;
    state->mstatus &= ~HART_MSTATUS_MIE;
    state->mstatus = (state->mstatus & ~HART_MSTATUS_MPP) | (uint64_t)state->privilege << 11;
    state->privilege = HART_MACHINE;
    state->tcontrol = state->tcontrol & HART_TCONTROL_MTE ? HART_TCONTROL_MPTE : 0;
    hart_look_at_privilege(state);
    state->pc = base + vector;
}

/* A handler outside RAM raises the next exception, and so on: nothing would ever say what was wrong. */
static uint32_t has_handler(const hart *self)
{
    return (self->state.mtvec & ~UINT64_C(3)) - self->ram_base < self->ram_bytes;
}

static uint32_t is_call(uint32_t cause)
{
    return cause == HART_ENVIRONMENT_CALL || cause == HART_ENVIRONMENT_CALL_OF_USER;
}

uint32_t hart_raise(hart *self, uint32_t cause, uint64_t value, uint32_t reason)
{
    if ((self->exceptions_stop && !is_call(cause)) || !has_handler(self)) {
        self->exception = (hart_fault){cause, value, reason};
        return 1;
    }
    self->state.exceptions++;
    self->state.cycle += self->cycles_each + self->costs[HART_KIND_JUMP];
    enter(&self->state, cause, value);
    return 0;
}

void hart_take_interrupt(hart *self)
{
    static const uint32_t order[] = {HART_EXTERNAL_INTERRUPT, HART_SOFTWARE_INTERRUPT, HART_TIMER_INTERRUPT};
    const uint64_t pending = self->state.mip & self->state.mie;
    for (uint32_t i = 0; i < sizeof order / sizeof *order; i++)
        if (pending >> order[i] & 1) {
            self->state.interrupts++;
            self->state.cycle += self->cycles_each + self->costs[HART_KIND_JUMP];
            enter(&self->state, MCAUSE_INTERRUPT | order[i], 0);
            return;
        }
}

void hart_return(hart *self)
{
    hart_state *state = &self->state;
    state->mstatus &= ~HART_MSTATUS_MIE;
    state->mstatus |= state->mstatus & HART_MSTATUS_MPIE ? HART_MSTATUS_MIE : 0;
    state->mstatus |= HART_MSTATUS_MPIE;
    state->privilege = (uint32_t)hart_previous_privilege(state);
    if (state->privilege != HART_MACHINE)
        state->mstatus &= ~HART_MSTATUS_MPRV;
    if (self->has_user_mode)
        state->mstatus &= ~HART_MSTATUS_MPP;
    state->tcontrol =
        (state->tcontrol & HART_TCONTROL_MPTE) | (state->tcontrol & HART_TCONTROL_MPTE ? HART_TCONTROL_MTE : 0);
    hart_look_at_privilege(state);
    state->pc = state->mepc;
}
