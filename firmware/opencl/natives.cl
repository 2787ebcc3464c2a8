/* SPDX-License-Identifier: MIT */
/* native_ functions of vectors, from those of floats. */
#define BUILT_IN __attribute__((overloadable, always_inline, const))

#define VECTORS(function)                                                                                              \
    BUILT_IN float function(float x);                                                                                  \
    BUILT_IN float2 function(float2 x)                                                                                 \
    {                                                                                                                  \
        return (float2)(function(x.x), function(x.y));                                                                 \
    }                                                                                                                  \
    BUILT_IN float3 function(float3 x)                                                                                 \
    {                                                                                                                  \
        return (float3)(function(x.x), function(x.y), function(x.z));                                                  \
    }                                                                                                                  \
    BUILT_IN float4 function(float4 x)                                                                                 \
    {                                                                                                                  \
        return (float4)(function(x.lo), function(x.hi));                                                               \
    }                                                                                                                  \
    BUILT_IN float8 function(float8 x)                                                                                 \
    {                                                                                                                  \
        return (float8)(function(x.lo), function(x.hi));                                                               \
    }                                                                                                                  \
    BUILT_IN float16 function(float16 x)                                                                               \
    {                                                                                                                  \
        return (float16)(function(x.lo), function(x.hi));                                                              \
    }

VECTORS(native_sin)
VECTORS(native_cos)
VECTORS(native_exp)
VECTORS(native_exp2)
VECTORS(native_log)
VECTORS(native_log2)
VECTORS(native_log10)
VECTORS(native_recip)
VECTORS(native_sqrt)
VECTORS(native_rsqrt)

BUILT_IN float native_divide(float x, float y);

BUILT_IN float native_powr(float x, float y)
{
    return native_exp2(y * native_log2(x));
}

BUILT_IN float native_tan(float x)
{
    return native_divide(native_sin(x), native_cos(x));
}

#define MADE_OF_VECTORS(type)                                                                                          \
    BUILT_IN type native_powr(type x, type y)                                                                          \
    {                                                                                                                  \
        return native_exp2(y * native_log2(x));                                                                        \
    }                                                                                                                  \
    BUILT_IN type native_divide(type x, type y)                                                                        \
    {                                                                                                                  \
        return x * native_recip(y);                                                                                    \
    }                                                                                                                  \
    BUILT_IN type native_tan(type x)                                                                                   \
    {                                                                                                                  \
        return native_divide(native_sin(x), native_cos(x));                                                            \
    }

MADE_OF_VECTORS(float2)
MADE_OF_VECTORS(float3)
MADE_OF_VECTORS(float4)
MADE_OF_VECTORS(float8)
MADE_OF_VECTORS(float16)
