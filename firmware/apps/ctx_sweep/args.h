/* SPDX-License-Identifier: MIT */
#ifndef CTX_SWEEP_ARGS_H
#define CTX_SWEEP_ARGS_H

#include "heddle_args.h"

typedef struct ctx_sweep_args {
    hd_device_ptr results; /* uint32_t[threads of the grid] */
    uint32_t rounds;
    uint32_t words; /* of the block's scratchpad */
} ctx_sweep_args;
HD_ARGUMENT_BLOCK(ctx_sweep_args, 12);

static inline uint32_t ctx_sweep_step(uint32_t state)
{
    return state * 1664525u + 1013904223u;
}

/* What the block's scratchpad holds at a word. */
static inline uint32_t ctx_sweep_word(uint32_t block, uint32_t at)
{
    return ctx_sweep_step(block * 977u + at);
}

#endif
