/* SPDX-License-Identifier: MIT */
/* Which paths and warps a block has, and whose the lanes of a path are. */
#ifndef SIMT_CORE_CORE_LANES_H
#define SIMT_CORE_CORE_LANES_H

#include "core.h"

/* The first warp of the block in the slot from this one on; warp_count: there is none. */
static inline uint32_t core_next_warp(const simt_core *core, uint32_t slot, uint32_t warp)
{
    while (warp < core->warp_count && core->warps[warp].block != slot)
        warp++;
    return warp;
}

/* The first path that runs in a warp of the block in the slot, from this one on; path_count: there is none. */
static inline uint32_t core_next_path(const simt_core *core, uint32_t slot, uint32_t path)
{
    const uint32_t warp = warp_slot_of(path, core->paths_per_warp), found = core_next_warp(core, slot, warp);
    return found == warp ? path : core_paths_of(core, found).first;
}

/* The block's warps in their order; `slots` has room for all of the core's, and is lent. */
static inline block_warps core_warps_of(const simt_core *core, uint32_t slot, uint32_t *slots)
{
    block_warps warps = {.slots = slots};
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1))
        slots[warps.count++] = warp;
    return warps;
}

/* Whose the path's lanes are. */
static inline lane_homes core_homes(const simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    if (__builtin_expect(p->home != HOMES_DIFFER, 1))
        return homes_of_row(p->home);
    return (lane_homes){.rows = core->path_homes + (size_t)path * core->lane_count};
}

/* The path's lanes, of which something is about to be in flight under this number: they may be in another path by its end. */
typedef struct issued_lanes {
    lane_homes homes;
    uint32_t number;
} issued_lanes;

/* Where nothing is regrouped. */
static inline issued_lanes core_issue_row(const simt_core *core, uint32_t path)
{
    const uint32_t row = core->paths[path].warp;
    return (issued_lanes){.homes = homes_of_row(row), .number = row};
}

static inline issued_lanes core_issue_lanes(simt_core *core, uint32_t path)
{
    if (__builtin_expect(core->path_homes == NULL, 1))
        return core_issue_row(core, path);
    const lane_homes homes = core_homes(core, path);
    return (issued_lanes){.homes = homes, .number = homes_keep(&core->kept, homes, core->paths[path].mask, path)};
}

/* The path's instruction issues, and will write its register. */
static inline void core_reserve(simt_core *core, uint32_t path, lane_homes homes, uint32_t is_load)
{
    const struct path *p = &core->paths[path];
    scoreboard_reserve(&core->scoreboard, path, homes, core->path_states[path].instruction->rd, p->mask, is_load);
    if (__builtin_expect(core->scoreboard.unit->revokes, 0))
        front_end_recheck_others(core, path);
}

#endif
