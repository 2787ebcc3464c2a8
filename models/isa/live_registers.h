/* SPDX-License-Identifier: MIT */
/*
 * Registers whose values may be needed yet: before and after each instruction, over the whole program.
 *
 * Calls are followed into their callee, and a return goes to behind any call of the program, or ends the thread: no calling convention
 * is relied on. After a call whose callee is not known, or a jump whose target is not, every register may be needed; so may it in a
 * program that a transform has put instructions into, and in code that no path leads to. x0 is never needed, fcsr is no register.
 */
#ifndef ISA_LIVE_REGISTERS_H
#define ISA_LIVE_REGISTERS_H

#include "analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISA_ALL_REGISTERS (~UINT64_C(1))

/* "live_registers", for the function below. */
extern const isa_analysis isa_live_registers;

typedef struct isa_live {
    uint64_t before, after; /* of the instruction: sets as in isa_instruction.reads */
} isa_live;

/* Values and lists of the table. */
isa_live isa_live_at(const isa_program *program, const uint32_t *values, const uint32_t *lists, uint32_t pc);

#ifdef __cplusplus
}
#endif

#endif
