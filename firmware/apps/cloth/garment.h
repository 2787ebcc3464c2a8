/* SPDX-License-Identifier: MIT */
/*
 * Garments: tubes of particles, `around` by `height`, meshed with triangles whose sides are the distance constraints.
 * They are alike when they are at rest; each has been stretched and crumpled in its own way.
 */
#ifndef CLOTH_GARMENT_H
#define CLOTH_GARMENT_H

#include "args.h"
#include "common/host_check.h"

#define CLOTH_OCTET 8u

typedef struct cloth {
    uint32_t garments, around, height;
    uint32_t particles;   /* of each garment */
    uint32_t constraints; /* of each garment */
    uint32_t is_in_pairs; /* no particle has more than one constraint, so that their order is of no matter */
    cloth_particle *particle;
    cloth_constraint *constraint; /* of all garments; no particle is in an octet twice */
} cloth;

/* The multiple of 1 / CLOTH_STEPS below. */
static inline float cloth_rounded(float value)
{
    return (float)(int32_t)((value + CLOTH_EXTENT) * CLOTH_STEPS) / CLOTH_STEPS - CLOTH_EXTENT;
}

/* Where a particle is at rest: on the surface of a square prism, a length of 1 from its neighbours. */
static inline cloth_particle cloth_at_rest(const cloth *c, uint32_t column, uint32_t row)
{
    const float side = (float)c->around / 4, along = 4 * (float)column / (float)c->around;
    const uint32_t edge = (uint32_t)along;
    const float part = along - (float)edge;
    const float x[4] = {part, 1, 1 - part, 0}, y[4] = {0, part, 1, 1 - part};
    return (cloth_particle){.x = cloth_rounded((x[edge] - 0.5f) * side),
                            .y = cloth_rounded((y[edge] - 0.5f) * side),
                            .z = cloth_rounded((float)row - (float)c->height / 2)};
}

static inline float cloth_square(const cloth_particle *a, const cloth_particle *b)
{
    const float x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
    return x * x + y * y + z * z;
}

/* The sides of the triangles of a particle that are not those of one before it; in pairs, that to the particle beside every second one. */
static inline uint32_t cloth_connect(const cloth *c, const cloth_particle *rest, uint32_t column, uint32_t row,
                                     cloth_constraint *sides)
{
    const uint32_t beside = (column + 1) % c->around, own = row * c->around + column, above = own + c->around;
    const uint32_t ends[] = {row * c->around + beside, above, (row + 1) * c->around + beside};
    uint32_t count = row + 1 < c->height ? 3 : 1;
    if (c->is_in_pairs)
        count = column % 2 == 0 && beside != 0;
    for (uint32_t i = 0; i < count; i++) {
        const float square = cloth_square(&rest[own], &rest[ends[i]]);
        sides[i] = (cloth_constraint){.a = own, .b = ends[i], .rest = square, .longest = square * 1.12f};
    }
    return count;
}

static inline void cloth_shuffle(cloth_constraint *constraints, uint32_t count, uint64_t *random)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = host_random_below(random, i);
        const cloth_constraint last = constraints[i - 1];
        constraints[i - 1] = constraints[other];
        constraints[other] = last;
    }
}

static inline uint32_t cloth_touches(const cloth_constraint *octet, uint32_t count, const cloth_constraint *next)
{
    uint32_t touches = 0;
    for (uint32_t i = 0; i < count; i++)
        touches |= octet[i].a == next->a || octet[i].a == next->b || octet[i].b == next->a || octet[i].b == next->b;
    return touches;
}

/* As the original takes them, eight at a time; where nothing fits, the octet is completed by what does not. */
static inline void cloth_form_octets(cloth_constraint *constraints, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = i - i % CLOTH_OCTET;
        for (uint32_t j = i; j < count && j < i + 256; j++) {
            if (cloth_touches(&constraints[first], i - first, &constraints[j]))
                continue;
            const cloth_constraint fits = constraints[j];
            constraints[j] = constraints[i];
            constraints[i] = fits;
            break;
        }
    }
}

/* Longer by a twentieth, and moved by up to 0.2 in each direction. */
static inline cloth_particle cloth_crumpled(const cloth_particle *rest, uint64_t *random)
{
    const float stretch = 1.05f;
    float moved[3];
    for (uint32_t i = 0; i < 3; i++)
        moved[i] = ((float)host_random_below(random, 4001) - 2000) / 10000;
    return (cloth_particle){.x = cloth_rounded(rest->x * stretch + moved[0]),
                            .y = cloth_rounded(rest->y * stretch + moved[1]),
                            .z = cloth_rounded(rest->z * stretch + moved[2]),
                            .inverse_mass = (float)(1 + host_random_below(random, 2))};
}

static inline void cloth_draw(cloth *c, uint64_t *random)
{
    cloth_particle *rest = hd_host_alloc(c->particles * sizeof *rest);
    cloth_constraint *mesh = hd_host_alloc(c->constraints * sizeof *mesh);
    uint32_t sides = 0;
    c->particle = hd_host_alloc((size_t)c->garments * c->particles * sizeof *c->particle);
    c->constraint = hd_host_alloc((size_t)c->garments * c->constraints * sizeof *c->constraint);
    for (uint32_t i = 0; i < c->particles; i++)
        rest[i] = cloth_at_rest(c, i % c->around, i / c->around);
    for (uint32_t i = 0; i < c->particles; i++)
        sides += cloth_connect(c, rest, i % c->around, i / c->around, &mesh[sides]);
    for (uint32_t g = 0; g < c->garments; g++) {
        cloth_constraint *own = &c->constraint[(size_t)g * c->constraints];
        memcpy(own, mesh, c->constraints * sizeof *mesh);
        cloth_shuffle(own, c->constraints, random);
        cloth_form_octets(own, c->constraints);
        for (uint32_t i = 0; i < c->constraints; i++) {
            own[i].a += g * c->particles;
            own[i].b += g * c->particles;
        }
        for (uint32_t i = 0; i < c->particles; i++)
            c->particle[(size_t)g * c->particles + i] = cloth_crumpled(&rest[i], random);
    }
    hd_host_free(mesh);
    hd_host_free(rest);
}

#endif
