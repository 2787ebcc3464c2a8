/* SPDX-License-Identifier: MIT */
#include "stall_buffer.h"

#include <stdlib.h>

uint32_t stall_create(stall_buffer *buffer, uint32_t lines, uint32_t entries, validation_counters *counters)
{
    buffer->line_count = lines;
    buffer->capacity = entries;
    buffer->counters = counters;
    buffer->lines = calloc(lines, sizeof *buffer->lines);
    buffer->waiters = calloc((size_t)lines * entries, sizeof *buffer->waiters);
    if (!buffer->lines || !buffer->waiters)
        return 0;
    for (uint32_t i = 0; i < lines; i++)
        buffer->lines[i].waiters = &buffer->waiters[(size_t)i * entries];
    return 1;
}

void stall_destroy(stall_buffer *buffer)
{
    free(buffer->lines);
    free(buffer->waiters);
}

hd_packet *stall_take_any(stall_buffer *buffer)
{
    for (uint32_t i = 0; buffer->requests && i < buffer->line_count; i++) {
        stall_line *line = &buffer->lines[i];
        if (line->count) {
            buffer->requests--;
            return line->waiters[--line->count].request;
        }
    }
    return NULL;
}

void stall_reset(stall_buffer *buffer)
{
    buffer->used = 0;
    buffer->marked = 0;
}

stall_line *stall_find(stall_buffer *buffer, uint64_t granule)
{
    for (uint32_t i = 0; buffer->used && i < buffer->line_count; i++)
        if (buffer->lines[i].count && buffer->lines[i].granule == granule)
            return &buffer->lines[i];
    return NULL;
}

static stall_line *open_line(stall_buffer *buffer, uint64_t granule, uint64_t edge)
{
    stall_line *line = buffer->lines;
    if (buffer->used == buffer->line_count)
        return NULL;
    while (line->count)
        line++;
    line->granule = granule;
    line->since = edge;
    line->returned = 0;
    buffer->used++;
    hd_raise_maximum(&buffer->counters->stall_addresses_maximum, buffer->used);
    return line;
}

uint32_t stall_push(stall_buffer *buffer, uint64_t granule, hd_packet *request, uint64_t edge)
{
    stall_line *line = stall_find(buffer, granule);
    if (!line)
        line = open_line(buffer, granule, edge);
    if (!line || line->count == buffer->capacity)
        return 0;
    line->waiters[line->count++] = (stall_waiter){request, edge};
    buffer->requests++;
    buffer->counters->stalled++;
    hd_raise_maximum(&buffer->counters->stall_requests_maximum, buffer->requests);
    return 1;
}

void stall_mark(stall_buffer *buffer, uint64_t granule)
{
    const stall_line *line = stall_find(buffer, granule);
    if (line)
        buffer->marked |= UINT64_C(1) << (line - buffer->lines);
}

static uint32_t is_older(const hd_packet *one, const hd_packet *other)
{
    const hd_getm_access *a = hd_body_const(one), *b = hd_body_const(other);
    return a->timestamp != b->timestamp ? a->timestamp < b->timestamp : a->warp < b->warp;
}

stall_waiter *stall_oldest(const stall_line *line)
{
    stall_waiter *oldest = line->waiters;
    for (uint32_t i = 1; i < line->count; i++)
        if (is_older(line->waiters[i].request, oldest->request))
            oldest = &line->waiters[i];
    return oldest;
}

hd_packet *stall_take(stall_buffer *buffer, stall_line *line, stall_waiter *waiter, uint64_t edge)
{
    hd_packet *request = waiter->request;
    buffer->counters->woken++;
    buffer->counters->stall_request_cycles += edge - waiter->since;
    stall_waiter *end = &line->waiters[--line->count];
    for (; waiter < end; waiter++)
        *waiter = waiter[1];
    buffer->requests--;
    if (!line->count) {
        buffer->counters->stall_address_cycles += edge - line->since;
        buffer->marked &= ~(UINT64_C(1) << (line - buffer->lines));
        buffer->used--;
    }
    return request;
}
