/* SPDX-License-Identifier: MIT */
/*
 * A sequence executed by models/isa on all lanes at once, lanes that part included: those at the lowest pc go first, now
 * and then only some of them.
 */
#ifndef TEST_ISA_ORACLE_SUBJECT_H
#define TEST_ISA_ORACLE_SUBJECT_H

#include "sequence.h"

/* Why a lane stopped. */
enum stop {
    STOP_NONE,
    STOP_END,     /* it came to CODE_END */
    STOP_COUNT,   /* it executed what it may, or stands before an instruction that is not compared */
    STOP_ILLEGAL, /* at an instruction that is none, or in a reserved rounding mode */
    STOP_DATA,    /* a memory access not within the data page, or an atomic that is not aligned */
    STOP_FETCH,   /* outside the code page */
};

typedef struct subject {
    isa_lanes lanes;
    uint32_t registers[ISA_REGISTER_COUNT * ISA_MAX_LANES];
    uint8_t fcsr[ISA_MAX_LANES];
    uint32_t pc[ISA_MAX_LANES];
    uint32_t stop[ISA_MAX_LANES];  /* enum stop */
    uint32_t steps[ISA_MAX_LANES]; /* instructions executed */
    uint8_t memory[ISA_MAX_LANES][PAGE_BYTES];
    const char *complaint; /* a promise of lanes.h that was broken; NULL = none */
} subject;

/* What was executed, counted in lanes. */
typedef struct coverage {
    uint64_t executed[ISA_OP_COUNT];
    uint64_t rounded[ISA_OP_COUNT][2][ISA_ROUND_NEAREST_MAX + 1]; /* by the instruction's own mode, by the lane's */
    uint64_t raised[ISA_OP_COUNT][5];                             /* float flags, by bit, that were not set before */
    uint64_t exempt;
} coverage;

/* Every lane executes at most `steps` instructions. c may be NULL. */
void subject_run(subject *run, const sequence *s, uint32_t steps, coverage *c);

static inline uint32_t subject_register(const subject *run, uint32_t number, uint32_t lane)
{
    return run->registers[number * run->lanes.lanes + lane];
}

/*
 * Instructions that this lane executes as the manual says and the oracle (Unicorn 2.0.1, that is QEMU 5.0.1) does not:
 *
 * - fmin.s, fmax.s of a signalling NaN and a number: the number (version 2.2 of F, IEEE 754-2019 minimumNumber); the
 *   oracle follows 2.1 (IEEE 754-2008 minNum) and gives NaN.
 * - f[n]madd.s, f[n]msub.s of infinity, zero and a quiet NaN: the manual demands the invalid flag, IEEE 754 leaves it
 *   open, the oracle does not set it.
 *
 * tests/unit/isa/float_vectors.c has vectors of both.
 */
int instruction_is_exempt(const isa_instruction *instruction, const isa_lanes *lanes, uint32_t lane);

#endif
