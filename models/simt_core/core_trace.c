/* SPDX-License-Identifier: MIT */
#include "core_lanes.h"
#include "tx/tx.h"

/* clang-format off */
#define STATUSES(X)                                                                        \
    X(FETCH, "path.fetch", "fetch or decode")                                              \
    X(FETCH_MISS, "path.fetch_miss", "instruction cache miss")                   \
    X(READY, "path.ready", "an instruction can issue")                                     \
    X(WAIT_RESULT, "path.wait_result", "an operand is still in a functional unit")         \
    X(WAIT_DATA, "path.wait_data", "an operand has not arrived from memory yet")           \
    X(FENCE, "path.fence", "a fence waits for earlier accesses")                           \
    X(HELD, "path.held", "the instruction waits until earlier transactions of the warp are settled")     \
    X(TRANSACTION, "path.transaction", "waiting to begin, commit or retry a transaction")          \
    X(CONTROL, "path.control", "a branch or jump is not resolved")                         \
    X(BARRIER, "path.barrier", "the path waits at a barrier of its block")                 \
    X(WARP_SYNC, "path.warp_sync", "the path waits for the other lanes of its warp")
/* clang-format on */

/* Spans of a warp in a transaction, one for each statistic of its cycles: X(identifier, name, values, doc) */
/* clang-format off */
#define TRANSACTION_SPANS(X)                                                                                       \
    X(EXECUTE, "tx.execute", "attempt|0xlanes", "an attempt executes")                                                 \
    X(TOKEN, "tx.token", NULL, "the warp waits for a token to begin")                     \
    X(RESOLVE, "tx.resolve", NULL, "conflicts within the warp are resolved at the end of the attempt")                    \
    X(COMMIT, "tx.commit", NULL, "the protocol's commit, or waiting for accesses in flight of aborted lanes")         \
    X(RETRY, "tx.retry", NULL, "the warp waits to begin the next attempt")
/* clang-format on */

enum {
    EVENT_BLOCK,
    EVENT_WARP,
    EVENT_ARRIVE,
    EVENT_RELEASE,
    EVENT_ISSUE,
    EVENT_WARPS,
    EVENT_L1_MISSES,
    EVENT_DISPATCH,
    EVENT_BARRIER,
    EVENT_TRANSACTION,
    EVENT_TX_ABORT,
    EVENT_REFUSAL,
#define EVENT_OF(span, name, values, doc) EVENT_TX_##span,
    TRANSACTION_SPANS(EVENT_OF)
#undef EVENT_OF
#define EVENT_OF(status, name, doc) EVENT_PATH_##status,
        STATUSES(EVENT_OF)
#undef EVENT_OF
            EVENT_COUNT
};

const hd_trace_event core_trace_events[CORE_TRACE_EVENTS] = {
    [EVENT_BLOCK] = {"block", HD_TRACE_SPAN, 0, "block|launch", NULL, "a thread block is resident in the slot"},
    [EVENT_WARP] = {"warp", HD_TRACE_SPAN, 0, "warp|block", NULL, "a warp of that block is resident"},
    [EVENT_ARRIVE] = {"barrier.arrive", HD_TRACE_INSTANT, 0, "barrier", NULL, "lanes of the warp arrive at a barrier"},
    [EVENT_RELEASE] = {"barrier.release", HD_TRACE_INSTANT, 0, "barrier", NULL, "the barrier releases the block"},
    [EVENT_ISSUE] = {"issue", HD_TRACE_INSTANT, 1, "0xpc|0xlanes", NULL, "an instruction of the warp issues"},
    [EVENT_WARPS] = {"warps", HD_TRACE_COUNTER, 0, NULL, "warps", "resident warps"},
    [EVENT_L1_MISSES] = {"l1_misses", HD_TRACE_COUNTER, 0, NULL, "lines", "lines that the L1 waits for"},
    [EVENT_DISPATCH] = {"dispatch", HD_TRACE_FLOW, 0, NULL, NULL, "from the dispatch of a block to its start"},
    [EVENT_BARRIER] = {"barrier", HD_TRACE_FLOW, 0, NULL, NULL, "from an arrival at a barrier to the release"},
    [EVENT_TRANSACTION] = {"transaction", HD_TRACE_SPAN, 0, "0xpc", NULL,
                           "from tx.begin of the warp to its last commit"},
    [EVENT_TX_ABORT] = {"tx.abort", HD_TRACE_INSTANT, 0, "reason|0xpc|0xlanes|winner", NULL,
                        "lanes abort their attempt; reasons are numbered in the order of the statistics tx_aborts_*, "
                        "winner is a warp of the machine"},
    [EVENT_REFUSAL] = {"refusal", HD_TRACE_FLOW, 0, NULL, NULL,
                       "from a refused access, or the commit of the winner, to the abort of the lanes"},
#define EVENT_OF(span, name, values, doc) [EVENT_TX_##span] = {name, HD_TRACE_SPAN, 0, values, NULL, doc},
    TRANSACTION_SPANS(EVENT_OF)
#undef EVENT_OF
#define EVENT_OF(status, name, doc) [EVENT_PATH_##status] = {name, HD_TRACE_SPAN, 1, NULL, NULL, doc},
        STATUSES(EVENT_OF)
#undef EVENT_OF
};
_Static_assert(EVENT_COUNT == CORE_TRACE_EVENTS, "as many as declared");

