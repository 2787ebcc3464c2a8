/* SPDX-License-Identifier: MIT */
/* Directed vectors: what an operation makes of its operands. test_coverage.c counts the operations in them. */
#ifndef TEST_ISA_VECTORS_H
#define TEST_ISA_VECTORS_H

#include <stdint.h>

/* Integer operations: operands a (rs1), b (rs2 or immediate), result. */
typedef struct integer_vector {
    uint16_t operation;
    uint32_t a;
    uint32_t b;
    uint32_t result;
} integer_vector;
extern const integer_vector integer_vectors[];
extern const uint32_t integer_vector_count;

/* Branches: result 1 = taken. */
extern const integer_vector branch_vectors[];
extern const uint32_t branch_vector_count;

/* Floats: operands a, b, c as bits (of an integer where the operation takes one), rounding mode, result, flags. */
typedef struct float_vector {
    uint16_t operation;
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t mode;
    uint32_t result;
    uint32_t flags;
} float_vector;
extern const float_vector float_vectors[];
extern const uint32_t float_vector_count;

/* Everything else: a word as an assembler writes it, and how it is shown. */
typedef struct word_vector {
    uint16_t operation;
    uint32_t word;
    const char *text; /* at pc 0x10000000 */
} word_vector;
extern const word_vector word_vectors[];
extern const uint32_t word_vector_count;

#endif
