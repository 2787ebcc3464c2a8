/* SPDX-License-Identifier: MIT */
/*
 * LLVM's text for SPIR, as clang writes it for OpenCL C, becomes text for a 32-bit RISC-V. Code for RISC-V at once would pass vectors
 * by address, which the built-in library does not.
 */
#ifndef KERNELC_RETARGET_H
#define KERNELC_RETARGET_H

#include <stddef.h>

/* All address spaces are one, and functions are called as C calls them, except that kernels are still marked spir_kernel. To be freed;
 * NULL: no memory. */
char *ir_retarget(const char *text, size_t bytes);

#endif
