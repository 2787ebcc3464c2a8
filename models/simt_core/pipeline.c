/* SPDX-License-Identifier: MIT */
/* The edges of the core: what happens at one, in which order, and when the next one with work is. */
#include "core.h"
#include "hd_link.h"
#include "tx/tx.h"

#include <assert.h>

static void announce_capacity(simt_core *core)
{
    if (!hd_link_has_credit(core->services, core->links.event, core->now.t))
        return;
    hd_core_capacity capacity = {
        .lanes = core->lane_count,
        .warps = core->warp_count,
        .threads = core->warp_count * core->lane_count,
        .blocks = core->block_count,
        .registers = (uint32_t)core_parameter_of(core, PARAMETER_REGISTERS),
        .registers_per_thread = (uint32_t)core_parameter_of(core, PARAMETER_REGISTERS_PER_THREAD) *
                                tx_register_copies(core->tx.transactions),
        .scratchpad_bytes = (uint32_t)core_parameter_of(core, PARAMETER_SCRATCHPAD_BYTES),
        .scratchpad_rows = tx_scratchpad_rows(core->tx.transactions),
    };
    simt_core_send(core->services, core->links.event, core->links.message_capacity, 0, &capacity, sizeof capacity,
                   core->now.t);
    core->edges.capacity_sent = 1;
}

