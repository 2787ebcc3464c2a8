/* SPDX-License-Identifier: MIT */
#ifndef COULOMB_ARGS_H
#define COULOMB_ARGS_H

#include "heddle_args.h"

enum { COULOMB_BLOCK_X = 16, COULOMB_BLOCK_Y = 8 };

typedef struct coulomb_charge {
    float x, y, z_squared, charge;
} coulomb_charge;

typedef struct coulomb_args {
    hd_device_ptr charges;    /* coulomb_charge[count] */
    hd_device_ptr potentials; /* float[rows][columns] */
    uint32_t count, columns, rows;
} coulomb_args;
HD_ARGUMENT_BLOCK(coulomb_args, 20);

/* 1 / sqrt(square) by Newton's method, to a few units in the last place: kernels have no mathematical library. */
static inline float coulomb_inverse_root(float square)
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

/* Of all charges at a point, in their order. No product is fused with the sum behind it. */
static inline float coulomb_potential(const coulomb_charge *charges, uint32_t count, uint32_t column, uint32_t row)
{
    float sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)column - charges[i].x, y = (float)row - charges[i].y;
        float square = x * x + y * y;
        sum += charges[i].charge * coulomb_inverse_root(square + charges[i].z_squared);
    }
    return sum;
}

#endif
