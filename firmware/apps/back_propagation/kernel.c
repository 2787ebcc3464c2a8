/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Threads of a block: the hidden unit in x, the input in y. */
SIMT_KERNEL(back_propagation_forward, const back_propagation_args *args)
{
    float(*products)[BACK_PROPAGATION_UNITS] = (float(*)[BACK_PROPAGATION_UNITS])simt_scratchpad;
    float *inputs = (float *)(products + BACK_PROPAGATION_UNITS);
    uint32_t unit = simt_thread_x(), own = simt_thread_y(), input = simt_block_x() * BACK_PROPAGATION_UNITS + own;
    if (unit == 0)
        inputs[own] = HD_POINTER(const float, args->inputs)[input];
    simt_barrier();
    products[own][unit] = inputs[own] * HD_POINTER(const float, args->weights)[input * BACK_PROPAGATION_UNITS + unit];
    simt_barrier();
#pragma GCC unroll 1
    for (uint32_t distance = 1; distance < BACK_PROPAGATION_UNITS; distance *= 2) {
        if (own % (2 * distance) == 0)
            products[own][unit] += products[own + distance][unit];
        simt_barrier();
    }
    if (own == 0)
        HD_POINTER(float, args->sums)[simt_block_x() * BACK_PROPAGATION_UNITS + unit] = products[0][unit];
}

SIMT_KERNEL(back_propagation_adjust, const back_propagation_args *args)
{
    uint32_t unit = simt_thread_x(), input = simt_block_x() * BACK_PROPAGATION_UNITS + simt_thread_y();
    uint32_t at = input * BACK_PROPAGATION_UNITS + unit;
    float *last = HD_POINTER(float, args->changes) + at;
    float slope = HD_POINTER(const float, args->errors)[unit] * HD_POINTER(const float, args->inputs)[input];
    float change = BACK_PROPAGATION_RATE * slope + BACK_PROPAGATION_MOMENTUM * *last;
    HD_POINTER(float, args->weights)[at] += change;
    *last = change;
}
