/* SPDX-License-Identifier: MIT */
/*
 * Nobody waits here. Steps of a power of two leave the lowest bits of what is compared as they are; quotients are the same many times in a row; residues
 * come again (ElTantawy 2018 §6.5.2).
 */
#include "args.h"
#include "simt.h"

SIMT_INLINE uint32_t word_at(const strides_args *args, uint32_t i)
{
    return HD_POINTER(const uint32_t, args->words)[strides_place(simt_global_index(), i)];
}

SIMT_INLINE void store_sum(const strides_args *args, uint32_t sum)
{
    HD_POINTER(uint32_t, args->sums)[simt_global_index()] = sum;
}

SIMT_KERNEL(strides_sum, const strides_args *args)
{
    const uint32_t step = args->step, end = args->count * step;
    uint32_t sum = 0;
    for (uint32_t i = 0; simt_opaque(i) < end; i += step)
        sum += word_at(args, i);
    store_sum(args, sum);
}

SIMT_KERNEL(strides_quotient, const strides_args *args)
{
    const uint32_t end = args->count / 10;
    uint32_t sum = 0;
    for (uint32_t i = 0; simt_opaque(i) / 10 < end; i++)
        sum += word_at(args, i);
    store_sum(args, sum);
}

SIMT_KERNEL(strides_residue, const strides_args *args)
{
    uint32_t sum = 0, left = args->count;
    for (uint32_t i = 0; left; i++) {
        if (simt_opaque(i) % 4)
            sum += word_at(args, i);
        left--;
    }
    store_sum(args, sum);
}
