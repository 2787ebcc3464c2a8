/* SPDX-License-Identifier: MIT */
/* The functions __nv_* of NVIDIA's library, by those of libclc and the special function unit (firmware/opencl). What is not here is an
 * error when a program is linked, by its name. */
#include <stdint.h>

#define BUILT_IN __attribute__((always_inline))

/* ---- One and two numbers --------------------------------------------------------------------------------------------- */

/* `there`: libclc's function, as C++ mangles it for OpenCL, without its types. */
#define ONE_OF(type, name, there, letter)                                                                              \
    type there_##name(type x) __asm__(there letter);                                                                   \
    BUILT_IN type __nv_##name(type x);                                                                                 \
    type __nv_##name(type x)                                                                                           \
    {                                                                                                                  \
        return there_##name(x);                                                                                        \
    }
#define TWO_OF(type, name, there, letters)                                                                             \
    type there_##name(type x, type y) __asm__(there letters);                                                          \
    BUILT_IN type __nv_##name(type x, type y);                                                                         \
    type __nv_##name(type x, type y)                                                                                   \
    {                                                                                                                  \
        return there_##name(x, y);                                                                                     \
    }
#define ONE(name, there) ONE_OF(float, name##f, there, "f") ONE_OF(double, name, there, "d")
#define TWO(name, there) TWO_OF(float, name##f, there, "ff") TWO_OF(double, name, there, "dd")

ONE(acos, "_Z4acos")
ONE(acosh, "_Z5acosh")
ONE(asin, "_Z4asin")
ONE(asinh, "_Z5asinh")
ONE(atan, "_Z4atan")
ONE(atanh, "_Z5atanh")
ONE(cbrt, "_Z4cbrt")
ONE(ceil, "_Z4ceil")
ONE(cos, "_Z3cos")
ONE(cosh, "_Z4cosh")
ONE(cospi, "_Z5cospi")
ONE(erf, "_Z3erf")
ONE(erfc, "_Z4erfc")
ONE(exp, "_Z3exp")
ONE(exp10, "_Z5exp10")
ONE(exp2, "_Z4exp2")
ONE(expm1, "_Z5expm1")
ONE(fabs, "_Z4fabs")
ONE(floor, "_Z5floor")
ONE(lgamma, "_Z6lgamma")
ONE(log, "_Z3log")
ONE(log10, "_Z5log10")
ONE(log1p, "_Z5log1p")
ONE(log2, "_Z4log2")
ONE(logb, "_Z4logb")
ONE(rint, "_Z4rint")
ONE(round, "_Z5round")
ONE(rsqrt, "_Z5rsqrt")
ONE(sin, "_Z3sin")
ONE(sinh, "_Z4sinh")
ONE(sinpi, "_Z5sinpi")
ONE(sqrt, "_Z4sqrt")
ONE(tan, "_Z3tan")
ONE(tanh, "_Z4tanh")
ONE(tgamma, "_Z6tgamma")
ONE(trunc, "_Z5trunc")
TWO(atan2, "_Z5atan2")
TWO(copysign, "_Z8copysign")
TWO(fdim, "_Z4fdim")
TWO(fmax, "_Z4fmax")
TWO(fmin, "_Z4fmin")
TWO(fmod, "_Z4fmod")
TWO(hypot, "_Z5hypot")
TWO(nextafter, "_Z9nextafter")
TWO(pow, "_Z3pow")
TWO(remainder, "_Z9remainder")

/* ---- More than two, or another type ------------------------------------------------------------------------------------ */

