/* SPDX-License-Identifier: MIT */
/*
 * Every float operation on one lane, in any rounding mode, with its flags.
 *
 * Method: the exact result is formed in double precision rounded to odd (Boldo and Melquiond, "Emulation of FMA and
 * correctly rounded sums", 2008), which keeps all that a later rounding to single, in any mode, needs to know; that
 * rounding is done on integers. Nothing depends on, or touches, the host's rounding mode and flags beyond the default.
 */
#ifndef ISA_FLOAT_SCALAR_H
#define ISA_FLOAT_SCALAR_H

#include <stdint.h>
#include <string.h>

#define FLOAT_SIGN UINT32_C(0x80000000)
#define FLOAT_INFINITY UINT32_C(0x7F800000)
#define FLOAT_MAX UINT32_C(0x7F7FFFFF)
#define FLOAT_MIN_NORMAL UINT32_C(0x00800000)
#define FLOAT_NAN UINT32_C(0x7FC00000)
#define FLOAT_QUIET UINT32_C(0x00400000)

/* operation: ISA_OP_* of a float class. mode: a valid ISA_ROUND_*. Flags are added to *flags. */
uint32_t isa_float_scalar(uint32_t operation, uint32_t a, uint32_t b, uint32_t c, uint32_t mode, uint8_t *flags);

static inline float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t float_to_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t double_to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* a + b = sum + error, exactly (Knuth), if nothing overflows. */
static inline double sum_error(double a, double b, double sum)
{
    double b_part = sum - a;
    return (a - (sum - b_part)) + (b - b_part);
}

#endif
