/* SPDX-License-Identifier: MIT */
/*
 * Hash functions of the class H3: a random word for each bit of the key; the words of those bits that are set, XORed
 * (Ren & Lis 2018 §V-B1). A table for each byte of the key, so that a hash is a few look-ups.
 */
#ifndef VALIDATION_UNIT_H3_H
#define VALIDATION_UNIT_H3_H

#include <stdint.h>

#define H3_KEY_BITS 48u

typedef struct h3 {
    uint32_t of_byte[H3_KEY_BITS / 8][256];
} h3;

/* Draws the words from *seed, which it moves on: the next one is another function. */
void h3_draw(h3 *hash, uint64_t *seed);

static inline uint32_t h3_hash(const h3 *hash, uint64_t key)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < H3_KEY_BITS / 8; i++)
        value ^= hash->of_byte[i][key >> 8 * i & 0xFF];
    return value;
}

#endif
