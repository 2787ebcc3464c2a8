/* SPDX-License-Identifier: MIT */
/* What the kernels compute, and the host to compare: values that live across calls of functions that use many registers. */
#ifndef CALLS_WORK_H
#define CALLS_WORK_H

#include <stdint.h>

#define WORK_WORDS 12

__attribute__((noinline)) static uint32_t work_mix(uint32_t a, uint32_t b)
{
    return (a ^ b >> 3) * 0x9E3779B9u + b;
}

__attribute__((noinline)) static float work_mix_floats(float a, float b)
{
    return a * 0.5f + b;
}

/* Uses the registers that a function saves for its caller, and calls itself. */
__attribute__((noinline)) static uint32_t work_deep(uint32_t depth, uint32_t seed)
{
    if (depth == 0)
        return seed;
    uint32_t left = work_mix(seed, depth), right = work_mix(depth, seed);
    uint32_t below = work_deep(depth - 1, left ^ right);
    return work_mix(below + left, right + depth);
}

typedef uint32_t (*work_function)(uint32_t a, uint32_t b);

__attribute__((noinline)) static uint32_t work_swapped(uint32_t a, uint32_t b)
{
    return work_mix(b, work_mix(a, a));
}

/* Words and floats that all live across every call. */
static inline __attribute__((always_inline)) uint32_t work_wide(uint32_t seed)
{
    static const work_function functions[2] = {work_mix, work_swapped};
    uint32_t words[WORK_WORDS];
    float floats[WORK_WORDS];
    for (uint32_t i = 0; i < WORK_WORDS; i++) {
        words[i] = seed * (2 * i + 1);
        floats[i] = (float)(words[i] & 0xFF);
    }
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < WORK_WORDS; i++) {
            words[i] = functions[words[i] & 1](words[i], words[(i + 1) % WORK_WORDS]);
            floats[i] = work_mix_floats(floats[i], floats[(i + 5) % WORK_WORDS]);
        }
        words[round] ^= work_deep(3, words[round + 1]);
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < WORK_WORDS; i++)
        sum = work_mix(sum, words[i] + (uint32_t)(floats[i] * 16));
    return sum;
}

/* Calls of the compiler's library: 64-bit division, and doubles where the machine has only floats. */
static inline __attribute__((always_inline)) uint32_t work_in_library(uint32_t seed)
{
    double sum = seed;
    uint64_t product = seed | UINT64_C(1) << 40;
    for (uint32_t i = 1; i < 4; i++) {
        sum = sum / 3 + i * 0.25;
        product = product / (seed % 1000 + i) + product % (2 * i + 1);
    }
    return (uint32_t)sum ^ (uint32_t)product;
}

/* A stack that the compiler cannot size: it keeps its frame in s0. */
static inline __attribute__((always_inline)) uint32_t work_on_stack(uint32_t seed)
{
    volatile uint32_t *sized = __builtin_alloca((seed % 7 + 1) * sizeof *sized);
    volatile uint32_t large[40];
    for (uint32_t i = 0; i <= seed % 7; i++)
        sized[i] = work_mix(seed, i);
    for (uint32_t i = 0; i < 40; i++)
        large[i] = sized[i % (seed % 7 + 1)] + i;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 40; i++)
        sum = work_mix(sum, large[39 - i]);
    return sum;
}

#endif
