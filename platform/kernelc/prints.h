/* SPDX-License-Identifier: MIT */
/* printf of OpenCL C: the instruction that prints (firmware/include/simt_print.h), with its arguments in registers. */
#ifndef KERNELC_PRINTS_H
#define KERNELC_PRINTS_H

#include "ir_text.h"
#include "text.h"

/* Is the line of LLVM's text a call of it? */
int prints_is_call(ir_piece line);
/* Adds what the call becomes. number: of this one among all. 0, or -1 and one line in error: there are too many arguments, or they are
 * too large. */
int prints_add(arena *memory, hd_text *program, ir_piece line, uint32_t number, char *error, size_t error_bytes);

#endif