/* By status; EVENT_COUNT: not shown. */
static uint32_t event_of(enum path_status status)
{
    switch (status) {
#define EVENT_OF(status, name, doc)                                                                                    \
    case PATH_##status: return EVENT_PATH_##status;
        STATUSES(EVENT_OF)
#undef EVENT_OF
    default: return EVENT_COUNT;
    }
}

void core_trace_create(simt_core *core)
{
    const hd_services *services = core->services;
    core->tracing.trace = services->extension(services->context, HD_EXTENSION_TRACE);
    core->tracing.slot_tracks = hd_trace_tracks(core->tracing.trace, HD_TRACE_BLOCK, "slot", core->block_count);
    core->tracing.warp_tracks = hd_trace_tracks(core->tracing.trace, HD_TRACE_BLOCK, "warp", core->warp_count);
    core->tracing.path_tracks = hd_trace_tracks(core->tracing.trace, HD_TRACE_BLOCK, "path", core->path_count);
}

/* A block may come or go between two calls: then everything before the horizon is done. */
static hd_time time_of(const simt_core *core)
{
    return core->now.t > core->edges.horizon ? core->now.t : core->edges.horizon;
}

void core_trace_enter(simt_core *core, uint32_t slot)
{
    const hd_block_launch *launch = &core->blocks[slot].launch;
    const uint64_t number = hd_block_number(launch);
    hd_trace_begin(core->tracing.trace, core->tracing.slot_tracks + slot, EVENT_BLOCK, time_of(core), number,
                   launch->grid.launch);
    hd_trace_flow(core->tracing.trace, EVENT_BLOCK, EVENT_DISPATCH, time_of(core), HD_TRACE_TO,
                  (uint64_t)launch->grid.launch << 32 | (uint32_t)number);
}

void core_trace_enter_warp(simt_core *core, uint32_t warp)
{
    const warp_state *w = &core->warps[warp];
    hd_trace_begin(core->tracing.trace, core->tracing.warp_tracks + warp, EVENT_WARP, time_of(core), w->index,
                   hd_block_number(&core->blocks[w->block].launch));
}

void core_trace_leave(simt_core *core, uint32_t slot)
{
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1))
        hd_trace_end(core->tracing.trace, core->tracing.warp_tracks + warp, EVENT_WARP, time_of(core));
    hd_trace_end(core->tracing.trace, core->tracing.slot_tracks + slot, EVENT_BLOCK, time_of(core));
}

/* A path waits at one barrier at a time. */
static uint64_t arrow_of(const simt_core *core, uint32_t path)
{
    return (uint64_t)core->services->endpoint << 32 | path;
}

void core_trace_arrive(simt_core *core, uint32_t path, uint32_t number)
{
    const hd_time t = core->now.t;
    hd_trace_instant(core->tracing.trace, core->tracing.warp_tracks + core->paths[path].warp, EVENT_ARRIVE, t, number);
    hd_trace_flow(core->tracing.trace, EVENT_ARRIVE, EVENT_BARRIER, t, HD_TRACE_FROM, arrow_of(core, path));
}

