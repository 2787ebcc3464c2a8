/* SPDX-License-Identifier: MIT */
/* Instruction words, warps and ELF files for the tests of models/isa. */
#ifndef TEST_ISA_ASSEMBLE_H
#define TEST_ISA_ASSEMBLE_H

#include "decode.h"
#include "lanes.h"
#include "program.h"

#define TEXT UINT32_C(0x10000000) /* where the tests put code */

/* Operands of a word; registers 0..31 of whichever kind the form has. */
typedef struct word_fields {
    uint32_t rd, rs1, rs2, rs3;
    int32_t immediate; /* in bytes where the form has a target; the upper 20 bits of lui and auipc; the CSR number */
    uint32_t rounding;
} word_fields;

uint32_t encode(enum isa_operation operation, word_fields fields);
#define WORD(operation, ...) encode(ISA_OP_##operation, (word_fields){__VA_ARGS__})

/* Common words */
#define RETURN_WORD WORD(JALR, .rs1 = 1)
#define NOP_WORD WORD(ADDI, .rd = 0)
#define BRANCH_WORD(bytes) WORD(BEQ, .rs1 = 10, .rs2 = 11, .immediate = (bytes))
#define JUMP_WORD(bytes) WORD(JAL, .immediate = (bytes))
#define CALL_WORD(bytes) WORD(JAL, .rd = 1, .immediate = (bytes))

/* A warp whose registers hold a pattern that tells register and lane. */
typedef struct warp {
    isa_lanes lanes;
    uint32_t registers[ISA_REGISTER_COUNT * ISA_MAX_LANES];
    uint8_t fcsr[ISA_MAX_LANES];
} warp;

void warp_init(warp *w, uint32_t lanes);
uint32_t *warp_register(warp *w, uint32_t number, uint32_t lane);
uint32_t warp_pattern(uint32_t number, uint32_t lane);
void warp_set(warp *w, uint32_t number, uint32_t value); /* in all lanes */

/* Programs from words at TEXT. Functions: name and word index. */
typedef struct test_function {
    const char *name;
    uint32_t word;
} test_function;

/* An ELF file with one code segment and symbols for the functions; *bytes = its size. Caller frees. */
uint8_t *make_elf(const uint32_t *words, uint32_t count, const test_function *functions, uint32_t function_count,
                  size_t *bytes);

/* A section with a name, to be put into a file beside the code. */
typedef struct test_section {
    const char *name;
    const void *data;
    uint32_t bytes;
} test_section;

/* Puts sections into a file of make_elf, which it takes and may move. */
uint8_t *add_sections(uint8_t *file, size_t *bytes, const test_section *sections, uint32_t count);

/* Loaded; the test fails if it cannot be. The first function is at word 0 and named "kernel". */
isa_program *load_words(const uint32_t *words, uint32_t count);
isa_program *load_functions(const uint32_t *words, uint32_t count, const test_function *functions,
                            uint32_t function_count);

/* The error of loading these words; the test fails if there is none. */
const char *error_of_words(const uint32_t *words, uint32_t count);

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* xorshift64*: the tests' random numbers */
uint64_t next_random(uint64_t *state);

#endif
