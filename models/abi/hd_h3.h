/* SPDX-License-Identifier: MIT */
/*
 * Hash functions of the class H3: a random word for each bit of the key; the words of those bits that are set, XORed
 * (Ren & Lis 2018 §V-B1; Fung 2015 §4.2.5). A table for each byte of the key, so that a hash is a few look-ups.
 */
#ifndef HD_H3_H
#define HD_H3_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HD_H3_KEY_BITS 48u

typedef struct hd_h3 {
    uint32_t of_byte[HD_H3_KEY_BITS / 8][256];
} hd_h3;

/* splitmix64 */
static inline uint64_t hd_h3_random(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Draws the words from *seed, which it moves on: the next one is another function. */
static inline void hd_h3_draw(hd_h3 *hash, uint64_t *seed)
{
    for (uint32_t i = 0; i < HD_H3_KEY_BITS / 8; i++) {
        uint32_t words[8];
        for (uint32_t bit = 0; bit < 8; bit++)
            words[bit] = (uint32_t)(hd_h3_random(seed) >> 32);
        for (uint32_t byte = 0; byte < 256; byte++) {
            hash->of_byte[i][byte] = 0;
            for (uint32_t bit = 0; bit < 8; bit++)
                hash->of_byte[i][byte] ^= byte >> bit & 1 ? words[bit] : 0;
        }
    }
}

static inline uint32_t hd_h3_hash(const hd_h3 *hash, uint64_t key)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < HD_H3_KEY_BITS / 8; i++)
        value ^= hash->of_byte[i][key >> 8 * i & 0xFF];
    return value;
}

#ifdef __cplusplus
}
#endif

#endif
