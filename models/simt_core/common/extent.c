/* SPDX-License-Identifier: MIT */
#include "extent.h"
#include "vector.h"

const uint32_t lane_bit[32] = {1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
                               1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
                               1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
                               1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/* These loops are written so that compilers make vector code of them: no early exit, a constant count. */
ISA_VECTORIZED static void compare_32(const uint32_t *address, uint32_t mask, uint32_t any, uint32_t origin, extent *e)
{
    uint32_t bits = 0;
    uint32_t not_consecutive = 0;
    uint32_t not_uniform = 0;
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t active = (mask & lane_bit[i]) != 0 ? UINT32_MAX : 0;
        bits |= address[i] & active;
        not_uniform |= (address[i] ^ any) & active;
        not_consecutive |= (address[i] ^ (origin + 4 * i)) & active;
    }
    e->bits |= bits;
    e->not_uniform |= not_uniform;
    e->not_consecutive |= not_consecutive;
}

ISA_VECTORIZED static void bound_32(const uint32_t *address, uint32_t mask, uint32_t any, extent *e)
{
    uint32_t low = any;
    uint32_t high = any;
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t a = (mask & lane_bit[i]) != 0 ? address[i] : any;
        low = a < low ? a : low;
        high = a > high ? a : high;
    }
    e->low = low < e->low ? low : e->low;
    e->high = high > e->high ? high : e->high;
}

extent extent_of(const uint32_t *address, uint64_t mask, uint32_t lanes)
{
    const uint32_t first = (uint32_t)__builtin_ctzll(mask);
    const uint32_t any = address[first];
    const uint32_t origin = any - 4 * first;
    extent e = {.low = any, .high = any};
    compare_32(address, (uint32_t)mask, any, origin, &e);
    if (lanes > 32)
        compare_32(address + 32, (uint32_t)(mask >> 32), any, origin + 128, &e);
    if (e.not_consecutive == 0)
        e.high = address[63u - (uint32_t)__builtin_clzll(mask)];
    if (e.not_uniform == 0 || (e.not_consecutive == 0 && e.high >= e.low))
        return e;
    bound_32(address, (uint32_t)mask, any, &e);
    if (lanes > 32)
        bound_32(address + 32, (uint32_t)(mask >> 32), any, &e);
    return e;
}
