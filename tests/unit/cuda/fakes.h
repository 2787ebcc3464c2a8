/* SPDX-License-Identifier: MIT */
/* In place of machine, streams and programs: calls are written down, and kernels are what a test says. */
#ifndef CUDA_FAKES_H
#define CUDA_FAKES_H

#include "runtime.h"

typedef struct fakes {
    char log[256]; /* "to 0x100 16; wait; " */
    kernelc_kernel kernel;
    uint8_t block[64]; /* arguments of the last launch */
    heddle_size size;  /* and its size */
    int is_in;         /* calls that have gone in and not out */
} fakes;

extern fakes fake;

/* A device as small as that of the tests, and nothing written down. */
void fakes_begin(void);

#endif