static void handle_event(simt_core *core, const wheel_event *event)
{
    switch (event->kind) {
    case EVENT_WRITE_BACK: write_back(core, event); break;
    case EVENT_RESOLVE:
        if (event->owner == core->path_states[event->path].sequence) /* else its lanes have aborted since */
            control_resolve(core, event->path);
        break;
    case EVENT_BARRIER_RELEASE: barrier_release(core, event->owner, event->number); break;
    default: warp_sync_release(core, event->owner); break;
    }
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t next_issue(simt_core *core)
{
    if (issue_may(core))
        return issue_next(core);
    core->issue.ports_without_room = core->issue.ready_ports; /* without anything else */
    return UINT64_MAX;
}

/* First edge with work of the pipeline, as things stand after this one; it may lie behind. */
static inline uint64_t pipeline_next(simt_core *core, uint32_t attended)
{
    if (!core->edges.capacity_sent || front_end_has_fetches(&core->front_end) ||
        (attended && write_back_is_due(&core->results)))
        return 0;
    const uint64_t next = earlier(earlier(core->wheel.next, tx_port_next(&core->tx, core->memory_status)),
                                  earlier(core->front_end.decodes_at, next_issue(core)));
    return core->context.stopping ? earlier(next, core->context.next) : next;
}

/* When it wants to act by itself. */
static __attribute__((noinline)) void ask_reconvergence(simt_core *core)
{
    const uint64_t next = core->reconvergence.unit->next(core->reconvergence.state, core_cycle(core));
    core->reconvergence.next = next == UINT64_MAX ? next : next + core->edges.cycle_base;
    core->edges.next = earlier(core->edges.next, core->reconvergence.next);
}

static inline void work_pipeline(simt_core *core, uint32_t attended)
{
    assert(core->front_end.decodes_at == fetch_queue_first(&core->front_end.decoding));
    while (!core->fault.halted && core->wheel.next == core->now.n)
        handle_event(core, wheel_take(&core->wheel));
    if (attended && write_back_is_due(&core->results) && !core->fault.halted)
        write_back_take_turns(core);
    if (tx_port_next(&core->tx, core->memory_status) <= core->now.n)
        tx_port_work(core);
    if (attended && core->reconvergence.acts && core->reconvergence.next <= core->now.n && !core->fault.halted)
        core->reconvergence.unit->due(core->reconvergence.state, core_cycle(core));
    if (core->front_end.decodes_at == core->now.n)
        front_end_decode(core);
    if (issue_may(core) && core->residency.in.blocks)
        issue_all(core);
    core->account.settled = core->now.n + 1;
    if (core->fault.halted) {
        account_until(core, core->account.settled);
        return;
    }
    if (front_end_has_fetches(&core->front_end))
        front_end_fetch(core);
    if (core->residency.ending && core->residency.may_end)
        residency_end_blocks(core);
    if (core->context.stopping)
        context_work(core);
    core->edges.next = pipeline_next(core, attended);
    if (attended && core->reconvergence.acts)
        ask_reconvergence(core);
}

/* On many edges only the memory pipe works: the pipeline goes on when something is due there, or may have become so. */
static uint32_t pipeline_is_due(const simt_core *core)
{
    return core->edges.next <= core->now.n ||
           (core->edges.changed | core->fault.halted | core->context.stopping | core->residency.end_awaits_credit |
            issue_has_room_again(core)) != 0 ||
           tx_port_next(&core->tx, core->memory_status) <= core->now.n;
}

/* Why accesses do not issue is about to change: of the ports where something is ready that may be one. */
static void account_waiting_accesses(simt_core *core)
{
    for (uint32_t left = core->issue.ready_ports; left; left &= left - 1)
        account_port_until(core, (uint32_t)__builtin_ctz(left), core->account.settled);
}

static void work_memory(simt_core *core)
{
    memory_advance(core->memory, &core->now);
    if (core->issue.awaits_credit == core->memory_status->awaits_credit &&
        core->issue.is_narrow == core->memory_status->is_narrow)
        return;
    account_waiting_accesses(core);
    core->issue.awaits_credit = core->memory_status->awaits_credit;
    core->issue.is_narrow = core->memory_status->is_narrow;
}

/* `attended` is a constant where this is called: edges.attended. */
static inline __attribute__((always_inline)) void work_edge_of(simt_core *core, uint32_t attended)
{
    core->account.settled = core->now.n;
    core->edges.changed = 0;
    if (attended && core->levels.watched)
        levels_begin_edge(core);
    if (!core->edges.capacity_sent)
        announce_capacity(core);
    if (core->edges.launch_arrival <= core->now.t)
        residency_accept(core);
    if (core->edges.transaction_arrival <= core->now.t && !core->fault.halted)
        tx_port_receive(core);
    if ((core->memory_status->next_edge <= core->now.n || core->memory_status->next_arrival <= core->now.t) &&
        !core->fault.halted)
        work_memory(core);
    if (pipeline_is_due(core))
        work_pipeline(core, attended);
    if (__builtin_expect(core->engine.busy, 0) && !core->fault.halted)
        engine_work(core);
    if (attended && core->levels.watched)
        levels_end_edge(core);
    if (attended && core->tracing.trace)
        core_trace_levels(core);
}

static __attribute__((noinline)) void work_attended_edge(simt_core *core)
{
    work_edge_of(core, 1);
}

static inline void work_edge(simt_core *core)
{
    if (__builtin_expect(core->edges.attended, 0))
        work_attended_edge(core);
    else
        work_edge_of(core, 0);
}

/* Next edge with work of its own, which may lie behind the one to work on next. */
static uint64_t next_work(const simt_core *core)
{
    return earlier(earlier(core->edges.next, core->memory_status->next_edge),
                   earlier(core->engine.next, core->levels.next));
}

static uint32_t awaits_credit(const simt_core *core)
{
    return core->residency.end_awaits_credit | core->engine.awaits_credit | core->levels.awaits_credit;
}

/* When a packet comes, or a credit for which a packet or the end of a block waits. */
static hd_time next_input(const simt_core *core)
{
    hd_time next = hd_earlier(core->memory_status->next_arrival, core->edges.transaction_arrival);
    if (core->edges.launch_arrival < next && (!core->residency.held || core->residency.freed) && !core->engine.holds)
        next = core->edges.launch_arrival;
    if (core->edges.credit_arrival < next && awaits_credit(core))
        next = core->edges.credit_arrival;
    return next;
}

/* First edge, from the one to work on next, with work or input. */
static uint64_t next_edge(simt_core *core)
{
    const uint64_t work = next_work(core);
    if (work <= core->now.n)
        return core->now.n;
    const hd_time input = next_input(core);
    if (input != core->edges.input_time) {
        core->edges.input_time = input;
        core->edges.input_edge = input == HD_NEVER ? UINT64_MAX : hd_cursor_index_of(&core->now, input);
    }
    const uint64_t next = earlier(work, core->edges.input_edge);
    return next > core->now.n ? next : core->now.n;
}

/* When what is on the links arrives: during a call nothing comes but what is on its way at its beginning. */
static void note_arrivals(simt_core *core)
{
    const hd_services *services = core->services;
    memory_note_arrivals(core->memory);
    core->edges.launch_arrival = hd_link_arrival(core->links.dispatch);
    if (awaits_credit(core))
        core->edges.credit_arrival = services->credit_arrival(services->context, core->links.event);
    if (core->tx.transactions && core->links.transaction_reply)
        core->edges.transaction_arrival = hd_link_arrival(core->links.transaction_reply);
}

/* What is to do next does not depend on `now`. */
hd_time core_advance(hd_block *block, hd_time now, hd_time horizon)
{
    simt_core *core = (simt_core *)block;
    uint64_t next;
    (void)now;
    if (__builtin_expect(core->fast.is_on, 0))
        return fast_advance(core, horizon);
    note_arrivals(core);
    const uint64_t end = hd_cursor_index_of(&core->now, horizon);
    while ((next = core->fault.halted ? UINT64_MAX : next_edge(core)) < end) {
        hd_cursor_move(&core->now, next);
        work_edge(core);
        hd_cursor_next(&core->now);
    }
    core->edges.horizon = horizon;
    return core_time_of(core, next);
}

/* What issues next leaves by the memory pipe, or ends a block, no earlier than an access crosses it, and a fetch that misses
 * no earlier than the edge after; but a return that has issued may end a block at any edge of work, and a block that stops, or is
 * to stop once it has got on, may begin to leave. */
hd_time core_promise(hd_block *block, hd_time now)
{
    simt_core *core = (simt_core *)block;
    if (__builtin_expect(core->fast.is_on, 0))
        return fast_promise(core, now);
    if (core->fault.halted)
        return HD_NEVER;
    if (!core->edges.capacity_sent)
        return now; /* the credit may be on its way */
    note_arrivals(core);
    const uint64_t works = next_work(core);
    uint64_t sends = earlier(memory_promise(core->memory), earlier(core->engine.next, core->levels.next));
    if (core->control.returning | core->residency.ending | core->context.stopping | core->engine.busy)
        sends = earlier(sends, works);
    hd_time first = hd_earlier(core_time_of(core, sends), next_input(core));
    if (works < sends)
        first = hd_earlier(first, core_time_of(core, works) + core->edges.work_to_network_time);
    return first < now ? now : first;
}
