/* SPDX-License-Identifier: MIT */
#ifndef SMEM_TILE_ARGS_H
#define SMEM_TILE_ARGS_H

#include "heddle_args.h"

typedef struct smem_tile_args {
    hd_device_ptr first, second; /* uint32_t[blocks][steps][words] */
    hd_device_ptr results;       /* uint32_t[blocks][words] */
    uint32_t words;
    uint32_t rounds;
    uint32_t updates;
    uint32_t steps;
    uint32_t adds_unwritten;
} smem_tile_args;
HD_ARGUMENT_BLOCK(smem_tile_args, 32);

static inline uint32_t smem_tile_next(uint32_t own, uint32_t first, uint32_t second)
{
    return own * 3 + (first ^ second >> 1);
}

#endif
