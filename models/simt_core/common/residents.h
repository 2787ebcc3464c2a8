/* SPDX-License-Identifier: MIT */
/* The thread blocks in a core's slots and their warps: how many there are, and whether there is room for another one. */
#ifndef SIMT_CORE_RESIDENTS_H
#define SIMT_CORE_RESIDENTS_H

#include "warp_place.h"

typedef struct residents {
    uint32_t blocks, warps;
} residents;

/* What a core has of each. */
typedef struct resident_limits {
    uint32_t warps, lanes; /* lanes: of a warp */
    uint64_t scratchpad_bytes;
} resident_limits;

/* Warps that so many threads take. */
static inline uint32_t residents_warps_of(uint32_t threads, uint32_t lanes)
{
    return (threads + lanes - 1) / lanes;
}

/* 0: a block of this grid never fits, or has no thread. */
static inline uint32_t residents_may_fit(const hd_grid *grid, const resident_limits *limits)
{
    const uint64_t threads = grid_threads(grid);
    return threads && threads <= limits->warps * limits->lanes && grid->scratchpad_bytes <= limits->scratchpad_bytes;
}

/* Are so many warps free as a block needs of a grid that may fit? */
static inline uint32_t residents_have_warps(const residents *r, const hd_grid *grid, const resident_limits *limits)
{
    return r->warps + residents_warps_of((uint32_t)grid_threads(grid), limits->lanes) <= limits->warps;
}

/* A block of so many warps comes; the most that there have been at once are in these counters. */
static inline void residents_enter(residents *r, uint32_t warps, uint64_t *most_blocks, uint64_t *most_warps)
{
    r->blocks++;
    r->warps += warps;
    if (r->blocks > *most_blocks)
        *most_blocks = r->blocks;
    if (r->warps > *most_warps)
        *most_warps = r->warps;
}

static inline void residents_leave(residents *r, uint32_t warps)
{
    r->blocks--;
    r->warps -= warps;
}

#endif
