/* SPDX-License-Identifier: MIT */
/*
 * Decoded instructions of RV32IMAF_Zicsr, amocas.w and Xheddle (docs/isa.md).
 *
 * isa_operations.def is the one table of operations; decode, disassembly, execution and the document follow it.
 * A decoded instruction is a pure function of its 32-bit word, except the flags below that say so: those are filled when a
 * program is loaded (program.h). What an analysis knows of it is in the program's tables (analysis.h).
 */
#ifndef ISA_INSTRUCTION_H
#define ISA_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum isa_operation {
#define ISA_OPERATION(name, mnemonic, class, form, match, mask, access_bytes) ISA_OP_##name,
#include "isa_operations.def"
#undef ISA_OPERATION
    ISA_OP_ILLEGAL, /* no operation has this word */
    ISA_OP_COUNT
};

/* What kind of work it is: chooses the functional unit and the latency. */
enum isa_class {
    ISA_CLASS_INT, /* integer arithmetic comes first: isa_execute_run compares */
    ISA_CLASS_MUL,
    ISA_CLASS_DIV,
    ISA_CLASS_FP,
    ISA_CLASS_FP_FMA,
    ISA_CLASS_FP_DIV,  /* division and square root */
    ISA_CLASS_SPECIAL, /* approximations of the special function unit */
    ISA_CLASS_BRANCH,  /* conditional */
    ISA_CLASS_JUMP,    /* jal */
    ISA_CLASS_JUMP_REGISTER,
    ISA_CLASS_LOAD,
    ISA_CLASS_STORE,
    ISA_CLASS_ATOMIC, /* amo, lr, sc, amocas */
    ISA_CLASS_FENCE,
    ISA_CLASS_CSR,
    ISA_CLASS_CROSS_LANE, /* vote, shuffle */
    ISA_CLASS_BARRIER,
    ISA_CLASS_WARP_SYNC,
    ISA_CLASS_TRANSACTION,
    ISA_CLASS_HINT,
    ISA_CLASS_PRINT,
    ISA_CLASS_SYSTEM, /* ecall, ebreak, assert.fail */
    ISA_CLASS_ILLEGAL,
    ISA_CLASS_COUNT
};

/* What a transaction is on: immediates of tx.begin. */
#define ISA_TX_GLOBAL 1u
#define ISA_TX_SCRATCHPAD 2u

#define ISA_REGISTER_COUNT 64u /* 0..31 = x0..x31, 32..63 = f0..f31 */
#define ISA_NO_REGISTER 0xFFu
#define ISA_OPERANDS_READ 3u /* at most */
#define ISA_OPERANDS_WRITES 4u
#define ISA_OPERANDS_COUNT 8u
#define ISA_PRINT_TEXT 10u /* a0: address of the text of print and assert.fail; arguments of print follow, a1 to a7 */

/* Flags */
#define ISA_FLAG_ACQUIRE 0x01u       /* atomics: aq */
#define ISA_FLAG_RELEASE 0x02u       /* atomics: rl */
#define ISA_FLAG_FENCE_R 0x04u       /* fence: R is among the successors */
#define ISA_FLAG_CALL 0x08u          /* jal, jalr: writes a link register (x1, x5): call depth + 1 */
#define ISA_FLAG_RETURN 0x10u        /* jalr x0 through a link register: call depth - 1 */
#define ISA_FLAG_LOAD_UNCACHED 0x20u /* lw.cg: past the L1 */
#define ISA_FLAG_RECOVERED 0x40u     /* jalr whose one target is known (auipc+jalr); filled at load */
#define ISA_FLAG_LOAD_RELAXED 0x80u  /* load of what others may be writing, as the source says; filled at load */
#define ISA_FLAG_LOCK 0x100u /* atomic or store that takes or frees a lock, as the source says; filled at load */
#define ISA_FLAG_RESERVED 0x200u /* between an lr.w and its sc.w, or that sc.w (reservations.h); filled at load */
#define ISA_FLAG_LOAD_READ_ONLY 0x400u /* lw.nc, flw.nc: of what nobody writes while the grid runs */
/* What sections of the file say of accesses. */
#define ISA_FLAGS_MARKED (ISA_FLAG_LOAD_RELAXED | ISA_FLAG_LOCK)

#define ISA_RECONVERGE_AT_RETURN UINT32_C(0xFFFFFFFF)

typedef struct isa_instruction {
    uint16_t operation;        /* enum isa_operation */
    uint8_t instruction_class; /* enum isa_class */
    uint8_t rd;                /* registers as numbered above; ISA_NO_REGISTER = the form has none. May be 0 (x0) */
    uint8_t rs1;
    uint8_t rs2;
    uint8_t rs3;
    uint8_t rounding_mode; /* ISA_ROUND_*, where the form has one */
    uint16_t flags;        /* ISA_FLAG_* */
    uint8_t access_bytes;  /* memory: 1, 2, 4; else 0 */
    uint8_t operands;      /* how many isa_operands_read has, and ISA_OPERANDS_WRITES if it writes one */
    /* Immediate, sign-extended; of lui and auipc shifted into place; of csr*: the CSR number; the shift amount; of print:
     * how many arguments. The 5-bit immediate of csr*i is in rs1 (not a register: see reads). */
    int32_t immediate;
    uint32_t word;
    /* Register sets, bit = number, never x0. amocas.w reads its rd. fcsr is not in them. */
    uint64_t reads;
    uint64_t writes;
} isa_instruction;

/* The registers that an instruction reads from their banks, a bit each. What a print shows moves through no bank. */
static inline uint64_t isa_operands_read(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_PRINT ? 0 : instruction->reads;
}

/* Rounding modes, as in fcsr and in instruction words. */
#define ISA_ROUND_NEAREST_EVEN 0u
#define ISA_ROUND_TO_ZERO 1u
#define ISA_ROUND_DOWN 2u
#define ISA_ROUND_UP 3u
#define ISA_ROUND_NEAREST_MAX 4u /* ties away from zero */
#define ISA_ROUND_DYNAMIC 7u     /* the mode in the lane's fcsr */

/* Exception flags, as in fcsr[4:0]; the rounding mode is fcsr[7:5]. */
#define ISA_FLOAT_INEXACT 0x01u
#define ISA_FLOAT_UNDERFLOW 0x02u
#define ISA_FLOAT_OVERFLOW 0x04u
#define ISA_FLOAT_DIVIDE_BY_ZERO 0x08u
#define ISA_FLOAT_INVALID 0x10u

/* Where there is none: of operation ISA_OP_COUNT. */
extern const isa_instruction isa_no_instruction;

/* A word that encodes nothing becomes ISA_OP_ILLEGAL of ISA_CLASS_ILLEGAL, with its word kept. */
isa_instruction isa_decode(uint32_t word);

/* "amoadd.w"; of an operation that does not exist "illegal". */
const char *isa_mnemonic(uint32_t operation);

/* "int", "fp_fma", ...: the class as it is named in statistics. */
const char *isa_class_name(uint32_t instruction_class);

/* "a0", "ft3"; of ISA_NO_REGISTER "-". */
const char *isa_register_name(uint32_t number);

/* "addi a0, a1, -4": as snprintf, the length it would have. pc resolves branch targets. */
int isa_disassemble(const isa_instruction *instruction, uint32_t pc, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
