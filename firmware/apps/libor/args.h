/* SPDX-License-Identifier: MIT */
#ifndef LIBOR_ARGS_H
#define LIBOR_ARGS_H

#include "heddle_args.h"

enum { LIBOR_TENOR = 4 }; /* a swaption each so many maturities */

#define LIBOR_INTERVAL 0.25f /* years between two maturities */
#define LIBOR_INTERVAL_ROOT 0.5f
#define LIBOR_STRIKE 0.05f

typedef struct libor_args {
    hd_device_ptr volatilities; /* float[maturities], by maturities ahead */
    hd_device_ptr rates;        /* float[maturities][paths]: at first those of today */
    hd_device_ptr values;       /* float[paths]: of the portfolio, discounted */
    uint32_t paths, maturities, steps;
    uint32_t seed;
} libor_args;
HD_ARGUMENT_BLOCK(libor_args, 28);

/* e^x for small x, by its series: kernels have no mathematical library. */
static inline float libor_exponential(float x)
{
    return 1 + x * (1 + x * 0.5f * (1 + x * 0.33333334f * (1 + x * 0.25f)));
}

/* The next number of a path, in -1 .. 1. Its state is not 0. */
static inline float libor_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (float)(int32_t)*state * 0x1p-31f;
}

#endif
