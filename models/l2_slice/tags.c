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

/* A set for each value of the bits above is another one for every line. */
static uint64_t set_of(const struct slice *slice, uint64_t number)
{
    if (!slice->set_mask)
        return number % slice->set_count;
    const uint32_t index = (uint32_t)number & slice->set_mask;
    return slice->set_hash.bits ? hd_hash_index(&slice->set_hash, index, number >> slice->set_hash.bits) : index;
}

struct place slice_place(const struct slice *slice, uint64_t address)
{
    const uint64_t line = line_address(address);
    const uint64_t offset = offset_of(slice, line);
    const uint64_t number = offset / HD_LINE_BYTES;
    return (struct place){.address = line, .offset = offset, .set = set_of(slice, number) * slice->ways};
}

struct line *slice_find_line(const struct slice *slice, const struct place *place)
{
    /* All ways, and no way out in between: the compiler compares several at a time. */
    const uint64_t *tags = &slice->tags[place->set];
    uint32_t found = slice->ways;
    for (uint32_t way = 0; way < slice->ways; way++)
        found = tags[way] == place->address ? way : found;
    return found == slice->ways ? NULL : &slice->lines[place->set + found];
}

void slice_touch(struct slice *slice, const struct line *line)
{
    slice->policy->used(slice->order, (uint32_t)(line - slice->lines));
}

static uint32_t room_for(const struct slice *slice, size_t first)
{
    static const uint8_t none_stays[L2_WAYS_MAX];
    for (uint32_t way = 0; way < slice->ways; way++)
        if (slice->tags[first + way] == UINT64_MAX)
            return (uint32_t)first + way;
    return slice->policy->victim(slice->order, (uint32_t)first, none_stays);
}

struct line *slice_install(struct slice *slice, const struct place *place)
{
    const uint32_t index = room_for(slice, place->set);
    struct line *line = &slice->lines[index];
    if (line->dirty)
        slice_write_back(slice, line);
    line->address = place->address;
    line->first_version = (uint32_t)(place->offset / 4) & (slice->version_count - 1);
    line->valid = 0;
    slice->tags[index] = place->address;
    slice->policy->installed(slice->order, index);
    return line;
}

static void forget(struct slice *slice, struct line *line)
{
    line->address = UINT64_MAX;
    line->valid = line->dirty = 0;
    slice->tags[line - slice->lines] = UINT64_MAX;
}

void slice_move_out(struct slice *slice, struct line *line, struct line *to)
{
    *to = *line;
    forget(slice, line);
}

void slice_invalidate_all(struct slice *slice)
{
    for (size_t i = 0; i < (size_t)slice->set_count * slice->ways; i++)
        forget(slice, &slice->lines[i]);
}
