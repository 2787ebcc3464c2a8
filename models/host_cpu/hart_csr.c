/* SPDX-License-Identifier: MIT */
#include "hart_internal.h"

enum csr {
    CSR_MSTATUS = 0x300,
    CSR_MISA = 0x301,
    CSR_MIE = 0x304,
    CSR_MTVEC = 0x305,
    CSR_MCOUNTEREN = 0x306,
    CSR_MSCRATCH = 0x340,
    CSR_MEPC = 0x341,
    CSR_MCAUSE = 0x342,
    CSR_MTVAL = 0x343,
    CSR_MIP = 0x344,
    CSR_TCONTROL = 0x7A5,
    CSR_MCYCLE = 0xB00,
    CSR_MINSTRET = 0xB02,
    CSR_CYCLE = 0xC00,
    CSR_INSTRET = 0xC02,
    CSR_MVENDORID = 0xF11,
    CSR_MARCHID = 0xF12,
    CSR_MIMPID = 0xF13,
    CSR_MHARTID = 0xF14
};

#define MISA_RV64IMAC (UINT64_C(2) << 62 | 1 << ('I' - 'A') | 1 << ('M' - 'A') | 1 << 0 | 1 << ('C' - 'A'))
#define MISA_USER (UINT64_C(1) << ('U' - 'A'))
#define MSTATUS_USER_IS_64_BITS (UINT64_C(2) << 32) /* UXL */
#define COUNTERS (UINT64_C(1) << (CSR_CYCLE & 31) | UINT64_C(1) << (CSR_INSTRET & 31))
#define INTERRUPT_LINES                                                                                                \
    (UINT64_C(1) << HART_SOFTWARE_INTERRUPT | UINT64_C(1) << HART_TIMER_INTERRUPT |                                    \
     UINT64_C(1) << HART_EXTERNAL_INTERRUPT)

static uint64_t user(const hart *self, uint64_t value)
{
    return self->has_user_mode ? value : 0;
}

static uint32_t read_csr(const hart *self, uint32_t number, uint64_t *value)
{
    const hart_state *state = &self->state;
    switch (number) {
    case CSR_MSTATUS: *value = state->mstatus | user(self, MSTATUS_USER_IS_64_BITS); return 1;
    case CSR_MISA: *value = MISA_RV64IMAC | user(self, MISA_USER); return 1;
    case CSR_MIE: *value = state->mie; return 1;
    case CSR_MTVEC: *value = state->mtvec; return 1;
    case CSR_MCOUNTEREN: *value = state->mcounteren; return self->has_user_mode;
    case CSR_MSCRATCH: *value = state->mscratch; return 1;
    case CSR_MEPC: *value = state->mepc; return 1;
    case CSR_MCAUSE: *value = state->mcause; return 1;
    case CSR_MTVAL: *value = state->mtval; return 1;
    case CSR_MIP: *value = state->mip; return 1;
    case CSR_TCONTROL: *value = state->tcontrol; return self->triggers.count != 0;
    case CSR_MCYCLE:
    case CSR_CYCLE: *value = state->cycle + state->cycle_offset; return 1;
    case CSR_MINSTRET:
    case CSR_INSTRET: *value = state->instructions + state->instruction_offset; return 1;
    case CSR_MVENDORID:
    case CSR_MARCHID:
    case CSR_MIMPID: *value = 0; return 1;
    case CSR_MHARTID: *value = self->number; return 1;
    default:
        return hart_protection_read(&self->protection, number, value) ||
               hart_triggers_read(&self->triggers, number, value);
    }
}

static void write_mstatus(hart *self, uint64_t value)
{
    const uint64_t of_user_mode = HART_MSTATUS_MPP | HART_MSTATUS_MPRV | HART_MSTATUS_TW;
    uint64_t status = value & (HART_MSTATUS_MIE | HART_MSTATUS_MPIE | user(self, of_user_mode));
    const uint64_t previous = status & HART_MSTATUS_MPP;
    if (previous != HART_MSTATUS_MPP && (previous != 0 || !self->has_user_mode))
        status = (status & ~HART_MSTATUS_MPP) | (self->state.mstatus & HART_MSTATUS_MPP);
    self->state.mstatus = status;
    hart_look_at_privilege(&self->state);
}

/* Fields that cannot hold a value keep what they have. */
static uint32_t write_csr(hart *self, uint32_t number, uint64_t value)
{
    hart_state *state = &self->state;
    switch (number) {
    case CSR_MSTATUS: write_mstatus(self, value); return 1;
    case CSR_MIE: state->mie = value & INTERRUPT_LINES; return 1;
    case CSR_MTVEC:
        if ((value & 2) == 0)
            state->mtvec = value;
        return 1;
    case CSR_MCOUNTEREN: state->mcounteren = value & COUNTERS; return 1;
    case CSR_MSCRATCH: state->mscratch = value; return 1;
    case CSR_MEPC: state->mepc = value & ~UINT64_C(1); return 1;
    case CSR_MCAUSE: state->mcause = value; return 1;
    case CSR_MTVAL: state->mtval = value; return 1;
    case CSR_TCONTROL: state->tcontrol = value & (HART_TCONTROL_MTE | HART_TCONTROL_MPTE); return 1;
    case CSR_MCYCLE: state->cycle_offset = value - state->cycle; return 1;
    case CSR_MINSTRET: state->instruction_offset = value - state->instructions - 1; return 1;
    case CSR_MISA:
    case CSR_MIP: return 1;
    default:
        return hart_protection_write(&self->protection, number, value) ||
               hart_triggers_write(&self->triggers, number, value);
    }
}

/* Bits 9 and 8 of its number say from which mode on a CSR is there; counters are in user mode if machine mode says so. */
static uint32_t is_reachable(const hart_state *state, uint32_t number)
{
    if (state->privilege == HART_MACHINE)
        return 1;
    return (number >> 8 & 3) == 0 && state->mcounteren >> (number & 31) & 1;
}

static uint32_t is_swap(const hart_operation *operation)
{
    return operation->operation == ISA_OP_CSRRW || operation->operation == ISA_OP_CSRRWI;
}

static uint32_t writes(const hart_operation *operation)
{
    return is_swap(operation) || operation->rs1 != 0;
}

uint32_t hart_csr_is_configuration(const hart *self, const hart_operation *operation)
{
    const uint32_t number = (uint32_t)operation->immediate;
    return writes(operation) && self->state.privilege == HART_MACHINE &&
           (hart_protection_has(&self->protection, number) || hart_triggers_has(&self->triggers, number));
}

uint32_t hart_csr(hart *self, const hart_operation *operation)
{
    const uint32_t number = (uint32_t)operation->immediate;
    const uint32_t is_immediate = operation->operation >= ISA_OP_CSRRWI;
    const uint64_t operand = is_immediate ? operation->rs1 : self->state.x[operation->rs1];
    uint64_t old;
    if (!is_reachable(&self->state, number) || !read_csr(self, number, &old))
        return 0;
    uint64_t value = operand;
    if (operation->operation == ISA_OP_CSRRS || operation->operation == ISA_OP_CSRRSI)
        value = old | operand;
    else if (!is_swap(operation))
        value = old & ~operand;
    if (writes(operation) && !write_csr(self, number, value))
        return 0;
    self->state.x[operation->rd] = old;
    return 1;
}
