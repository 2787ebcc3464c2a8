/* SPDX-License-Identifier: MIT */
/*
 * The special function unit: functions of a float that take one instruction, as CUDA's fast intrinsics do (docs/isa.md has their
 * values and errors). Plain C division and __builtin_sqrtf are IEEE operations of another, slower unit.
 */
#ifndef SIMT_SPECIAL_H
#define SIMT_SPECIAL_H

#define SIMT_SPECIAL(name, funct7)                                                                                     \
    static inline __attribute__((always_inline, unused)) float name(float x)                                           \
    {                                                                                                                  \
        float value;                                                                                                   \
        __asm__(".insn r 0x2B, 7, " #funct7 ", %0, %1, f0" : "=f"(value) : "f"(x));                                    \
        return value;                                                                                                  \
    }

SIMT_SPECIAL(simt_fast_reciprocal, 0)
SIMT_SPECIAL(simt_fast_square_root, 1)
SIMT_SPECIAL(simt_fast_reciprocal_root, 2)
SIMT_SPECIAL(simt_fast_sine, 3) /* of radians */
SIMT_SPECIAL(simt_fast_cosine, 4)
SIMT_SPECIAL(simt_fast_exp2, 5)
SIMT_SPECIAL(simt_fast_log2, 6)

/* What is one of these and a multiplication. */
static inline __attribute__((always_inline, unused)) float simt_fast_divide(float a, float b)
{
    return a * simt_fast_reciprocal(b);
}

static inline __attribute__((always_inline, unused)) float simt_fast_exp(float x)
{
    return simt_fast_exp2(x * 1.4426950408889634f); /* log2(e) */
}

static inline __attribute__((always_inline, unused)) float simt_fast_log(float x)
{
    return simt_fast_log2(x) * 0.6931471805599453f; /* ln(2) */
}

static inline __attribute__((always_inline, unused)) float simt_fast_power(float x, float y)
{
    return simt_fast_exp2(y * simt_fast_log2(x));
}

#endif
