/* SPDX-License-Identifier: MIT */
/* What instructions of RV64IM compute where C alone does not say it. */
#ifndef HOST_CPU_HART_ARITHMETIC_H
#define HOST_CPU_HART_ARITHMETIC_H

#include <stdint.h>

static inline int64_t s(uint64_t value)
{
    return (int64_t)value;
}

static inline uint64_t word(uint64_t value)
{
    return (uint64_t)(int64_t)(int32_t)value;
}

/* A negative number shifted right keeps its sign; gcc and clang both define it so. */
static inline uint64_t shift_arithmetic(uint64_t value, uint64_t amount)
{
    return (uint64_t)(s(value) >> (amount & 63));
}

static inline uint64_t shift_word_arithmetic(uint64_t value, uint64_t amount)
{
    return (uint64_t)(int64_t)((int32_t)value >> (amount & 31));
}

static inline uint64_t divide(uint64_t a, uint64_t b)
{
    if (b == 0)
        return UINT64_MAX;
    return a == UINT64_C(1) << 63 && b == UINT64_MAX ? a : (uint64_t)(s(a) / s(b));
}

static inline uint64_t remainder_of(uint64_t a, uint64_t b)
{
    if (b == 0)
        return a;
    return a == UINT64_C(1) << 63 && b == UINT64_MAX ? 0 : (uint64_t)(s(a) % s(b));
}

static inline uint64_t divide_words_unsigned(uint64_t a, uint64_t b)
{
    return (uint32_t)b ? word((uint32_t)a / (uint32_t)b) : UINT64_MAX;
}

static inline uint64_t remainder_of_words_unsigned(uint64_t a, uint64_t b)
{
    return (uint32_t)b ? word((uint32_t)a % (uint32_t)b) : word(a);
}

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

static inline uint64_t high_signed(uint64_t a, uint64_t b)
{
    return (uint64_t)(((int128)s(a) * s(b)) >> 64);
}

static inline uint64_t high_mixed(uint64_t a, uint64_t b)
{
    return (uint64_t)(((int128)s(a) * (int128)(uint128)b) >> 64);
}

static inline uint64_t high_unsigned(uint64_t a, uint64_t b)
{
    return (uint64_t)(((uint128)a * b) >> 64);
}

#endif