#define OTHERS(type, f, there, letter)                                                                                 \
    type there##fma(type x, type y, type z) __asm__("_Z3fma" letter letter letter);                                    \
    type there##ldexp(type x, int n) __asm__("_Z5ldexp" letter "i");                                                   \
    int there##ilogb(type x) __asm__("_Z5ilogb" letter);                                                               \
    type there##remquo(type x, type y, int *quotient) __asm__("_Z6remquo" letter letter "Pi");                         \
    BUILT_IN type __nv_fma##f(type x, type y, type z);                                                                 \
    type __nv_fma##f(type x, type y, type z)                                                                           \
    {                                                                                                                  \
        return there##fma(x, y, z);                                                                                    \
    }                                                                                                                  \
    BUILT_IN type __nv_remquo##f(type x, type y, int *quotient);                                                       \
    type __nv_remquo##f(type x, type y, int *quotient)                                                                 \
    {                                                                                                                  \
        return there##remquo(x, y, quotient);                                                                          \
    }                                                                                                                  \
    BUILT_IN type __nv_ldexp##f(type x, int n);                                                                        \
    type __nv_ldexp##f(type x, int n)                                                                                  \
    {                                                                                                                  \
        return there##ldexp(x, n);                                                                                     \
    }                                                                                                                  \
    BUILT_IN type __nv_scalbn##f(type x, int n);                                                                       \
    type __nv_scalbn##f(type x, int n)                                                                                 \
    {                                                                                                                  \
        return there##ldexp(x, n);                                                                                     \
    }                                                                                                                  \
    BUILT_IN int __nv_ilogb##f(type x);                                                                                \
    int __nv_ilogb##f(type x)                                                                                          \
    {                                                                                                                  \
        return there##ilogb(x);                                                                                        \
    }                                                                                                                  \
    BUILT_IN type __nv_modf##f(type x, type *whole);                                                                   \
    type __nv_modf##f(type x, type *whole)                                                                             \
    {                                                                                                                  \
        *whole = __nv_trunc##f(x);                                                                                     \
        return __nv_copysign##f(__builtin_isinf(x) ? 0 : x - *whole, x);                                               \
    }                                                                                                                  \
    BUILT_IN type __nv_frexp##f(type x, int *exponent);                                                                \
    type __nv_frexp##f(type x, int *exponent)                                                                          \
    {                                                                                                                  \
        const int is_plain = x != 0 && !__builtin_isinf(x) && x == x;                                                  \
        *exponent = is_plain ? there##ilogb(x) + 1 : 0;                                                                \
        return is_plain ? there##ldexp(x, -*exponent) : x;                                                             \
    }                                                                                                                  \
    BUILT_IN type __nv_powi##f(type x, int n);                                                                         \
    type __nv_powi##f(type x, int n)                                                                                   \
    {                                                                                                                  \
        return __nv_pow##f(x, (type)n);                                                                                \
    }                                                                                                                  \
    BUILT_IN type __nv_rcbrt##f(type x);                                                                               \
    type __nv_rcbrt##f(type x)                                                                                         \
    {                                                                                                                  \
        return 1 / __nv_cbrt##f(x);                                                                                    \
    }                                                                                                                  \
    BUILT_IN type __nv_rhypot##f(type x, type y);                                                                      \
    type __nv_rhypot##f(type x, type y)                                                                                \
    {                                                                                                                  \
        return 1 / __nv_hypot##f(x, y);                                                                                \
    }                                                                                                                  \
    BUILT_IN type __nv_norm3d##f(type x, type y, type z);                                                              \
    type __nv_norm3d##f(type x, type y, type z)                                                                        \
    {                                                                                                                  \
        return __nv_hypot##f(__nv_hypot##f(x, y), z);                                                                  \
    }                                                                                                                  \
    BUILT_IN type __nv_norm4d##f(type x, type y, type z, type w);                                                      \
    type __nv_norm4d##f(type x, type y, type z, type w)                                                                \
    {                                                                                                                  \
        return __nv_hypot##f(__nv_hypot##f(x, y), __nv_hypot##f(z, w));                                                \
    }                                                                                                                  \
    BUILT_IN void __nv_sincos##f(type x, type *sine, type *cosine);                                                    \
    void __nv_sincos##f(type x, type *sine, type *cosine)                                                              \
    {                                                                                                                  \
        *sine = __nv_sin##f(x);                                                                                        \
        *cosine = __nv_cos##f(x);                                                                                      \
    }                                                                                                                  \
    BUILT_IN void __nv_sincospi##f(type x, type *sine, type *cosine);                                                  \
    void __nv_sincospi##f(type x, type *sine, type *cosine)                                                            \
    {                                                                                                                  \
        *sine = __nv_sinpi##f(x);                                                                                      \
        *cosine = __nv_cospi##f(x);                                                                                    \
    }                                                                                                                  \
    BUILT_IN long long __nv_llrint##f(type x);                                                                         \
    long long __nv_llrint##f(type x)                                                                                   \
    {                                                                                                                  \
        return (long long)__nv_rint##f(x);                                                                             \
    }                                                                                                                  \
    BUILT_IN long long __nv_llround##f(type x);                                                                        \
    long long __nv_llround##f(type x)                                                                                  \
    {                                                                                                                  \
        return (long long)__nv_round##f(x);                                                                            \
    }
OTHERS(float, f, float_, "f")
OTHERS(double, , double_, "d")

/* ---- Of the special function unit ------------------------------------------------------------------------------------ */

#define FAST(name, there) ONE_OF(float, fast_##name##f, there, "")
FAST(sin, "heddle_native_sin")
FAST(cos, "heddle_native_cos")
FAST(exp, "heddle_native_exp")
FAST(log, "heddle_native_log")
FAST(log2, "heddle_native_log2")
FAST(log10, "heddle_native_log10")
ONE_OF(float, frsqrt_rn, "_Z5rsqrt", "f")

float heddle_native_exp2(float x);
float heddle_special_reciprocal(float x);

#define FUNCTION(type, name, parameters, value)                                                                        \
    BUILT_IN type name parameters;                                                                                     \
    type name parameters                                                                                               \
    {                                                                                                                  \
        return value;                                                                                                  \
    }
FUNCTION(float, __nv_fast_exp10f, (float x), heddle_native_exp2(x * 3.3219281f)) /* log2(10) */
FUNCTION(float, __nv_fast_powf, (float x, float y), heddle_native_exp2(y *__nv_fast_log2f(x)))
FUNCTION(float, __nv_fast_fdividef, (float x, float y), x *heddle_special_reciprocal(y))
FUNCTION(float, __nv_fast_tanf, (float x), __nv_fast_sinf(x) * heddle_special_reciprocal(__nv_fast_cosf(x)))

BUILT_IN void __nv_fast_sincosf(float x, float *sine, float *cosine);
void __nv_fast_sincosf(float x, float *sine, float *cosine)
{
    *sine = __nv_fast_sinf(x);
    *cosine = __nv_fast_cosf(x);
}
