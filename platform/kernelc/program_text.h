/* SPDX-License-Identifier: MIT */
/* LLVM's text of a program in OpenCL C, as clang has written it, becomes that of a program for Heddle. */
#ifndef KERNELC_PROGRAM_TEXT_H
#define KERNELC_PROGRAM_TEXT_H

#include "kernels.h"
#include "text.h"

/* made is to be freed. 0, or -1 and one line in error. kernels are in the arena. */
int program_text(arena *memory, const char *text, size_t bytes, ir_kernels *kernels, char **made, char *error,
                 size_t error_bytes);

/* The user's assembly number i, counted from 1, has this node of metadata and i as that of its place. The value of the node is i, which is what
 * the code generator says of it. */
#define ASSEMBLY_NODE 200000000u

/* Where the assembler puts a kernel's variables in local memory: this and its name. */
#define LOCAL_SECTION ".bss.local."

#endif
