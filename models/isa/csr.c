/* SPDX-License-Identifier: MIT */
#include "lanes.h"

typedef struct csr_access {
    isa_lanes *lanes;
    uint32_t csr;
    isa_csr_read *read;
    isa_csr_write *write;
    void *context;
} csr_access;

static int read_csr(const csr_access *access, uint32_t lane, uint32_t *value)
{
    switch (access->csr) {
    case ISA_CSR_FFLAGS: *value = access->lanes->fcsr[lane] & 0x1F; return 0;
    case ISA_CSR_FRM: *value = access->lanes->fcsr[lane] >> 5; return 0;
    case ISA_CSR_FCSR: *value = access->lanes->fcsr[lane]; return 0;
    default: return access->read(access->context, access->csr, lane, value);
    }
}

static int write_csr(const csr_access *access, uint32_t lane, uint32_t value)
{
    uint8_t *fcsr = &access->lanes->fcsr[lane];
    switch (access->csr) {
    case ISA_CSR_FFLAGS: *fcsr = (uint8_t)((*fcsr & 0xE0) | (value & 0x1F)); return 0;
    case ISA_CSR_FRM: *fcsr = (uint8_t)((*fcsr & 0x1F) | (value & 7) << 5); return 0;
    case ISA_CSR_FCSR: *fcsr = (uint8_t)value; return 0;
    default: return access->write(access->context, access->csr, lane, value);
    }
}

static uint32_t new_value(uint32_t operation, uint32_t old, uint32_t operand)
{
    switch (operation) {
    case ISA_OP_CSRRS:
    case ISA_OP_CSRRSI: return old | operand;
    case ISA_OP_CSRRC:
    case ISA_OP_CSRRCI: return old & ~operand;
    default: return operand;
    }
}

int isa_csr(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask, isa_csr_read *read,
            isa_csr_write *write, void *context)
{
    uint32_t operation = instruction->operation;
    int immediate = operation >= ISA_OP_CSRRWI;
    int swap = operation == ISA_OP_CSRRW || operation == ISA_OP_CSRRWI;
    int reads = !swap || instruction->rd != 0;
    int writes = swap || instruction->rs1 != 0;
    csr_access access = {lanes, (uint32_t)instruction->immediate, read, write, context};
    if (writes && access.csr >> 10 == 3)
        return -1;
    for (uint32_t lane = 0; lane < lanes->lanes; lane++) {
        uint32_t old = 0;
        if (!(mask >> lane & 1))
            continue;
        uint32_t operand =
            immediate ? instruction->rs1 : lanes->registers[(size_t)instruction->rs1 * lanes->lanes + lane];
        if (reads && read_csr(&access, lane, &old))
            return -1;
        if (writes && write_csr(&access, lane, new_value(operation, old, operand)))
            return -1;
        if (instruction->rd != 0)
            lanes->registers[(size_t)instruction->rd * lanes->lanes + lane] = old;
    }
    return 0;
}
