/* SPDX-License-Identifier: MIT */
/* From a program in some language to LLVM's text of it. */
#ifndef KERNELC_FRONT_ENDS_H
#define KERNELC_FRONT_ENDS_H

#include "stages.h"

#define FILE_PROGRAM "program.ll" /* the text, in the folder */

kernelc_outcome front_end_run(compilation *c);

/* The text of a program in CUDA that also says where its variables stand; empty: there is none. */
ir_piece front_end_describe(compilation *c);

#endif
