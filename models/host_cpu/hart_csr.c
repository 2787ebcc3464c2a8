/* SPDX-License-Identifier: MIT */
#include "hart_internal.h"

enum csr {
    CSR_MSTATUS = 0x300,
    CSR_MISA = 0x301,
    CSR_MIE = 0x304,
    CSR_MTVEC = 0x305,
    CSR_MSCRATCH = 0x340,
    CSR_MEPC = 0x341,
    CSR_MCAUSE = 0x342,
    CSR_MTVAL = 0x343,
    CSR_MIP = 0x344,
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
#define INTERRUPT_LINES                                                                                                \
    (UINT64_C(1) << HART_SOFTWARE_INTERRUPT | UINT64_C(1) << HART_TIMER_INTERRUPT |                                    \
     UINT64_C(1) << HART_EXTERNAL_INTERRUPT)

static uint32_t read_csr(const hart *self, uint32_t number, uint64_t *value)
{
    const hart_state *state = &self->state;
    switch (number) {
    case CSR_MSTATUS: *value = state->mstatus | HART_MSTATUS_MPP; return 1;
    case CSR_MISA: *value = MISA_RV64IMAC; return 1;
    case CSR_MIE: *value = state->mie; return 1;
    case CSR_MTVEC: *value = state->mtvec; return 1;
    case CSR_MSCRATCH: *value = state->mscratch; return 1;
    case CSR_MEPC: *value = state->mepc; return 1;
    case CSR_MCAUSE: *value = state->mcause; return 1;
    case CSR_MTVAL: *value = state->mtval; return 1;
    case CSR_MIP: *value = state->mip; return 1;
    case CSR_MCYCLE:
    case CSR_CYCLE: *value = state->cycle + state->cycle_offset; return 1;
    case CSR_MINSTRET:
    case CSR_INSTRET: *value = state->instructions + state->instruction_offset; return 1;
    case CSR_MVENDORID:
    case CSR_MARCHID:
    case CSR_MIMPID:
    case CSR_MHARTID: *value = 0; return 1;
    default: return 0;
    }
}

/* Fields that cannot hold a value keep what they have. */
static uint32_t write_csr(hart_state *state, uint32_t number, uint64_t value)
{
    switch (number) {
    case CSR_MSTATUS: state->mstatus = value & (HART_MSTATUS_MIE | HART_MSTATUS_MPIE); return 1;
    case CSR_MIE: state->mie = value & INTERRUPT_LINES; return 1;
    case CSR_MTVEC:
        if ((value & 2) == 0)
            state->mtvec = value;
        return 1;
    case CSR_MSCRATCH: state->mscratch = value; return 1;
    case CSR_MEPC: state->mepc = value & ~UINT64_C(1); return 1;
    case CSR_MCAUSE: state->mcause = value; return 1;
    case CSR_MTVAL: state->mtval = value; return 1;
    case CSR_MCYCLE: state->cycle_offset = value - state->cycle; return 1;
    case CSR_MINSTRET: state->instruction_offset = value - state->instructions - 1; return 1;
    case CSR_MISA:
    case CSR_MIP: return 1;
    default: return 0;
    }
}

uint32_t hart_csr(hart *self, const hart_operation *operation)
{
    const uint32_t number = (uint32_t)operation->immediate;
    const uint32_t is_immediate = operation->operation >= ISA_OP_CSRRWI;
    const uint64_t operand = is_immediate ? operation->rs1 : self->state.x[operation->rs1];
    const uint32_t is_swap = operation->operation == ISA_OP_CSRRW || operation->operation == ISA_OP_CSRRWI;
    uint64_t old;
    if (!read_csr(self, number, &old))
        return 0;
    uint64_t value = operand;
    if (operation->operation == ISA_OP_CSRRS || operation->operation == ISA_OP_CSRRSI)
        value = old | operand;
    else if (!is_swap)
        value = old & ~operand;
    if ((is_swap || operation->rs1 != 0) && !write_csr(&self->state, number, value))
        return 0;
    self->state.x[operation->rd] = old;
    return 1;
}
