/* SPDX-License-Identifier: MIT */
/* For kernels and their references, which have no mathematical library. */
#ifndef INVERSE_ROOT_H
#define INVERSE_ROOT_H

#include <stdint.h>

/* 1 / sqrt(square) by Newton's method, to a few units in the last place. */
static inline float inverse_root(float square)
{
    union {
        float value;
        uint32_t bits;
    } root = {.value = square};
    root.bits = 0x5f3759df - (root.bits >> 1);
    for (uint32_t step = 0; step < 3; step++)
        root.value *= 1.5f - 0.5f * square * root.value * root.value;
    return root.value;
}

#endif
