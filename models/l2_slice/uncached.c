/* SPDX-License-Identifier: MIT */
/* Requests that go past the lines to memory and back (HD_UNCACHED_LOAD): nothing is looked up, nothing replaced. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

int slice_uncached_create(struct slice *slice, uint32_t limit)
{
    struct uncached *uncached = &slice->uncached;
    uncached->limit = limit;
    uncached->requests = calloc(limit, sizeof *uncached->requests);
    uncached->free = calloc(limit, sizeof *uncached->free);
    return uncached->requests && uncached->free ? 0 : -1;
}

void slice_uncached_destroy(struct slice *slice)
{
    free(slice->uncached.requests);
    free(slice->uncached.free);
}

void slice_uncached_reset(struct slice *slice)
{
    struct uncached *uncached = &slice->uncached;
    for (uint32_t i = 0; i < uncached->limit; i++) {
        if (uncached->requests[i])
            slice->services->free(slice->services->context, uncached->requests[i]);
        uncached->requests[i] = NULL;
        uncached->free[i] = uncached->limit - 1 - i;
    }
    uncached->in_use = 0;
}

uint32_t slice_uncached_stall(const struct slice *slice)
{
    if (slice->reply_count >= slice->reply_limit)
        return STATISTIC_STALL_REPLY;
    return slice->uncached.in_use == slice->uncached.limit ? STATISTIC_STALL_UNCACHED : NO_STALL;
}

/* What the slice would be asked if it kept lines. */
static uint32_t cached_message(const struct slice *slice, const hd_packet *request)
{
    return request->message == slice->message.uncached_load ? slice->message.load : slice->message.store;
}

static void forward(struct slice *slice, const hd_packet *request, uint32_t place)
{
    const uint32_t writes = request->message == slice->message.uncached_store;
    const uint32_t bytes = writes ? request->argument : 0;
    hd_packet *packet = slice->services->alloc(slice->services->context, bytes);
    packet->message = writes ? slice->message.write : slice->message.read;
    packet->tag = TAG_UNCACHED | place;
    packet->traffic_class = request->traffic_class;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    packet->body_bytes = bytes;
    if (writes)
        memcpy(hd_body(packet), hd_store_data_const(hd_body_const(request)), bytes);
    slice_put_memory(slice, packet, request->address, request->argument);
}

void slice_begin_uncached(struct slice *slice, hd_packet *request, uint64_t n, hd_time t)
{
    struct uncached *uncached = &slice->uncached;
    if (slice->direct) {
        request->message = cached_message(slice, request);
        const struct access access = {.request = request};
        slice_carry_out_directly(slice, &access, NULL, n, t);
        return;
    }
    const uint32_t place = uncached->free[uncached->limit - 1 - uncached->in_use++];
    uncached->requests[place] = request;
    forward(slice, request, place);
}

static hd_packet *answer_load(struct slice *slice, hd_packet *request, const hd_packet *response)
{
    const hd_services *services = slice->services;
    hd_packet *reply = services->alloc(services->context, request->argument);
    const uint32_t capacity = reply->body_capacity;
    *reply = *request;
    reply->body_capacity = capacity;
    reply->message = slice->message.load_reply;
    reply->body_bytes = request->argument;
    reply->wire_bytes = HD_HEADER_WIRE_BYTES + request->argument;
    memset(hd_body(reply), 0, request->argument);
    if (response->argument == HD_STATUS_OK && response->body_bytes == request->argument)
        memcpy(hd_body(reply), hd_body_const(response), request->argument);
    services->free(services->context, request);
    return reply;
}

static hd_packet *answer_store(const struct slice *slice, hd_packet *request)
{
    request->message = slice->message.store_ack;
    request->body_bytes = 0;
    request->wire_bytes = HD_HEADER_WIRE_BYTES;
    return request;
}

void slice_answer_uncached(struct slice *slice, const hd_packet *response, uint64_t n, hd_time t)
{
    struct uncached *uncached = &slice->uncached;
    const uint32_t place = (uint32_t)response->tag;
    hd_packet *request = uncached->requests[place];
    uncached->requests[place] = NULL;
    uncached->free[uncached->limit - uncached->in_use--] = place;
    hd_packet *reply = request->message == slice->message.uncached_load ? answer_load(slice, request, response)
                                                                        : answer_store(slice, request);
    slice_turn_back(slice, reply);
    slice_put_reply(slice, reply, slice_cycles_for_bytes(slice, reply->argument), n, t);
}
