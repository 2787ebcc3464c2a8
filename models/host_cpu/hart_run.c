/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hart_internal.h"

/* Counts the first operations of a block. */
static void account(hart_state *state, const hart_block *block, uint32_t count)
{
    state->instructions += count;
    if (count == block->count) {
        for (uint32_t kind = 0; kind < HART_KINDS; kind++)
            state->kinds[kind] += block->kinds[kind];
        state->cycle += block->cycles;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        state->kinds[block->operations[i].kind]++;
    state->cycle += block->operations[count].begins;
}

/* An instruction that has completed outside a block's straight run. */
static void account_alone(hart *self, uint32_t kind)
{
    self->state.instructions++;
    self->state.kinds[kind]++;
    self->state.cycle += self->cycles_each + self->costs[kind];
}

/* ---- The last instruction of a block, where it is none of the frequent ones ---------------------------------------- */

static enum hart_stop raise_or_stop(hart *self, uint32_t cause, uint64_t value)
{
    return hart_raise(self, cause, value, HART_REASON_PLAIN) ? HART_EXCEPTION : HART_TRAP;
}

/* The instruction at pc is none here. */
static enum hart_stop raise_illegal(hart *self, const hart_operation *operation)
{
    uint32_t bits = 0;
    memcpy(&bits, self->ram + (self->state.pc - self->ram_base), operation->bytes);
    return raise_or_stop(self, HART_ILLEGAL, bits);
}

static uint32_t is_reserved_for_machine_mode(const hart_state *state, uint32_t operation)
{
    if (state->privilege == HART_MACHINE)
        return 0;
    return operation == RV64_OP_MRET || (operation == RV64_OP_WFI && state->mstatus & HART_MSTATUS_TW);
}

/* HART_LIMIT and HART_LIMITED: go on at pc. */
static enum hart_stop execute_system(hart *self, const hart_operation *operation)
{
    hart_state *state = &self->state;
    if (is_reserved_for_machine_mode(state, operation->operation))
        return raise_illegal(self, operation);
    switch (operation->operation) {
    case ISA_OP_ECALL:
        return raise_or_stop(
            self, state->privilege == HART_MACHINE ? HART_ENVIRONMENT_CALL : HART_ENVIRONMENT_CALL_OF_USER, 0);
    case ISA_OP_EBREAK: return raise_or_stop(self, HART_BREAKPOINT, state->pc);
    case RV64_OP_FENCE_I: return HART_IN_PLACE;
    case RV64_OP_MRET:
        hart_return(self);
        account_alone(self, HART_KIND_CSR);
        return state->is_limited ? HART_LIMITED : HART_LIMIT;
    case RV64_OP_WFI:
        state->pc += operation->bytes;
        account_alone(self, HART_KIND_CSR);
        return hart_is_awake(self) ? HART_LIMIT : HART_WAIT;
    case ISA_OP_CSRRW:
    case ISA_OP_CSRRS:
    case ISA_OP_CSRRC:
    case ISA_OP_CSRRWI:
    case ISA_OP_CSRRSI:
    case ISA_OP_CSRRCI:
        if (hart_csr_is_configuration(self, operation))
            return HART_IN_PLACE;
        if (!hart_csr(self, operation))
            return raise_illegal(self, operation);
        state->pc += operation->bytes;
        account_alone(self, HART_KIND_CSR);
        return state->is_limited ? HART_LIMITED : HART_LIMIT;
    default: return raise_or_stop(self, HART_ILLEGAL, (uint32_t)operation->immediate);
    }
}

/* ---- Blocks -------------------------------------------------------------------------------------------------------- */

static uint32_t access_bytes(const hart_operation *operation)
{
    switch (operation->operation) {
    case ISA_OP_LB:
    case ISA_OP_LBU:
    case ISA_OP_SB: return 1;
    case ISA_OP_LH:
    case ISA_OP_LHU:
    case ISA_OP_SH: return 2;
    case RV64_OP_LD:
    case RV64_OP_SD: return 8;
    default: return 4;
    }
}

static enum hart_stop stop_for_bus(hart *self, const hart_operation *operation)
{
    const uint32_t bytes = access_bytes(operation);
    const uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    const uint64_t *x = self->state.x;
    self->access = (hart_access){
        .address = x[operation->rs1] + (uint64_t)(int64_t)operation->immediate,
        .value = x[operation->rs2] & mask,
        .bytes = bytes,
        .is_store = operation->kind == HART_KIND_STORE,
    };
    return HART_BUS;
}

static enum hart_stop raise_atomic(hart *self, const hart_operation *operation, uint64_t address)
{
    const uint32_t is_load = operation->operation == ISA_OP_LR_W || operation->operation == RV64_OP_LR_D;
    const uint32_t is_aligned = address % hart_atomic_bytes(operation) == 0;
    if (is_aligned)
        return raise_or_stop(self, is_load ? HART_LOAD_FAULT : HART_STORE_FAULT, address);
    return raise_or_stop(self, is_load ? HART_LOAD_MISALIGNED : HART_STORE_MISALIGNED, address);
}

/* The first operations of a block. HART_LIMIT: go on at pc. Inline in both places: a call for each block is 8 % of the instructions
 * that firmware costs. */
static inline __attribute__((always_inline)) enum hart_stop run_block(hart *self, const hart_block *block,
                                                                      uint32_t count)
{
    hart_state *state = &self->state;
    hart_run_result end = {.next = block->pc + (count < block->count ? block->operations[count].offset : block->bytes)};
    const enum hart_run_end how = hart_execute(self, block, count, &end);
    if (how == HART_RUN_DONE) {
        account(state, block, count);
        state->cycle += end.branch ? self->costs[HART_KIND_BRANCH] : 0;
        state->pc = end.next;
        return HART_LIMIT;
    }
    account(state, block, (uint32_t)(end.at - block->operations));
    state->pc = block->pc + end.at->offset;
    switch (how) {
    case HART_RUN_SYSTEM: return execute_system(self, end.at);
    case HART_RUN_LOG_FULL: return HART_LOG_FULL;
    case HART_RUN_OUTSIDE: return stop_for_bus(self, end.at);
    default: return raise_atomic(self, end.at, end.address);
    }
}

/* How many operations of the block begin before the limit: the block begins before it. */
static uint32_t operations_before(const hart_block *block, uint64_t cycles)
{
    uint32_t count = 1;
    if (cycles >= block->cycles)
        return block->count;
    while (count < block->count && block->operations[count].begins < cycles)
        count++;
    return count;
}

/* One instruction, what it needs having been asked for. */
static enum hart_stop run_asked(hart *self, const hart_block *block)
{
    const hart_operation *operation = block ? block->operations : NULL;
    hart_access access;
    hart_fault fault;
    if (hart_guard_fetch(self, operation, &fault) ||
        (operation && hart_next_access(self, &access) && hart_guard_access(self, operation, &access, &fault)))
        return hart_raise(self, fault.cause, fault.value, fault.reason) ? HART_EXCEPTION : HART_TRAP;
    return block ? run_block(self, block, 1) : raise_or_stop(self, HART_FETCH_FAULT, self->state.pc);
}

static enum hart_stop run_guarded(hart *self, uint64_t limit)
{
    enum hart_stop stop = HART_LIMIT;
    while (self->state.cycle < limit && stop == HART_LIMIT) {
        if (hart_has_interrupt(&self->state)) {
            hart_take_interrupt(self);
            return HART_TRAP;
        }
        stop = run_asked(self, hart_find_block(self, self->state.pc));
    }
    return stop;
}

/* In machine mode, with nothing to ask. */
static enum hart_stop run_freely(hart *self, uint64_t limit)
{
    hart_state *state = &self->state;
    enum hart_stop stop = HART_LIMIT;
    while (state->cycle < limit && stop == HART_LIMIT) {
        if (hart_has_interrupt(state)) {
            hart_take_interrupt(self);
            return HART_TRAP;
        }
        const hart_block *block = hart_find_block(self, state->pc);
        if (block)
            stop = run_block(self, block, operations_before(block, limit - state->cycle));
        else
            stop = raise_or_stop(self, HART_FETCH_FAULT, state->pc);
    }
    return stop;
}

enum hart_stop hart_run(hart *self, uint64_t limit)
{
    enum hart_stop stop;
    self->ram_is_clear = 0;
    do
        stop = self->is_guarded || self->state.is_limited ? run_guarded(self, limit) : run_freely(self, limit);
    while (stop == HART_LIMITED);
    return stop;
}

/* ---- For debuggers -------------------------------------------------------------------------------------------------- */

uint32_t hart_takes_interrupt(const hart *self)
{
    return hart_has_interrupt(&self->state);
}

uint32_t hart_next_access(hart *self, hart_access *access)
{
    const hart_block *block = hart_find_block(self, self->state.pc);
    const hart_operation *next = block ? block->operations : NULL;
    if (!next || (next->kind != HART_KIND_LOAD && next->kind != HART_KIND_STORE && next->kind != HART_KIND_ATOMIC))
        return 0;
    const uint32_t is_atomic = next->kind == HART_KIND_ATOMIC;
    const uint32_t only_loads = next->operation == ISA_OP_LR_W || next->operation == RV64_OP_LR_D;
    *access = (hart_access){
        .address = self->state.x[next->rs1] + (is_atomic ? 0 : (uint64_t)(int64_t)next->immediate),
        .bytes = is_atomic ? hart_atomic_bytes(next) : access_bytes(next),
        .is_store = is_atomic ? !only_loads : next->kind == HART_KIND_STORE,
    };
    return 1;
}

/* ---- Accesses outside RAM ------------------------------------------------------------------------------------------ */

static const hart_operation *stopped_at(hart *self)
{
    return &hart_find_block(self, self->state.pc)->operations[0];
}

void hart_complete_access(hart *self, uint64_t value, uint64_t cycle)
{
    hart_state *state = &self->state;
    const hart_operation *operation = stopped_at(self);
    state->cycle = cycle;
    switch (operation->operation) {
    case ISA_OP_LB: state->x[operation->rd] = (uint64_t)(int8_t)value; break;
    case ISA_OP_LH: state->x[operation->rd] = (uint64_t)(int16_t)value; break;
    case ISA_OP_LW: state->x[operation->rd] = (uint64_t)(int32_t)value; break;
    case ISA_OP_LBU:
    case ISA_OP_LHU:
    case RV64_OP_LWU:
    case RV64_OP_LD: state->x[operation->rd] = value; break;
    default: break;
    }
    state->pc += operation->bytes;
    account_alone(self, operation->kind);
}

uint32_t hart_refuse_access(hart *self, uint32_t is_misaligned, uint64_t cycle)
{
    const uint32_t load_cause = is_misaligned ? HART_LOAD_MISALIGNED : HART_LOAD_FAULT;
    self->state.cycle = cycle;
    return hart_raise(self, load_cause + (self->access.is_store ? 2 : 0), self->access.address, HART_REASON_PLAIN);
}

void hart_execute_in_place(hart *self)
{
    const hart_operation *operation = stopped_at(self);
    if (operation->operation == RV64_OP_FENCE_I)
        hart_forget_blocks(self);
    else
        hart_csr(self, operation);
    self->is_guarded = self->protection.is_locked || self->triggers.is_armed;
    self->state.pc += 4;
    account_alone(self, HART_KIND_CSR);
}
