/* SPDX-License-Identifier: MIT */
#include "float_special.h"

#include "execute.h"
#include "float_scalar.h"

#include <math.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define INFINITE double_from_bits(UINT64_C(0x7FF0000000000000))
#define HALF_PI 0x1.921fb54442d18p+0
#define TWO_BY_LN2 0x1.71547652b82fep+1
#define ROOT_HALF 0x1.6a09e667f3bcdp-1

/* Horner's rule, from the last coefficient on. */
static double polynomial(const double *coefficient, uint32_t count, double x)
{
    double sum = coefficient[count - 1];
    for (uint32_t i = count - 1; i-- > 0;)
        sum = sum * x + coefficient[i];
    return sum;
}

/* 2^exponent of normal doubles */
static double power_of_two(int exponent)
{
    return double_from_bits((uint64_t)(exponent + 1023) << 52);
}

/* ln(2)^n / n!, for a fraction of at most 1/2: the next one adds less than 2^-57. */
static double exponential(double x)
{
    static const double taylor[] = {0x1.0000000000000p+0,  0x1.62e42fefa39efp-1,  0x1.ebfbdff82c58fp-3,
                                    0x1.c6b08d704a0c0p-5,  0x1.3b2ab6fba4e77p-7,  0x1.5d87fe78a6731p-10,
                                    0x1.430912f86c787p-13, 0x1.ffcbfc588b0c7p-17, 0x1.62c0223a5c824p-20,
                                    0x1.b5253d395e7c4p-24, 0x1.e4cf5158b8ecap-28, 0x1.e8cac7351bb25p-32,
                                    0x1.c3bd650fc2986p-36, 0x1.816193166d0f9p-40};
    if (x >= 128)
        return INFINITE;
    if (x <= -151)
        return 0;
    const int whole = (int)(x < 0 ? x - 0.5 : x + 0.5);
    return polynomial(taylor, LENGTH(taylor), x - whole) * power_of_two(whole);
}

/* log2(m) = 2 / ln(2) * (s + s^3 / 3 + s^5 / 5 ...) with s = (m - 1) / (m + 1), of an m between the roots of 1/2 and 2. */
static double logarithm(double x)
{
    static const double series[] = {0x1.0000000000000p+0, 0x1.5555555555555p-2, 0x1.999999999999ap-3,
                                    0x1.2492492492492p-3, 0x1.c71c71c71c71cp-4, 0x1.745d1745d1746p-4,
                                    0x1.3b13b13b13b14p-4, 0x1.1111111111111p-4, 0x1.e1e1e1e1e1e1ep-5,
                                    0x1.af286bca1af28p-5, 0x1.8618618618618p-5, 0x1.642c8590b2164p-5};
    if (x == 0)
        return -INFINITE;
    if (x == INFINITE)
        return x;
    int exponent = (int)(double_to_bits(x) >> 52) - 1022;
    double mantissa = x * power_of_two(-exponent);
    if (mantissa < ROOT_HALF) {
        mantissa *= 2;
        exponent--;
    }
    const double s = (mantissa - 1) / (mantissa + 1);
    return exponent + s * TWO_BY_LN2 * polynomial(series, LENGTH(series), s * s);
}

/*
 * |a| in quarter turns, modulo 4: the low two bits of the whole ones, and what is left, from -1/2 to 1/2. From the 96 bits of
 * 2 / pi that matter at this exponent (Payne and Hanek 1983); small angles are what they are.
 */
static double quarter_turns(uint32_t a, uint32_t *quadrant)
{
    static const uint32_t two_by_pi[] = {0x00000000, 0xA2F9836E, 0x4E441529, 0xFC2757D1,
                                         0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB};
    const uint32_t biased = a >> 23 & 0xFF, bit = biased - 120, word = bit / 32, shift = bit % 32;
    const uint64_t mantissa = (a & 0x7FFFFF) | UINT32_C(1) << 23;
    const uint64_t high = (uint64_t)two_by_pi[word] << 32 | two_by_pi[word + 1];
    const uint64_t low = (uint64_t)two_by_pi[word + 2] << 32 | two_by_pi[word + 3];
    const uint64_t top = shift ? high << shift | low >> (64 - shift) : high;
    const uint64_t turns = mantissa * top + (mantissa * (low << shift >> 32) >> 32); /* times 2^62 */
    *quadrant = (uint32_t)((turns + (UINT64_C(1) << 61)) >> 62);
    return (double)(int64_t)(turns - ((uint64_t)*quadrant << 62)) * 0x1p-62;
}

