/* SPDX-License-Identifier: MIT */
/*
 * The alternative to a history: two signatures for each transaction, of what it reads and what it writes, in four parts with a hash
 * function each; 512 bits unless they are made smaller (Fung 2015 §4.2.5, Fig. 4.11 "BF array").
 */
#ifndef COMMIT_UNIT_KILO_SIGNATURES_H
#define COMMIT_UNIT_KILO_SIGNATURES_H

#include <stdint.h>

#include "hd_h3.h"

#define SIGNATURE_PARTS 4u
#define SIGNATURE_PART_BITS 128u /* at most */

typedef struct signature {
    uint64_t bits[SIGNATURE_PARTS][SIGNATURE_PART_BITS / 64];
} signature;

typedef struct signature_hashes {
    hd_h3 of_part[SIGNATURE_PARTS];
    uint32_t part_bits;
} signature_hashes;

static inline void signature_hashes_draw(signature_hashes *hashes, uint32_t bits, uint64_t seed)
{
    hashes->part_bits = bits / SIGNATURE_PARTS;
    for (uint32_t part = 0; part < SIGNATURE_PARTS; part++)
        hd_h3_draw(&hashes->of_part[part], &seed);
}

/* The word's, alone. */
static inline signature signature_of(const signature_hashes *hashes, uint64_t address)
{
    signature word = {{{0}}};
    for (uint32_t part = 0; part < SIGNATURE_PARTS; part++) {
        const uint32_t bit = hd_h3_hash(&hashes->of_part[part], address / 4) % hashes->part_bits;
        word.bits[part][bit / 64] = UINT64_C(1) << bit % 64;
    }
    return word;
}

static inline void signature_add(signature *set, const signature *word)
{
    for (uint32_t part = 0; part < SIGNATURE_PARTS; part++)
        for (uint32_t i = 0; i < SIGNATURE_PART_BITS / 64; i++)
            set->bits[part][i] |= word->bits[part][i];
}

/* Whether it may be in the set. */
static inline uint32_t signature_has(const signature *set, const signature *word)
{
    uint64_t missing = 0;
    for (uint32_t part = 0; part < SIGNATURE_PARTS; part++)
        for (uint32_t i = 0; i < SIGNATURE_PART_BITS / 64; i++)
            missing |= word->bits[part][i] & ~set->bits[part][i];
    return !missing;
}

#endif
