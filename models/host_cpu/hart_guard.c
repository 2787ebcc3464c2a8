/* SPDX-License-Identifier: MIT */
/* What protection and triggers refuse of the next instruction, looked at before it is executed. */
#include "hart_internal.h"

static uint32_t refuse(hart_fault *fault, uint32_t cause, uint64_t address, uint32_t reason)
{
    *fault = (hart_fault){.cause = cause, .value = address, .reason = reason};
    return 1;
}

/* Triggers of machine mode match nothing in a handler that has not asked for them. */
static uint32_t matches(const hart *self, hart_seen seen)
{
    seen.is_machine_mode = self->state.privilege == HART_MACHINE;
    if (seen.is_machine_mode && !(self->state.tcontrol & HART_TCONTROL_MTE))
        return 0;
    seen.pc = self->state.pc;
    return hart_triggers_match(&self->triggers, &seen);
}

uint32_t hart_guard_fetch(const hart *self, const hart_operation *operation, hart_fault *fault)
{
    const uint64_t pc = self->state.pc;
    const uint32_t is_machine = self->state.privilege == HART_MACHINE, bytes = operation ? operation->bytes : 2;
    if (matches(self, (hart_seen){.address = pc, .bytes = bytes, .pc_bytes = bytes, .what = HART_TRIGGER_EXECUTE}))
        return refuse(fault, HART_BREAKPOINT, pc, HART_REASON_TRIGGER);
    for (uint32_t at = 0; at < bytes; at += 2)
        if (!hart_protection_allows(&self->protection, is_machine, pc + at, 2, HART_PMP_EXECUTE))
            return refuse(fault, HART_FETCH_FAULT, pc + at, HART_REASON_PROTECTION);
    return 0;
}

static uint32_t loads(const hart_operation *operation)
{
    return operation->kind == HART_KIND_LOAD ||
           (operation->kind == HART_KIND_ATOMIC && operation->operation != ISA_OP_SC_W &&
            operation->operation != RV64_OP_SC_D);
}

uint32_t hart_guard_access(const hart *self, const hart_operation *operation, const hart_access *access,
                           hart_fault *fault)
{
    const hart_state *state = &self->state;
    const uint64_t as = state->mstatus & HART_MSTATUS_MPRV ? hart_previous_privilege(state) : state->privilege;
    const uint32_t what = (loads(operation) ? HART_TRIGGER_LOAD : 0) | (access->is_store ? HART_TRIGGER_STORE : 0);
    const uint32_t needs = (loads(operation) ? HART_PMP_READ : 0) | (access->is_store ? HART_PMP_WRITE : 0);
    if (matches(self,
                (hart_seen){
                    .address = access->address, .bytes = access->bytes, .pc_bytes = operation->bytes, .what = what}))
        return refuse(fault, HART_BREAKPOINT, access->address, HART_REASON_TRIGGER);
    if (operation->kind == HART_KIND_ATOMIC && access->address % access->bytes)
        return 0; /* that it is not aligned goes first */
    if (hart_protection_allows(&self->protection, as == HART_MACHINE, access->address, access->bytes, needs))
        return 0;
    return refuse(fault, access->is_store ? HART_STORE_FAULT : HART_LOAD_FAULT, access->address,
                  HART_REASON_PROTECTION);
}
