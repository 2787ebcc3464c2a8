/* SPDX-License-Identifier: MIT */
/*
 * Contexts of thread blocks on their way from core to core, in ways that have no other lines (HD_BUFFER_STORE): neither looked up by
 * address nor written back. A load waits for its line to come, and takes it away. Source: Beaumont 2019 §4.4.2.
 */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

int slice_buffers_create(struct slice *slice, uint32_t lines)
{
    slice->buffers.count = lines;
    if (!lines)
        return 0;
    slice->buffers.lines = calloc(lines, sizeof *slice->buffers.lines);
    return slice->buffers.lines ? 0 : -1;
}

void slice_buffers_destroy(struct slice *slice)
{
    free(slice->buffers.lines);
}

void slice_buffers_reset(struct slice *slice)
{
    const hd_services *services = slice->services;
    for (uint32_t i = 0; i < slice->buffers.count; i++) {
        struct buffer_line *line = &slice->buffers.lines[i];
        if (line->load)
            services->free(services->context, line->load);
        *line = (struct buffer_line){.load = NULL};
    }
    slice->buffers.waiting = 0;
}

static struct buffer_line *line_of(const struct slice *slice, const hd_packet *request)
{
    return &slice->buffers.lines[request->address / HD_LINE_BYTES];
}

const char *slice_buffer_mistake(const struct slice *slice, const hd_packet *request)
{
    const uint32_t stores = request->message == slice->message.buffer_store;
    if (!request->argument || request->argument > HD_LINE_BYTES || request->address % HD_LINE_BYTES)
        return "access not of one line of a context";
    if (request->address / HD_LINE_BYTES >= slice->buffers.count)
        return "context beyond the buffers for which context_ways has room: tb_scheduler.buffers and buffer_bytes are "
               "too many";
    if (stores && request->body_bytes < sizeof(hd_store) + request->argument)
        return "store without its data";
    if (stores && line_of(slice, request)->bytes)
        return "context over one that nobody has read";
    if (!stores && line_of(slice, request)->load)
        return "line of a context that two cores load";
    return NULL;
}

static uint32_t port_cycles(const struct slice *slice, uint32_t bytes)
{
    return (bytes + slice->buffers.port_bytes - 1) / slice->buffers.port_bytes;
}

static void send_back(struct slice *slice, hd_packet *reply, uint32_t cycles, uint64_t n, hd_time t)
{
    slice_turn_back(slice, reply);
    slice_put_reply(slice, reply, cycles, n, t);
}

/* The line is here, and goes. */
static void answer_load(struct slice *slice, struct buffer_line *line, hd_packet *request, uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    hd_packet *reply = services->alloc(services->context, request->argument);
    const uint32_t capacity = reply->body_capacity, bytes = request->argument;
    *reply = *request;
    reply->body_capacity = capacity;
    reply->message = slice->message.load_reply;
    reply->body_bytes = bytes;
    reply->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    memset(hd_body(reply), 0, bytes);
    memcpy(hd_body(reply), line->data, line->bytes < bytes ? line->bytes : bytes);
    line->bytes = 0;
    services->free(services->context, request);
    send_back(slice, reply, port_cycles(slice, bytes), n, t);
}

static void load(struct slice *slice, hd_packet *request, uint64_t n, hd_time t)
{
    struct buffer_line *line = line_of(slice, request);
    slice->statistics[STATISTIC_CONTEXT_LOADS]++;
    if (line->bytes) {
        answer_load(slice, line, request, n, t);
        return;
    }
    slice->statistics[STATISTIC_CONTEXT_WAITS]++;
    line->load = request;
    slice->buffers.waiting++;
}

static void store(struct slice *slice, hd_packet *request, uint64_t n, hd_time t)
{
    struct buffer_line *line = line_of(slice, request);
    slice->statistics[STATISTIC_CONTEXT_STORES]++;
    line->bytes = request->argument;
    memcpy(line->data, hd_store_data_const(hd_body_const(request)), request->argument);
    request->message = slice->message.store_ack;
    request->body_bytes = 0;
    request->wire_bytes = HD_HEADER_WIRE_BYTES;
    const uint32_t cycles = port_cycles(slice, request->argument);
    send_back(slice, request, cycles, n, t);
    hd_packet *waiting = line->load;
    if (!waiting)
        return;
    line->load = NULL;
    slice->buffers.waiting--;
    answer_load(slice, line, waiting, n, t);
}

void slice_begin_buffered(struct slice *slice, hd_packet *request, uint64_t n, hd_time t)
{
    if (request->message == slice->message.buffer_load)
        load(slice, request, n, t);
    else
        store(slice, request, n, t);
}
