/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_INLINE uint32_t bases_in_common(const uint8_t *suffix, uint32_t suffix_length, const uint8_t *query,
                                     uint32_t length)
{
    uint32_t matched = 0;
    while (matched < length && matched < suffix_length && suffix[matched] == query[matched])
        matched++;
    return matched;
}

/* Bases from the beginning of the query that are somewhere in the text: the search looks at both suffixes between which the
 * query would stand, and no other has more in common with it. */
SIMT_INLINE uint32_t longest_prefix(const suffix_array_args *args, const uint8_t *query, uint32_t length)
{
    const uint8_t *text = HD_POINTER(const uint8_t, args->text);
    uint32_t low = 0, high = args->text_length, longest = 0;
    while (low < high) {
        uint32_t middle = (low + high) / 2, suffix = HD_POINTER(const uint32_t, args->suffixes)[middle];
        uint32_t matched = bases_in_common(text + suffix, args->text_length - suffix, query, length);
        longest = simt_max(longest, matched);
        if (matched == length)
            break;
        if (suffix + matched == args->text_length || text[suffix + matched] < query[matched])
            low = middle + 1;
        else
            high = middle;
    }
    return longest;
}

/* A query per thread. */
SIMT_KERNEL(suffix_array, const suffix_array_args *args)
{
    uint32_t i = simt_global_index(), length = args->length;
    if (i >= args->count)
        return;
    const uint8_t *query = HD_POINTER(const uint8_t, args->queries) + i * length;
    uint32_t longest = 0;
#pragma GCC unroll 1
    for (uint32_t start = 0; start < length; start++) {
        uint32_t matched = longest_prefix(args, query + start, length - start);
        if (matched > longest >> 16)
            longest = matched << 16 | start;
    }
    HD_POINTER(uint32_t, args->matches)[i] = longest;
}