static double sine_of_rest(double y)
{
    static const double taylor[] = {0x1.0000000000000p+0,   -0x1.5555555555555p-3,  0x1.1111111111111p-7,
                                    -0x1.a01a01a01a01ap-13, 0x1.71de3a556c734p-19,  -0x1.ae64567f544e4p-26,
                                    0x1.6124613a86d09p-33,  -0x1.ae7f3e733b81fp-41, 0x1.952c77030ad4ap-49};
    return y * polynomial(taylor, LENGTH(taylor), y * y);
}

static double cosine_of_rest(double y)
{
    static const double taylor[] = {0x1.0000000000000p+0,   -0x1.0000000000000p-1,  0x1.5555555555555p-5,
                                    -0x1.6c16c16c16c17p-10, 0x1.a01a01a01a01ap-16,  -0x1.27e4fb7789f5cp-22,
                                    0x1.1eed8eff8d898p-29,  -0x1.93974a8c07c9dp-37, 0x1.ae7f3e733b81fp-45};
    return polynomial(taylor, LENGTH(taylor), y * y);
}

/* Sine of a + ahead quarter turns; a is finite. */
static double sine(uint32_t a, uint32_t ahead)
{
    const uint32_t is_small = (a & ~FLOAT_SIGN) < UINT32_C(120) << 23;
    uint32_t quadrant = 0;
    const double y = is_small ? fabs((double)float_from_bits(a)) : quarter_turns(a, &quadrant) * HALF_PI;
    const uint32_t mirrored = ahead ? 0 : a >> 31; /* the cosine of an angle and of its negative are the same */
    quadrant += ahead;
    const double value = quadrant & 1 ? cosine_of_rest(y) : sine_of_rest(y);
    return (quadrant >> 1 & 1) ^ mirrored ? -value : value;
}

static double value_of(uint32_t operation, uint32_t a)
{
    const double x = float_from_bits(a);
    switch (operation) {
    case ISA_OP_SF_RCP: return 1 / x;
    case ISA_OP_SF_SQRT: return sqrt(x);
    case ISA_OP_SF_RSQRT: return 1 / sqrt(x);
    case ISA_OP_SF_EXP2: return exponential(x);
    case ISA_OP_SF_LOG2: return logarithm(x);
    case ISA_OP_SF_SIN: return sine(a, 0);
    default: return sine(a, 1); /* ISA_OP_SF_COS */
    }
}

/* No number comes of it. */
static uint32_t is_invalid(uint32_t operation, uint32_t a)
{
    const uint32_t magnitude = a & ~FLOAT_SIGN, is_negative = a > FLOAT_SIGN; /* -0 is not */
    if (magnitude > FLOAT_INFINITY)
        return 1;
    switch (operation) {
    case ISA_OP_SF_SQRT:
    case ISA_OP_SF_RSQRT:
    case ISA_OP_SF_LOG2: return is_negative;
    case ISA_OP_SF_SIN:
    case ISA_OP_SF_COS: return magnitude == FLOAT_INFINITY;
    default: return 0;
    }
}

uint32_t isa_float_special(uint32_t operation, uint32_t a)
{
    return is_invalid(operation, a) ? FLOAT_NAN : float_to_bits((float)value_of(operation, a));
}

void isa_execute_special(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask)
{
    const uint32_t *a = lanes->registers + (size_t)instruction->rs1 * lanes->lanes;
    uint32_t *rd = lanes->registers + (size_t)instruction->rd * lanes->lanes;
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        rd[lane] = isa_float_special(instruction->operation, a[lane]);
    }
}
