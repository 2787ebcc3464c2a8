/* SPDX-License-Identifier: MIT */
/* The functions __nv_* of NVIDIA's library on integers and on bits, conversions, and arithmetic that is rounded to nearest. */
#include <stdint.h>

typedef long long int64;
typedef unsigned long long uint64;

#define FUNCTION(type, name, parameters, value)                                                                        \
    __attribute__((always_inline)) type __nv_##name parameters;                                                        \
    type __nv_##name parameters                                                                                        \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

FUNCTION(int, abs, (int x), x < 0 ? -x : x)
FUNCTION(int64, llabs, (int64 x), x < 0 ? -x : x)
FUNCTION(int, min, (int x, int y), x < y ? x : y)
FUNCTION(int, max, (int x, int y), x > y ? x : y)
FUNCTION(unsigned, umin, (unsigned x, unsigned y), x < y ? x : y)
FUNCTION(unsigned, umax, (unsigned x, unsigned y), x > y ? x : y)
FUNCTION(int64, llmin, (int64 x, int64 y), x < y ? x : y)
FUNCTION(int64, llmax, (int64 x, int64 y), x > y ? x : y)
FUNCTION(uint64, ullmin, (uint64 x, uint64 y), x < y ? x : y)
FUNCTION(uint64, ullmax, (uint64 x, uint64 y), x > y ? x : y)
FUNCTION(int, mulhi, (int x, int y), (int)((int64)x * y >> 32))
FUNCTION(unsigned, umulhi, (unsigned x, unsigned y), (unsigned)((uint64)x * y >> 32))
FUNCTION(int, mul24, (int x, int y), (x << 8 >> 8) * (y << 8 >> 8))
FUNCTION(unsigned, umul24, (unsigned x, unsigned y), (x & 0xFFFFFF) * (y & 0xFFFFFF))
FUNCTION(int, hadd, (int x, int y), (x & y) + ((x ^ y) >> 1))
FUNCTION(int, rhadd, (int x, int y), (x | y) - ((x ^ y) >> 1))
FUNCTION(unsigned, uhadd, (unsigned x, unsigned y), (x & y) + ((x ^ y) >> 1))
FUNCTION(unsigned, urhadd, (unsigned x, unsigned y), (x | y) - ((x ^ y) >> 1))
FUNCTION(int, sad, (int x, int y, int z), z + (x < y ? y - x : x - y))
FUNCTION(unsigned, usad, (unsigned x, unsigned y, unsigned z), z + (x < y ? y - x : x - y))

/* The upper half of 128 bits, from products of halves. */
static uint64 high_product(uint64 x, uint64 y)
{
    const uint64 x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    const uint64 middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (uint32_t)middle;
    return x1 * y1 + (middle >> 32) + (other >> 32);
}
FUNCTION(uint64, umul64hi, (uint64 x, uint64 y), high_product(x, y))
FUNCTION(int64, mul64hi, (int64 x, int64 y),
         (int64)(high_product((uint64)x, (uint64)y) - (x < 0 ? (uint64)y : 0) - (y < 0 ? (uint64)x : 0)))

/* ---- Bits ------------------------------------------------------------------------------------------------------------ */

FUNCTION(int, clz, (int x), x ? __builtin_clz((unsigned)x) : 32)
FUNCTION(int, clzll, (int64 x), x ? __builtin_clzll((uint64)x) : 64)
FUNCTION(int, ffs, (int x), __builtin_ffs(x))
FUNCTION(int, ffsll, (int64 x), __builtin_ffsll(x))
FUNCTION(int, popc, (int x), __builtin_popcount((unsigned)x))
FUNCTION(int, popcll, (int64 x), __builtin_popcountll((uint64)x))
FUNCTION(int, brev, (int x), (int)__builtin_bitreverse32((unsigned)x))
FUNCTION(int64, brevll, (int64 x), (int64)__builtin_bitreverse64((uint64)x))

