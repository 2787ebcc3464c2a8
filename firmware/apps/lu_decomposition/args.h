/* SPDX-License-Identifier: MIT */
#ifndef LU_DECOMPOSITION_ARGS_H
#define LU_DECOMPOSITION_ARGS_H

#include "heddle_args.h"

enum { LU_TILE = 16 };

typedef struct lu_args {
    hd_device_ptr matrix; /* float[tiles * LU_TILE][tiles * LU_TILE] */
    uint32_t tiles;
    uint32_t step; /* tiles of the diagonal that are done */
} lu_args;
HD_ARGUMENT_BLOCK(lu_args, 12);

#endif
