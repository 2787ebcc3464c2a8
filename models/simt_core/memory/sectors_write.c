/* SPDX-License-Identifier: MIT */
/*
 * Global stores that update the L1 on their way to the partition (l1.write: through). What they write is seen by nobody in this
 * core before it is seen by all: until a store is acknowledged, a load that finds its line drops it, and follows the store to
 * the partition (sectors.c).
 */
#include "sectors.h"

/* Sectors written whole that are not here: their line, a new one if there is none and a way for it, or NULL. */
static cache_line *line_for(memory *m, const access_slot *slot, cache_line *line, uint64_t address)
{
    if (line != NULL)
        return line;
    line = cache_victim(l1_of(m), address);
    if (line == NULL)
        return NULL;
    m->counters->l1_write_allocations++;
    l1_reserve(m, line, address, HD_CLASS_GLOBAL, slot->access.warp, m->warps[slot->access.warp].view.block);
    line->state = LINE_CLEAN;
    return line;
}

uint32_t sectors_write(memory *m, access_slot *slot, const line_group *group)
{
    const uint64_t address = slot->base[WINDOW_GLOBAL] + group->place;
    const uint8_t touched = sectors_of(m, slot, group->lanes);
    const uint32_t miss = find_miss(m, address, HD_CLASS_GLOBAL);
    if (miss != CACHE_NO_MSHR && (miss_of(m, miss)->pending & touched) != 0) {
        l1_drop_line(m, address);
        return 0;
    }
    cache_line *line = cache_find(l1_of(m), address, HD_CLASS_GLOBAL);
    const uint8_t here = line != NULL ? line->valid & touched : 0;
    uint8_t whole = 0;
    if (m->parameters.l1_write_allocate == L1_ALLOCATE_VALIDATE && m->parameters.l1_global == L1_GLOBAL_CACHE)
        whole = written_whole(m, slot, group->lanes);
    if ((here | whole) == 0 || (line = line_for(m, slot, line, address)) == NULL)
        return 0;
    m->counters->l1_write_hits += here != 0;
    m->pipe.moved += (uint32_t)__builtin_popcount(here | whole) << shift_of(m);
    cache_touch(l1_of(m), line);
    coalescer_scatter(slot, lanes_in(m, slot, group->lanes, here | whole), cache_bytes(l1_of(m), line), group->place);
    line->valid |= whole;
    line->unacknowledged++;
    return (uint32_t)(line - l1_of(m)->lines) + 1;
}
