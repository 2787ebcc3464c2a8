/* SPDX-License-Identifier: MIT */
/*
 * Decoding for a host CPU: RV64IMAC_Zicsr_Zifencei, machine mode. The integer rows of isa_operations.def and their
 * operation numbers are shared with the SIMT core; rv64_operations.def adds the rest, numbered behind them.
 */
#ifndef ISA_RV64_H
#define ISA_RV64_H

#include "instruction.h"

#ifdef __cplusplus
extern "C" {
#endif

enum rv64_operation {
    RV64_OP_FIRST = ISA_OP_COUNT - 1, /* the next one is ISA_OP_COUNT */
#define ISA_OPERATION(name, mnemonic, class, form, match, mask, access_bytes) RV64_OP_##name,
#include "rv64_operations.def"
#undef ISA_OPERATION
    RV64_OP_COUNT
};

/* Bytes of the instruction that begins with this half word. */
static inline uint32_t rv64_bytes(uint32_t half)
{
    return (half & 3) == 3 ? 4 : 2;
}

/*
 * A word whose low half says 4 bytes, or the half word of a compressed instruction, which becomes the instruction that it
 * abbreviates: `word` is then the long form. ISA_OP_ILLEGAL, word kept, for all that such a CPU does not have: floats,
 * Xheddle, amocas.
 */
isa_instruction rv64_decode(uint32_t word);

/* The long form of a compressed instruction; 0, which encodes nothing, if it is none. */
uint32_t rv64_expand(uint16_t half);

/* "addiw"; of an operation that does not exist "illegal". */
const char *rv64_mnemonic(uint32_t operation);

#ifdef __cplusplus
}
#endif

#endif
