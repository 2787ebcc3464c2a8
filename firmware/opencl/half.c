/* SPDX-License-Identifier: MIT */
/* Numbers of 16 bits (IEEE 754 binary16), for vload_half and vstore_half: what compilers call where the processor has none. Rounding is
 * to nearest, ties to even. */
#include <stdint.h>

/* LLVM from 17 on passes one in a register for floats, whose upper half is all ones. */
#ifdef HALF_IN_FLOAT_REGISTER
typedef float passed_half;
#else
typedef uint16_t passed_half;
#endif

float __extendhfsf2(passed_half half);
passed_half __truncsfhf2(float value);
passed_half __truncdfhf2(double value);

#define HALF_INFINITY 0x7C00u
#define FLOAT_INFINITY 0x7F800000u
#define FRACTION_SHIFT 13u         /* a float's fraction is so much longer */
#define BIAS_DIFFERENCE 112u       /* of exponents: 127 - 15 */
#define LEAST_NORMAL 0x38800000u   /* 2^-14, as a float */
#define LEAST_INFINITE 0x47800000u /* 2^16 */

static float float_of(uint32_t bits)
{
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

#ifdef HALF_IN_FLOAT_REGISTER
static passed_half pass(uint32_t half)
{
    return float_of(0xFFFF0000u | half);
}

static uint32_t take(passed_half half)
{
    return bits_of(half) & 0xFFFFu;
}
#else
static passed_half pass(uint32_t half)
{
    return (passed_half)half;
}

static uint32_t take(passed_half half)
{
    return half;
}
#endif

float __extendhfsf2(passed_half passed)
{
    const uint32_t half = take(passed);
    const uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7FFFu;
    if (magnitude >= HALF_INFINITY)
        return float_of(sign | FLOAT_INFINITY | magnitude << FRACTION_SHIFT);
    if (magnitude < 0x400u) /* a subnormal number: multiples of 2^-24 */
        return float_of(sign | bits_of((float)magnitude * 0x1p-24f));
    return float_of(sign | ((magnitude << FRACTION_SHIFT) + (BIAS_DIFFERENCE << 23)));
}

/* bits >> shift, rounded. 0 < shift < 32 */
static uint32_t rounded(uint32_t bits, uint32_t shift)
{
    const uint32_t rest = bits & ((1u << shift) - 1), tie = 1u << (shift - 1), low = bits >> shift;
    return low + (rest > tie || (rest == tie && low & 1));
}

static uint32_t magnitude_of(uint32_t bits)
{
    if (bits > FLOAT_INFINITY)
        return HALF_INFINITY | 0x200u; /* not a number */
    if (bits >= LEAST_INFINITE)
        return HALF_INFINITY;
    if (bits >= LEAST_NORMAL)
        return rounded(bits - (BIAS_DIFFERENCE << 23), FRACTION_SHIFT);
    const uint32_t shift = 126u - (bits >> 23);
    return shift < 32 ? rounded((bits & 0x7FFFFFu) | 0x800000u, shift) : 0;
}

passed_half __truncsfhf2(float value)
{
    const uint32_t bits = bits_of(value);
    return pass((bits >> 16 & 0x8000u) | magnitude_of(bits & 0x7FFFFFFFu));
}

/* By way of a float that is odd if it is not exact, so that it is rounded once. */
passed_half __truncdfhf2(double value)
{
    const float near = (float)value;
    uint32_t bits = bits_of(near);
    if ((double)near != value && !(bits & 1) && (bits & 0x7FFFFFFFu) < FLOAT_INFINITY)
        bits += (double)near < value == (near > 0) ? 1 : -1u;
    return __truncsfhf2(float_of(bits));
}
