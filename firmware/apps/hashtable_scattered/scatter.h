/* SPDX-License-Identifier: MIT */
#ifndef HASHTABLE_SCATTER_H
#define HASHTABLE_SCATTER_H

#include <stdint.h>

/* A permutation of the numbers below `words`, as if at random: where word i of the pool is. */
__attribute__((always_inline)) static inline uint32_t hashtable_scatter(uint32_t i, uint32_t words)
{
    uint32_t mask = words;
    for (uint32_t shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    do {
        i = (i * 0x9E3779B1 + 0x7F4A7C15) & mask;
        i ^= i >> 9;
        i = (i * 0x85EBCA6B) & mask;
        i ^= i >> 7;
        i = (i * 0xC2B2AE35) & mask;
        i ^= i >> 8;
    } while (i >= words);
    return i;
}

#endif
