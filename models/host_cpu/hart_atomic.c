/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hart_internal.h"

static uint64_t load(const uint8_t *memory, uint32_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, memory, bytes);
    return bytes == 4 ? (uint64_t)(int64_t)(int32_t)value : value;
}

static uint64_t store_conditional(hart_state *state, const hart_operation *operation, uint64_t address, uint8_t *memory)
{
    const uint32_t succeeds = state->reservation == address;
    state->reservation = UINT64_MAX;
    if (succeeds)
        memcpy(memory, &state->x[operation->rs2], hart_atomic_bytes(operation));
    state->x[operation->rd] = !succeeds;
    return succeeds;
}

/* Both operands sign-extended: a comparison of words is then one of double words, signed or not. */
static uint64_t combine(uint32_t operation, uint64_t old, uint64_t operand)
{
    switch (operation) {
    case ISA_OP_AMOSWAP_W:
    case RV64_OP_AMOSWAP_D: return operand;
    case ISA_OP_AMOADD_W:
    case RV64_OP_AMOADD_D: return old + operand;
    case ISA_OP_AMOXOR_W:
    case RV64_OP_AMOXOR_D: return old ^ operand;
    case ISA_OP_AMOAND_W:
    case RV64_OP_AMOAND_D: return old & operand;
    case ISA_OP_AMOOR_W:
    case RV64_OP_AMOOR_D: return old | operand;
    case ISA_OP_AMOMIN_W:
    case RV64_OP_AMOMIN_D: return (int64_t)old < (int64_t)operand ? old : operand;
    case ISA_OP_AMOMAX_W:
    case RV64_OP_AMOMAX_D: return (int64_t)old > (int64_t)operand ? old : operand;
    case ISA_OP_AMOMINU_W:
    case RV64_OP_AMOMINU_D: return old < operand ? old : operand;
    default: return old > operand ? old : operand;
    }
}

uint32_t hart_atomic(hart_state *state, const hart_operation *operation, uint64_t address, uint8_t *memory)
{
    const uint32_t bytes = hart_atomic_bytes(operation);
    const uint64_t old = load(memory, bytes);
    if (operation->operation == ISA_OP_SC_W || operation->operation == RV64_OP_SC_D)
        return store_conditional(state, operation, address, memory) != 0;
    if (operation->operation == ISA_OP_LR_W || operation->operation == RV64_OP_LR_D) {
        state->reservation = address;
        state->x[operation->rd] = old;
        return 0;
    }
    const uint64_t operand = load((const uint8_t *)&state->x[operation->rs2], bytes);
    const uint64_t result = combine(operation->operation, old, operand);
    memcpy(memory, &result, bytes);
    state->x[operation->rd] = old;
    return 1;
}
