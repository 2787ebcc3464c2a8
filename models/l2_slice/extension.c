/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "parts.h"

static uint32_t has_work(hd_block *block)
{
    const struct slice *slice = (const struct slice *)block;
    if (slice->mshrs.in_use || slice->uncached.in_use || slice->buffers.waiting || slice->write_backs_used ||
        slice->reply_count || slice->memory_ring.count)
        return 1;
    for (uint32_t i = 0; i < slice->request_ports; i++) {
        if (slice->requests[i] && hd_link_arrival(slice->requests[i]) != HD_NEVER)
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
    if (strcmp(id, HD_EXTENSION_FAST_FORWARD) == 0)
        return &slice_fast_forward;
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &under_way;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &slice_state;
    if (strcmp(id, HD_EXTENSION_CACHE) == 0)
        return &cache;
    return hd_ability(id, &pending, &alignment, &marking);
}
