/* SPDX-License-Identifier: MIT */
/* One lane of a sequence executed by Unicorn. */
#ifndef TEST_ISA_ORACLE_ORACLE_H
#define TEST_ISA_ORACLE_ORACLE_H

#include "subject.h"

typedef struct oracle oracle;

typedef struct oracle_lane {
    uint32_t registers[ISA_REGISTER_COUNT];
    uint8_t fcsr;
    uint32_t pc;
    uint32_t stop;         /* enum stop */
    const uint8_t *memory; /* the data page; until the next run */
    const char *complaint; /* the oracle did something nobody expects; NULL = no */
} oracle_lane;

/* NULL = Unicorn has no RV32. */
oracle *oracle_create(void);
void oracle_destroy(oracle *o);

/* The code of the lanes to come. */
void oracle_load(oracle *o, const sequence *s);

/* At most `steps` (>= 1) instructions of one lane. */
void oracle_run(oracle *o, const sequence *s, uint32_t lane, uint32_t steps, oracle_lane *result);

/* Whether a word is an instruction. */
int oracle_accepts(oracle *o, uint32_t word);

#endif
