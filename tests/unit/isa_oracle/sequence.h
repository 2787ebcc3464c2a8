/* SPDX-License-Identifier: MIT */
/*
 * Random instruction sequences of RV32IMAF_Zicsr and the state they start from.
 *
 * A sequence is a pure function of its seed: 1..32 instructions that end at CODE_END, 1..64 lanes, a mask, registers of
 * every lane, a data page. Registers and immediates are drawn so that most memory accesses hit the data page and most jumps the
 * sequence itself; those that do not end the lane, here and in the oracle alike. Every lane has its own data page.
 */
#ifndef TEST_ISA_ORACLE_SEQUENCE_H
#define TEST_ISA_ORACLE_SEQUENCE_H

#include "lanes.h"

#include <stdint.h>

#define PAGE_BYTES 4096u
#define CODE_PAGE UINT32_C(0x10000000)
#define CODE_END (CODE_PAGE + 2048u) /* sequences end here; the rest of the page is zero, which encodes nothing */
#define DATA_PAGE UINT32_C(0x20000000)

#define MAX_INSTRUCTIONS 32u
#define MAX_STEPS 64u /* instructions that one lane executes, loops included */

typedef struct sequence {
    uint64_t seed;
    uint64_t mask; /* lanes that execute */
    uint32_t lanes;
    uint32_t count;
    uint32_t words[MAX_INSTRUCTIONS];
    uint32_t registers[ISA_REGISTER_COUNT * ISA_MAX_LANES]; /* [64][lanes], as isa_lanes has them */
    uint8_t fcsr[ISA_MAX_LANES];
    uint32_t memory[PAGE_BYTES / 4]; /* the data page, as every lane finds its own */
} sequence;

void sequence_make(sequence *s, uint64_t seed);

/* pc of the first instruction. */
static inline uint32_t sequence_start(const sequence *s)
{
    return CODE_END - 4 * s->count;
}

/* Operations that no sequence has: the oracle does not have them, or answers them in a way of its own. */
int operation_is_exempt(uint32_t operation);

/* ---- Random values (values.c) ------------------------------------------------------------------------------------ */

uint32_t random_below(uint64_t *random, uint32_t bound);
uint32_t random_integer(uint64_t *random); /* mostly corner cases */
uint32_t random_float(uint64_t *random);   /* NaNs, infinities, zeros, subnormals, the edges of every range, others */

/* Makes some of 32 floats depend on others, so that sums cancel, products meet addends, quotients are exact or just
 * not. The value of register r is values[r * stride]. */
void relate_floats(uint64_t *random, uint32_t *values, uint32_t stride);

#endif
