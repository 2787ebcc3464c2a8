/* SPDX-License-Identifier: MIT */
/*
 * What the bytes of memory are. A byte that nobody has written is 0. Version n of a word is a function of its address
 * and n, without a byte that is 0. In a footprint of one's own the version counts the stores to a place, so that a load
 * sees exactly the last one before it: requests of one generator to one slice keep their order. Elsewhere it is always
 * 1, and a load may also see 0.
 */
#include "state.h"

#define WRITTEN 1u

static uint32_t word_of(uint64_t word, uint32_t version)
{
    uint64_t mixed = (word + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ version * UINT64_C(0xC2B2AE3D27D4EB4F);
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(mixed >> 32) | 0x01010101u;
}

/* The byte at an address; *word is that of the byte before it, and of the first byte nothing. */
static uint8_t byte_of(const request *of, uint32_t i, uint32_t *word)
{
    const uint64_t address = of->address + i;
    if (!of->version)
        return 0;
    if (i == 0 || address % 4 == 0)
        *word = word_of(address / 4, of->version);
    return (uint8_t)(*word >> address % 4 * 8);
}

uint32_t data_version(generator *self, const request *of)
{
    if (!self->versions)
        return WRITTEN;
    uint32_t *version = &self->versions[(of->address - self->base) / parameter_of(self, PARAMETER_BYTES)];
    if (of->operation == OPERATION_STORE && !++*version)
        ++*version; /* 0 would be: never written */
    return *version;
}

void data_write(const request *of, uint8_t *bytes)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < of->bytes; i++)
        bytes[i] = byte_of(of, i, &word);
}

uint32_t data_compare(const generator *self, const request *of, const uint8_t *bytes, uint32_t count, uint8_t *expected)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < count; i++) {
        *expected = byte_of(of, i, &word);
        if (bytes[i] != *expected && (self->versions || bytes[i]))
            return i;
    }
    return count;
}
