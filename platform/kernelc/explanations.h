/* SPDX-License-Identifier: MIT */
/* What programs of LLVM say of the user's program, with the place in the user's source. */
#ifndef KERNELC_EXPLANATIONS_H
#define KERNELC_EXPLANATIONS_H

#include "program.h"
#include "stages.h"

/* What the linker says of what is nowhere, by the names of the source and by those of the linker, and the code generator of assembly in the
 * source, into the log. 0: they speak of something else. */
int explain_undefined(compilation *c, const char *said, const char *of_symbols);
int explain_assembly(compilation *c, const char *said);

/* That the value of a struct variable in CUDA has an address in it. */
void explain_variable(compilation *c, ir_piece name);

/* Warns of barriers that only some work-items of a group come to. 0; -1: out of memory. */
int explain_barriers(compilation *c, const isa_program *program);

#endif
