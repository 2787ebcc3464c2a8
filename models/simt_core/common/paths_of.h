/* SPDX-License-Identifier: MIT */
/* Which paths run in which warp slot: each slot has the same number of them, and those of one slot have consecutive ids. */
#ifndef SIMT_CORE_PATHS_OF_H
#define SIMT_CORE_PATHS_OF_H

#include <stdint.h>

/* first .. end - 1 */
typedef struct path_range {
    uint32_t first, end;
} path_range;

static inline path_range paths_of(uint32_t warp, uint32_t paths_per_warp)
{
    return (path_range){.first = warp * paths_per_warp, .end = (warp + 1) * paths_per_warp};
}

/* Where the path runs. */
static inline uint32_t warp_slot_of(uint32_t path, uint32_t paths_per_warp)
{
    return path / paths_per_warp;
}

#endif
