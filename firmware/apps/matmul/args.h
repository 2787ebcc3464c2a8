/* SPDX-License-Identifier: MIT */
#ifndef MATMUL_ARGS_H
#define MATMUL_ARGS_H

#include "heddle_args.h"

#define MATMUL_TILE 16 /* a block is MATMUL_TILE x MATMUL_TILE threads */

/* Square, row by row: float[n * n]. */
typedef struct matmul_args {
    hd_device_ptr a, b, c;
    uint32_t n; /* a multiple of MATMUL_TILE */
} matmul_args;
HD_ARGUMENT_BLOCK(matmul_args, 16);

#endif
