/* SPDX-License-Identifier: MIT */
/* Random sequences of the four bases, a byte each, for programs that look for one in another. */
#ifndef HOST_DNA_H
#define HOST_DNA_H

#include "host_check.h"

enum { HOST_DNA_BASES = 4 };

static inline void host_dna_random(uint8_t *bases, uint32_t length, uint64_t *random)
{
    for (uint32_t i = 0; i < length; i++)
        bases[i] = (uint8_t)host_random_below(random, HOST_DNA_BASES);
}

/* A piece of the text, which begins anew behind its end; so many of 100 bases are drawn again. */
static inline void host_dna_query(uint8_t *query, uint32_t length, uint32_t errors, const uint8_t *text,
                                  uint32_t text_length, uint64_t *random)
{
    uint32_t from = host_random_below(random, text_length);
    for (uint32_t i = 0; i < length; i++)
        query[i] = host_random_below(random, 100) < errors ? (uint8_t)host_random_below(random, HOST_DNA_BASES)
                                                           : text[(from + i) % text_length];
}

#endif
