/* SPDX-License-Identifier: MIT */
/* Sectors of which a store has written a part, without the rest: a byte mask says which bytes are here. */
#include <string.h>

#include "parts.h"

static uint32_t is_marked(const uint32_t *written, uint32_t offset)
{
    return written[offset / 32] >> offset % 32 & 1;
}

static void mark(uint32_t *written, uint32_t offset)
{
    written[offset / 32] |= 1u << offset % 32;
}

static void begin_sector(struct slice *slice, struct line *line, uint32_t sector)
{
    const uint32_t begin = sector << slice->sector_shift, end = (sector + 1) << slice->sector_shift;
    for (uint32_t i = begin; i < end; i++)
        line->written[i / 32] &= ~(1u << i % 32);
    line->partial |= (uint8_t)(1u << sector);
    slice->statistics[STATISTIC_PARTIAL_SECTORS]++;
}

/* A sector whose bytes have all been written is here. */
static void end_sector(const struct slice *slice, struct line *line, uint32_t sector)
{
    const uint32_t begin = sector << slice->sector_shift, end = (sector + 1) << slice->sector_shift;
    for (uint32_t i = begin; i < end; i++)
        if (!is_marked(line->written, i))
            return;
    line->partial &= (uint8_t) ~(1u << sector);
    line->valid |= (uint8_t)(1u << sector);
}

static void mark_byte(struct slice *slice, struct line *line, uint32_t offset)
{
    const uint32_t sector = offset >> slice->sector_shift;
    if (!(line->partial >> sector & 1))
        begin_sector(slice, line, sector);
    mark(line->written, offset);
}

void slice_mark_store(struct slice *slice, struct line *line, const struct access *access)
{
    const hd_store *store = hd_body_const(access->request);
    const uint32_t first = (uint32_t)(access->request->address - line->address);
    const uint8_t partly = access->partly & (uint8_t)~line->valid;
    for (uint32_t i = 0; i < access->request->argument; i++)
        if (partly >> ((first + i) >> slice->sector_shift) & 1 && is_marked(store->byte_mask, i))
            mark_byte(slice, line, first + i);
    for (uint8_t left = partly & line->partial; left; left &= (uint8_t)(left - 1))
        end_sector(slice, line, (uint32_t)__builtin_ctz(left));
}

void slice_mark_bytes(struct slice *slice, struct line *line, uint32_t offset, uint32_t bytes)
{
    const uint32_t sector = offset >> slice->sector_shift;
    if (line->valid >> sector & 1)
        return;
    for (uint32_t i = offset; i < offset + bytes; i++)
        mark_byte(slice, line, i);
    end_sector(slice, line, sector);
}

static void merge_sector(struct slice *slice, struct line *line, uint32_t sector, const uint8_t *data)
{
    const uint32_t begin = sector << slice->sector_shift, bytes = 1u << slice->sector_shift;
    for (uint32_t i = 0; i < bytes; i++)
        if (!is_marked(line->written, begin + i))
            line->data[begin + i] = data[i];
    slice->statistics[STATISTIC_PARTIAL_FILLS]++;
}

void slice_merge(struct slice *slice, struct line *line, cache_run run, const uint8_t *data)
{
    const uint32_t bytes = 1u << slice->sector_shift;
    for (uint32_t sector = run.first; sector < run.first + run.count; sector++, data += bytes) {
        if (line->partial >> sector & 1)
            merge_sector(slice, line, sector, data);
        else if (!(line->valid >> sector & 1)) /* stores may have written all of it since it was asked for */
            memcpy(&line->data[sector << slice->sector_shift], data, bytes);
        line->partial &= (uint8_t) ~(1u << sector);
    }
}

uint32_t slice_held_bytes(const struct slice *slice, uint8_t valid, uint8_t partial, const uint32_t *written,
                          uint32_t offset, uint32_t bytes)
{
    const uint32_t sector = offset >> slice->sector_shift;
    uint32_t held = 0;
    if (valid >> sector & 1)
        return bytes;
    if (partial >> sector & 1)
        while (held < bytes && is_marked(written, offset + held))
            held++;
    return held;
}

void slice_enable_bytes(const struct slice *slice, const struct line *line, uint32_t begin, uint32_t bytes,
                        uint8_t *enables)
{
    for (uint32_t i = 0; i < bytes; i++) {
        const uint32_t is_partial = line->partial >> ((begin + i) >> slice->sector_shift) & 1;
        enables[i] = !is_partial || is_marked(line->written, begin + i) ? 0xFF : 0;
    }
}
