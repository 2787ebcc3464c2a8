/* SPDX-License-Identifier: MIT */
#include "hd_link.h"
#include "parts.h"

/* Packets enter the links between two calls; within one, the first of a link changes only by what the slice takes. */
static void note_arrivals(struct slice *slice)
{
    slice->response_arrival = hd_link_arrival(slice->memory_in);
    for (uint32_t i = 0; i < slice->request_ports; i++)
        slice->request_arrivals[i] = slice->requests[i] ? hd_link_arrival(slice->requests[i]) : HD_NEVER;
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
        else if (slice->unlocked != UINT64_MAX)
            hd_work_at_edge(work, slice->unlocked);
    }
}

static void add_reply_credits(const struct slice *slice, hd_work *work)
{
    const hd_services *services = slice->services;
    for (uint32_t i = 0; i < slice->reply_ports; i++)
        if (slice->replies[i].awaits_credit)
            hd_work_at_time(work, services->credit_arrival(services->context, slice->replies[i].link));
}

static void add_memory_work(const struct slice *slice, hd_work *work)
{
    const hd_services *services = slice->services;
    if (slice->memory_awaits_credit)
        hd_work_at_time(work, services->credit_arrival(services->context, slice->memory_out));
    else
        hd_work_at_edge(work, slice->cursor.n);
}

/* What is left to do, seen from the cursor. */
static inline hd_work next_work(const struct slice *slice)
{
    hd_work work = {.edge = slice->reply_edge, .time = slice->response_arrival};
    if (slice->starved_ports)
        add_reply_credits(slice, &work);
    if (slice->memory_ring.count)
        add_memory_work(slice, &work);
    add_request_work(slice, &work);
    return work;
}

/* Has a request arrived by t? One that has to wait still counts. */
static uint32_t has_requests(const struct slice *slice, hd_time t)
{
    for (uint32_t i = 0; i < slice->request_ports; i++)
        if (slice->request_arrivals[i] <= t)
            return 1;
    return 0;
}

hd_time slice_advance(hd_block *block, hd_time now, hd_time horizon)
{
    struct slice *slice = (struct slice *)block;
    hd_cursor_catch_up(&slice->cursor, now);
    note_arrivals(slice);
    for (;;) {
        const hd_work work = next_work(slice);
        const hd_time t = hd_work_seek_before(&work, &slice->cursor, horizon);
        if (t >= horizon)
            return t;
        const uint64_t n = slice->cursor.n;
        if (slice->reply_edge <= n || slice->starved_ports)
            slice_send_replies(slice, n, t);
        if (slice->response_arrival <= t)
            slice_take_response(slice, n, t);
        if (has_requests(slice, t))
            slice_accept(slice, n, t);
        if (slice->memory_ring.count)
            slice_send_memory(slice, t);
        hd_cursor_next(&slice->cursor);
    }
}

hd_time slice_promise(hd_block *block, hd_time now)
{
    struct slice *slice = (struct slice *)block;
    hd_cursor next = slice->cursor;
    hd_cursor_catch_up(&next, now);
    note_arrivals(slice);
    const hd_work work = next_work(slice);
    return hd_work_seek(&work, &next) ? next.t : HD_NEVER;
}
