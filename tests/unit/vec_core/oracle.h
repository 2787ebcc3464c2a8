/* SPDX-License-Identifier: MIT */
/*
 * A second opinion on vector instructions: an interpreter that reads the fields of the word as the specification of the vector
 * extension draws them, one element after the other, with the host's float arithmetic. It shares nothing with the model. Pinning is
 * that of the thesis, as a state machine of its own.
 */
#ifndef TESTS_VEC_CORE_ORACLE_H
#define TESTS_VEC_CORE_ORACLE_H

#include <stdint.h>

#define ORACLE_BASE 0x10000000u
#define ORACLE_BYTES 8192u
#define ORACLE_FINE UINT32_MAX

typedef struct oracle {
    uint32_t x[32];
    float f[32];
    uint8_t v[32][256]; /* of each the first bits / 8 */
    uint8_t memory[ORACLE_BYTES];
    uint32_t bits;
    uint32_t vl;
    uint32_t vtype;
} oracle;

/* Returns the cause of an exception, and has changed nothing then; or ORACLE_FINE. */
uint32_t oracle_step(oracle *o, uint32_t word);

#endif
