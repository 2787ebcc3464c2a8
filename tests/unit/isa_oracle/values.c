/* SPDX-License-Identifier: MIT */
#include "assemble.h"
#include "float_scalar.h"
#include "sequence.h"

#include <math.h>

uint32_t random_below(uint64_t *random, uint32_t bound)
{
    return (uint32_t)((next_random(random) >> 32) * bound >> 32);
}

static uint32_t random_word(uint64_t *random)
{
    return (uint32_t)(next_random(random) >> 32);
}

/* The compiler chooses the order of calls within an expression: random numbers are drawn one by one. */

static uint32_t random_shifted(uint64_t *random)
{
    uint32_t shift = random_below(random, 32);
    return random_word(random) >> shift;
}

uint32_t random_integer(uint64_t *random)
{
    static const uint32_t corner[] = {0, 1, 2, 0xFFFFFFFF, 0xFFFFFFFE, 0x7FFFFFFF, 0x80000000, 0x80000001, 31, 32};
    uint32_t nudge = random_below(random, 3) - 1;
    switch (random_below(random, 6)) {
    case 0:
    case 1: return corner[random_below(random, COUNT_OF(corner))];
    case 2: return (UINT32_C(1) << random_below(random, 32)) + nudge;
    case 3: return random_below(random, 64) - 32;
    case 4: return random_float(random);
    default: return random_word(random);
    }
}

static uint32_t random_nan(uint64_t *random)
{
    uint32_t quiet = random_below(random, 4) ? FLOAT_QUIET : 0;
    uint32_t one_bit = random_below(random, 2);
    uint32_t payload = one_bit ? UINT32_C(1) << random_below(random, 22) : random_below(random, 1 << 22);
    return FLOAT_INFINITY | quiet | (payload | !quiet);
}

/* Integers, halves and quarters, and what is next to them. */
static uint32_t random_near_integer(uint64_t *random)
{
    float divisor = (float)(1 << random_below(random, 3));
    uint32_t nudge = random_below(random, 3) - 1;
    return float_to_bits((float)random_shifted(random) / divisor) + nudge;
}

uint32_t random_float(uint64_t *random)
{
    static const uint32_t corner[] = {0x00000000, 0x00000001, 0x00000002, 0x007FFFFF, 0x00800000, 0x00800001,
                                      0x00FFFFFF, 0x01000000, 0x33800000, 0x33800001, 0x34000000, 0x3F000000,
                                      0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FFFFFFF, 0x40000000, 0x4B000000,
                                      0x4B800000, 0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF, 0x4F800000, 0x7EFFFFFF,
                                      0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000, 0x7F800000, 0x7FC00000};
    uint32_t sign = random_below(random, 2) ? FLOAT_SIGN : 0;
    uint32_t power = random_below(random, 255) << 23;
    switch (random_below(random, 12)) {
    case 0:
    case 1: return sign | corner[random_below(random, COUNT_OF(corner))];
    case 2: return random_word(random);
    case 3: return sign | random_shifted(random) >> 7; /* subnormal, or near the smallest normal */
    case 4: return sign | (UINT32_C(0x7E000000) + random_below(random, 0x01800000));
    case 5: return sign | power | random_below(random, 4);
    case 6: return sign | (power + 0x007FFFFC + random_below(random, 8));
    case 7: return sign | random_nan(random);
    case 8: return sign | random_near_integer(random);
    case 9: /* few significant bits: products are exact, or ties */
    case 10: return sign | ((UINT32_C(0x28000000) + random_below(random, 0x30000000)) & ~UINT32_C(0x7FF));
    default: return sign | (UINT32_C(0x38000000) + random_below(random, 0x10000000));
    }
}

static float related(uint64_t *random, float a, float b, float c)
{
    switch (random_below(random, 7)) {
    case 0: return -a;
    case 1: return a * b;
    case 2: return -a * b;
    case 3: return a / b;
    case 4: return a * 0x1p-24f;
    case 5: return a * b * 0x1p-24f;
    default: return a * b + c;
    }
}

static float random_of(uint64_t *random, const uint32_t *values, uint32_t stride)
{
    return float_from_bits(values[random_below(random, 32) * stride]);
}

void relate_floats(uint64_t *random, uint32_t *values, uint32_t stride)
{
    uint32_t count = random_below(random, 16);
    for (uint32_t i = 0; i < count; i++) {
        float a = random_of(random, values, stride), b = random_of(random, values, stride);
        float value = related(random, a, b, random_of(random, values, stride));
        /* Which NaN the host makes is up to its compiler. */
        uint32_t bits = isnan(value) ? FLOAT_NAN : float_to_bits(value);
        uint32_t nudge = random_below(random, 2) ? 0 : random_below(random, 5) - 2;
        values[random_below(random, 32) * stride] = bits + nudge;
    }
}
