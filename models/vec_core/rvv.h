/* SPDX-License-Identifier: MIT */
/* Decoded vector instructions. */
#ifndef VEC_CORE_RVV_H
#define VEC_CORE_RVV_H

#include <stdint.h>

enum rvv_operation {
#define RVV_OPERATION(name, mnemonic, group, forms, match, mask) RVV_##name,
#include "rvv_operations.def"
#undef RVV_OPERATION
    RVV_COUNT
};

enum rvv_group {
    RVV_GROUP_SET,
    RVV_GROUP_LOAD,
    RVV_GROUP_LOAD_INDEXED,
    RVV_GROUP_STORE,
    RVV_GROUP_STORE_INDEXED,
    RVV_GROUP_INTEGER,
    RVV_GROUP_MERGE,
    RVV_GROUP_COMPARE,
    RVV_GROUP_MULTIPLY,
    RVV_GROUP_REDUCE,
    RVV_GROUP_MASK,
    RVV_GROUP_MASK_SET,
    RVV_GROUP_IDENTITY,
    RVV_GROUP_TO_SCALAR,
    RVV_GROUP_FROM_SCALAR,
    RVV_GROUP_FLOAT,
    RVV_GROUP_FLOAT_SUM,
    RVV_GROUPS
};

/* What the last operand is. */
enum rvv_source { RVV_SOURCE_VECTOR, RVV_SOURCE_SCALAR, RVV_SOURCE_IMMEDIATE };

typedef struct rvv_instruction {
    uint8_t operation; /* enum rvv_operation; RVV_COUNT: none */
    uint8_t group;
    uint8_t source;
    uint8_t vd;  /* of a store what is stored; or the scalar destination */
    uint8_t vs1; /* or the scalar register, or the immediate's field */
    uint8_t vs2;
    uint8_t masked;      /* 1: only where v0 says so */
    uint8_t index_bytes; /* of an indexed access */
    uint8_t data_bytes;  /* of an access that is not indexed: of an element; a whole mask: 0 */
    int32_t immediate;   /* signed; of vset*vli: vtype */
} rvv_instruction;

rvv_instruction rvv_decode(uint32_t word);
const char *rvv_mnemonic(uint32_t operation);

/* Is it a vector instruction at all, this subset's or not? */
static inline uint32_t rvv_is_vector(uint32_t word)
{
    const uint32_t opcode = word & 0x7F, width = word >> 12 & 7;
    const uint32_t is_vector_access = width == 0 || width >= 5;
    return opcode == 0x57 || ((opcode == 0x07 || opcode == 0x27) && is_vector_access);
}

#endif
