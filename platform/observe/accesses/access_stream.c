/* SPDX-License-Identifier: MIT */
#include "access_stream.h"

#include <stdlib.h>
#include <string.h>

/* Of one reporter: records, each followed by its data, at multiples of 8. */
typedef struct reports {
    uint8_t *bytes;
    size_t used;
    size_t capacity;
    size_t count;
    hd_time latest;
} reports;

struct hd_access_stream {
    hd_accesses extension;
    uint32_t slice_count;
    uint32_t reporter_count;
    reports *reporters; /* slices, then endpoints */
    const hd_access_record **sorted;
    size_t sorted_capacity;
};

static void *add(reports *to, hd_access_record *record)
{
    const size_t bytes = (sizeof *record + record->data_bytes + 7) & ~(size_t)7;
    if (to->used + bytes > to->capacity) {
        while (to->used + bytes > to->capacity)
            to->capacity = to->capacity ? 2 * to->capacity : 4096;
        to->bytes = realloc(to->bytes, to->capacity);
        if (!to->bytes)
            abort();
    }
    record->t = to->latest = record->t > to->latest ? record->t : to->latest;
    uint8_t *at = to->bytes + to->used;
    memcpy(at, record, sizeof *record);
    to->used += bytes;
    to->count++;
    return at + sizeof *record;
}

static uint32_t *copy_lanes(uint32_t *to, const uint32_t *lanes, uint64_t mask)
{
    for (; mask; mask &= mask - 1)
        *to++ = lanes[__builtin_ctzll(mask)];
    return to;
}

static void told(void *context, uint32_t endpoint, const hd_block_launch *block, const hd_access *access)
{
    hd_access_stream *stream = context;
    const uint32_t arrays = (access->address != NULL) + (access->value != NULL);
    const uint32_t begins = access->kind == HD_ACCESS_BEGIN;
    hd_access_record record = {.t = access->t,
                               .lanes = access->lanes,
                               .block = hd_access_block_key(block),
                               .endpoint = endpoint,
                               .kind = (uint16_t)access->kind,
                               .flags = (uint16_t)access->flags,
                               .warp = access->warp,
                               .pc = access->pc,
                               .ticket = access->ticket,
                               .warp_lanes = (uint16_t)access->warp_lanes,
                               .bytes = (uint16_t)access->bytes};
    record.data_bytes = begins ? (uint32_t)sizeof *block : arrays * hd_access_lanes(&record) * 4;
    uint32_t *data = add(&stream->reporters[stream->slice_count + endpoint], &record);
    if (begins)
        memcpy(data, block, sizeof *block);
    if (access->address)
        data = copy_lanes(data, access->address, access->lanes);
    if (access->value)
        copy_lanes(data, access->value, access->lanes);
}

static uint32_t on_write(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    const hd_packet *request = access->request;
    const hd_store *store = hd_body_const(request);
    (void)element, (void)note;
    if (request->traffic_class == HD_CLASS_ATOMIC || request->body_bytes < sizeof *store + request->argument)
        return HD_TAP_PASS; /* an atomic: its core says so */
    hd_access_record record = {.t = access->t,
                               .block = request->address,
                               .kind = HD_ACCESS_WRITTEN,
                               .bytes = (uint16_t)request->argument,
                               .data_bytes = sizeof store->byte_mask};
    memcpy(add((reports *)tap, &record), store->byte_mask, sizeof store->byte_mask);
    return HD_TAP_PASS;
}

const hd_tap hd_access_tap = {.on_write = on_write};

hd_access_stream *hd_access_stream_create(uint32_t endpoint_count, uint32_t slice_count)
{
    hd_access_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        abort();
    stream->extension = (hd_accesses){.context = stream, .told = told};
    stream->slice_count = slice_count;
    stream->reporter_count = slice_count + endpoint_count;
    stream->reporters = calloc(stream->reporter_count + 1, sizeof *stream->reporters);
    if (!stream->reporters)
        abort();
    return stream;
}

void hd_access_stream_destroy(hd_access_stream *stream)
{
    if (!stream)
        return;
    for (uint32_t i = 0; i < stream->reporter_count; i++)
        free(stream->reporters[i].bytes);
    free(stream->reporters);
    free(stream->sorted);
    free(stream);
}

const hd_accesses *hd_access_stream_extension(hd_access_stream *stream)
{
    return &stream->extension;
}

hd_block *hd_access_stream_slice(hd_access_stream *stream, uint32_t slice)
{
    return (hd_block *)(void *)&stream->reporters[slice];
}

/* ---- In order ---------------------------------------------------------------------------------------------------- */

static size_t collect(hd_access_stream *stream)
{
    size_t count = 0;
    for (uint32_t i = 0; i < stream->reporter_count; i++)
        count += stream->reporters[i].count;
    if (count > stream->sorted_capacity) {
        free(stream->sorted);
        stream->sorted_capacity = 2 * count;
        stream->sorted = calloc(stream->sorted_capacity, sizeof *stream->sorted);
        if (!stream->sorted)
            abort();
    }
    count = 0;
    for (uint32_t i = 0; i < stream->reporter_count; i++) {
        const reports *from = &stream->reporters[i];
        for (size_t at = 0; at < from->used;) {
            hd_access_record *record = (hd_access_record *)(void *)(from->bytes + at);
            record->reserved = i;
            stream->sorted[count++] = record;
            at += (sizeof *record + record->data_bytes + 7) & ~(size_t)7;
        }
    }
    return count;
}

static int compare(const void *a, const void *b)
{
    const hd_access_record *left = *(hd_access_record *const *)a, *right = *(hd_access_record *const *)b;
    if (left->t != right->t)
        return left->t < right->t ? -1 : 1;
    if (left->reserved != right->reserved)
        return left->reserved < right->reserved ? -1 : 1;
    return left < right ? -1 : left > right; /* in one reporter's bytes */
}

void hd_access_stream_drain(hd_access_stream *stream, void *context,
                            void (*take)(void *context, const hd_access_record *record))
{
    const size_t count = collect(stream);
    if (count)
        qsort(stream->sorted, count, sizeof *stream->sorted, compare);
    for (size_t i = 0; i < count; i++)
        take(context, stream->sorted[i]);
    for (uint32_t i = 0; i < stream->reporter_count; i++)
        stream->reporters[i].used = stream->reporters[i].count = 0;
}
