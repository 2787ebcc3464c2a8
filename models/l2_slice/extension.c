/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "state.h"

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

/* Writes into what is on its way to memory belong at memory, and are meant for an idle machine. */
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
    if (!line)
        return 0;
    memcpy(&line->data[offset], data, length);
    slice_mark_bytes(slice, line, offset, length);
    line->dirty |= sector;
    return length;
}

static uint32_t has_work(hd_block *block)
{
    const struct slice *slice = (const struct slice *)block;
    const hd_services *services = slice->services;
    if (slice->mshrs.in_use || slice->uncached.in_use || slice->buffers.waiting || slice->write_backs_used ||
        slice->reply_count || slice->memory_ring.count)
        return 1;
    for (uint32_t i = 0; i < slice->request_ports; i++) {
        if (slice->requests[i] && services->arrival(services->context, slice->requests[i]) != HD_NEVER)
            return 1;
    }
    return 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const struct slice *slice = (const struct slice *)block;
    if (slice->mshrs.in_use)
        sink->line(sink->context, "%" PRIu32 " lines awaited from memory", slice->mshrs.in_use);
    if (slice->uncached.in_use)
        sink->line(sink->context, "%" PRIu32 " requests past the lines await memory", slice->uncached.in_use);
    if (slice->buffers.waiting)
        sink->line(sink->context, "%" PRIu32 " lines of contexts awaited", slice->buffers.waiting);
    if (slice->memory_ring.count)
        sink->line(sink->context, "%" PRIu32 " requests to memory %s", slice->memory_ring.count,
                   slice->memory_awaits_credit ? "wait for a credit" : "about to leave");
    if (slice->reply_count)
        sink->line(sink->context, "%" PRIu32 " replies under way", slice->reply_count);
    if (slice->stall != NO_STALL)
        sink->line(sink->context, "requests wait");
}

/* Of parts of sectors only what is here. */
static void align_run(const struct slice *slice, const struct line *line, cache_run run, const hd_write_back_sink *sink)
{
    const uint32_t begin = run.first << slice->sector_shift, end = (run.first + run.count) << slice->sector_shift;
    uint8_t enables[HD_LINE_BYTES];
    if (!(line->partial & cache_sectors_of_run(run))) {
        sink->write_back(sink->context, line->address + begin, &line->data[begin], end - begin);
        return;
    }
    slice_enable_bytes(slice, line, begin, end - begin, enables);
    for (uint32_t i = begin, bytes; i < end; i += bytes) {
        for (bytes = 1; i + bytes < end && enables[i + bytes - begin] == enables[i - begin]; bytes++)
            ;
        if (enables[i - begin])
            sink->write_back(sink->context, line->address + i, &line->data[i], bytes);
    }
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    struct slice *slice = (struct slice *)block;
    (void)t;
    for (uint32_t place = 0; place < slice->tags.places; place++) {
        struct line *line = &slice->lines[place];
        while (line->dirty) {
            const cache_run run = cache_take_run(&line->dirty);
            align_run(slice, line, run, sink);
        }
    }
    slice_invalidate_all(slice);
    slice_forget_use(slice);
}

/* Stores that wait for their line. */
static void each_under_way(hd_block *block, const hd_under_way_sink *sink)
{
    const struct slice *slice = (const struct slice *)block;
    const cache_mshrs *mshrs = &slice->mshrs;
    for (uint32_t mshr = 0; mshr < mshrs->count; mshr++)
        for (uint32_t i = 0; i < cache_mshrs_waiting(mshrs, mshr); i++)
            sink->write(sink->context, slice->targets[cache_mshrs_target(mshrs, mshr, i)].request, 0);
}

static void mark(hd_block *block)
{
    struct slice *slice = (struct slice *)block;
    slice->statistics[STATISTIC_MSHR_MAXIMUM] = slice->mshrs.in_use;
    hd_unit_counters_mark(slice->block_class, slice->unit_counters);
}

static uint64_t cache_bytes(const hd_block *block)
{
    const struct slice *slice = (const struct slice *)block;
    return slice->direct ? 0 : (uint64_t)slice->tags.places * HD_LINE_BYTES;
}

const void *slice_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    static const hd_tapped tapped = {slice_attach};
    static const hd_under_way under_way = {each_under_way};
    static const hd_cache cache = {cache_bytes};
    (void)block;
    if (strcmp(id, HD_EXTENSION_TAPPED) == 0)
        return &tapped;
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &under_way;
    if (strcmp(id, HD_EXTENSION_CACHE) == 0)
        return &cache;
    return hd_ability(id, &pending, &alignment, &marking);
}