void core_trace_release(simt_core *core, uint32_t slot, uint32_t number)
{
    const hd_time t = core->now.t;
    hd_trace_instant(core->tracing.trace, core->tracing.slot_tracks + slot, EVENT_RELEASE, t, number);
    for (uint32_t path = core_next_path(core, slot, 0); path < core->path_count;
         path = core_next_path(core, slot, path + 1))
        if (core->path_states[path].status == PATH_BARRIER && core->path_states[path].barrier == number)
            hd_trace_flow(core->tracing.trace, EVENT_RELEASE, EVENT_BARRIER, t, HD_TRACE_TO, arrow_of(core, path));
}

void core_trace_status(simt_core *core, uint32_t path, enum path_status before, enum path_status now)
{
    const uint32_t ended = event_of(before), begun = event_of(now);
    if (ended == begun)
        return;
    if (ended != EVENT_COUNT)
        hd_trace_end(core->tracing.trace, core->tracing.path_tracks + path, ended, time_of(core));
    if (begun != EVENT_COUNT)
        hd_trace_begin(core->tracing.trace, core->tracing.path_tracks + path, begun, time_of(core), 0);
}

/* The span of the state; EVENT_COUNT: none. */
static uint32_t span_of(uint32_t state)
{
    switch (state) {
    case TX_OUTSIDE: return EVENT_COUNT;
    case TX_TOKEN: return EVENT_TX_TOKEN;
    case TX_CHECKPOINT:
    case TX_RUN: return EVENT_TX_EXECUTE;
    case TX_QUEUE:
    case TX_RESOLVE: return EVENT_TX_RESOLVE;
    case TX_RETRY: return EVENT_TX_RETRY;
    default: return EVENT_TX_COMMIT;
    }
}

void core_trace_transaction(simt_core *core, uint32_t warp, uint32_t before, uint32_t now)
{
    const tx_warp *w = &core->tx.transactions->warps[warp];
    const uint32_t track = core->tracing.warp_tracks + warp, ended = span_of(before), begun = span_of(now);
    const hd_time t = time_of(core);
    if (ended == begun)
        return;
    if (ended != EVENT_COUNT)
        hd_trace_end(core->tracing.trace, track, ended, t);
    else
        hd_trace_begin(core->tracing.trace, track, EVENT_TRANSACTION, t, w->begin_pc);
    if (begun == EVENT_COUNT)
        hd_trace_end(core->tracing.trace, track, EVENT_TRANSACTION, t);
    else
        hd_trace_begin(core->tracing.trace, track, begun, t, w->attempt, w->lanes);
}

/* Among all that the core has statistics of. */
static uint32_t reason_number(const simt_core *core, enum core_unit slot, uint32_t reason)
{
    const struct hd_composition *units = core->block_class->composition;
    if (reason < TX_OWN_REASONS)
        return reason;
    for (uint32_t i = 0; i < units->place_count; i++)
        if (units->places[i].slot == CORE_TX && units->places[i].first_statistic < core->chosen[slot]->first_statistic)
            reason += units->places[i].unit->profiled_count;
    return reason;
}

void core_trace_abort(simt_core *core, uint32_t warp, uint64_t lanes, const tx_cause *cause)
{
    const hd_time t = time_of(core);
    hd_trace_instant(core->tracing.trace, core->tracing.warp_tracks + warp, EVENT_TX_ABORT, t,
                     reason_number(core, tx_port_slot(core, warp), cause->reason), cause->pc, lanes, cause->winner);
    if (cause->refused)
        hd_trace_flow(core->tracing.trace, EVENT_TX_ABORT, EVENT_REFUSAL, t, HD_TRACE_TO,
                      (uint64_t)core->services->endpoint << 32 | (uint32_t)cause->tag);
}

void core_trace_issue(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    hd_trace_instant(core->tracing.trace, core->tracing.warp_tracks + p->warp, EVENT_ISSUE, core->now.t, p->pc,
                     p->mask);
}

void core_trace_levels(simt_core *core)
{
    const uint32_t misses = memory_l1_misses(core->memory);
    if (core->tracing.warps != core->residency.in.warps)
        hd_trace_counter(core->tracing.trace, HD_TRACE_BLOCK, EVENT_WARPS, core->now.t, core->residency.in.warps);
    if (core->tracing.misses != misses)
        hd_trace_counter(core->tracing.trace, HD_TRACE_BLOCK, EVENT_L1_MISSES, core->now.t, misses);
    core->tracing.warps = core->residency.in.warps;
    core->tracing.misses = misses;
}
