/* SPDX-License-Identifier: MIT */
#include "cache_sets.h"

#include <stddef.h>

#define FERMI_LINE_BYTES 128u

const char *cache_sets_refuse(uint32_t hash, uint64_t count, uint32_t line_bytes)
{
    if (hash == CACHE_FERMI && (line_bytes != FERMI_LINE_BYTES || (count != 32 && count != 64)))
        return "'fermi' is defined for 32 or 64 sets of lines of 128 B";
    if ((hash == CACHE_XOR || hash == CACHE_IPOLY) && count & (count - 1))
        return "'xor' and 'ipoly' need a number of sets that is a power of two";
    return NULL;
}

/* Which bit of the line's number goes with each of the lowest five. */
static void init_fermi(hd_index_hash *index, uint32_t bits)
{
    static const uint32_t partners[] = {6, 7, 8, 10, 12};
    for (uint32_t i = 0; i < sizeof partners / sizeof *partners; i++)
        index->masks[i] = UINT64_C(1) << (partners[i] - bits);
}

void cache_sets_init(cache_sets *sets, uint32_t hash, uint32_t count)
{
    const uint32_t is_power = (count & (count - 1)) == 0;
    *sets = (cache_sets){.count = count, .mask = is_power ? count - 1 : 0, .hash = hash};
    if (is_power)
        sets->bits = (uint32_t)__builtin_ctz(count);
    const uint32_t kind = hash == CACHE_XOR ? HD_HASH_XOR : hash == CACHE_IPOLY ? HD_HASH_IPOLY : HD_HASH_NONE;
    hd_index_hash_init(&sets->index, kind, count);
    sets->index.bits = sets->bits;
    if (hash == CACHE_FERMI)
        init_fermi(&sets->index, sets->bits);
}
