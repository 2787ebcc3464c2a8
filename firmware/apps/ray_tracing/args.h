/* SPDX-License-Identifier: MIT */
#ifndef RAY_TRACING_ARGS_H
#define RAY_TRACING_ARGS_H

#include "common/inverse_root.h"
#include "heddle_args.h"

enum { RAY_TRACING_BLOCK_X = 16, RAY_TRACING_BLOCK_Y = 8 };

#define RAY_TRACING_NEAREST 0.0625f /* what is closer is the surface that the ray leaves */
#define RAY_TRACING_FAR 1e9f
#define RAY_TRACING_FLOOR (-4.0f) /* height of the floor */
#define RAY_TRACING_SKY 0.25f     /* brightness */

typedef struct ray_tracing_sphere {
    float centre[3];
    float radius_squared, inverse_radius;
    float mirror; /* part of the light that it reflects as a mirror */
} ray_tracing_sphere;

typedef struct ray_tracing_args {
    hd_device_ptr spheres;    /* ray_tracing_sphere[count] */
    hd_device_ptr brightness; /* float[rows][columns] */
    uint32_t count, columns, rows;
    uint32_t bounces;
} ray_tracing_args;
HD_ARGUMENT_BLOCK(ray_tracing_args, 24);

#endif
