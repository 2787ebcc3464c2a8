/* SPDX-License-Identifier: MIT */
/*
 * What kernels have. The mathematics and the conversions are those of clang's headers, whose functions __nv_* firmware/cuda defines; lanes,
 * barriers and atomics are Heddle's. Part of cuda_runtime.h.
 */
#ifndef HEDDLE_CUDA_DEVICE_H
#define HEDDLE_CUDA_DEVICE_H

/* Places in messages and profiles are those of the program, not of these headers. */
#define HEDDLE_DEVICE static inline __device__ __attribute__((always_inline, nodebug, unused))

#define warpSize heddle_cuda_no_warp_size
#include <__clang_cuda_builtin_vars.h>
#undef warpSize

/* What these headers make of NVIDIA's instructions is made of Heddle's in heddle_cuda_warp.h. */
#define __all heddle_cuda_no_all
#define __any heddle_cuda_no_any
#define __ballot heddle_cuda_no_ballot
#define __brkpt heddle_cuda_no_breakpoint
#define __syncthreads_and heddle_cuda_no_and
#define __syncthreads_or heddle_cuda_no_or
#define __syncthreads_count heddle_cuda_no_count
#define __trap heddle_cuda_no_trap
#define clock heddle_cuda_no_clock
#define clock64 heddle_cuda_no_clock64
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#undef __all
#undef __any
#undef __ballot
#undef __brkpt
#undef __syncthreads_and
#undef __syncthreads_or
#undef __syncthreads_count
#undef __trap
#undef clock
#undef clock64
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>

#define HEDDLE_CONVERSION(variable)                                                                                    \
    __device__ inline __cuda_builtin_##variable##_t::operator dim3() const                                             \
    {                                                                                                                  \
        return dim3(x, y, z);                                                                                          \
    }                                                                                                                  \
    __device__ inline __cuda_builtin_##variable##_t::operator uint3() const                                            \
    {                                                                                                                  \
        return uint3{x, y, z};                                                                                         \
    }
HEDDLE_CONVERSION(threadIdx)
HEDDLE_CONVERSION(blockIdx)
HEDDLE_CONVERSION(blockDim)
HEDDLE_CONVERSION(gridDim)
#undef HEDDLE_CONVERSION

extern "C" {
__device__ int printf(const char *format, ...);
__device__ void heddle_assert_fail(const char *text) __attribute__((noreturn));

/* The message has the place. */
HEDDLE_DEVICE void __assert_fail(const char *text, const char *, unsigned, const char *)
{
    heddle_assert_fail(text);
}
}

/* ---- Of any type, for host and device -------------------------------------------------------------------------------- */

#define HEDDLE_BOTH static inline __host__ __device__ __attribute__((always_inline, unused))
#define HEDDLE_MIN_MAX(type)                                                                                           \
    HEDDLE_BOTH type min(type a, type b)                                                                               \
    {                                                                                                                  \
        return b < a ? b : a;                                                                                          \
    }                                                                                                                  \
    HEDDLE_BOTH type max(type a, type b)                                                                               \
    {                                                                                                                  \
        return a < b ? b : a;                                                                                          \
    }
HEDDLE_MIN_MAX(unsigned)
HEDDLE_MIN_MAX(long)
HEDDLE_MIN_MAX(unsigned long)
HEDDLE_MIN_MAX(long long)
HEDDLE_MIN_MAX(unsigned long long)
HEDDLE_MIN_MAX(float)
HEDDLE_MIN_MAX(double)
#undef HEDDLE_MIN_MAX
/* As the arithmetic of C has it. */
#define HEDDLE_MIXED(type, one, other)                                                                                 \
    HEDDLE_BOTH type min(one a, other b)                                                                               \
    {                                                                                                                  \
        return min((type)a, (type)b);                                                                                  \
    }                                                                                                                  \
    HEDDLE_BOTH type max(one a, other b)                                                                               \
    {                                                                                                                  \
        return max((type)a, (type)b);                                                                                  \
    }
HEDDLE_MIXED(unsigned, int, unsigned)
HEDDLE_MIXED(unsigned, unsigned, int)
HEDDLE_MIXED(double, float, double)
HEDDLE_MIXED(double, double, float)
#undef HEDDLE_MIXED
/* clang's header has these for kernels. */
static inline __host__ int min(int a, int b)
{
    return b < a ? b : a;
}
static inline __host__ int max(int a, int b)
{
    return a < b ? b : a;
}

/* By way of what nobody writes: the hardware's caches need no other instruction. */
template <class T> HEDDLE_DEVICE T __ldg(const T *place)
{
    return *place;
}

template <class T> HEDDLE_DEVICE T __ldcg(const T *place)
{
    return *(const volatile T *)place;
}

/* high:low, shifted by width: its upper word, or its lower one. Of the width there count 5 bits, or (_lc, _rc) no more than 32. */
HEDDLE_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned width)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (width < 32 ? width : 32)) >> 32);
}

HEDDLE_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned width)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (width < 32 ? width : 32));
}

HEDDLE_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned width)
{
    return __funnelshift_lc(low, high, width & 31);
}

HEDDLE_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned width)
{
    return __funnelshift_rc(low, high, width & 31);
}

#undef HEDDLE_BOTH

#include "heddle_cuda_atomics.h"
#include "heddle_cuda_floats.h"
#include "heddle_cuda_warp.h"

#undef HEDDLE_DEVICE

#endif
