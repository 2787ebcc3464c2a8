/* SPDX-License-Identifier: MIT */
/*
 * What `print` and `assert.fail` say (docs/isa.md): a0 is the address of a text among the program's constants, a1 to a7
 * are arguments, as many as the instruction says. Conversions are those of printf in C: d i u o x X c s p a A e E f F g G
 * and %%, with flags, width and precision of up to three digits, without * and n; h, hh, l, j, z and t are of 32 bits, ll
 * of 64: two arguments, the lower half first.
 * Floats are single precision bits; the text of %s stands among the constants too; %c of 0 is an empty text.
 */
#ifndef ISA_PRINT_H
#define ISA_PRINT_H

#include "lanes.h"
#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The text at this address, NUL-terminated, inside what the program cannot write; NULL if there is none. */
const char *isa_program_text(const isa_program *program, uint32_t address);

/*
 * The text that this lane prints, cut to bytes - 1, without its last newline. Returns nonzero if it makes no sense;
 * text then says why: the format is no constant text, a conversion is unknown or has no argument.
 */
int isa_print(const isa_program *program, const isa_instruction *instruction, const isa_lanes *lanes, uint32_t lane,
              char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
