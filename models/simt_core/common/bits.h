/* SPDX-License-Identifier: MIT */
#ifndef SIMT_CORE_BITS_H
#define SIMT_CORE_BITS_H

#include <stdint.h>

/* How many bits are set. On a host of unknown age the compiler's own is a call of its library. */
static inline uint32_t bits_count(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

#endif
