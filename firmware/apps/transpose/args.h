/* SPDX-License-Identifier: MIT */
#ifndef TRANSPOSE_ARGS_H
#define TRANSPOSE_ARGS_H

#include "heddle_args.h"

#define TRANSPOSE_TILE 32 /* words in a row of a tile, and rows of a tile */
#define TRANSPOSE_ROWS 8  /* a block is TRANSPOSE_TILE x TRANSPOSE_ROWS threads */

/* Square, row by row: uint32_t[n * n]. */
typedef struct transpose_args {
    hd_device_ptr from, to;
    uint32_t n; /* a multiple of TRANSPOSE_TILE */
} transpose_args;
HD_ARGUMENT_BLOCK(transpose_args, 12);

#endif
