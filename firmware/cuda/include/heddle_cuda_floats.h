/* SPDX-License-Identifier: MIT */
/* What clang's headers declare for floats and leave to NVIDIA's. Part of cuda_runtime.h. */
#ifndef HEDDLE_CUDA_FLOATS_H
#define HEDDLE_CUDA_FLOATS_H

#define HEDDLE_ONE(name)                                                                                               \
    HEDDLE_DEVICE float name(float x)                                                                                  \
    {                                                                                                                  \
        return name##f(x);                                                                                             \
    }
#define HEDDLE_TWO(name)                                                                                               \
    HEDDLE_DEVICE float name(float x, float y)                                                                         \
    {                                                                                                                  \
        return name##f(x, y);                                                                                          \
    }
#define HEDDLE_TO(type, name)                                                                                          \
    HEDDLE_DEVICE type name(float x)                                                                                   \
    {                                                                                                                  \
        return name##f(x);                                                                                             \
    }
HEDDLE_ONE(acosh)
HEDDLE_ONE(asinh)
HEDDLE_ONE(atanh)
HEDDLE_ONE(cbrt)
HEDDLE_ONE(cospi)
HEDDLE_ONE(erf)
HEDDLE_ONE(erfc)
HEDDLE_ONE(exp10)
HEDDLE_ONE(exp2)
HEDDLE_ONE(expm1)
HEDDLE_ONE(lgamma)
HEDDLE_ONE(log1p)
HEDDLE_ONE(log2)
HEDDLE_ONE(logb)
HEDDLE_ONE(nearbyint)
HEDDLE_ONE(rcbrt)
HEDDLE_ONE(rint)
HEDDLE_ONE(round)
HEDDLE_ONE(rsqrt)
HEDDLE_ONE(sinpi)
HEDDLE_ONE(tgamma)
HEDDLE_ONE(trunc)
HEDDLE_TWO(copysign)
HEDDLE_TWO(fdim)
HEDDLE_TWO(fmax)
HEDDLE_TWO(fmin)
HEDDLE_TWO(hypot)
HEDDLE_TWO(nextafter)
HEDDLE_TWO(remainder)
HEDDLE_TO(int, ilogb)
HEDDLE_TO(long, lrint)
HEDDLE_TO(long, lround)
HEDDLE_TO(long long, llrint)
HEDDLE_TO(long long, llround)
#undef HEDDLE_ONE
#undef HEDDLE_TWO
#undef HEDDLE_TO

HEDDLE_DEVICE float fma(float x, float y, float z)
{
    return fmaf(x, y, z);
}

HEDDLE_DEVICE float remquo(float x, float y, int *quotient)
{
    return remquof(x, y, quotient);
}

HEDDLE_DEVICE float scalbn(float x, int n)
{
    return scalbnf(x, n);
}

HEDDLE_DEVICE float scalbln(float x, long n)
{
    return scalblnf(x, n);
}

#endif
