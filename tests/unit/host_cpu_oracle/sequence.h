/* SPDX-License-Identifier: MIT */
/*
 * Random instruction sequences of RV64IMAC and the state they start from: a pure function of the seed. They lie in a code
 * page and are followed by nothing that encodes an instruction; a data page follows. Pointer registers and offsets are drawn so
 * that most accesses hit the data page and most jumps the code; those that do not end the sequence, here and in the oracle.
 */
#ifndef TEST_HOST_CPU_ORACLE_SEQUENCE_H
#define TEST_HOST_CPU_ORACLE_SEQUENCE_H

#include <stdint.h>

#include "rv64.h"

#define PAGE_BYTES 4096u
#define CODE_PAGE UINT64_C(0x80000000)
#define DATA_PAGE (CODE_PAGE + PAGE_BYTES)
#define RAM_BYTES (2 * PAGE_BYTES)

#define MAX_STEPS 96u /* instructions that are executed, loops included */

typedef struct sequence {
    uint64_t seed;
    uint32_t bytes;         /* of code */
    uint64_t registers[32]; /* [0] is 0 */
    uint8_t ram[RAM_BYTES]; /* code page, data page */
} sequence;

void sequence_make(sequence *s, uint64_t seed);

/*
 * Instructions that the oracle (Unicorn 2.0.1, that is QEMU 5.0.1) has and such a hart has not, or does otherwise than the
 * manual says: amomin[u].w and amomax[u].w compare 64 bits there, a reserved compressed encoding does nothing, and compressed
 * floats cannot be refused. System instructions and CSRs other than mscratch, mcause and mtval. test_vectors.c has what the
 * hart has of these.
 */
uint32_t is_exempt(uint32_t word);

/* Where execution stopped, as both sides see it. */
typedef struct outcome {
    uint64_t registers[32];
    uint64_t pc;
    uint32_t stop;   /* enum outcome_stop */
    uint32_t exempt; /* of the subject: it met an instruction that is_exempt */
    uint8_t ram[RAM_BYTES];
} outcome;

enum outcome_stop {
    OUTCOME_COUNT,   /* all steps executed */
    OUTCOME_ILLEGAL, /* pc is at an instruction that is none */
    OUTCOME_DATA,    /* ... at an access outside RAM, or an atomic one that is not aligned */
    OUTCOME_FETCH,   /* pc is outside RAM */
    OUTCOME_OTHER
};

typedef struct coverage {
    uint64_t executed[RV64_OP_COUNT];
    uint64_t stops[OUTCOME_OTHER + 1];
    uint64_t instructions;
} coverage;

/* By the hart of models/host_cpu. c may be NULL. */
void subject_run(const sequence *s, uint32_t steps, outcome *result, coverage *c);

typedef struct oracle oracle;
oracle *oracle_create(void); /* NULL = Unicorn has no RV64 */
void oracle_destroy(oracle *o);
void oracle_run(oracle *o, const sequence *s, uint32_t steps, outcome *result);

#endif
