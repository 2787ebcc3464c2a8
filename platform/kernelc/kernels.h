/* SPDX-License-Identifier: MIT */
/* The kernels of a program, read from LLVM's text of it, retargeted. */
#ifndef KERNELC_KERNELS_H
#define KERNELC_KERNELS_H

#include "ir_text.h"
#include "kernelc.h"

typedef struct ir_parameter {
    const char *type;        /* LLVM's; of a struct that is passed by value, the struct's */
    int is_by_value;         /* a pointer to it is passed */
    kernelc_argument record; /* what is said of it; names are in the arena */
} ir_parameter;

typedef struct ir_kernel {
    const char *name;  /* of its function */
    const char *entry; /* by which a launch names it; in CUDA as the source has it, "add<float>" */
    const char *attributes;
    const char *subprogram; /* LLVM's node of it, "distinct !DISubprogram(...)"; NULL: none */
    const char *file;       /* of the source; "" */
    uint32_t line;          /* 0: not known */
    uint32_t group_size[3];
    uint32_t block_bytes;
    uint32_t parameter_count;
    ir_parameter *parameters;
} ir_kernel;

typedef struct ir_kernels {
    uint32_t count;
    ir_kernel *kernels;
} ir_kernels;

/* 0, or -1 and one line in error, which says where and why: a kernel has an argument that cannot be passed. */
int ir_kernels_of(arena *memory, ir_piece program, int is_cuda, ir_kernels *kernels, char *error, size_t error_bytes);

#endif
