/* SPDX-License-Identifier: MIT */
/* What memory answers, and the lines that it completes. */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "parts.h"

/* Without masks none of them was written in the meantime: what a target writes as a whole is not fetched for those behind
 * it. */
static void merge(struct slice *slice, struct line *line, cache_run run, const uint8_t *data)
{
    if (slice->masks_writes)
        slice_merge(slice, line, run, data);
    else
        memcpy(&line->data[run.first << slice->sector_shift], data, (size_t)run.count << slice->sector_shift);
    line->valid |= cache_sectors_of_run(run);
}

/* The line takes its place in the cache. */
static struct line *complete(struct slice *slice, const struct miss *miss)
{
    const struct place place = slice_place(slice, miss->line.address);
    struct line *line = slice_install(slice, &place);
    if (miss->line.valid | miss->line.partial) {
        memcpy(line->data, miss->line.data, HD_LINE_BYTES);
        line->valid = miss->line.valid;
        line->dirty = miss->line.dirty;
        line->partial = miss->line.partial;
        memcpy(line->written, miss->line.written, sizeof line->written);
    }
    return line;
}

static void fill(struct slice *slice, struct miss *miss, cache_run run, uint8_t *data, uint64_t n, hd_time t)
{
    const uint32_t bytes = run.count << slice->sector_shift;
    if (miss->has_newer)
        slice_lay_newer(slice, miss, run, data);
    slice->statistics[STATISTIC_FILLS]++;
    slice->statistics[STATISTIC_BYTES_FILLED] += bytes;
    if (slice->fill_port == FILL_PORT_SHARED)
        slice_take_port(slice, slice_cycles_for_bytes(slice, bytes), n);
    miss->pending &= (uint8_t)~cache_sectors_of_run(run);
    if (miss->pending) {
        merge(slice, &miss->line, run, data);
        slice_serve_targets(slice, miss, &miss->line, n, t);
        return;
    }
    struct line *line = complete(slice, miss);
    merge(slice, line, run, data);
    slice_serve_targets(slice, miss, line, n, t);
    slice_release_mshr(slice, miss);
    if (slice->writes_through && line->dirty)
        slice_write_back(slice, line);
}

static void acknowledge(struct slice *slice, struct write_back *write_back)
{
    if (--write_back->awaited)
        return;
    write_back->number = UINT64_MAX;
    slice->write_backs_used--;
}

void slice_take_response(struct slice *slice, uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    hd_packet *packet = services->pop(services->context, slice->memory_in, t);
    slice->response_arrival = hd_link_arrival(slice->memory_in);
    if (packet->argument != HD_STATUS_OK)
        services->fault(services->context, t, "%s: memory answers status %" PRIu32 " for line %#" PRIx64,
                        services->name, packet->argument, packet->address);
    if (packet->tag & TAG_UNCACHED) {
        slice_answer_uncached(slice, packet, n, t);
    } else if (packet->tag & TAG_WRITE_BACK) {
        acknowledge(slice, &slice->write_backs[packet->tag & ~TAG_WRITE_BACK]);
    } else {
        struct miss *miss = &slice->misses[packet->tag & ((1u << TAG_SECTOR_SHIFT) - 1)];
        const cache_run run = {(uint32_t)(packet->tag >> TAG_SECTOR_SHIFT) & (L2_SECTORS_MAX - 1),
                               (uint32_t)(packet->tag >> (TAG_SECTOR_SHIFT + 4)) & 7};
        const uint32_t is_whole = packet->argument == HD_STATUS_OK && packet->body_bytes == run.count
                                                                                                << slice->sector_shift;
        uint8_t nothing[HD_LINE_BYTES];
        if (!is_whole)
            memset(nothing, 0, sizeof nothing);
        fill(slice, miss, run, is_whole ? hd_body(packet) : nothing, n, t);
    }
    services->free(services->context, packet);
}
