/* SPDX-License-Identifier: MIT */
/*
 * Bits that a warp takes, without valid bits, timers and lists of what is free (ElTantawy 2018, Table 5.2). Of a pc P bits, of a
 * lane's number log2 N; N lanes, a power of two.
 */
#ifndef SIMT_CORE_AWARE_STORAGE_H
#define SIMT_CORE_AWARE_STORAGE_H

#include <stdint.h>

#define STORAGE_PC_BITS 32u

static inline uint32_t storage_index_bits(uint32_t lanes)
{
    uint32_t bits = 0;
    while (lanes >> (bits + 1))
        bits++;
    return bits;
}

/* A stack of so many entries: pc, meeting point, lanes. */
static inline uint32_t storage_stack(uint32_t lanes, uint32_t entries)
{
    return entries * (2 * STORAGE_PC_BITS + lanes);
}

/* Tables as large as the warp: splits, with the number of their entry; entries, with two masks and the number of the outer one; a queue
 * of splits that may be blocked. */
static inline uint32_t storage_whole_tables(uint32_t lanes)
{
    const uint32_t index = storage_index_bits(lanes);
    return lanes * ((2 * STORAGE_PC_BITS + lanes + index) + (2 * STORAGE_PC_BITS + 2 * lanes + index) + (index + 1));
}

/* Tables of so many entries, of warps of 32 lanes. Buffers, queue and lists take what is left of both published sums. */
static inline uint32_t storage_small_tables(uint32_t splits, uint32_t meetings)
{
    return 864 + 96 * splits + 128 * meetings;
}

#endif
