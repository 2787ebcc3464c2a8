/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Loads that follow each other so closely cannot be had from C: gcc makes a loop that waits for each value. */
SIMT_INLINE uint32_t load_group(uintptr_t *at, uint32_t stride)
{
    uint32_t v[MICRO_STREAM_LOADS];
#define LOAD_AND_STEP(n) "lw %[v" #n "], 0(%[at])\n\tadd %[at], %[at], %[stride]\n\t"
    __asm__ volatile(LOAD_AND_STEP(0) LOAD_AND_STEP(1) LOAD_AND_STEP(2) LOAD_AND_STEP(3) LOAD_AND_STEP(4)
                         LOAD_AND_STEP(5) LOAD_AND_STEP(6) LOAD_AND_STEP(7)
                     : [at] "+r"(*at), [v0] "=&r"(v[0]), [v1] "=&r"(v[1]), [v2] "=&r"(v[2]), [v3] "=&r"(v[3]),
                       [v4] "=&r"(v[4]), [v5] "=&r"(v[5]), [v6] "=&r"(v[6]), [v7] "=&r"(v[7])
                     : [stride] "r"(stride)
                     : "memory");
#undef LOAD_AND_STEP
    return v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
}

SIMT_KERNEL(micro_stream, const micro_stream_args *args)
{
    uint32_t warps = simt_global_size() / 32;
    uint32_t warp = simt_global_index() / 32;
    uint32_t stride = warps / 2 * args->pair_bytes;
    uintptr_t first = args->lines.address + warp / 2 * args->pair_bytes + warp % 2 * 128 + simt_global_index() % 32 * 4;
    uintptr_t at = first;
    uint32_t left = args->groups;
    uint32_t sum = 0;
    for (uint32_t pass = args->passes; pass != 0; pass--) {
        sum += load_group(&at, stride);
        if (--left == 0) {
            left = args->groups;
            at = first;
        }
    }
    HD_POINTER(uint32_t, args->sums)[simt_global_index()] = sum;
}
