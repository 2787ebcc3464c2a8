/* SPDX-License-Identifier: MIT */
#ifndef MANDELBROT_ARGS_H
#define MANDELBROT_ARGS_H

#include "heddle_args.h"

/* Of each point of an n x n grid over the square from -2 - 1.5 i to 1 + 1.5 i: steps until it has left the circle of radius 2,
 * `limit` if it never does. */
typedef struct mandelbrot_args {
    hd_device_ptr steps; /* uint32_t[n * n] */
    uint32_t n;
    uint32_t limit;
} mandelbrot_args;
HD_ARGUMENT_BLOCK(mandelbrot_args, 12);

/* No product here is fused with the sum behind it: both sides compute the same bits. */
static inline uint32_t mandelbrot_steps(uint32_t column, uint32_t row, float pitch, uint32_t limit)
{
    float c_real = (float)column * pitch - 2.0f;
    float c_imaginary = (float)row * pitch - 1.5f;
    float real = 0, imaginary = 0;
    uint32_t step = 0;
    while (step < limit) {
        float real_squared = real * real;
        float imaginary_squared = imaginary * imaginary;
        if (real_squared + imaginary_squared > 4.0f)
            break;
        imaginary = 2.0f * real * imaginary + c_imaginary;
        real = real_squared - imaginary_squared + c_real;
        step++;
    }
    return step;
}

#endif
