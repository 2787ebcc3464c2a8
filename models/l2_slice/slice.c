/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static void intern_messages(struct slice *slice)
{
    const hd_services *services = slice->services;
    slice->message.load = services->message(services->context, HD_GLOBAL_LOAD);
    slice->message.load_reply = services->message(services->context, HD_GLOBAL_LOAD_REPLY);
    slice->message.store = services->message(services->context, HD_GLOBAL_STORE);
    slice->message.store_ack = services->message(services->context, HD_GLOBAL_STORE_ACK);
    slice->message.atomic = services->message(services->context, HD_GLOBAL_ATOMIC);
    slice->message.atomic_reply = services->message(services->context, HD_GLOBAL_ATOMIC_REPLY);
    slice->message.read = services->message(services->context, HD_MEMORY_READ);
    slice->message.write = services->message(services->context, HD_MEMORY_WRITE);
    slice->message.response = services->message(services->context, HD_MEMORY_RESPONSE);
}

static void take_values(struct slice *slice, const hd_value *values)
{
    slice->ways = (uint32_t)values[PARAMETER_WAYS].u;
    slice->set_count = (uint32_t)(values[PARAMETER_BYTES].u / HD_LINE_BYTES / slice->ways);
    slice->replacement = (uint32_t)values[PARAMETER_REPLACEMENT].u;
    slice->latency = (uint32_t)values[PARAMETER_LATENCY].u;
    slice->port_bytes = (uint32_t)values[PARAMETER_PORT_BYTES].u;
    slice->atomic_words = (uint32_t)values[PARAMETER_ATOMIC_WORDS].u;
    slice->mshr_count = (uint32_t)values[PARAMETER_MSHRS].u;
    slice->target_count = (uint32_t)values[PARAMETER_MSHR_TARGETS].u;
    slice->write_back_count = slice->mshr_count + (uint32_t)values[PARAMETER_WRITE_BACKS].u;
    slice->version_count = (uint32_t)values[PARAMETER_VERSIONS].u;
    slice->reply_limit = slice->latency + (uint32_t)values[PARAMETER_REPLY_QUEUE].u;
    /* A fill is never refused: its targets' replies find room beyond the limit. */
    slice->reply_ring = slice->reply_limit + 1 + slice->mshr_count * slice->target_count;
    slice->memory_ring = slice->mshr_count + slice->write_back_count;
    slice->bucket_mask = 1;
    while (slice->bucket_mask < 2 * slice->mshr_count)
        slice->bucket_mask *= 2;
    slice->bucket_mask--;
}

uint32_t slice_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const uint64_t bytes = values[PARAMETER_BYTES].u;
    const uint64_t versions = values[PARAMETER_VERSIONS].u;
    (void)clock;
    if (bytes % (HD_LINE_BYTES * values[PARAMETER_WAYS].u)) {
        *conflict = (hd_conflict){PARAMETER_BYTES, PARAMETER_WAYS, "bytes must be a multiple of ways * 128 B"};
        return 0;
    }
    if (versions & (versions - 1)) {
        *conflict = (hd_conflict){PARAMETER_VERSIONS, PARAMETER_VERSIONS, "versions must be a power of two"};
        return 0;
    }
    return 1;
}

static uint32_t allocate(struct slice *slice)
{
    slice->lines = calloc((size_t)slice->set_count * slice->ways, sizeof *slice->lines);
    slice->tags = calloc((size_t)slice->set_count * slice->ways, sizeof *slice->tags);
    slice->stamps = calloc((size_t)slice->set_count * slice->ways, sizeof *slice->stamps);
    slice->versions = calloc(slice->version_count, sizeof *slice->versions);
    slice->mshrs = calloc(slice->mshr_count, sizeof *slice->mshrs);
    slice->targets = calloc((size_t)slice->mshr_count * slice->target_count, sizeof *slice->targets);
    slice->buckets = calloc(slice->bucket_mask + 1, sizeof *slice->buckets);
    slice->write_backs = calloc(slice->write_back_count, sizeof *slice->write_backs);
    slice->memory_queue = calloc(slice->memory_ring, sizeof *slice->memory_queue);
    return slice->lines && slice->tags && slice->stamps && slice->versions && slice->mshrs && slice->targets &&
           slice->buckets && slice->write_backs && slice->memory_queue;
}

hd_block *slice_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    struct slice *slice = calloc(1, sizeof *slice);
    if (!slice) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    slice->services = services;
    slice->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    slice->direct = services->extension(services->context, HD_EXTENSION_DIRECT);
    intern_messages(slice);
    take_values(slice, values);
    if (!allocate(slice)) {
        slice_destroy((hd_block *)slice);
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    slice_reset_mshrs(slice);
    return (hd_block *)slice;
}

void slice_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    struct slice *slice = (struct slice *)block;
    if (port == PORT_REQUEST) {
        slice->requests[element] = in;
        slice->request_ports = element + 1 > slice->request_ports ? element + 1 : slice->request_ports;
    } else if (port == PORT_REPLY) {
        slice->replies[element].link = out;
        slice->replies[element].queue = calloc(slice->reply_ring, sizeof *slice->replies[element].queue);
        slice->reply_ports = element + 1 > slice->reply_ports ? element + 1 : slice->reply_ports;
    } else {
        slice->memory_out = out;
        slice->memory_in = in;
    }
}

