/* SPDX-License-Identifier: MIT */
#ifndef XORSHIFT_ARGS_H
#define XORSHIFT_ARGS_H

#include "heddle_args.h"

typedef struct xorshift_args {
    hd_device_ptr state; /* uint32_t[threads]: seeds, replaced by the states after `steps` steps */
    uint32_t steps;      /* >= 1 */
    uint32_t threads;
} xorshift_args;
HD_ARGUMENT_BLOCK(xorshift_args, 12);

/* Marsaglia's 32-bit generator, period 2^32 - 1; 0 stays 0. */
static inline uint32_t xorshift_step(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

#endif
