/* SPDX-License-Identifier: MIT */
#ifndef COULOMB_ARGS_H
#define COULOMB_ARGS_H

#include "common/inverse_root.h"
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

/* Of all charges at a point, in their order. No product is fused with the sum behind it. */
static inline float coulomb_potential(const coulomb_charge *charges, uint32_t count, uint32_t column, uint32_t row)
{
    float sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)column - charges[i].x, y = (float)row - charges[i].y;
        float square = x * x + y * y;
        sum += charges[i].charge * inverse_root(square + charges[i].z_squared);
    }
    return sum;
}

#endif
