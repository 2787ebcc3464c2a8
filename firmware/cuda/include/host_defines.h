/* SPDX-License-Identifier: MIT */
/* The words that CUDA adds to the language. In a file that is not CUDA they say nothing. */
#ifndef HEDDLE_CUDA_HOST_DEFINES_H
#define HEDDLE_CUDA_HOST_DEFINES_H

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define CUDARTAPI
#define CUDART_CB

#endif
