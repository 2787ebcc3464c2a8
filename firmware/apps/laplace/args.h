/* SPDX-License-Identifier: MIT */
#ifndef LAPLACE_ARGS_H
#define LAPLACE_ARGS_H

#include "heddle_args.h"

enum { LAPLACE_BLOCK_X = 32, LAPLACE_BLOCK_Y = 4 };

typedef struct laplace_args {
    hd_device_ptr from; /* float[layers][rows][columns] */
    hd_device_ptr to;
    uint32_t columns, rows, layers;
} laplace_args;
HD_ARGUMENT_BLOCK(laplace_args, 20);

/* Mean of the six neighbours, in this order. */
static inline float laplace_mean(float left, float right, float up, float down, float below, float above)
{
    return (left + right + up + down + below + above) * (1.0f / 6);
}

#endif
