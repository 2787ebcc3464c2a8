/* SPDX-License-Identifier: MIT */
#include "state.h"

uint64_t slice_offset(const struct slice *slice, uint64_t address)
{
    return slice->map ? hd_partition_offset(slice->map, address) : address;
}

static struct line *set_of(const struct slice *slice, uint64_t address)
{
    return &slice->lines[slice_offset(slice, address) / HD_LINE_BYTES % slice->set_count * slice->ways];
}

struct line *slice_find_line(const struct slice *slice, uint64_t address)
{
    struct line *set = set_of(slice, address);
    for (uint32_t way = 0; way < slice->ways; way++) {
        if (set[way].address == address)
            return &set[way];
    }
    return NULL;
}

void slice_touch(struct slice *slice, struct line *line)
{
    if (slice->replacement == REPLACEMENT_LRU)
        line->stamp = ++slice->stamp;
}

struct line *slice_install(struct slice *slice, uint64_t address)
{
    struct line *set = set_of(slice, address);
    struct line *victim = set;
    for (uint32_t way = 1; way < slice->ways; way++) {
        if (set[way].stamp < victim->stamp)
            victim = &set[way];
    }
    if (victim->is_dirty)
        slice_write_back(slice, victim);
    victim->address = address;
    victim->first_version = (uint32_t)(slice_offset(slice, address) / 4) & (slice->version_count - 1);
    victim->is_dirty = 0;
    victim->stamp = ++slice->stamp;
    return victim;
}

void slice_invalidate_all(struct slice *slice)
{
    for (uint32_t i = 0; i < slice->set_count * slice->ways; i++) {
        slice->lines[i].address = UINT64_MAX;
        slice->lines[i].stamp = 0;
        slice->lines[i].is_dirty = 0;
    }
    slice->stamp = 0;
}
