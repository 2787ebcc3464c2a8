/* SPDX-License-Identifier: MIT */
/*
 * Atomics. Those of 32-bit integers are one instruction each; what the hardware has not is a loop around a compare and swap. Words of 64
 * bits are changed under a lock, one of a few in firmware/cuda by their address: atomic among each other, for loads and stores not. Part of
 * cuda_runtime.h.
 */
#ifndef HEDDLE_CUDA_ATOMICS_H
#define HEDDLE_CUDA_ATOMICS_H

#define HEDDLE_ATOMIC(name, type, change)                                                                              \
    HEDDLE_DEVICE type name(type *place, type value)                                                                   \
    {                                                                                                                  \
        return change(place, value, __ATOMIC_RELAXED);                                                                 \
    }
#define HEDDLE_ATOMIC_32(name, change) HEDDLE_ATOMIC(name, int, change) HEDDLE_ATOMIC(name, unsigned, change)
HEDDLE_ATOMIC_32(atomicAdd, __atomic_fetch_add)
HEDDLE_ATOMIC_32(atomicSub, __atomic_fetch_sub)
HEDDLE_ATOMIC_32(atomicAnd, __atomic_fetch_and)
HEDDLE_ATOMIC_32(atomicOr, __atomic_fetch_or)
HEDDLE_ATOMIC_32(atomicXor, __atomic_fetch_xor)
HEDDLE_ATOMIC_32(atomicMin, __atomic_fetch_min)
HEDDLE_ATOMIC_32(atomicMax, __atomic_fetch_max)
HEDDLE_ATOMIC_32(atomicExch, __atomic_exchange_n)
#undef HEDDLE_ATOMIC_32
#undef HEDDLE_ATOMIC

/* ---- By compare and swap --------------------------------------------------------------------------------------------- */

extern "C" __device__ unsigned heddle_compare_and_swap(unsigned *place, unsigned expected, unsigned desired);

HEDDLE_DEVICE unsigned atomicCAS(unsigned *place, unsigned expected, unsigned desired)
{
    return heddle_compare_and_swap(place, expected, desired);
}

HEDDLE_DEVICE int atomicCAS(int *place, int expected, int desired)
{
    return (int)heddle_compare_and_swap((unsigned *)place, (unsigned)expected, (unsigned)desired);
}

/* change: from `before`, what comes instead. */
#define HEDDLE_SWAPPED(name, type, change)                                                                             \
    HEDDLE_DEVICE type name(type *place, type value)                                                                   \
    {                                                                                                                  \
        unsigned seen = *(volatile unsigned *)place, expected, desired;                                                \
        do {                                                                                                           \
            type before, after;                                                                                        \
            expected = seen;                                                                                           \
            __builtin_memcpy(&before, &expected, sizeof before);                                                       \
            after = change;                                                                                            \
            __builtin_memcpy(&desired, &after, sizeof desired);                                                        \
            seen = heddle_compare_and_swap((unsigned *)place, expected, desired);                                      \
        } while (seen != expected);                                                                                    \
        type before;                                                                                                   \
        __builtin_memcpy(&before, &seen, sizeof before);                                                               \
        return before;                                                                                                 \
    }
HEDDLE_SWAPPED(atomicAdd, float, before + value)
HEDDLE_SWAPPED(atomicInc, unsigned, before >= value ? 0 : before + 1)
HEDDLE_SWAPPED(atomicDec, unsigned, before == 0 || before > value ? value : before - 1)
#undef HEDDLE_SWAPPED

HEDDLE_DEVICE float atomicExch(float *place, float value)
{
    return __int_as_float(atomicExch((int *)place, __float_as_int(value)));
}

/* ---- 64 bits, under a lock ------------------------------------------------------------------------------------------- */

extern "C" {
__device__ unsigned long long heddle_locked_add(void *place, unsigned long long value);
__device__ double heddle_locked_add_double(void *place, double value);
__device__ unsigned long long heddle_locked_exchange(void *place, unsigned long long value);
__device__ unsigned long long heddle_locked_min(void *place, unsigned long long value);
__device__ unsigned long long heddle_locked_max(void *place, unsigned long long value);
__device__ long long heddle_locked_min_signed(void *place, long long value);
__device__ long long heddle_locked_max_signed(void *place, long long value);
__device__ unsigned long long heddle_locked_and(void *place, unsigned long long value);
__device__ unsigned long long heddle_locked_or(void *place, unsigned long long value);
__device__ unsigned long long heddle_locked_xor(void *place, unsigned long long value);
__device__ unsigned long long heddle_locked_compare_and_swap(void *place, unsigned long long expected,
                                                             unsigned long long desired);
}

#define HEDDLE_LOCKED(name, type, function)                                                                            \
    HEDDLE_DEVICE type name(type *place, type value)                                                                   \
    {                                                                                                                  \
        return (type)function(place, value);                                                                           \
    }
#define HEDDLE_LOCKED_BITS(name, function)                                                                             \
    HEDDLE_LOCKED(name, unsigned long long, function)                                                                  \
    HEDDLE_LOCKED(name, unsigned long, function)
HEDDLE_LOCKED_BITS(atomicAdd, heddle_locked_add)
HEDDLE_LOCKED_BITS(atomicExch, heddle_locked_exchange)
HEDDLE_LOCKED_BITS(atomicMin, heddle_locked_min)
HEDDLE_LOCKED_BITS(atomicMax, heddle_locked_max)
HEDDLE_LOCKED_BITS(atomicAnd, heddle_locked_and)
HEDDLE_LOCKED_BITS(atomicOr, heddle_locked_or)
HEDDLE_LOCKED_BITS(atomicXor, heddle_locked_xor)
HEDDLE_LOCKED(atomicMin, long long, heddle_locked_min_signed)
HEDDLE_LOCKED(atomicMax, long long, heddle_locked_max_signed)
HEDDLE_LOCKED(atomicAdd, double, heddle_locked_add_double)
#undef HEDDLE_LOCKED_BITS
#undef HEDDLE_LOCKED

HEDDLE_DEVICE unsigned long long atomicCAS(unsigned long long *place, unsigned long long expected,
                                           unsigned long long desired)
{
    return heddle_locked_compare_and_swap(place, expected, desired);
}

#endif
