/* SPDX-License-Identifier: MIT */
/*
 * Hashes of an index, of a memory partition or of a set of a cache, by the address bits above it: strides by powers of two, which
 * leave the index alone, then go over many. For each value of the bits above, every index is taken once.
 *
 *   xor    the index, exclusive or with as many of the lowest bits above it
 *   ipoly  the remainder of the address, from the index up, as a polynomial over GF(2), by an irreducible one of the index's degree
 *          (Rau 1991): conflict-free for all strides 2^n. With 16, 32 and 64 it is that of GPGPU-Sim.
 *
 * Where the number of indices is no power of two, what is combined with the index is added to it, modulo that number.
 */
#ifndef HD_HASH_H
#define HD_HASH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HD_HASH_NONE, HD_HASH_XOR, HD_HASH_IPOLY, HD_HASHES };
#define HD_HASH_BITS_MAX 16u

/* Bit j of what is combined with the index is the parity of the bits above under mask j. */
typedef struct hd_index_hash {
    uint32_t count; /* of indices */
    uint32_t bits;  /* that it takes to count them; 0 = no hash */
    uint64_t masks[HD_HASH_BITS_MAX];
} hd_index_hash;

/* Irreducible, of degree 0 .. HD_HASH_BITS_MAX: bit i is the coefficient of x^i. */
static inline uint32_t hd_irreducible(uint32_t degree)
{
    static const uint32_t polynomials[HD_HASH_BITS_MAX + 1] = {
        1, 3, 7, 0xB, 0x13, 0x25, 0x43, 0x83, 0x11B, 0x211, 0x409, 0x805, 0x1053, 0x201B, 0x4443, 0x8003, 0x1100B};
    return polynomials[degree];
}

/* count: 1 .. 2^HD_HASH_BITS_MAX. */
static inline void hd_index_hash_init(hd_index_hash *hash, uint32_t kind, uint32_t count)
{
    uint32_t bits = 0;
    while (kind != HD_HASH_NONE && (UINT32_C(1) << bits) < count)
        bits++;
    hash->count = count;
    hash->bits = bits;
    for (uint32_t j = 0; j < HD_HASH_BITS_MAX; j++)
        hash->masks[j] = j < bits && kind == HD_HASH_XOR ? UINT64_C(1) << j : 0;
    uint32_t remainder = bits ? hd_irreducible(bits) ^ UINT32_C(1) << bits : 0; /* of x^bits */
    for (uint32_t i = 0; i < 64 && kind == HD_HASH_IPOLY; i++) {
        for (uint32_t j = 0; j < bits; j++)
            hash->masks[j] |= (uint64_t)(remainder >> j & 1) << i;
        remainder <<= 1;
        if (remainder >> bits & 1)
            remainder ^= hd_irreducible(bits);
    }
}

/* index: below count. */
static inline uint32_t hd_hash_index(const hd_index_hash *hash, uint32_t index, uint64_t above)
{
    uint32_t change = 0;
    for (uint32_t j = 0; j < hash->bits; j++)
        change |= (uint32_t)__builtin_parityll(above & hash->masks[j]) << j;
    return hash->count & (hash->count - 1) ? (index + change) % hash->count : index ^ change;
}

#ifdef __cplusplus
}
#endif

#endif
