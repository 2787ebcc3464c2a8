/* SPDX-License-Identifier: MIT */
/* What memory answers, and the lines that it completes. */
#include <inttypes.h>
#include <string.h>

#include "state.h"

static uint8_t sectors_of(struct run run)
{
    return (uint8_t)(((1u << run.count) - 1) << run.first);
}

/* None of them was written in the meantime: what a target writes as a whole is not fetched for those behind it. */
static void merge(const struct slice *slice, struct line *line, struct run run, const uint8_t *data)
{
    memcpy(&line->data[run.first << slice->sector_shift], data, (size_t)run.count << slice->sector_shift);
    line->valid |= sectors_of(run);
}

/* The line takes its place in the cache. */
static struct line *complete(struct slice *slice, const struct mshr *mshr)
{
    const struct place place = slice_place(slice, mshr->line.address);
    struct line *line = slice_install(slice, &place);
    if (mshr->line.valid) {
        memcpy(line->data, mshr->line.data, HD_LINE_BYTES);
        line->valid = mshr->line.valid;
        line->dirty = mshr->line.dirty;
    }
    return line;
}

static void fill(struct slice *slice, struct mshr *mshr, struct run run, const uint8_t *data, uint64_t n, hd_time t)
{
    const uint32_t bytes = run.count << slice->sector_shift;
    slice->statistics[STATISTIC_FILLS]++;
    slice->statistics[STATISTIC_BYTES_FILLED] += bytes;
    if (slice->fill_port == FILL_PORT_SHARED)
        slice_take_port(slice, slice_cycles_for_bytes(slice, bytes), n);
    mshr->pending &= (uint8_t)~sectors_of(run);
    if (mshr->pending) {
        merge(slice, &mshr->line, run, data);
        slice_serve_targets(slice, mshr, &mshr->line, n, t);
        return;
    }
    struct line *line = complete(slice, mshr);
    merge(slice, line, run, data);
    slice_serve_targets(slice, mshr, line, n, t);
    slice_release_mshr(slice, mshr);
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
    static const uint8_t nothing[HD_LINE_BYTES];
    const hd_services *services = slice->services;
    hd_packet *packet = services->pop(services->context, slice->memory_in, t);
    slice->response_arrival = slice_arrival(slice, slice->memory_in);
    if (packet->argument != HD_STATUS_OK)
        services->fault(services->context, t, "%s: memory answers status %" PRIu32 " for line %#" PRIx64,
                        services->name, packet->argument, packet->address);
    if (packet->tag & TAG_WRITE_BACK) {
        acknowledge(slice, &slice->write_backs[packet->tag & ~TAG_WRITE_BACK]);
    } else {
        struct mshr *mshr = &slice->mshrs[packet->tag & ((1u << TAG_SECTOR_SHIFT) - 1)];
        const struct run run = {(uint32_t)(packet->tag >> TAG_SECTOR_SHIFT) & (L2_SECTORS_MAX - 1),
                                (uint32_t)(packet->tag >> (TAG_SECTOR_SHIFT + 4)) & 7};
        const uint32_t is_whole = packet->argument == HD_STATUS_OK && packet->body_bytes == run.count
                                                                                                << slice->sector_shift;
        fill(slice, mshr, run, is_whole ? hd_body_const(packet) : nothing, n, t);
    }
    services->free(services->context, packet);
}