static void drop_packets(struct slice *slice)
{
    const hd_services *services = slice->services;
    for (uint32_t i = 0; slice->mshrs && i < slice->mshr_count; i++) {
        for (uint32_t k = 0; k < slice->mshrs[i].target_count; k++)
            services->free(services->context, slice->mshrs[i].targets[k]);
        slice->mshrs[i].target_count = 0;
    }
    for (uint32_t i = 0; i < slice->memory_count; i++)
        services->free(services->context, slice->memory_queue[(slice->memory_first + i) % slice->memory_ring]);
    slice->memory_count = 0;
    for (uint32_t i = 0; i < slice->reply_ports; i++) {
        struct reply_port *port = &slice->replies[i];
        for (uint32_t k = 0; k < port->count; k++)
            services->free(services->context, port->queue[(port->first + k) % slice->reply_ring].packet);
        port->count = 0;
    }
}

void slice_reset(hd_block *block)
{
    struct slice *slice = (struct slice *)block;
    drop_packets(slice);
    slice_reset_mshrs(slice);
    slice_invalidate_all(slice);
    memset(slice->versions, 0, slice->version_count * sizeof *slice->versions);
    for (uint32_t i = 0; i < slice->write_back_count; i++)
        slice->write_backs[i].number = UINT64_MAX;
    slice->write_backs_used = 0;
    slice->eviction = 0;
    slice->memory_first = 0;
    slice->memory_awaits_credit = 0;
    for (uint32_t i = 0; i < slice->reply_ports; i++) {
        slice->replies[i].first = 0;
        slice->replies[i].awaits_credit = 0;
    }
    slice->reply_count = 0;
    slice->range.length = 0;
    slice->next_request = 0;
    slice->port_free = 0;
    slice->stall = NO_STALL;
    slice->stalled_since = 0;
    slice->looked_until = 0;
    slice->look_again = 0;
    memset(slice->routes, 0xFF, sizeof slice->routes);
    memset(slice->statistics, 0, sizeof slice->statistics);
    hd_cursor_init(&slice->cursor, slice->services->clock);
}

void slice_destroy(hd_block *block)
{
    struct slice *slice = (struct slice *)block;
    if (!slice)
        return;
    drop_packets(slice);
    for (uint32_t i = 0; i < L2_REPLY_PORTS; i++)
        free(slice->replies[i].queue);
    free(slice->memory_queue);
    free(slice->write_backs);
    free(slice->buckets);
    free(slice->targets);
    free(slice->mshrs);
    free(slice->versions);
    free(slice->stamps);
    free(slice->tags);
    free(slice->lines);
    free(slice);
}

hd_time slice_arrival(const struct slice *slice, hd_link *link)
{
    return slice->services->arrival(slice->services->context, link);
}

/* Packets enter the links between two calls; within one, the first of a link changes only by what the slice takes. */
static void look_at_links(struct slice *slice)
{
    slice->response_arrival = slice_arrival(slice, slice->memory_in);
    for (uint32_t i = 0; i < slice->request_ports; i++)
        slice->request_arrivals[i] = slice->requests[i] ? slice_arrival(slice, slice->requests[i]) : HD_NEVER;
}

/* Requests that were looked at and have to wait need something else to move first. */
static void add_request_work(const struct slice *slice, hd_work *work)
{
    for (uint32_t i = 0; i < slice->request_ports; i++) {
        const hd_time arrival = slice->request_arrivals[i];
        if (arrival == HD_NEVER)
            continue;
        if (slice->port_free > slice->cursor.n)
            hd_work_at_edge(work, slice->port_free);
        else if (slice->stall == NO_STALL || slice->look_again || arrival > slice->looked_until)
            hd_work_at_time(work, arrival);
    }
}

/* What is ready to leave, and need not wait for a credit. */
static hd_work next_own_work(const struct slice *slice)
{
    hd_work work = hd_work_none();
    if (slice->memory_count && !slice->memory_awaits_credit)
        hd_work_at_edge(&work, slice->cursor.n);
    for (uint32_t i = 0; i < slice->reply_ports; i++) {
        const struct reply_port *port = &slice->replies[i];
        if (port->count && !port->awaits_credit)
            hd_work_at_edge(&work, port->queue[port->first].ready);
    }
    return work;
}

/* When the next credit of a port that waits for one comes. */
static hd_time next_credit(const struct slice *slice)
{
    const hd_services *services = slice->services;
    hd_time first = HD_NEVER;
    if (slice->memory_awaits_credit)
        first = services->credit_arrival(services->context, slice->memory_out);
    for (uint32_t i = 0; i < slice->reply_ports; i++)
        if (slice->replies[i].awaits_credit)
            first = hd_earlier(first, services->credit_arrival(services->context, slice->replies[i].link));
    return first;
}

/* What is left to do, seen from the cursor. */
static hd_work next_work(const struct slice *slice)
{
    hd_work work = next_own_work(slice);
    hd_work_at_time(&work, slice->response_arrival);
    hd_work_at_time(&work, next_credit(slice));
    add_request_work(slice, &work);
    return work;
}

hd_time slice_advance(hd_block *block, hd_time now, hd_time horizon)
{
    struct slice *slice = (struct slice *)block;
    hd_cursor_catch_up(&slice->cursor, now);
    look_at_links(slice);
    for (;;) {
        const hd_work work = next_work(slice);
        hd_cursor next = slice->cursor;
        if (!hd_work_seek(&work, &next))
            return HD_NEVER;
        if (next.t >= horizon)
            return next.t;
        slice->cursor = next;
        slice_send_replies(slice, next.n, next.t);
        if (slice->response_arrival <= next.t)
            slice_take_response(slice, next.n, next.t);
        slice_accept(slice, next.n, next.t);
        slice_send_memory(slice, next.t);
        hd_cursor_next(&slice->cursor);
    }
}

hd_time slice_promise(hd_block *block, hd_time now)
{
    struct slice *slice = (struct slice *)block;
    hd_cursor next = slice->cursor;
    hd_cursor_catch_up(&next, now);
    look_at_links(slice);
    const hd_work work = next_work(slice);
    return hd_work_seek(&work, &next) ? next.t : HD_NEVER;
}
