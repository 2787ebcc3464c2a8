/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(photon_clear, const photon_args *args)
{
    uint32_t index = simt_global_index(), area = args->side * args->side;
    if (index < area)
        HD_POINTER(uint32_t, args->image)[index] = 0;
    if (index < area * args->side)
        HD_POINTER(uint32_t, args->energies)[index] = 0;
}

typedef struct photon {
    int32_t x, y, z; /* in PHOTON_UNIT */
    uint32_t direction, energy, random;
} photon;

SIMT_INLINE void leave_energy(const photon_args *args, uint32_t voxel, uint32_t energy)
{
    simt_atomic_add(HD_POINTER(uint32_t, args->energies) + voxel, energy);
}

/* What happens at a place where something does. A photon that goes no further has no energy then. */
SIMT_INLINE void interact(const photon_args *args, photon *p, const photon_odds *odds, uint32_t voxel)
{
    uint32_t kind = photon_random(&p->random);
    if (kind < odds->absorbed) {
        leave_energy(args, voxel, p->energy);
        p->energy = 0;
    } else if (kind < odds->absorbed + odds->scattered) {
        uint32_t lost = p->energy * (1 + photon_random(&p->random) % 7) / 16;
        p->direction = photon_random(&p->random) % PHOTON_DIRECTIONS;
        if (p->energy - lost < PHOTON_LEAST)
            lost = p->energy;
        leave_energy(args, voxel, lost);
        p->energy -= lost;
    } else {
        p->direction = (p->direction + 1) % PHOTON_DIRECTIONS;
    }
}

/* From place to place where the densest material would do something; most are of less density, and there it may be nothing. */
SIMT_INLINE void track(const photon_args *args, photon *p)
{
    const uint32_t side = args->side, end = side * PHOTON_UNIT;
    while (p->energy) {
        const int32_t *direction = HD_POINTER(const int32_t, args->directions) + 3 * p->direction;
        int32_t path = (int32_t)photon_path(photon_random(&p->random));
        p->x += direction[0] * path / PHOTON_UNIT;
        p->y += direction[1] * path / PHOTON_UNIT;
        p->z += direction[2] * path / PHOTON_UNIT;
        if ((uint32_t)p->x >= end || (uint32_t)p->y >= end || (uint32_t)p->z >= end) {
            if (p->z >= (int32_t)end && (uint32_t)p->x < end && (uint32_t)p->y < end)
                simt_atomic_add(HD_POINTER(uint32_t, args->image) + (uint32_t)p->y / PHOTON_UNIT * side +
                                    (uint32_t)p->x / PHOTON_UNIT,
                                p->energy);
            break;
        }
        uint32_t voxel =
            ((uint32_t)p->z / PHOTON_UNIT * side + (uint32_t)p->y / PHOTON_UNIT) * side + (uint32_t)p->x / PHOTON_UNIT;
        const photon_odds *odds = HD_POINTER(const photon_odds, args->odds) +
                                  HD_POINTER(const uint8_t, args->materials)[voxel] * PHOTON_LEVELS +
                                  photon_level(p->energy);
        if (photon_random(&p->random) < odds->interaction)
            interact(args, p, odds, voxel);
    }
}

/* Photons come in by the near end, along z. */
SIMT_KERNEL(photon_transport, const photon_args *args)
{
    uint32_t thread = simt_global_index();
#pragma GCC unroll 1
    for (uint32_t i = 0; i < args->photons; i++) {
        photon p = {.energy = PHOTON_ENERGY, .random = photon_seed(args->seed, thread, i)};
        p.x = (int32_t)(photon_random(&p.random) * args->side * PHOTON_UNIT >> 16);
        p.y = (int32_t)(photon_random(&p.random) * args->side * PHOTON_UNIT >> 16);
        track(args, &p);
    }
}
