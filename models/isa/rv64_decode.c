/* SPDX-License-Identifier: MIT */
#include "decode.h"
#include "rv64.h"

static const isa_encoding encodings[] = {
#define ISA_OPERATION(name, text, class, operands, match_bits, mask_bits, bytes)                                       \
    [RV64_OP_##name - ISA_OP_COUNT] = {.mnemonic = text,                                                               \
                                       .match = match_bits,                                                            \
                                       .mask = mask_bits,                                                              \
                                       .instruction_class = ISA_CLASS_##class,                                         \
                                       .form = ISA_FORM_##operands,                                                    \
                                       .access_bytes = bytes},
#include "rv64_operations.def"
#undef ISA_OPERATION
};

#define ENCODINGS (sizeof encodings / sizeof *encodings)

static int is_shared(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV:
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER:
    case ISA_CLASS_FENCE:
    case ISA_CLASS_CSR: return 1;
    case ISA_CLASS_LOAD:
        return instruction->operation != ISA_OP_FLW &&
               (instruction->flags & (ISA_FLAG_LOAD_UNCACHED | ISA_FLAG_LOAD_READ_ONLY)) == 0;
    case ISA_CLASS_STORE: return instruction->operation != ISA_OP_FSW;
    case ISA_CLASS_ATOMIC: return instruction->operation != ISA_OP_AMOCAS_W;
    case ISA_CLASS_SYSTEM: return instruction->operation != ISA_OP_ASSERT_FAIL;
    default: return 0;
    }
}

isa_instruction rv64_decode(uint32_t word)
{
    const uint32_t expanded = rv64_bytes(word) == 2 ? rv64_expand((uint16_t)word) : word;
    for (uint32_t i = 0; i < ENCODINGS; i++)
        if ((expanded & encodings[i].mask) == encodings[i].match)
            return isa_decode_row(&encodings[i], (uint16_t)(ISA_OP_COUNT + i), expanded);
    const isa_instruction instruction = isa_decode(expanded);
    return is_shared(&instruction) ? instruction : isa_illegal(word);
}

const char *rv64_mnemonic(uint32_t operation)
{
    if (operation < ISA_OP_COUNT)
        return isa_mnemonic(operation);
    return operation < RV64_OP_COUNT ? encodings[operation - ISA_OP_COUNT].mnemonic : isa_mnemonic(ISA_OP_ILLEGAL);
}
