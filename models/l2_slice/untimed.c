/* SPDX-License-Identifier: MIT */
/* Accesses without time (docs/abi.md). */
#include <string.h>

#include "parts.h"

/* The youngest write-back of the byte that memory has not acknowledged, or NULL. */
static const struct write_back *find_write_back(const struct slice *slice, uint64_t address)
{
    const uint32_t offset = (uint32_t)(address % HD_LINE_BYTES);
    const struct write_back *found = NULL;
    for (uint32_t i = 0; i < slice->write_back_count; i++) {
        const struct write_back *other = &slice->write_backs[i];
        const uint8_t whole = other->sectors & (uint8_t)~other->partial;
        if (other->number != UINT64_MAX && other->address == line_address(address) &&
            slice_held_bytes(slice, whole, other->sectors & other->partial, other->written, offset, 1) &&
            (!found || other->number > found->number))
            found = other;
    }
    return found;
}

/* The line, wherever it lies, if the sector is here or a part of it. */
static struct line *find_line(struct slice *slice, uint64_t address, uint8_t sector)
{
    const struct place place = slice_place(slice, address);
    struct line *line = slice_find_line(slice, &place);
    struct miss *miss = line ? NULL : slice_find_miss(slice, place.address);
    line = miss ? &miss->line : line;
    return line && ((line->valid | line->partial) & sector) ? line : NULL;
}

/* Reads also see lines on their way to memory; a part of a sector there may be older or younger than the next. */
static uint32_t debug_read(const struct slice *slice, const struct line *line, uint64_t address, void *data,
                           uint32_t length)
{
    const uint32_t offset = (uint32_t)(address % HD_LINE_BYTES);
    const uint32_t held = line ? slice_held_bytes(slice, line->valid, line->partial, line->written, offset, length) : 0;
    const struct write_back *leaving = held ? NULL : find_write_back(slice, address);
    if (!held && !leaving)
        return 0;
    const uint32_t bytes = held ? held : slice->masks_writes ? 1 : length;
    memcpy(data, held ? &line->data[offset] : &leaving->data[offset], bytes);
    return bytes;
}

static void overwrite_write_backs(struct slice *slice, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    const uint32_t offset = (uint32_t)(address % HD_LINE_BYTES);
    for (uint32_t i = 0; i < slice->write_back_count; i++)
        if (slice->write_backs[i].number != UINT64_MAX && slice->write_backs[i].address == line_address(address))
            memcpy(&slice->write_backs[i].data[offset], data, bytes);
}

/* Writes that only have to be sent. */
static void overwrite_queue(struct slice *slice, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    for (uint32_t place = 0; place < slice->memory_ring.count; place++) {
        hd_packet *packet = slice->memory_queue[hd_ring_place(&slice->memory_ring, place)];
        if (packet->message != slice->message.write)
            continue;
        for (uint32_t i = 0; i < bytes; i++)
            if (address + i - packet->address < packet->argument)
                ((uint8_t *)hd_body(packet))[address + i - packet->address] = data[i];
    }
}

/* What memory is asked for may have been read there already. */
static void overwrite_fill(struct slice *slice, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    const uint32_t offset = (uint32_t)(address % HD_LINE_BYTES);
    struct miss *miss = slice_find_miss(slice, line_address(address));
    if (!miss || !(miss->pending >> (offset >> slice->sector_shift) & 1))
        return;
    if (!miss->has_newer)
        memset(miss->is_newer, 0, sizeof miss->is_newer);
    miss->has_newer = 1;
    memcpy(&miss->newer[offset], data, bytes);
    for (uint32_t i = offset; i < offset + bytes; i++)
        miss->is_newer[i / 32] |= 1u << i % 32;
}

void slice_lay_newer(const struct slice *slice, const struct miss *miss, cache_run run, uint8_t *data)
{
    const uint32_t begin = run.first << slice->sector_shift, end = begin + (run.count << slice->sector_shift);
    for (uint32_t i = begin; i < end; i++)
        if (miss->is_newer[i / 32] >> i % 32 & 1)
            data[i - begin] = miss->newer[i];
}

/* What is not here is written where it is, and here into all that is on its way there or back. */
uint32_t slice_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    struct slice *slice = (struct slice *)block;
    const uint32_t offset = (uint32_t)(address % HD_LINE_BYTES);
    const uint32_t in_sector = (1u << slice->sector_shift) - offset % (1u << slice->sector_shift);
    const uint32_t length = bytes < in_sector ? bytes : in_sector;
    const uint8_t sector = (uint8_t)(1u << (offset >> slice->sector_shift));
    struct line *line = find_line(slice, address, sector);
    if (!is_write)
        return debug_read(slice, line, address, data, length);
    if (!line) {
        overwrite_write_backs(slice, address, data, length);
        overwrite_queue(slice, address, data, length);
        overwrite_fill(slice, address, data, length);
        return 0;
    }
    memcpy(&line->data[offset], data, length);
    slice_mark_bytes(slice, line, offset, length);
    line->dirty |= sector;
    return length;
}
