/* SPDX-License-Identifier: MIT */
/*
 * Which set a line goes to: by the lowest bits of its number, or by a hash that keeps lines apart whose numbers differ by powers of
 * two. Each hash leaves consecutive lines in different sets, and gives every value of the bits above the lowest another order of
 * the same sets.
 *
 *   linear          the line's number modulo the sets
 *   multiplicative  its lowest bits, with a multiplicative hash of those above; linear where the sets are no power of two
 *   fermi           of 32 or 64 sets of 128 B: address bits 11 to 7, each with one of 19, 17, 15, 14, 13; bit 12 alone.
 *                   Source: Nugteren et al. 2014, the L1 of GTX 480
 *   xor             its lowest bits, with as many above them
 *   ipoly           its remainder by an irreducible polynomial (hd_hash.h)
 */
#ifndef CACHE_SETS_H
#define CACHE_SETS_H

#include <stdint.h>

#include "hd_hash.h"

/* Names as in netlists. */
#define CACHE_SET_HASHES "linear|multiplicative|fermi|xor|ipoly"
enum { CACHE_LINEAR, CACHE_MULTIPLICATIVE, CACHE_FERMI, CACHE_XOR, CACHE_IPOLY };

typedef struct cache_sets {
    uint32_t count;
    uint32_t mask; /* count - 1; 0: it is no power of two, or 1 */
    uint32_t bits; /* log2(count), with a mask */
    uint32_t hash; /* CACHE_LINEAR, ... */
    hd_index_hash index;
} cache_sets;

/* Why this hash (CACHE_LINEAR, ...) is not defined for so many sets of lines of so many bytes, or NULL. */
const char *cache_sets_refuse(uint32_t hash, uint64_t count, uint32_t line_bytes);

/* count: 1 at least; what cache_sets_refuse does not refuse. */
void cache_sets_init(cache_sets *sets, uint32_t hash, uint32_t count);

/* The set, below count, of the line with this number: its address divided by the bytes of a line. */
static inline uint32_t cache_set_of(const cache_sets *sets, uint64_t number)
{
    if (sets->mask == 0)
        return (uint32_t)(number % sets->count);
    const uint32_t index = (uint32_t)number & sets->mask;
    if (sets->hash == CACHE_LINEAR)
        return index;
    const uint64_t above = number >> sets->bits;
    if (sets->hash == CACHE_MULTIPLICATIVE)
        return (index ^ (uint32_t)(above * UINT64_C(0x9E3779B97F4A7C15) >> (64 - sets->bits))) & sets->mask;
    return hd_hash_index(&sets->index, index, above);
}

#endif
