/* SPDX-License-Identifier: MIT */
/*
 * While cores execute without timing (hd_fast_forward.h) memory has the newest bytes. The slice keeps the tags of its lines and
 * which sectors of them it would have; requests of others are carried out in memory, as where a block touches memory directly.
 */
#include <string.h>

#include "parts.h"

/* Nobody has reserved a word: programs that do are not run like this. */
static const hd_direct *direct_of(struct slice *slice)
{
    const hd_fast_memory *memory = slice->fast.memory;
    slice->fast.direct = (hd_direct){.context = memory->context, .range = memory->range, .watched = &slice->fast.watched};
    return &slice->fast.direct;
}

static uint8_t *bytes_of(const struct slice *slice, uint64_t line)
{
    const hd_fast_memory *memory = slice->fast.memory;
    uint8_t *bytes = hd_fast_bytes(memory, line);
    if (!bytes)
        slice->services->fault(slice->services->context, slice->cursor.t, "%s: no block holds address %#llx",
                               slice->services->name, (unsigned long long)line);
    return bytes;
}

static uint32_t sector_bytes(const struct slice *slice)
{
    return 1u << slice->sector_shift;
}

/* Bytes of sectors that are here in part are those of their mask. */
static void write_to_memory(const struct slice *slice, const struct line *line)
{
    uint8_t *memory = line->dirty ? bytes_of(slice, line->address) : NULL;
    for (uint32_t byte = 0; memory && byte < HD_LINE_BYTES; byte++) {
        const uint32_t sector = 1u << (byte >> slice->sector_shift);
        const uint32_t is_here = line->partial & sector ? line->written[byte / 32] >> byte % 32 & 1 : 1;
        if (line->dirty & sector && is_here)
            memory[byte] = line->data[byte];
    }
}

static uint32_t is_at_rest(hd_block *block)
{
    const hd_pending *pending = slice_extension(block, HD_EXTENSION_PENDING);
    return !pending->has_work(block);
}

static void begin(hd_block *block, hd_time t)
{
    struct slice *slice = (struct slice *)block;
    (void)t;
    slice->fast.was_direct = slice->direct;
    slice->direct = direct_of(slice);
    slice->range.length = 0;
    for (uint32_t place = 0; place < slice->tags.places; place++) {
        struct line *line = &slice->lines[place];
        write_to_memory(slice, line);
        slice->fast.lines[place] = (struct fast_line){.valid = line->valid | line->partial, .dirty = line->dirty};
        line->valid = line->partial = line->dirty = 0;
    }
}

static void take_from_memory(struct slice *slice, uint32_t place)
{
    struct line *line = &slice->lines[place];
    const struct fast_line *kept = &slice->fast.lines[place];
    if (cache_tags_is_empty(&slice->tags, place) || !kept->valid)
        return;
    const uint8_t *memory = bytes_of(slice, slice->tags.tags[place]);
    if (!memory)
        return;
    memcpy(line->data, memory, HD_LINE_BYTES);
    line->address = slice->tags.tags[place];
    line->first_version = (uint32_t)(slice_place(slice, line->address).offset / 4) & (slice->version_count - 1);
    line->valid = kept->valid;
    line->dirty = slice->writes_through ? 0 : kept->dirty;
}

static void end(hd_block *block, hd_time t)
{
    struct slice *slice = (struct slice *)block;
    (void)t;
    slice->direct = slice->fast.was_direct;
    slice->range.length = 0;
    for (uint32_t place = 0; place < slice->tags.places; place++)
        take_from_memory(slice, place);
}

/* Parts are of HD_FAST_PART_BYTES, sectors of one or more of them. */
static uint8_t sectors_of(const struct slice *slice, uint32_t parts)
{
    const uint32_t in_sector = sector_bytes(slice) / HD_FAST_PART_BYTES;
    uint8_t sectors = 0;
    for (uint32_t part = 0; parts >> part; part++)
        if (parts >> part & 1)
            sectors |= (uint8_t)(1u << part / in_sector);
    return sectors;
}

static void touch(hd_block *block, uint64_t address, uint32_t parts, uint32_t is_write)
{
    struct slice *slice = (struct slice *)block;
    const struct place place = slice_place(slice, address);
    const uint8_t sectors = parts == HD_FAST_WHOLE_LINE ? slice->all_sectors : sectors_of(slice, parts);
    uint32_t found = cache_tags_find(&slice->tags, place.set, place.address);
    if (found == CACHE_NO_PLACE) {
        found = cache_tags_room(&slice->tags, place.set);
        cache_tags_put(&slice->tags, found, place.address);
        slice->fast.lines[found] = (struct fast_line){.valid = 0};
    } else {
        cache_tags_use(&slice->tags, found);
    }
    slice->fast.lines[found].valid |= sectors;
    slice->fast.lines[found].dirty |= is_write ? sectors : 0;
}

static const char *refusal(hd_block *block)
{
    const struct slice *slice = (const struct slice *)block;
    if (slice->listener_count)
        return "has blocks at its taps that take part in the order of accesses";
    if (slice->buffers.count)
        return "has buffers of thread blocks (context.ways)";
    return NULL;
}

const hd_fast_forward slice_fast_forward = {
    .is_at_rest = is_at_rest, .begin = begin, .end = end, .touch = touch, .refusal = refusal};
