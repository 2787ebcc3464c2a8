/* SPDX-License-Identifier: MIT */
/* LLVM's text of a program in OpenCL C or CUDA, as clang has written it, becomes that of a program for Heddle. */
#ifndef KERNELC_PROGRAM_TEXT_H
#define KERNELC_PROGRAM_TEXT_H

#include "kernels.h"
#include "text.h"

/* What it is, beside its text; in the arena. */
typedef struct program_content {
    ir_kernels kernels;
    ir_list variables;       /* of CUDA, that the host can name */
    const char *locals;      /* names of variables in local memory, each behind a comma */
    ir_list dynamic_kernels; /* of CUDA, that have local memory of a size that the launch says; names of functions */
    ir_piece refused;        /* variable of CUDA, whose value cannot be had; empty: none */
} program_content;

/* made is to be freed. 0; or -1 and one line in error, or a variable that is refused. */
int program_text(arena *memory, ir_piece text, int is_cuda, program_content *content, char **made, char *error,
                 size_t error_bytes);

/* The user's assembly number i, counted from 1, has this node of metadata and i as that of its place. The value of the node is i, which is what
 * the code generator says of it. */
#define ASSEMBLY_NODE 200000000u

/* Where the assembler puts a kernel's variables in local memory: this and its name. */
#define LOCAL_SECTION ".bss.local."

#endif
