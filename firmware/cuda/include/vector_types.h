/* SPDX-License-Identifier: MIT */
/* int2, float4 and their kind, dim3, and the functions that make them. */
#ifndef HEDDLE_CUDA_VECTOR_TYPES_H
#define HEDDLE_CUDA_VECTOR_TYPES_H

#include "host_defines.h"

/* An alignment of 1 leaves the type's own. */
#define HEDDLE_VECTORS(name, type, of_two, of_four)                                                                    \
    typedef struct name##1 {                                                                                           \
        type x;                                                                                                        \
    } name##1;                                                                                                         \
    typedef struct __align__(of_two) name##2 {                                                                         \
        type x, y;                                                                                                     \
    } name##2;                                                                                                         \
    typedef struct name##3 {                                                                                           \
        type x, y, z;                                                                                                  \
    } name##3;                                                                                                         \
    typedef struct __align__(of_four) name##4 {                                                                        \
        type x, y, z, w;                                                                                               \
    } name##4;                                                                                                         \
    HEDDLE_MAKE name##1 make_##name##1(type x)                                                                         \
    {                                                                                                                  \
        const name##1 made = {x};                                                                                      \
        return made;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_MAKE name##2 make_##name##2(type x, type y)                                                                 \
    {                                                                                                                  \
        const name##2 made = {x, y};                                                                                   \
        return made;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_MAKE name##3 make_##name##3(type x, type y, type z)                                                         \
    {                                                                                                                  \
        const name##3 made = {x, y, z};                                                                                \
        return made;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_MAKE name##4 make_##name##4(type x, type y, type z, type w)                                                 \
    {                                                                                                                  \
        const name##4 made = {x, y, z, w};                                                                             \
        return made;                                                                                                   \
    }

#define HEDDLE_MAKE static inline __host__ __device__ __attribute__((always_inline, unused))

HEDDLE_VECTORS(char, signed char, 2, 4)
HEDDLE_VECTORS(uchar, unsigned char, 2, 4)
HEDDLE_VECTORS(short, short, 4, 8)
HEDDLE_VECTORS(ushort, unsigned short, 4, 8)
HEDDLE_VECTORS(int, int, 8, 16)
HEDDLE_VECTORS(uint, unsigned, 8, 16)
HEDDLE_VECTORS(long, long, 16, 16)
HEDDLE_VECTORS(ulong, unsigned long, 16, 16)
HEDDLE_VECTORS(longlong, long long, 16, 16)
HEDDLE_VECTORS(ulonglong, unsigned long long, 16, 16)
HEDDLE_VECTORS(float, float, 8, 16)
HEDDLE_VECTORS(double, double, 16, 16)

#undef HEDDLE_VECTORS
#undef HEDDLE_MAKE

typedef struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned of_x = 1, unsigned of_y = 1, unsigned of_z = 1)
        : x(of_x), y(of_y), z(of_z)
    {
    }
    __host__ __device__ constexpr dim3(uint3 of) : x(of.x), y(of.y), z(of.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
} dim3;

#endif
