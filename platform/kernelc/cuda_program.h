/* SPDX-License-Identifier: MIT */
/* What is in LLVM's text of a program in CUDA, as clang writes it for NVIDIA's devices: kernels, and whose its __shared__ variables are. */
#ifndef KERNELC_CUDA_PROGRAM_H
#define KERNELC_CUDA_PROGRAM_H

#include "ir_text.h"

/* A variable in the memory of a block. */
typedef struct cuda_shared {
    ir_piece name;
    int is_dynamic; /* extern: it begins behind all others, and the launch says how large it is */
    uint32_t users; /* kernels that reach it */
    ir_piece user;  /* the only one, if there is one */
} cuda_shared;

typedef struct cuda_function {
    ir_piece name;
    int is_kernel;
    ir_list references; /* names in its body */
    uint32_t seen_by;   /* the kernel from which it has been reached last, counted from 1 */
} cuda_function;

typedef struct cuda_program {
    cuda_function *functions;
    uint32_t function_count;
    cuda_shared *shared;
    uint32_t shared_count;
    ir_list variables;       /* of the device, that the host can name; without @ */
    ir_list dynamic_kernels; /* that reach a variable of dynamic size; without @ */
} cuda_program;

/* All names have their @, but where it says otherwise. */
cuda_program cuda_program_of(arena *memory, ir_piece text);

const cuda_shared *cuda_shared_named(const cuda_program *program, ir_piece name);
int cuda_is_kernel(const cuda_program *program, ir_piece name);

#endif
