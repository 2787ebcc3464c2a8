/* SPDX-License-Identifier: MIT */
#ifndef THRASH_ARGS_H
#define THRASH_ARGS_H

#include "heddle_args.h"

typedef struct thrash_args {
    hd_device_ptr words;   /* uint32_t[blocks][word_count] */
    hd_device_ptr sums;    /* uint32_t[threads of the grid] */
    hd_device_ptr numbers; /* float[threads of the grid] */
    uint32_t word_count;
    uint32_t rounds;
    uint32_t float_steps;
    uint32_t scratchpad_words;
} thrash_args;
HD_ARGUMENT_BLOCK(thrash_args, 28);

static inline uint32_t thrash_add(uint32_t sum, uint32_t word)
{
    return (sum ^ word) * 5;
}

static inline float thrash_step(float number)
{
    return number * 0.75f + 0.5f;
}

#endif
