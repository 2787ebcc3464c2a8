/* SPDX-License-Identifier: MIT */
/* A cluster of stars of equal mass: Plummer's sphere, as Aarseth, Henon and Wielen 1974 draw it. Without a library for
 * roots. */
#ifndef BARNES_HUT_BODIES_H
#define BARNES_HUT_BODIES_H

#include "args.h"
#include "common/host_check.h"

typedef struct bodies {
    uint32_t count;
    float mass;
    float unit;       /* length of the sphere's own scale */
    float *x, *y, *z; /* -1 < coordinate < 1 */
} bodies;
#define BODIES_RADIUS 1.0f

/* value > 0. From a guess that is right to a few per cent (half the exponent), so that four steps are enough. */
static inline double bodies_square_root(double value)
{
    uint64_t bits;
    double root;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits >> 1) + (UINT64_C(0x3FF0000000000000) >> 1);
    memcpy(&root, &bits, sizeof root);
    for (uint32_t step = 0; step < 5; step++)
        root = (root + value / root) / 2;
    return root;
}

/* 0 < value < 1 */
static inline double bodies_cube_root(double value)
{
    double root = 1, before;
    do {
        before = root;
        root = (2 * root + value / (root * root)) / 3;
    } while (root < before);
    return root;
}

/* Within 0.999 of the mass; beyond are a few that are very far. */
static inline double bodies_draw_distance(uint64_t *random)
{
    const double within = (1 + host_random_below(random, 999000)) / 1e6, root = bodies_cube_root(within);
    return 1 / bodies_square_root(1 / (root * root) - 1);
}

static inline void bodies_draw_one(bodies *b, uint32_t index, uint64_t *random)
{
    double axis[3], square;
    do {
        square = 0;
        for (uint32_t i = 0; i < 3; i++) {
            axis[i] = host_random_below(random, 2000001) / 1e6 - 1;
            square += axis[i] * axis[i];
        }
    } while (square > 1 || square < 1e-6);
    const double scale = bodies_draw_distance(random) / bodies_square_root(square);
    b->x[index] = (float)(axis[0] * scale);
    b->y[index] = (float)(axis[1] * scale);
    b->z[index] = (float)(axis[2] * scale);
}

static inline float bodies_middle(const float *coordinate, uint32_t count, float *extent)
{
    float least = coordinate[0], most = coordinate[0];
    for (uint32_t i = 1; i < count; i++) {
        least = coordinate[i] < least ? coordinate[i] : least;
        most = coordinate[i] > most ? coordinate[i] : most;
    }
    *extent = (most - least) / 2 > *extent ? (most - least) / 2 : *extent;
    return (least + most) / 2;
}

static inline void bodies_scale(float *coordinate, uint32_t count, float middle, float factor)
{
    for (uint32_t i = 0; i < count; i++)
        coordinate[i] = (coordinate[i] - middle) * factor;
}

/* The smallest cube around them is the root: of radius 1, so that centres of cells are exact. */
static inline void bodies_fit(bodies *b)
{
    float extent = 0;
    const float x = bodies_middle(b->x, b->count, &extent);
    const float y = bodies_middle(b->y, b->count, &extent);
    const float z = bodies_middle(b->z, b->count, &extent);
    b->unit = 0.9999f * BODIES_RADIUS / extent;
    bodies_scale(b->x, b->count, x, b->unit);
    bodies_scale(b->y, b->count, y, b->unit);
    bodies_scale(b->z, b->count, z, b->unit);
}

static inline bodies bodies_draw(uint32_t count, uint64_t *random)
{
    bodies b = {.count = count, .mass = 1 / (float)count};
    b.x = hd_host_alloc(count * sizeof(float));
    b.y = hd_host_alloc(count * sizeof(float));
    b.z = hd_host_alloc(count * sizeof(float));
    for (uint32_t i = 0; i < count; i++)
        bodies_draw_one(&b, i, random);
    bodies_fit(&b);
    return b;
}

#endif
