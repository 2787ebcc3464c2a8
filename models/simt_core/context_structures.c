/* SPDX-License-Identifier: MIT */
/*
 * What context management adds to a core (Beaumont 2019 §4.4). Of the table of scratchpad words, area and power are published for four sizes
 * (Table 4.5): a table of another size is counted as parts of the two sizes that it is between, which interpolates both.
 */
#include "context_structures.h"

#define ENTRY_BYTES                                                                                                    \
    17.5 /* valid, block, first word, words, copy of memory, address, stride, offset: 1, 5, 15, 15, 1, 48, 6, 49 bits */

static const uint64_t sizes[] = {0, 16, 32, 64, 128};

/* Of a table with so many entries, those that count at the published size with this number. */
static double entries_as(uint64_t entries, uint32_t size)
{
    const uint32_t last = sizeof sizes / sizeof *sizes - 1;
    const double own = (double)sizes[size], below = (double)sizes[size - 1], count = (double)entries;
    if (count > below && (count <= own || size == last))
        return count > own ? count : own * (count - below) / (own - below);
    if (size < last && count > own && count < (double)sizes[size + 1])
        return own * ((double)sizes[size + 1] - count) / ((double)sizes[size + 1] - own);
    return 0;
}

/* parameter: entries; other: what moves of the scratchpad, 0 if all does. */
static double table_bytes(const hd_structure_use *use, uint32_t size)
{
    return use->other ? entries_as(use->parameter, size) * ENTRY_BYTES * (double)use->count : 0;
}

#define TABLE(number)                                                                                                  \
    static double table_bytes_##number(const hd_structure_use *use)                                                    \
    {                                                                                                                  \
        return table_bytes(use, number);                                                                               \
    }
TABLE(1)
TABLE(2)
TABLE(3)
TABLE(4)

/* parameter: bytes of the cache; other: number of the choice of context.compress, the last of which needs it. */
static double pattern_bytes(const hd_structure_use *use)
{
    return use->other == 2 ? (double)(use->parameter * use->count) : 0;
}

/* No clock is published: that of the machine (Table 4.3). */
#define PUBLISHED(number, entries, square_micrometres, power)                                                          \
    {                                                                                                                  \
        .name = "tables of scratchpad words, as published with " #entries " entries",                                  \
        .source = "Beaumont 2019, Table 4.5", .process = "28 nm", .reference_bytes = (entries)*ENTRY_BYTES,            \
        .square_millimetres = (square_micrometres)*1e-6, .milliwatts = (power), .megahertz = 1600,                     \
        .parameter = "context.scratchpad_entries", .other = "context.scratchpad", .bytes = table_bytes_##number        \
    }

const hd_structure context_structures[CONTEXT_STRUCTURES] = {
    PUBLISHED(1, 16, 17902, 18.5),
    PUBLISHED(2, 32, 36236, 36),
    PUBLISHED(3, 64, 72789, 74),
    PUBLISHED(4, 128, 165310, 149),
    {.name = "caches of register patterns",
     .source = "Beaumont 2019 §4.4.1",
     .parameter = "context.compress_cache",
     .other = "context.compress",
     .bytes = pattern_bytes},
};
