/* SPDX-License-Identifier: MIT */
/*
 * Where values of registers come from and where they go: definitions that reach a use, and uses that a definition reaches.
 *
 * It follows a thread at one call depth, from instruction to instruction (isa_successors). A call is one instruction that uses
 * its callee's arguments and defines all that the RISC-V calling convention lets it change; whether the callee does is not
 * looked at. A return uses results and what a callee has to keep; so does a jump whose target is not known, which uses
 * arguments too, as it may be a tail call. x0 and fcsr are in nothing.
 */
#ifndef ISA_DEFINITIONS_H
#define ISA_DEFINITIONS_H

#include "analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "definitions" and "uses", of code that can be reached. Their values are for the two functions below. */
extern const isa_analysis isa_definitions;
extern const isa_analysis isa_uses;

/* Registers that the instruction may change, and that it may read, as sets: isa_instruction.writes and reads, and of calls and
 * returns what is said above. */
uint64_t isa_changes(const isa_instruction *instruction);
uint64_t isa_needs(const isa_instruction *instruction);

typedef struct isa_places {
    const uint32_t *pcs; /* ascending; the program's */
    uint32_t count;
    uint32_t is_open; /* of definitions 1: the value may also be there when the function is entered; of uses always 0 */
} isa_places;

/* The program has the table. Where the value of the register may have been made that the instruction at pc needs; nothing if it
 * needs none, or cannot be reached. */
isa_places isa_definitions_of(const isa_program *program, uint32_t pc, uint32_t register_number);

/* Likewise: where the value of the register may be needed that the instruction at pc makes. None: nobody needs it. */
isa_places isa_uses_of(const isa_program *program, uint32_t pc, uint32_t register_number);

#ifdef __cplusplus
}
#endif

#endif
