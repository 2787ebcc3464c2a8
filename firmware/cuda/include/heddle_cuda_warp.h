/* SPDX-License-Identifier: MIT */
/*
 * Lanes of a warp, barriers and clocks. A warp has as many lanes as the machine says, 1 to 64; masks have a bit for each of the first 32,
 * and what they leave out is not looked at: votes and shuffles are over the lanes that execute them together. Part of cuda_runtime.h.
 */
#ifndef HEDDLE_CUDA_WARP_H
#define HEDDLE_CUDA_WARP_H

/* Primitives of platform/kernelc/sites.c: each call is a place of its own in the code. */
extern "C" {
__device__ void heddle_barrier(unsigned fences) __asm__("_Z7barrierj");
__device__ void heddle_warp_sync();
__device__ unsigned heddle_vote_any(unsigned value);
__device__ unsigned heddle_vote_all(unsigned value);
__device__ unsigned heddle_ballot_low(unsigned value);
__device__ unsigned heddle_shuffle(unsigned value, unsigned lane);
__device__ unsigned heddle_warp_lanes() __attribute__((const));
__device__ unsigned heddle_lane() __attribute__((const));
__device__ unsigned heddle_cycle();
__device__ unsigned long long heddle_cycle_64();
__device__ void heddle_trap() __attribute__((noreturn));
}

struct heddle_warp_size {
    __device__ __attribute__((always_inline)) operator int() const
    {
        return (int)heddle_warp_lanes();
    }
};
static const __device__ heddle_warp_size warpSize = {};

/* ---- Barriers -------------------------------------------------------------------------------------------------------- */

#define HEDDLE_FENCE_ALL 3u

HEDDLE_DEVICE void heddle_cuda_barrier()
{
    heddle_barrier(HEDDLE_FENCE_ALL);
}
/* clang knows a function of this name as an instruction of NVIDIA's. */
#define __syncthreads heddle_cuda_barrier

HEDDLE_DEVICE void __syncwarp(unsigned = 0xffffffffu)
{
    heddle_warp_sync();
}

/* How many threads of the block say so. */
HEDDLE_DEVICE int __syncthreads_count(int predicate)
{
    __shared__ unsigned sum;
    const bool is_first = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
    if (is_first)
        sum = 0;
    heddle_cuda_barrier();
    if (predicate)
        atomicAdd(&sum, 1u);
    heddle_cuda_barrier();
    const unsigned all = *(volatile unsigned *)&sum;
    heddle_cuda_barrier();
    return (int)all;
}

HEDDLE_DEVICE int __syncthreads_or(int predicate)
{
    return __syncthreads_count(predicate) != 0;
}

HEDDLE_DEVICE int __syncthreads_and(int predicate)
{
    return __syncthreads_count(!predicate) == 0;
}

/* ---- Votes ----------------------------------------------------------------------------------------------------------- */

HEDDLE_DEVICE int __any_sync(unsigned, int predicate)
{
    return (int)heddle_vote_any(predicate != 0);
}

HEDDLE_DEVICE int __all_sync(unsigned, int predicate)
{
    return (int)heddle_vote_all(predicate != 0);
}

HEDDLE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate)
{
    return heddle_ballot_low(predicate != 0) & mask;
}

HEDDLE_DEVICE unsigned __activemask()
{
    return heddle_ballot_low(1);
}

HEDDLE_DEVICE int __any(int predicate)
{
    return (int)heddle_vote_any(predicate != 0);
}

HEDDLE_DEVICE int __all(int predicate)
{
    return (int)heddle_vote_all(predicate != 0);
}

HEDDLE_DEVICE unsigned __ballot(int predicate)
{
    return heddle_ballot_low(predicate != 0);
}

/* ---- Shuffles -------------------------------------------------------------------------------------------------------- */

/* Where a lane finds its value, in its group of `width` lanes: its own where the group has no such lane. width 0: the warp. */
HEDDLE_DEVICE unsigned heddle_cuda_in_group(unsigned lane, unsigned other, unsigned width)
{
    return width && (lane ^ other) & ~(width - 1) ? lane : other;
}

HEDDLE_DEVICE unsigned heddle_cuda_source_of(unsigned lane, unsigned width)
{
    return width ? (heddle_lane() & ~(width - 1)) | (lane & (width - 1)) : lane;
}

HEDDLE_DEVICE unsigned heddle_cuda_source_above(unsigned distance, unsigned width)
{
    return heddle_cuda_in_group(heddle_lane(), heddle_lane() + distance, width);
}

HEDDLE_DEVICE unsigned heddle_cuda_source_below(unsigned distance, unsigned width)
{
    const unsigned lane = heddle_lane();
    return distance > lane ? lane : heddle_cuda_in_group(lane, lane - distance, width);
}

HEDDLE_DEVICE unsigned heddle_cuda_source_across(unsigned mask, unsigned width)
{
    return heddle_cuda_in_group(heddle_lane(), heddle_lane() ^ mask, width);
}

/* A value of any type, word by word. */
template <class T> HEDDLE_DEVICE T heddle_cuda_shuffle(T value, unsigned source)
{
    unsigned words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof value);
    words[0] = heddle_shuffle(words[0], source);
    if (sizeof(T) > 4)
        words[sizeof(T) > 4] = heddle_shuffle(words[sizeof(T) > 4], source);
    static_assert(sizeof(T) <= 8, "a shuffle passes at most 64 bits");
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}

#define HEDDLE_SHUFFLE(name, number, source)                                                                           \
    template <class T> HEDDLE_DEVICE T name##_sync(unsigned, T value, number, int width = 0)                           \
    {                                                                                                                  \
        return heddle_cuda_shuffle(value, source);                                                                     \
    }                                                                                                                  \
    template <class T> HEDDLE_DEVICE T name(T value, number, int width = 0)                                            \
    {                                                                                                                  \
        return heddle_cuda_shuffle(value, source);                                                                     \
    }
HEDDLE_SHUFFLE(__shfl, int lane, heddle_cuda_source_of((unsigned)lane, (unsigned)width))
HEDDLE_SHUFFLE(__shfl_up, unsigned distance, heddle_cuda_source_below(distance, (unsigned)width))
HEDDLE_SHUFFLE(__shfl_down, unsigned distance, heddle_cuda_source_above(distance, (unsigned)width))
HEDDLE_SHUFFLE(__shfl_xor, int mask, heddle_cuda_source_across((unsigned)mask, (unsigned)width))
#undef HEDDLE_SHUFFLE

/* ---- Clocks, and an end ---------------------------------------------------------------------------------------------- */

HEDDLE_DEVICE clock_t clock()
{
    return (clock_t)heddle_cycle_64();
}

HEDDLE_DEVICE long long clock64()
{
    return (long long)heddle_cycle_64();
}

HEDDLE_DEVICE void __trap()
{
    heddle_trap();
}

HEDDLE_DEVICE void __nanosleep(unsigned nanoseconds)
{
    const unsigned since = heddle_cycle();
    while (heddle_cycle() - since < nanoseconds)
        ;
}

#endif
