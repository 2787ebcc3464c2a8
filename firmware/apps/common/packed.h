/* SPDX-License-Identifier: MIT */
/* Small numbers, several in a word: kernels keep a list of them in registers, where nothing can be indexed. */
#ifndef PACKED_H
#define PACKED_H

#include <stdint.h>

static inline uint32_t packed_half(uint32_t word, uint32_t index)
{
    return word >> 16 * index & 0xFFFF;
}

static inline uint32_t packed_byte(uint32_t word, uint32_t index)
{
    return word >> 8 * index & 0xFF;
}

static inline uint32_t pack_halves(uint32_t low, uint32_t high)
{
    return low | high << 16;
}

static inline uint32_t pack_bytes(const uint32_t *numbers)
{
    return numbers[0] | numbers[1] << 8 | numbers[2] << 16 | numbers[3] << 24;
}

#endif
