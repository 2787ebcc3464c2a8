/* SPDX-License-Identifier: MIT */
/*
 * What holds of a garment whatever the order of its constraints: nobody's mass changes, its momentum is what it was, to
 * the bit, so that no half of a move is lost; and it is as close to its lengths as serial orders bring it, so that no
 * move is lost as a whole.
 */
#ifndef CLOTH_CHECKS_H
#define CLOTH_CHECKS_H

#include "garment.h"

/* As an integer, in steps. */
static inline int64_t cloth_in_steps(const char *axis, uint32_t index, float value)
{
    hd_check(value > -CLOTH_EXTENT && value < CLOTH_EXTENT, "particle[%u].%s is out of bounds: 0x%08x (float)", index,
             axis, host_bits_of(value));
    const int64_t steps = (int64_t)(value * CLOTH_STEPS);
    hd_check((float)steps == value * CLOTH_STEPS, "particle[%u].%s is between two steps: 0x%08x (float)", index, axis,
             host_bits_of(value));
    return steps;
}

/* How often all of a garment's impulses, whose sum is zero, have been applied: masses are 2 or 1. */
static inline void cloth_add_momentum(int64_t momentum[3], const cloth_particle *particle, uint32_t index)
{
    const int64_t mass = particle->inverse_mass == 1 ? 2 : 1;
    momentum[0] += mass * cloth_in_steps("x", index, particle->x);
    momentum[1] += mass * cloth_in_steps("y", index, particle->y);
    momentum[2] += mass * cloth_in_steps("z", index, particle->z);
}

static inline void cloth_check_momentum(const cloth *c, uint32_t garment, const cloth_particle *result)
{
    int64_t before[3] = {0}, after[3] = {0};
    for (uint32_t i = garment * c->particles; i < (garment + 1) * c->particles; i++) {
        host_check_float("inverse_mass", i, result[i].inverse_mass, c->particle[i].inverse_mass);
        cloth_add_momentum(before, &c->particle[i], i);
        cloth_add_momentum(after, &result[i], i);
    }
    for (uint32_t axis = 0; axis < 3; axis++)
        hd_check(after[axis] == before[axis], "garment %u: its momentum along %c is %lld, expected %lld", garment,
                 (int)("xyz"[axis]), (long long)after[axis], (long long)before[axis]);
}

/* By how much the constraints are exceeded, in millionths of a unit of area: the sum over a garment. */
static inline uint64_t cloth_residual(const cloth *c, uint32_t garment, const cloth_particle *particles)
{
    uint64_t sum = 0;
    for (uint32_t i = garment * c->constraints; i < (garment + 1) * c->constraints; i++) {
        const cloth_constraint *one = &c->constraint[i];
        const float excess = cloth_square(&particles[one->a], &particles[one->b]) - one->longest;
        sum += excess > 0 ? (uint64_t)(excess * 1e6f) : 0;
    }
    return sum;
}

typedef struct cloth_range {
    uint64_t least, most;
} cloth_range;

/* The residual after serial orders: that of the array, and others. `order` and `particles` are overwritten. */
static inline cloth_range cloth_serial_residual(const cloth *c, uint32_t garment, cloth_constraint *order,
                                                cloth_particle *particles)
{
    enum { ORDERS = 12 };
    cloth_range range = {UINT64_MAX, 0};
    uint64_t random = garment;
    memcpy(order, &c->constraint[(size_t)garment * c->constraints], c->constraints * sizeof *order);
    for (uint32_t n = 0; n < ORDERS; n++) {
        memcpy(&particles[(size_t)garment * c->particles], &c->particle[(size_t)garment * c->particles],
               c->particles * sizeof *particles);
        for (uint32_t i = 0; i < c->constraints; i++)
            cloth_hold(order[i].rest, order[i].longest, &particles[order[i].a], &particles[order[i].b]);
        const uint64_t residual = cloth_residual(c, garment, particles);
        range.least = residual < range.least ? residual : range.least;
        range.most = residual > range.most ? residual : range.most;
        cloth_shuffle(order, c->constraints, &random);
    }
    return range;
}

/* A dozen orders do not know the limits, least of all of an order in which whatever conflicts comes last, as when all transactions run
 * at once: beyond them by twice what lies between them, and a tenth. */
static inline void cloth_check_residual(const cloth *c, uint32_t garment, const cloth_particle *result,
                                        cloth_range serial)
{
    const uint64_t found = cloth_residual(c, garment, result);
    const uint64_t room = 2 * (serial.most - serial.least) + serial.most / 10;
    hd_check(found + room >= serial.least && found <= serial.most + room,
             "garment %u: its constraints are exceeded by %llu, by serial orders %llu to %llu", garment,
             (unsigned long long)found, (unsigned long long)serial.least, (unsigned long long)serial.most);
}

#endif
