/* SPDX-License-Identifier: MIT */
/* printf of OpenCL C and CUDA: the instruction that prints (firmware/include/simt_print.h), with its arguments in registers. */
#ifndef KERNELC_PRINTS_H
#define KERNELC_PRINTS_H

#include "ir_text.h"
#include "text.h"

typedef struct ir_prints {
    arena *memory;
    ir_piece program; /* in which the texts are defined */
    uint32_t count;
    hd_text constants; /* definitions of texts that had to change */
} ir_prints;

/* Is the line of LLVM's text a call of it? */
int prints_is_call(ir_piece line);
/* Adds what the call becomes. 0, or -1 and one line in error: there are too many values, or one is none that can be printed. */
int prints_add(ir_prints *prints, hd_text *out, ir_piece line, char *error, size_t error_bytes);

#endif
