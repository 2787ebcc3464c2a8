/* SPDX-License-Identifier: MIT */
/*
 * What a program gets besides its own functions: for each kernel a function of its name that a launch can enter, which loads the
 * arguments from the block and calls the kernel, and the record of kernel_format.h.
 */
#ifndef KERNELC_WRAPPER_H
#define KERNELC_WRAPPER_H

#include "kernels.h"
#include "text.h"

#define KERNEL_BODY ".body" /* what follows the name of a kernel in the name of the function that was its own */

/* The size of the local memory of a kernel's variables, a symbol that the linker script defines: this and the name. */
#define LOCAL_BYTES "heddle.local_bytes."

void wrapper_add(hd_text *program, const ir_kernels *kernels);

#endif
