/* SPDX-License-Identifier: MIT */
#ifndef SRAD_ARGS_H
#define SRAD_ARGS_H

#include "heddle_args.h"

#define SRAD_TILE 16u
#define SRAD_RATE 0.125f /* a quarter of the step in time */

typedef struct srad_args {
    hd_device_ptr image;        /* float[size][size] */
    hd_device_ptr result;       /* float[size][size] */
    hd_device_ptr coefficients; /* float[size][size]: how much flows */
    uint32_t size;
    float speckle; /* of an even part of the image: squared variation */
} srad_args;
HD_ARGUMENT_BLOCK(srad_args, 20);

/* A pixel and its neighbours: up, down, left, right; at the border the pixel itself. */
typedef struct srad_cross {
    float centre, side[4];
} srad_cross;

/* Yu and Acton 2002, equations 31 and 32: near 1 in even parts, near 0 at edges. */
static inline float srad_coefficient(srad_cross at, float speckle)
{
    float square = 0, sum = 0;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < 4; i++) {
        const float change = at.side[i] - at.centre;
        square = square + change * change;
        sum = sum + change;
    }
    const float gradient = square / (at.centre * at.centre), laplacian = sum / at.centre;
    const float mean = 1 + 0.25f * laplacian;
    const float variation = (0.5f * gradient - 0.0625f * (laplacian * laplacian)) / (mean * mean);
    const float coefficient = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
    return coefficient < 0 ? 0 : coefficient > 1 ? 1 : coefficient;
}

/* The pixel, when as much has flowed as the coefficients at it, below it and right of it allow. */
static inline float srad_diffused(srad_cross at, float own, float below, float right)
{
    const float flow = own * (at.side[0] - at.centre) + below * (at.side[1] - at.centre) +
                       own * (at.side[2] - at.centre) + right * (at.side[3] - at.centre);
    return at.centre + SRAD_RATE * flow;
}

#endif
