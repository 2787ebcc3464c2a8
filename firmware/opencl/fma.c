/* SPDX-License-Identifier: MIT */
/* x * y + z of doubles, rounded once, to nearest with ties to even. The C library's, for processors without doubles, rounds the product
 * too: fmod, remainder and the sine of large numbers are then wrong. */
#include <stdint.h>

double fma(double x, double y, double z);

#define SIGN (UINT64_C(1) << 63)
#define FRACTION_BITS 52
#define FRACTION ((UINT64_C(1) << FRACTION_BITS) - 1)
#define LARGEST_EXPONENT 2047 /* as stored: of infinity, and of what is not a number */
#define BIAS 1023

/* Of 128 bits. */
typedef struct wide {
    uint64_t high, low;
} wide;

/* magnitude * 2^exponent, the magnitude from 2^124 to less than 2^127, so that a sum of two has room */
typedef struct term {
    wide magnitude;
    int exponent;
    uint64_t sign;
} term;

static uint64_t bits_of(double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static int stored_exponent(double value)
{
    return (int)(bits_of(value) >> FRACTION_BITS & LARGEST_EXPONENT);
}

/* Of a finite number but zero, which is this * 2^*exponent, from 2^62 to less than 2^63. */
static uint64_t digits_of(double value, int *exponent)
{
    const uint64_t fraction = bits_of(value) & FRACTION;
    const int stored = stored_exponent(value);
    const uint64_t digits = stored ? fraction | (FRACTION + 1) : fraction;
    const int shift = __builtin_clzll(digits) - 1;
    *exponent = (stored ? stored : 1) - BIAS - FRACTION_BITS - shift;
    return digits << shift;
}

static wide product(uint64_t x, uint64_t y)
{
    const uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    const uint64_t low = x0 * y0, cross = x1 * y0 + (low >> 32), middle = x0 * y1 + (uint32_t)cross;
    return (wide){x1 * y1 + (cross >> 32) + (middle >> 32), middle << 32 | (uint32_t)low};
}

static int is_less(wide x, wide y)
{
    return x.high < y.high || (x.high == y.high && x.low < y.low);
}

static wide sum(wide x, wide y)
{
    const uint64_t low = x.low + y.low;
    return (wide){x.high + y.high + (low < x.low), low};
}

static wide difference(wide x, wide y)
{
    return (wide){x.high - y.high - (x.low < y.low), x.low - y.low};
}

/* x << shift, none of whose ones is lost. */
static wide shifted_left(wide x, int shift)
{
    if (shift >= 64)
        return (wide){x.low << (shift - 64), 0};
    return shift ? (wide){x.high << shift | x.low >> (64 - shift), x.low << shift} : x;
}

/* x >> shift, odd if a one is lost, so that it is rounded as the exact number would be. */
static wide shifted_right(wide x, int shift)
{
    if (shift <= 0)
        return x;
    if (shift >= 128)
        return (wide){0, (x.high | x.low) != 0};
    if (shift >= 64) {
        const int rest = shift - 64;
        const uint64_t lost = x.low | (rest ? x.high << (64 - rest) : 0);
        return (wide){0, x.high >> rest | (lost != 0)};
    }
    const uint64_t lost = x.low << (64 - shift);
    return (wide){x.high >> shift, x.high << (64 - shift) | x.low >> shift | (lost != 0)};
}

static int leading_zeros(wide x)
{
    return x.high ? __builtin_clzll(x.high) : 64 + __builtin_clzll(x.low);
}

/* The term, of any magnitude but 0, as a double. */
static double rounded(term t)
{
    const int zeros = leading_zeros(t.magnitude);
    const int stored = t.exponent - zeros + 127 + BIAS;
    if (stored >= LARGEST_EXPONENT)
        return double_of(t.sign | (uint64_t)LARGEST_EXPONENT << FRACTION_BITS);
    /* A subnormal number's exponent is that of the least normal one. */
    const wide digits = shifted_right(shifted_left(t.magnitude, zeros), 1 - stored);
    const uint64_t top = digits.high >> 11, rest = (digits.high & 0x7FF) | (digits.low != 0), tie = 0x400;
    /* The leading one, and one that is carried out of the fraction, count in the exponent. */
    const uint64_t below = (uint64_t)(stored > 1 ? stored - 1 : 0) << FRACTION_BITS;
    return double_of(t.sign | (below + top + (rest > tie || (rest == tie && top & 1))));
}

static term product_term(double x, double y)
{
    int x_exponent, y_exponent;
    const uint64_t x_digits = digits_of(x, &x_exponent), y_digits = digits_of(y, &y_exponent);
    return (term){product(x_digits, y_digits), x_exponent + y_exponent, (bits_of(x) ^ bits_of(y)) & SIGN};
}

static term single_term(double z)
{
    int exponent;
    const uint64_t digits = digits_of(z, &exponent);
    return (term){{digits, 0}, exponent - 64, bits_of(z) & SIGN};
}

/* A shift loses ones only of a term so much smaller that it matters no more than that they were there. */
static double rounded_sum(term x, term y)
{
    const int exponent = x.exponent > y.exponent ? x.exponent : y.exponent;
    const wide of_x = shifted_right(x.magnitude, exponent - x.exponent);
    const wide of_y = shifted_right(y.magnitude, exponent - y.exponent);
    if (x.sign == y.sign)
        return rounded((term){sum(of_x, of_y), exponent, x.sign});
    const int is_negated = is_less(of_x, of_y);
    const wide rest = is_negated ? difference(of_y, of_x) : difference(of_x, of_y);
    return rest.high | rest.low ? rounded((term){rest, exponent, is_negated ? y.sign : x.sign}) : 0;
}

double fma(double x, double y, double z)
{
    /* Products that are exact. */
    if (x == 0 || y == 0 || stored_exponent(x) == LARGEST_EXPONENT || stored_exponent(y) == LARGEST_EXPONENT)
        return x * y + z;
    if (stored_exponent(z) == LARGEST_EXPONENT)
        return z + z;
    return z == 0 ? x * y : rounded_sum(product_term(x, y), single_term(z));
}
