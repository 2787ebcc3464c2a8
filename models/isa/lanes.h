/* SPDX-License-Identifier: MIT */
/*
 * Execution of one instruction on the lanes of a warp.
 *
 * All functions touch active lanes only (bit l of mask = lane l) and never write x0. They give the same bits with every
 * compiler and on every x86-64 or other IEEE host. Arithmetic is that of the RISC-V manual, volume I: exact IEEE single
 * precision in five rounding modes, flags accrued per lane, canonical NaN 0x7FC00000.
 */
#ifndef ISA_LANES_H
#define ISA_LANES_H

#include "instruction.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISA_MAX_LANES 64u

typedef struct isa_lanes {
    uint32_t *registers; /* [64][lanes]: registers[r * lanes + lane]; row 0 is always zero */
    uint8_t *fcsr;       /* [lanes]: frm in bits 7:5, fflags in 4:0 */
    uint32_t lanes;      /* 1..64 */
} isa_lanes;

/*
 * Integer, multiply, divide and float operations, lui, auipc, and the link value of jal and jalr. Other classes: nothing.
 * Returns the lanes whose dynamic rounding mode (frm) is reserved: the instruction is illegal there and not executed;
 * 0 for everything that does not round dynamically.
 */
uint64_t isa_execute(const isa_instruction *instruction, uint32_t pc, isa_lanes *lanes, uint64_t mask);

/*
 * The instructions first[0], first[1], ... at pc, pc + 4, ... as long as they are of ISA_CLASS_INT, MUL or DIV, at most
 * count of them. Returns how many it has executed: the same as isa_execute on each, without the way there and back.
 */
uint32_t isa_execute_run(const isa_instruction *first, uint32_t count, uint32_t pc, isa_lanes *lanes, uint64_t mask);

/* Conditional branches: the lanes of mask that take it. */
uint64_t isa_branch_taken(const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask);

/*
 * Effective addresses of loads, stores and atomics; targets of jalr (bit 0 cleared). address has lanes->lanes elements;
 * those of inactive lanes are left alone.
 */
void isa_addresses(const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask, uint32_t *address);

/* Register value of a load from the bytes it read, zero-extended. */
uint32_t isa_load_value(const isa_instruction *instruction, uint32_t raw);
/* The same for lanes, from raw[lane] into the destination of the load or atomic. raw has lanes->lanes elements. */
void isa_load_values(const isa_instruction *instruction, const uint32_t *raw, isa_lanes *lanes, uint64_t mask);

/* HD_ATOMIC_* (hd_message.h) of an operation of ISA_CLASS_ATOMIC. */
uint32_t isa_atomic_operation(const isa_instruction *instruction);

/* Votes and shuffles over the lanes of mask. A shuffle whose source is not in mask gives the reader's own value. */
void isa_cross_lane(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask);

/*
 * CSR instructions, lane by lane in ascending order. fflags, frm and fcsr are handled here; every other CSR through read
 * and write, which return nonzero if there is no such CSR. Returns nonzero if the instruction is illegal (no such CSR,
 * or a write to a read-only one); registers of lanes not yet reached are then unchanged. csrrw with rd = x0 does not
 * read; csrrs and csrrc with rs1 = x0 (or immediate 0) do not write.
 */
typedef int isa_csr_read(void *context, uint32_t csr, uint32_t lane, uint32_t *value);
typedef int isa_csr_write(void *context, uint32_t csr, uint32_t lane, uint32_t value);
int isa_csr(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask, isa_csr_read *read,
            isa_csr_write *write, void *context);

/* CSR numbers (docs/isa.md) */
#define ISA_CSR_FFLAGS 0x001u
#define ISA_CSR_FRM 0x002u
#define ISA_CSR_FCSR 0x003u
#define ISA_CSR_PIN_LEVEL 0x800u
#define ISA_CSR_CYCLE 0xC00u
#define ISA_CSR_TIME 0xC01u
#define ISA_CSR_INSTRET 0xC02u
#define ISA_CSR_CYCLE_HIGH 0xC80u
#define ISA_CSR_TIME_HIGH 0xC81u
#define ISA_CSR_INSTRET_HIGH 0xC82u
#define ISA_CSR_THREAD_X 0xCC0u /* thread index x, y, z: three numbers in a row, so too the next three */
#define ISA_CSR_BLOCK_X 0xCC3u
#define ISA_CSR_BLOCK_SIZE_X 0xCC6u
#define ISA_CSR_GRID_SIZE_X 0xCC9u
#define ISA_CSR_LANE 0xCCCu
#define ISA_CSR_WARP 0xCCDu
#define ISA_CSR_CORE 0xCCEu
#define ISA_CSR_TX_ATTEMPT 0xCD0u
#define ISA_CSR_TX_TIMESTAMP 0xCD1u

#ifdef __cplusplus
}
#endif

#endif