/* Byte by byte from eight, as the selector's digits say; the highest bit of a digit copies a sign. */
static unsigned selected(uint64 bytes, unsigned selector, unsigned i)
{
    const unsigned digit = selector >> 4 * i & 15, byte = (unsigned)(bytes >> 8 * (digit & 7)) & 255;
    return (digit & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
}
FUNCTION(int, byte_perm, (int x, int y, int z),
         (int)(selected((uint64)(unsigned)y << 32 | (unsigned)x, (unsigned)z, 0) |
               selected((uint64)(unsigned)y << 32 | (unsigned)x, (unsigned)z, 1) |
               selected((uint64)(unsigned)y << 32 | (unsigned)x, (unsigned)z, 2) |
               selected((uint64)(unsigned)y << 32 | (unsigned)x, (unsigned)z, 3)))

#define AS(to, from, name)                                                                                             \
    __attribute__((always_inline)) to __nv_##name(from x);                                                             \
    to __nv_##name(from x)                                                                                             \
    {                                                                                                                  \
        to value;                                                                                                      \
        __builtin_memcpy(&value, &x, sizeof value);                                                                    \
        return value;                                                                                                  \
    }
AS(int, float, float_as_int)
AS(unsigned, float, float_as_uint)
AS(float, int, int_as_float)
AS(float, unsigned, uint_as_float)
AS(int64, double, double_as_longlong)
AS(double, int64, longlong_as_double)
FUNCTION(int, double2hiint, (double x), (int)(__nv_double_as_longlong(x) >> 32))
FUNCTION(int, double2loint, (double x), (int)__nv_double_as_longlong(x))
FUNCTION(double, hiloint2double, (int x, int y), __nv_longlong_as_double((int64)((uint64)(unsigned)x << 32 | (unsigned)y)))

FUNCTION(int, isnanf, (float x), x != x)
FUNCTION(int, isnand, (double x), x != x)
FUNCTION(int, isinff, (float x), __builtin_isinf(x))
FUNCTION(int, isinfd, (double x), __builtin_isinf(x))
FUNCTION(int, finitef, (float x), __builtin_isfinite(x))
FUNCTION(int, isfinited, (double x), __builtin_isfinite(x))
FUNCTION(int, signbitf, (float x), __nv_float_as_int(x) < 0)
FUNCTION(int, signbitd, (double x), __nv_double_as_longlong(x) < 0)
FUNCTION(float, saturatef, (float x), x > 0 ? x < 1 ? x : 1 : 0)

/* ---- Conversions ----------------------------------------------------------------------------------------------------- */

float to_nearest(float x) __asm__("_Z4rintf");
float downwards(float x) __asm__("_Z5floorf");
float upwards(float x) __asm__("_Z4ceilf");
double double_to_nearest(double x) __asm__("_Z4rintd");
double double_downwards(double x) __asm__("_Z5floord");
double double_upwards(double x) __asm__("_Z4ceild");

#define TO_INTEGER(type, name)                                                                                         \
    FUNCTION(type, float2##name##_rn, (float x), (type)to_nearest(x))                                                  \
    FUNCTION(type, float2##name##_rd, (float x), (type)downwards(x))                                                   \
    FUNCTION(type, float2##name##_ru, (float x), (type)upwards(x))                                                     \
    FUNCTION(type, float2##name##_rz, (float x), (type)x)                                                              \
    FUNCTION(type, double2##name##_rn, (double x), (type)double_to_nearest(x))                                         \
    FUNCTION(type, double2##name##_rd, (double x), (type)double_downwards(x))                                          \
    FUNCTION(type, double2##name##_ru, (double x), (type)double_upwards(x))                                            \
    FUNCTION(type, double2##name##_rz, (double x), (type)x)
TO_INTEGER(int, int)
TO_INTEGER(unsigned, uint)
TO_INTEGER(int64, ll)
TO_INTEGER(uint64, ull)
FUNCTION(float, int2float_rn, (int x), (float)x)
FUNCTION(float, uint2float_rn, (unsigned x), (float)x)
FUNCTION(float, ll2float_rn, (int64 x), (float)x)
FUNCTION(float, ull2float_rn, (uint64 x), (float)x)
FUNCTION(double, int2double_rn, (int x), x)
FUNCTION(double, uint2double_rn, (unsigned x), x)
FUNCTION(double, ll2double_rn, (int64 x), (double)x)
FUNCTION(double, ull2double_rn, (uint64 x), (double)x)
FUNCTION(float, double2float_rn, (double x), (float)x)

/* ---- Rounded to nearest, and never one with another ------------------------------------------------------------------ */

#pragma STDC FP_CONTRACT OFF
FUNCTION(float, fadd_rn, (float x, float y), x + y)
FUNCTION(float, fsub_rn, (float x, float y), x - y)
FUNCTION(float, fmul_rn, (float x, float y), x *y)
FUNCTION(float, fdiv_rn, (float x, float y), x / y)
FUNCTION(float, frcp_rn, (float x), 1 / x)
FUNCTION(float, fsqrt_rn, (float x), __builtin_sqrtf(x))
FUNCTION(float, fmaf_rn, (float x, float y, float z), __builtin_fmaf(x, y, z))
FUNCTION(double, dadd_rn, (double x, double y), x + y)
FUNCTION(double, dsub_rn, (double x, double y), x - y)
FUNCTION(double, dmul_rn, (double x, double y), x *y)
FUNCTION(double, ddiv_rn, (double x, double y), x / y)
FUNCTION(double, drcp_rn, (double x), 1 / x)
FUNCTION(double, fma_rn, (double x, double y, double z), __builtin_fma(x, y, z))
FUNCTION(double, dsqrt_rn, (double x), __builtin_sqrt(x))
