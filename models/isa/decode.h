/* SPDX-License-Identifier: MIT */
/* The rows of isa_operations.def as data, for decode, disassembly and the tests of the table. */
#ifndef ISA_DECODE_H
#define ISA_DECODE_H

#include "instruction.h"

/* Which fields of the word are operands. Integer forms, then system and atomic ones, then float ones. */
enum isa_form {
    ISA_FORM_NONE,       /* no operands */
    ISA_FORM_NUMBER,     /* imm[11:0], unsigned */
    ISA_FORM_FENCE,      /* fm, predecessors, successors */
    ISA_FORM_R,          /* rd, rs1, rs2 */
    ISA_FORM_I,          /* rd, rs1, imm */
    ISA_FORM_SHIFT,      /* rd, rs1, shamt */
    ISA_FORM_SHIFT_LONG, /* the same with six bits of it (rv64.h) */
    ISA_FORM_U,          /* rd, imm[31:12] */
    ISA_FORM_J,          /* rd, target */
    ISA_FORM_JALR,       /* rd, imm(rs1) */
    ISA_FORM_B,          /* rs1, rs2, target */
    ISA_FORM_LOAD,       /* rd, imm(rs1) */
    ISA_FORM_STORE,      /* rs2, imm(rs1) */
    ISA_FORM_VOTE,       /* rd, rs1; rs2 is not looked at */
    ISA_FORM_PRINT,      /* number of arguments; reads a0 and as many registers after it */
    ISA_FORM_TEXT,       /* a0 */
    ISA_FORM_CSR,        /* rd, csr, rs1 */
    ISA_FORM_CSR_IMMEDIATE,
    ISA_FORM_AMO, /* rd, rs2, (rs1) */
    ISA_FORM_LOAD_RESERVED,
    ISA_FORM_COMPARE_AND_SWAP, /* as AMO; rd is read too */
    ISA_FORM_LOAD_FLOAT,
    ISA_FORM_STORE_FLOAT,
    ISA_FORM_FLOAT_FUSED,      /* fd, fs1, fs2, fs3, rm */
    ISA_FORM_FLOAT_ROUNDED,    /* fd, fs1, fs2, rm */
    ISA_FORM_FLOAT,            /* fd, fs1, fs2 */
    ISA_FORM_FLOAT_UNARY,      /* fd, fs1, rm */
    ISA_FORM_FLOAT_SPECIAL,    /* fd, fs1 */
    ISA_FORM_FLOAT_COMPARE,    /* rd, fs1, fs2 */
    ISA_FORM_FLOAT_TO_INTEGER, /* rd, fs1, rm */
    ISA_FORM_INTEGER_TO_FLOAT, /* fd, rs1, rm */
    ISA_FORM_FLOAT_MOVE_OUT,   /* rd, fs1 */
    ISA_FORM_FLOAT_MOVE_IN,    /* fd, rs1 */
};

typedef struct isa_encoding {
    const char *mnemonic;
    uint32_t match;
    uint32_t mask;
    uint8_t instruction_class;
    uint8_t form; /* enum isa_form */
    uint8_t access_bytes;
} isa_encoding;

extern const isa_encoding isa_encodings[ISA_OP_ILLEGAL]; /* by enum isa_operation */

/* What this row makes of a word that matches it, as this operation; isa_illegal if its form refuses the fields. */
isa_instruction isa_decode_row(const isa_encoding *row, uint16_t operation, uint32_t word);

isa_instruction isa_illegal(uint32_t word);

#endif
