/* SPDX-License-Identifier: MIT */
#ifndef PAIR_FORCES_ARGS_H
#define PAIR_FORCES_ARGS_H

#include "heddle_args.h"

enum { PAIR_FORCES_REACH = 1024, PAIR_FORCES_CUT = PAIR_FORCES_REACH * PAIR_FORCES_REACH };

/* Of a particle, in units of 1/1024 of the cut-off distance. */
typedef struct pair_forces_vector {
    int32_t x, y, z;
} pair_forces_vector;

typedef struct pair_forces_args {
    hd_device_ptr places; /* pair_forces_vector[particles] */
    hd_device_ptr first;  /* uint32_t[particles + 1]: where the list of each begins in `others` */
    hd_device_ptr others; /* uint32_t[first[particles]] */
    hd_device_ptr forces; /* pair_forces_vector[particles] */
    uint32_t particles;
} pair_forces_args;
HD_ARGUMENT_BLOCK(pair_forces_args, 20);

/* Adds the force that falls with the square of the distance and is zero at the cut-off. */
static inline void pair_forces_add(pair_forces_vector *force, pair_forces_vector at, pair_forces_vector other)
{
    int32_t x = at.x - other.x, y = at.y - other.y, z = at.z - other.z;
    int32_t square = x * x + y * y + z * z;
    if (square >= PAIR_FORCES_CUT)
        return;
    int32_t strength = PAIR_FORCES_CUT / (square + 1) - 1;
    if (strength > PAIR_FORCES_REACH) /* as of two particles in one place */
        strength = PAIR_FORCES_REACH;
    force->x += strength * x;
    force->y += strength * y;
    force->z += strength * z;
}

static inline pair_forces_vector pair_forces_of(const pair_forces_vector *places, const uint32_t *first,
                                                const uint32_t *others, uint32_t particle)
{
    pair_forces_vector force = {0, 0, 0}, at = places[particle];
    for (uint32_t i = first[particle]; i < first[particle + 1]; i++)
        pair_forces_add(&force, at, places[others[i]]);
    return force;
}

#endif
