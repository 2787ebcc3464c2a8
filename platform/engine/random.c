/* SPDX-License-Identifier: MIT */
/* splitmix64 and xoshiro256**, after Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021. */
#include <string.h>

#include "engine_internal.h"
#include "hd_fnv.h"

uint64_t splitmix_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void random_seed(uint64_t state[4], uint64_t seed, const char *name)
{
    uint64_t mix = seed ^ hd_fnv_add(HD_FNV_START, name, strlen(name));
    for (int i = 0; i < 4; i++)
        state[i] = splitmix_next(&mix);
}

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t random_next(uint64_t state[4])
{
    const uint64_t result = rotate(state[1] * 5, 7) * 9;
    const uint64_t t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotate(state[3], 45);
    return result;
}
