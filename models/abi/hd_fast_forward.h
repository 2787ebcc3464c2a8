/* SPDX-License-Identifier: MIT */
/*
 * "heddle.fast_forward/1": a block that can do its work without timing for a while, and go on with it afterwards.
 *
 *     timed --stop--> coming to rest --(is_at_rest)--> begin: fast --end--> timed
 *
 * Cores are told to stop. When they and what is below them are at rest, begin is called on all blocks that offer this; from then on
 * memory has the newest value of every byte, cores execute on it directly, and caches keep no data but the tags of the lines
 * that they would have, as `touch` tells them. With end each cache takes the data of its lines from memory.
 *
 * Blocks stop as in "heddle.context/1" (hd_context.h): a thread block that is STOPPED has nothing in flight and its private lines
 * are in memory. It stays in its core, which executes it where it is.
 *
 * All functions but touch are called when every block has reached time t, between calls of advance. After them the next call of
 * advance begins at t.
 */
#ifndef HD_FAST_FORWARD_H
#define HD_FAST_FORWARD_H

#include "hd_block.h"
#include "hd_direct.h" /* hd_direct_range */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Offered by blocks -------------------------------------------------------------------------------------------- */

#define HD_EXTENSION_FAST_FORWARD "heddle.fast_forward/1"
typedef struct hd_fast_forward {
    /* NULL: it need not be told, but is at rest when nobody asks it for anything. */
    void (*stop)(hd_block *block, hd_time t);
    uint32_t (*is_at_rest)(hd_block *block);
    void (*begin)(hd_block *block, hd_time t);
    void (*end)(hd_block *block, hd_time t);
    /* Of cores: how many warps they have now. */
    uint32_t (*warps)(hd_block *block);
    /* How fast a core is from now on beside the others, of HD_FAST_RATE: they advance together as when they are timed. */
    void (*pace)(hd_block *block, uint32_t rate);
    /* These parts of a line that the block holds in front of memory were read or written by a core that is fast. NULL: it holds none. */
    void (*touch)(hd_block *block, uint64_t line, uint32_t parts, uint32_t is_write);
    /* Why the block cannot do this as it is built, in one line; NULL: it can. */
    const char *(*refusal)(hd_block *block);
} hd_fast_forward;

/* ---- Offered by the platform -------------------------------------------------------------------------------------- */

#define HD_FAST_RATE 2048u /* of the fastest */
#define HD_FAST_PART_BYTES 32u /* of a line: bit 0 is the first */
#define HD_FAST_WHOLE_LINE 15u

#define HD_FAST_RANGES 65536u /* a power of two */

/* Where a stretch of physical memory is: the one with this number, address >> range_shift. */
typedef struct hd_fast_range {
    uint64_t number; /* UINT64_MAX: none */
    uint8_t *bytes;
} hd_fast_range;

/* "heddle.fast_memory/1": there only if the run may be fast at times. Ask in create. */
#define HD_EXTENSION_FAST_MEMORY "heddle.fast_memory/1"
typedef struct hd_fast_memory {
    void *context;
    /* As of hd_direct. */
    uint32_t (*range)(void *context, uint64_t address, hd_direct_range *range);
    /* To whoever stands in front of the memory of this line. */
    void (*touch)(void *context, uint64_t line, uint32_t parts, uint32_t is_write);
    /* The bytes from a physical address on, to the end of their range; NULL: nobody holds them. They are among `ranges` then. */
    uint8_t *(*find)(void *context, uint64_t address);
    hd_fast_range *ranges; /* by number % HD_FAST_RANGES */
    uint32_t range_shift;  /* ranges are 1 << range_shift bytes, at multiples of that */
} hd_fast_memory;

static inline uint8_t *hd_fast_bytes(const hd_fast_memory *memory, uint64_t address)
{
    const uint64_t number = address >> memory->range_shift;
    const hd_fast_range *known = &memory->ranges[number % HD_FAST_RANGES];
    if (__builtin_expect(known->number == number, 1))
        return known->bytes + (address - (number << memory->range_shift));
    return memory->find(memory->context, address);
}

#ifdef __cplusplus
}
#endif

#endif
