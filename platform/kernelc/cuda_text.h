/* SPDX-License-Identifier: MIT */
/* LLVM's text of a program in CUDA becomes what clang would have written of the same program in OpenCL C. */
#ifndef KERNELC_CUDA_TEXT_H
#define KERNELC_CUDA_TEXT_H

#include "cuda_program.h"

/* Variables that several kernels use are of this kernel, which there is not. */
#define CUDA_COMMON_KERNEL "heddle.shared"
/* The symbol of all variables whose size the launch says. */
#define CUDA_DYNAMIC "heddle.dynamic"

/* To be freed. */
char *cuda_text(const cuda_program *program, ir_piece text);

#endif
