/* SPDX-License-Identifier: MIT */
/* Which paths and warps a block has, and whose the lanes of a path are. */
#ifndef SIMT_CORE_CORE_LANES_H
#define SIMT_CORE_CORE_LANES_H

#include "core.h"
#include "regrouped.h"

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

/* Where nothing is regrouped. */
static inline issued_lanes core_issue_row(const simt_core *core, uint32_t path)
{
    const uint32_t row = core->paths[path].warp;
    return (issued_lanes){.homes = homes_of_row(row), .number = row};
}

/* Where lanes are regrouped: as kept for the path, anew if they are others. */
static inline issued_lanes core_kept_lanes(simt_core *core, uint32_t path)
{
    uint32_t number = core->path_kept[path];
    if (__builtin_expect(number == NO_HOMES || homes_entry(&core->kept, number)->lanes != core->paths[path].mask, 0))
        number = regrouped_keep(core, path);
    return (issued_lanes){.homes = homes_at(&core->kept, number), .number = number};
}

static inline issued_lanes core_issue_lanes(simt_core *core, uint32_t path)
{
    if (__builtin_expect(core->path_homes == NULL, 1))
        return core_issue_row(core, path);
    return regrouped_issue_lanes(core, path);
}

/* As core_homes, but with its lanes by row. Valid until another path is asked about. */
static inline lane_homes core_known_homes(simt_core *core, uint32_t path)
{
    if (__builtin_expect(core->path_homes == NULL, 1))
        return homes_of_row(core->paths[path].home);
    return core_kept_lanes(core, path).homes;
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
