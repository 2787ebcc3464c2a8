/* SPDX-License-Identifier: MIT */
/* Sets of sectors, parts of a line that come and go by themselves, 8 at most: bit i is sector i. A sector has 1 << shift bytes. */
#ifndef CACHE_SECTORS_H
#define CACHE_SECTORS_H

#include <stdint.h>

/* Neighbours: they are fetched and written back in one piece. */
typedef struct cache_run {
    uint32_t first;
    uint32_t count;
} cache_run;

static inline uint8_t cache_sectors_of_line(uint32_t line_bytes, uint32_t shift)
{
    return (uint8_t)((1u << (line_bytes >> shift)) - 1);
}

/* Those that these bytes of a line touch. bytes: not 0. */
static inline uint8_t cache_sectors_of_bytes(uint32_t offset, uint32_t bytes, uint32_t shift)
{
    return (uint8_t)((2u << ((offset + bytes - 1) >> shift)) - (1u << (offset >> shift)));
}

static inline uint8_t cache_sectors_of_run(cache_run run)
{
    return (uint8_t)(((1u << run.count) - 1) << run.first);
}

/* Takes the first run out of a set that is not empty. */
static inline cache_run cache_take_run(uint8_t *sectors)
{
    const uint32_t first = (uint32_t)__builtin_ctz(*sectors);
    const cache_run run = {.first = first, .count = (uint32_t)__builtin_ctz(~((uint32_t)*sectors >> first))};
    *sectors &= (uint8_t)~cache_sectors_of_run(run);
    return run;
}

/* The first alone. */
static inline cache_run cache_take_sector(uint8_t *sectors)
{
    const cache_run run = {.first = (uint32_t)__builtin_ctz(*sectors), .count = 1};
    *sectors &= (uint8_t)(*sectors - 1);
    return run;
}

#endif
