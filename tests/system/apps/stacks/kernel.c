/* SPDX-License-Identifier: MIT */
/* The first words of every stack, again and again, and next to nothing else. */
#include "args.h"
#include "simt.h"

#define WORDS 4

SIMT_KERNEL(stacks, const stacks_args *args)
{
    volatile uint32_t words[WORDS];
    uint32_t i = simt_global_index(), sum = 0;
    for (uint32_t k = 0; k < WORDS; k++)
        words[k] = k;
    for (uint32_t round = 0; round < args->rounds; round++)
        for (uint32_t k = 0; k < WORDS; k++)
            words[k] += i;
    for (uint32_t k = 0; k < WORDS; k++)
        sum += words[k] - args->rounds * i;
    if (i == 0 || sum != WORDS * (WORDS - 1) / 2)
        *HD_POINTER(uint32_t, args->sum) = sum;
}
