/* SPDX-License-Identifier: MIT */
/* The edges of the core: what happens at one, in which order, and when the next one with work is. */
#include "core.h"
#include "hd_work.h"

static void announce_capacity(simt_core *core)
{
    if (core->capacity_sent || !core->services->credits(core->services->context, core->event, core->now.t))
        return;
    hd_core_capacity capacity = {
        .lanes = core->lane_count,
        .warps = core->warp_count,
        .threads = core->warp_count * core->lane_count,
        .blocks = core->block_count,
        .registers = (uint32_t)core_parameter_of(core, PARAMETER_REGISTERS),
        .registers_per_thread = (uint32_t)core_parameter_of(core, PARAMETER_REGISTERS_PER_THREAD),
        .scratchpad_bytes = (uint32_t)core_parameter_of(core, PARAMETER_SCRATCHPAD_BYTES),
    };
    simt_core_send(core->services, core->event, core->message_capacity, 0, &capacity, sizeof capacity, core->now.t);
    core->capacity_sent = 1;
}

static void handle_event(simt_core *core, const wheel_event *event)
{
    switch (event->kind) {
    case EVENT_WRITE_BACK: write_back(core, event); break;
    case EVENT_RESOLVE: control_resolve(core, event->path); break;
    case EVENT_BARRIER_RELEASE: barrier_release(core, event->owner, event->number); break;
    default: warp_sync_release(core, event->owner); break;
    }
}

static void work_edge(simt_core *core)
{
    wheel_event event;
    announce_capacity(core);
    residency_accept(core);
    if (!core->halted)
        memory_advance(core->memory, core->now.t);
    while (!core->halted && wheel_take(&core->wheel, core->now.n, &event))
        handle_event(core, &event);
    front_end_decode(core);
    if (core->resident_blocks)
        issue_all(core);
    core->accounted = core->now.n + 1;
    if (core->halted)
        return;
    front_end_fetch(core);
    if (core->ending_blocks)
        residency_end_blocks(core);
    if (core->stopping_blocks)
        context_work(core);
}

/* Next edge with work of its own, then with input; the cursor stands on the next edge to work on. */
static hd_time next_work(const simt_core *core)
{
    if (core->halted)
        return HD_NEVER;
    if (!core->capacity_sent)
        return core->now.t;
    hd_time next = issue_next(core);
    if (next == core->now.t)
        return next;
    if (core->to_fetch.head != core->to_fetch.tail || core->fetched.head != core->fetched.tail)
        return core->now.t;
    if (core->decoding.head != core->decoding.tail)
        next =
            hd_earlier(next, core_time_of(core, core->decoding.entry[core->decoding.head & core->decoding.mask].cycle));
    if (core->now.n)
        next = hd_earlier(next, core_time_of(core, wheel_next(&core->wheel, core->now.n - 1)));
    return hd_earlier(next, memory_next(core->memory, core->now.t));
}

static hd_time next_input(const simt_core *core)
{
    const hd_services *services = core->services;
    hd_time next = services->arrival(services->context, core->reply);
    if (!core->held || core->freed)
        next = hd_earlier(next, services->arrival(services->context, core->dispatch));
    return next;
}

/* When the next credit comes for which a packet or the end of a block waits. */
static hd_time next_credit(const simt_core *core)
{
    const hd_services *services = core->services;
    hd_time next = HD_NEVER;
    if (memory_awaits_credit(core->memory))
        next = services->credit_arrival(services->context, core->request);
    if (core->end_awaits_credit)
        next = hd_earlier(next, services->credit_arrival(services->context, core->event));
    return next;
}

hd_time core_advance(hd_block *block, hd_time now, hd_time horizon)
{
    simt_core *core = (simt_core *)block;
    hd_time next;
    (void)now; /* what is to do next does not depend on it */
    for (;;) {
        next = core->halted ? HD_NEVER : hd_earlier(hd_earlier(next_work(core), next_input(core)), next_credit(core));
        if (next >= horizon)
            break;
        hd_cursor_catch_up(&core->now, next);
        if (core->now.t >= horizon) {
            next = core->now.t;
            break;
        }
        account_skipped(core, core->now.n);
        work_edge(core);
        hd_cursor_next(&core->now);
    }
    core->horizon = horizon;
    return next;
}

/* What issues next leaves by the memory pipe, or ends a block, no earlier than an access crosses it, and a fetch that misses
 * no earlier than the edge after; but a return that has issued may end a block at any edge of work, and a block that stops may
 * begin to write back. */
hd_time core_promise(hd_block *block, hd_time now)
{
    const simt_core *core = (const simt_core *)block;
    if (core->halted)
        return HD_NEVER;
    if (!core->capacity_sent)
        return now; /* the credit may be on its way */
    hd_time first = next_work(core);
    if (first != HD_NEVER && !core->returning && !core->ending_blocks && !core->stopping_blocks)
        first += core->work_to_network_time;
    first = hd_earlier(first, next_credit(core));
    first = hd_earlier(first, memory_promise(core->memory, core->now.t));
    first = hd_earlier(first, next_input(core));
    return first < now ? now : first;
}
