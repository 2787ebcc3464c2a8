/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Eight registers are needed all the time: nobody but the host knows what is in them. */
SIMT_KERNEL(reg_patterns, const reg_patterns_args *args)
{
    uint32_t number[REG_PATTERNS_NUMBERS];
#pragma GCC unroll 8
    for (uint32_t i = 0; i < REG_PATTERNS_NUMBERS; i++)
        number[i] = reg_patterns_number(i, simt_block_x(), simt_thread_x());
    for (uint32_t round = 0; round < args->rounds; round++) {
#pragma GCC unroll 8
        for (uint32_t i = 0; i < REG_PATTERNS_NUMBERS; i++)
            __asm__ volatile("" : "+r"(number[i]));
    }
    uint32_t result = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < REG_PATTERNS_NUMBERS; i++)
        result = result * 31 + number[i];
    HD_POINTER(uint32_t, args->results)[simt_global_index()] = result;
}
