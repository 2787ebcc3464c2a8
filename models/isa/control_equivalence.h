/* SPDX-License-Identifier: MIT */
/*
 * Two instructions that all threads execute equally often, and in turns: whoever comes to the first goes on to the second, nobody comes to
 * the second but by the first, and no loop has one of them alone. Copies of a convergent operation that a compiler made by unrolling a loop
 * are such: threads part at neither, so they meet at both.
 */
#ifndef ISA_CONTROL_EQUIVALENCE_H
#define ISA_CONTROL_EQUIVALENCE_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a program whose reachable and returns are filled, in either order. 1 or 0; -1: out of memory. */
int isa_control_equivalent(const isa_program *program, uint32_t pc, uint32_t other_pc);

#ifdef __cplusplus
}
#endif

#endif
