/* SPDX-License-Identifier: MIT */
#ifndef CLOTH_ARGS_H
#define CLOTH_ARGS_H

#include "heddle_args.h"

/* Of a garment. The lengths are squares. */
typedef struct cloth_constraint {
    uint32_t a;
    uint32_t b;    /* another particle */
    float rest;    /* to which it is brought back */
    float longest; /* up to which it is left as it is */
} cloth_constraint;

/* A mass of 1 or 1/2. Coordinates are multiples of 1 / CLOTH_STEPS and below CLOTH_EXTENT, so that they add up exactly.
 * */
typedef struct cloth_particle {
    float x, y, z;
    float inverse_mass;
} cloth_particle;
#define CLOTH_STEPS 65536
#define CLOTH_EXTENT 64

typedef struct cloth_args {
    hd_device_ptr constraints; /* cloth_constraint[count] */
    hd_device_ptr particles;   /* cloth_particle, particle_bytes from one to the next */
    hd_device_ptr locks;       /* uint32_t[particles], 0; the first is also the one for all */
    uint32_t particle_bytes;
    uint32_t count;
} cloth_args;
HD_ARGUMENT_BLOCK(cloth_args, 20);

/* A coordinate's part of the impulse that brings a pair back: a multiple of 1 / CLOTH_STEPS, by rounding of a sum that
 * has no finer bits. */
static inline float cloth_impulse(float difference, float scale)
{
    const float coarse = 1.5f * (1 << 23) / CLOTH_STEPS;
    return (difference * scale + coarse) - coarse;
}

/* The distance constraint: particles that are too far apart move by their inverse masses, along the line between them,
 * one step of Newton's iteration for the square root of the distance. Host and device round alike. Twelve words are
 * read and eight written, or ten and none: the masses matter only if it moves them. */
static inline void cloth_hold(float rest, float longest, volatile cloth_particle *a, volatile cloth_particle *b)
{
    float ax = a->x, ay = a->y, az = a->z;
    float bx = b->x, by = b->y, bz = b->z;
    float dx = bx - ax, dy = by - ay, dz = bz - az;
    float square = dx * dx + dy * dy + dz * dz;
    if (square > longest) {
        float a_share = a->inverse_mass, b_share = b->inverse_mass;
        float scale = (1.0f - 2.0f * rest / (square + rest)) / (a_share + b_share);
        float x = cloth_impulse(dx, scale), y = cloth_impulse(dy, scale), z = cloth_impulse(dz, scale);
        a->x = ax + a_share * x;
        a->y = ay + a_share * y;
        a->z = az + a_share * z;
        a->inverse_mass = a_share;
        b->x = bx - b_share * x;
        b->y = by - b_share * y;
        b->z = bz - b_share * z;
        b->inverse_mass = b_share;
    }
}

#endif
