/* SPDX-License-Identifier: MIT */
#ifndef SMEM_LATE_ARGS_H
#define SMEM_LATE_ARGS_H

#include "heddle_args.h"

typedef struct smem_late_args {
    hd_device_ptr results; /* uint32_t[threads of the grid] */
    uint32_t rounds;
    uint32_t late;
    uint32_t words; /* of the block's scratchpad */
} smem_late_args;
HD_ARGUMENT_BLOCK(smem_late_args, 16);

static inline uint32_t smem_late_steps(uint32_t state, uint32_t count)
{
    while (count-- > 0)
        state = state * 1664525u + 1013904223u;
    return state;
}

#endif
