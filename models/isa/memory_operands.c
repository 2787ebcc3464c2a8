/* SPDX-License-Identifier: MIT */
#include "vector.h"

#include "hd_message.h"

ISA_VECTORIZED static void add_offset(const uint32_t *base, uint32_t offset, uint32_t keep, uint32_t lanes,
                                      uint64_t mask, uint32_t *address)
{
    uint32_t result[ISA_MAX_LANES];
    if (lanes == ISA_USUAL_LANES) {
        for (uint32_t lane = 0; lane < ISA_USUAL_LANES; lane++)
            result[lane] = (base[lane] + offset) & keep;
        merge_lanes(address, result, ISA_USUAL_LANES, mask);
        return;
    }
    for (uint32_t lane = 0; lane < lanes; lane++)
        result[lane] = (base[lane] + offset) & keep;
    merge_lanes(address, result, lanes, mask);
}

void isa_addresses(const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask, uint32_t *address)
{
    const uint32_t *base = lanes->registers + (size_t)instruction->rs1 * lanes->lanes;
    uint32_t offset = instruction->instruction_class == ISA_CLASS_ATOMIC ? 0 : (uint32_t)instruction->immediate;
    uint32_t keep = instruction->instruction_class == ISA_CLASS_JUMP_REGISTER ? ~UINT32_C(1) : ~UINT32_C(0);
    add_offset(base, offset, keep, lanes->lanes, mask, address);
}

uint32_t isa_load_value(const isa_instruction *instruction, uint32_t raw)
{
    switch (instruction->operation) {
    case ISA_OP_LB: return (uint32_t)(int32_t)(int8_t)raw;
    case ISA_OP_LH: return (uint32_t)(int32_t)(int16_t)raw;
    case ISA_OP_LBU: return raw & 0xFF;
    case ISA_OP_LHU: return raw & 0xFFFF;
    default: return raw;
    }
}

ISA_INLINE void extend(const uint32_t *raw, uint32_t bits, uint32_t lanes, uint64_t mask, uint32_t *destination)
{
    uint32_t result[ISA_MAX_LANES];
    for (uint32_t lane = 0; lane < lanes; lane++)
        result[lane] = (uint32_t)((int32_t)(raw[lane] << (32 - bits)) >> (32 - bits));
    merge_lanes(destination, result, lanes, mask);
}

/* destination = raw, its sign extended from `bits` on, in the lanes of mask. */
ISA_VECTORIZED static void load_lanes(const uint32_t *raw, uint32_t bits, uint32_t lanes, uint64_t mask,
                                      uint32_t *destination)
{
    if (bits == 32 && lanes == ISA_USUAL_LANES)
        merge_lanes(destination, raw, ISA_USUAL_LANES, mask);
    else
        extend(raw, bits, lanes, mask, destination);
}

void isa_load_values(const isa_instruction *instruction, const uint32_t *raw, isa_lanes *lanes, uint64_t mask)
{
    uint32_t bits = 32;
    if (instruction->operation == ISA_OP_LB || instruction->operation == ISA_OP_LH)
        bits = 8u * instruction->access_bytes;
    load_lanes(raw, bits, lanes->lanes, mask, lanes->registers + (size_t)instruction->rd * lanes->lanes);
}

uint32_t isa_atomic_operation(const isa_instruction *instruction)
{
    switch (instruction->operation) {
    case ISA_OP_LR_W: return HD_ATOMIC_LOAD_RESERVED;
    case ISA_OP_SC_W: return HD_ATOMIC_STORE_CONDITIONAL;
    case ISA_OP_AMOSWAP_W: return HD_ATOMIC_SWAP;
    case ISA_OP_AMOADD_W: return HD_ATOMIC_ADD;
    case ISA_OP_AMOXOR_W: return HD_ATOMIC_XOR;
    case ISA_OP_AMOAND_W: return HD_ATOMIC_AND;
    case ISA_OP_AMOOR_W: return HD_ATOMIC_OR;
    case ISA_OP_AMOMIN_W: return HD_ATOMIC_MIN;
    case ISA_OP_AMOMAX_W: return HD_ATOMIC_MAX;
    case ISA_OP_AMOMINU_W: return HD_ATOMIC_MINU;
    case ISA_OP_AMOMAXU_W: return HD_ATOMIC_MAXU;
    default: return HD_ATOMIC_CAS;
    }
}
