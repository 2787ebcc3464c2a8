/* SPDX-License-Identifier: MIT */
#include "describe.h"

#include "lane_list.h"
#include "paths_of.h"

static void describe_path(const warp_description *warp, uint32_t path, const hd_text_sink *sink)
{
    const struct path *p = &warp->unit->paths(warp->reconvergence)[path];
    char place[128], lanes[LANE_LIST_BYTES];
    if (!p->mask)
        return;
    isa_program_place(warp->place.program, p->pc, place, sizeof place);
    sink->line(sink->context, "  lanes %s: at pc %s, %s", lane_list(p->mask, lanes), place,
               warp->activity(warp->context, path).text);
}

/* Lanes that are neither running nor ended wait at a reconvergence point for those that run. */
static uint32_t is_simt_deadlock(const warp_description *warp, path_range range)
{
    const struct path *paths = warp->unit->paths(warp->reconvergence);
    uint64_t live = warp->unit->live_lanes(warp->reconvergence, warp->warp);
    uint64_t running = 0;
    uint32_t spins = 0;
    for (uint32_t path = range.first; path < range.end; path++) {
        running |= paths[path].mask;
        spins |= paths[path].mask && warp->activity(warp->context, path).may_spin;
    }
    return spins && live & ~running;
}

void describe_warp(const warp_description *warp, const hd_text_sink *sink)
{
    const uint32_t *block = warp->place.launch->block_index;
    const path_range range = paths_of(warp->warp, warp->paths_per_warp);
    sink->line(sink->context, "block (%u,%u,%u), warp %u%s", block[0], block[1], block[2], warp->place.warp,
               is_simt_deadlock(warp, range) ? ": SIMT deadlock, its running lanes spin and the others cannot go on"
                                             : "");
    for (uint32_t path = range.first; path < range.end; path++)
        describe_path(warp, path, sink);
    warp->unit->describe(warp->reconvergence, warp->warp, warp->place.program, sink);
}
