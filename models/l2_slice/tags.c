/* SPDX-License-Identifier: MIT */
#include "state.h"

uint64_t slice_offset(const struct slice *slice, uint64_t address)
{
    return slice->map ? hd_partition_offset(slice->map, address) : address;
}

/* Number of the first line of the address's set. */
static size_t set_of(const struct slice *slice, uint64_t address)
{
    return slice_offset(slice, address) / HD_LINE_BYTES % slice->set_count * slice->ways;
}

struct line *slice_find_line(const struct slice *slice, uint64_t address)
{
    const size_t set = set_of(slice, address);
    for (uint32_t way = 0; way < slice->ways; way++) {
        if (slice->tags[set + way] == address)
            return &slice->lines[set + way];
    }
    return NULL;
}

void slice_touch(struct slice *slice, const struct line *line)
{
    if (slice->replacement == REPLACEMENT_LRU)
        slice->stamps[line - slice->lines] = ++slice->stamp;
}

static size_t victim_of(const struct slice *slice, size_t set)
{
    size_t victim = set;
    for (uint32_t way = 1; way < slice->ways; way++) {
        if (slice->stamps[set + way] < slice->stamps[victim])
            victim = set + way;
    }
    return victim;
}

struct line *slice_install(struct slice *slice, uint64_t address)
{
    const size_t index = victim_of(slice, set_of(slice, address));
    struct line *line = &slice->lines[index];
    if (line->is_dirty)
        slice_write_back(slice, line);
    line->address = address;
    line->first_version = (uint32_t)(slice_offset(slice, address) / 4) & (slice->version_count - 1);
    line->is_dirty = 0;
    slice->tags[index] = address;
    slice->stamps[index] = ++slice->stamp;
    return line;
}

void slice_invalidate_all(struct slice *slice)
{
    for (size_t i = 0; i < (size_t)slice->set_count * slice->ways; i++) {
        slice->lines[i].address = UINT64_MAX;
        slice->lines[i].is_dirty = 0;
        slice->tags[i] = UINT64_MAX;
        slice->stamps[i] = 0;
    }
    slice->stamp = 0;
}
