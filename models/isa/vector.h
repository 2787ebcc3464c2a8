/* SPDX-License-Identifier: MIT */
/* Loops over the lanes of a warp that the compiler turns into vector code for the host it runs on. */
#ifndef ISA_VECTOR_H
#define ISA_VECTOR_H

#include "lanes.h"

#include <string.h>

/* A static function compiled for several vector widths, chosen at start-up. Static, because clang 14 exports such a
 * function under another name. Sanitizers do not go along with that choice. */
#if defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&      \
    !defined(HEDDLE_NO_CLONES)
#if defined(__clang__)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ISA_VECTORIZED
#else
#define ISA_VECTORIZED __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define ISA_VECTORIZED __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif
#else
#define ISA_VECTORIZED
#endif

#define ISA_INLINE static inline __attribute__((always_inline))

/* The most frequent warp size; its loops have a constant bound. */
#define ISA_USUAL_LANES 32u

ISA_INLINE uint64_t all_lanes(uint32_t lanes)
{
    return lanes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
}

/* destination = result in the lanes of mask. */
ISA_INLINE void merge_lanes(uint32_t *destination, const uint32_t *result, uint32_t lanes, uint64_t mask)
{
    if (mask == all_lanes(lanes)) {
        memcpy(destination, result, lanes * sizeof *destination);
        return;
    }
    uint32_t low = (uint32_t)mask;
    uint32_t high = (uint32_t)(mask >> 32);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t select = 0 - ((lane < 32 ? low : high) >> lane % 32 & 1);
        destination[lane] = (result[lane] & select) | (destination[lane] & ~select);
    }
}

#endif
