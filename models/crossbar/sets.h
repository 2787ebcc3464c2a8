/* SPDX-License-Identifier: MIT */
/* Sets of ports: a few words, of which `words` are in use. */
#ifndef CROSSBAR_SETS_H
#define CROSSBAR_SETS_H

#include <stdint.h>

#define SET_WORDS 16u
#define SET_MEMBERS (64u * SET_WORDS)

typedef struct set {
    uint64_t word[SET_WORDS];
} set;

static inline void set_add(set *set, uint32_t member)
{
    set->word[member / 64] |= UINT64_C(1) << member % 64;
}

static inline void set_remove(set *set, uint32_t member)
{
    set->word[member / 64] &= ~(UINT64_C(1) << member % 64);
}

static inline uint32_t set_has(const set *set, uint32_t member)
{
    return set->word[member / 64] >> member % 64 & 1;
}

static inline uint32_t set_is_empty(const set *set, uint32_t words)
{
    if (words == 1)
        return set->word[0] == 0;
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++)
        any |= set->word[w];
    return any == 0;
}

static inline uint32_t set_count(const set *set, uint32_t words)
{
    if (words == 1)
        return (uint32_t)__builtin_popcountll(set->word[0]);
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(set->word[w]);
    return count;
}

/* The lowest bit of a word, which is taken away. */
static inline uint32_t set_take(uint64_t *bits)
{
    const uint32_t bit = (uint32_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return bit;
}

/* The first of a word, in turn from bit `first` on. */
static inline uint32_t set_turn_of_word(uint64_t bits, uint32_t first)
{
    const uint64_t from_first = first < 64 ? bits & ~UINT64_C(0) << first : 0;
    return (uint32_t)__builtin_ctzll(from_first ? from_first : bits);
}

/* The first member in turn, from `first` on. The set is not empty. */
static inline uint32_t set_turn(const set *set, uint32_t words, uint32_t first)
{
    if (words == 1)
        return set_turn_of_word(set->word[0], first);
    for (uint32_t w = first / 64; w < words; w++) {
        const uint64_t bits = w == first / 64 ? set->word[w] & ~UINT64_C(0) << first % 64 : set->word[w];
        if (bits)
            return 64 * w + (uint32_t)__builtin_ctzll(bits);
    }
    uint32_t w = 0;
    while (!set->word[w])
        w++;
    return 64 * w + (uint32_t)__builtin_ctzll(set->word[w]);
}

#endif
