/* SPDX-License-Identifier: MIT */
#include "state.h"

/* n / groups of partitions. Exact below 2^48 / 2^16: the error of the reciprocal, less than groups, times n is below 2^64. */
static uint64_t divide(const struct slice *slice, uint64_t n)
{
    if (!slice->reciprocal)
        return n;
    return n >> 47 ? n / slice->groups : (uint64_t)((hd_u128)n * slice->reciprocal >> 64);
}

uint32_t slice_partition(const struct slice *slice, uint64_t address)
{
    if (slice->groups != slice->map->partitions || slice->map->hash)
        return hd_partition_of(slice->map, address);
    const uint64_t chunk = address >> slice->interleave_shift;
    return (uint32_t)(chunk - divide(slice, chunk) * slice->map->partitions);
}

/* Address inside the partition (hd_partition_offset): the bits that choose the partition are equal in all addresses of a
 * slice. */
static uint64_t offset_of(const struct slice *slice, uint64_t address)
{
    if (!slice->map)
        return address;
    if (slice->groups != slice->map->partitions)
        return hd_partition_offset(slice->map, address);
    const uint64_t chunk = divide(slice, address >> slice->interleave_shift);
    return chunk << slice->interleave_shift | (address & ((UINT64_C(1) << slice->interleave_shift) - 1));
}

struct place slice_place(const struct slice *slice, uint64_t address)
{
    const uint64_t line = line_address(address);
    const uint64_t offset = offset_of(slice, line);
    return (struct place){
        .address = line, .offset = offset, .set = cache_tags_set(&slice->tags, offset / HD_LINE_BYTES)};
}

struct line *slice_find_line(const struct slice *slice, const struct place *place)
{
    const uint32_t found = cache_tags_find(&slice->tags, place->set, place->address);
    return found == CACHE_NO_PLACE ? NULL : &slice->lines[found];
}

void slice_touch(struct slice *slice, const struct line *line)
{
    cache_tags_use(&slice->tags, (uint32_t)(line - slice->lines));
}

struct line *slice_install(struct slice *slice, const struct place *place)
{
    const uint32_t room = cache_tags_room(&slice->tags, place->set);
    struct line *line = &slice->lines[room];
    if (line->dirty)
        slice_write_back(slice, line);
    line->address = place->address;
    line->first_version = (uint32_t)(place->offset / 4) & (slice->version_count - 1);
    line->valid = line->partial = 0;
    cache_tags_put(&slice->tags, room, place->address);
    return line;
}

void slice_move_out(struct slice *slice, struct line *line, struct line *to)
{
    *to = *line;
    line->valid = line->dirty = 0;
    cache_tags_clear(&slice->tags, (uint32_t)(line - slice->lines));
}

void slice_invalidate_all(struct slice *slice)
{
    cache_tags_reset(&slice->tags, slice->seed);
    for (uint32_t place = 0; place < slice->tags.places; place++)
        slice->lines[place].valid = slice->lines[place].dirty = 0;
}
