/* SPDX-License-Identifier: MIT */
/*
 * Which backward branches repeat a loop that waits for other threads: by what the source says, or by what the code looks like. Both
 * are tables of a program, whose value is 1 for such a branch. A backward branch is a conditional branch, or a jump that is no call,
 * to its own pc or before; the loop of one is the code from there to itself.
 */
#ifndef ISA_SPIN_LOOPS_H
#define ISA_SPIN_LOOPS_H

#include "analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words: pcs, of each of which the smallest loop around it waits (firmware/include/simt_spin.h). */
#define ISA_SPIN_SECTION ".heddle.spin"

/* "spin_marked": those that the section says. Fails if it says what is in no loop. */
extern const isa_analysis isa_spin_marked;

/* "spin_static": those of the smallest loop around each access that may wait for others: an atomic swap, compare-and-swap or lr
 * whose result is used, or one of those to locks that have a name (synchronization.h). */
extern const isa_analysis isa_spin_static;

/* Is the instruction at pc such a branch? */
int isa_is_backward_branch(const isa_instruction *instruction);

#ifdef __cplusplus
}
#endif

#endif
