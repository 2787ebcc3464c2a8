/* SPDX-License-Identifier: MIT */
#ifndef PHOTON_TRANSPORT_ARGS_H
#define PHOTON_TRANSPORT_ARGS_H

#include "heddle_args.h"

enum {
    PHOTON_CLEAR_BLOCK = 128,
    PHOTON_DIRECTIONS = 64, /* a power of two */
    PHOTON_MATERIALS = 3,   /* air, tissue, bone */
    PHOTON_LEVELS = 8,      /* of energy, that are told apart */
    PHOTON_ENERGY = 4096,   /* of a photon from the source */
    PHOTON_LEAST = 256,     /* with less it goes no further */
    PHOTON_UNIT = 256       /* parts of a voxel's edge, and of a direction's length */
};

/* How likely it is, of 65536, at this energy in this material, that something happens where it might; and what that is, of 65536. */
typedef struct photon_odds {
    uint32_t interaction;
    uint32_t absorbed, scattered; /* or it loses energy besides; what is left of 65536: it only turns */
} photon_odds;

typedef struct photon_args {
    hd_device_ptr materials;  /* uint8_t[side][side][side] */
    hd_device_ptr odds;       /* photon_odds[PHOTON_MATERIALS][PHOTON_LEVELS] */
    hd_device_ptr directions; /* int32_t[PHOTON_DIRECTIONS][3], in PHOTON_UNIT */
    hd_device_ptr energies;   /* uint32_t[side][side][side], left in each voxel */
    hd_device_ptr image;      /* uint32_t[side][side], of photons that come out at the far end */
    uint32_t side, photons;
    uint32_t seed;
} photon_args;
HD_ARGUMENT_BLOCK(photon_args, 32);

static inline uint32_t photon_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state >> 16;
}

/* State of a photon's generator. */
static inline uint32_t photon_seed(uint32_t seed, uint32_t thread, uint32_t photon)
{
    uint32_t state = (seed ^ thread * 0x9E3779B1u ^ photon * 0x85EBCA77u) * 0xC2B2AE3Du;
    return (state ^ state >> 15) | 1;
}

/* The logarithm of a random number, in parts of a voxel: of the numbers between two powers of two by a straight line. */
static inline uint32_t photon_path(uint32_t random)
{
    uint32_t path = 0, value = random + 1;
    while (value < 65536) {
        value *= 2;
        path += PHOTON_UNIT;
    }
    return path + (131072 - value) / 256;
}

static inline uint32_t photon_level(uint32_t energy)
{
    return (energy - 1) * PHOTON_LEVELS / PHOTON_ENERGY;
}

#endif
