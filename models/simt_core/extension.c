/* SPDX-License-Identifier: MIT */
/* Optional abilities of the core: saying what it waits for, alignment before a launch, marks between results. */
#include "checkpoint.h"
#include "core_lanes.h"
#include "describe.h"
#include "tx/tx.h"

#include <string.h>

static const char *const status_text[PATH_STATUS_COUNT] = {
    [PATH_NONE] = "has ended",
    [PATH_FETCH] = "runs",
    [PATH_FETCH_MISS] = "waits for its code",
    [PATH_READY] = "runs",
    [PATH_WAIT_RESULT] = "waits for a result",
    [PATH_WAIT_DATA] = "waits for loaded data",
    [PATH_FENCE] = "waits in a fence for earlier accesses",
    [PATH_HELD] = "waits for stores of its transaction, or for what it has committed",
    [PATH_CONTROL] = "runs",
    [PATH_DRAIN_RESULT] = "waits for a result, to be regrouped",
    [PATH_DRAIN_DATA] = "waits for loaded data, to be regrouped",
    [PATH_TRANSACTION] = "is in a transaction",
    [PATH_BARRIER] = "waits at a barrier",
    [PATH_WARP_SYNC] = "waits at warp.sync",
    [PATH_STOPPED] = "is stopped with its block",
};

static uint32_t has_work(hd_block *block)
{
    const simt_core *core = (const simt_core *)block;
    return core->residency.in.blocks || engine_has_work(core) || !memory_is_idle(core->memory);
}

static path_activity activity(void *context, uint32_t path)
{
    const simt_core *core = context;
    const uint8_t status = core->path_states[path].status;
    const uint32_t warp = core->paths[path].warp;
    const char *waits = status == PATH_TRANSACTION ? tx_describe(core->tx.transactions, warp)
                        : status == PATH_HELD      ? tx_describe_hold(core->tx.transactions, warp)
                                                   : NULL;
    if (status == PATH_READY && core->issue.declined >> core->path_states[path].scheduler & 1)
        waits = "is held back by its scheduler";
    if (front_end_is_held_by_scoreboard(core, path))
        waits = "is held back by its scoreboard";
    /* In a transaction, lanes that do not run have aborted, or wait for others that the memory partitions decide on. */
    return (path_activity){.text = waits ? waits : status_text[status],
                           .may_spin = status != PATH_BARRIER && status != PATH_WARP_SYNC &&
                                       status != PATH_TRANSACTION && !tx_is_inside(core->tx.transactions, path)};
}

/* Those that may have lanes of the warp. */
static path_range paths_with(const simt_core *core, uint32_t warp)
{
    return core->path_homes ? (path_range){.end = core->path_count} : core_paths_of(core, warp);
}

const char *core_path_activity(simt_core *core, uint32_t path)
{
    return activity(core, path).text;
}

static void describe_one(simt_core *core, uint32_t warp, uint32_t for_ever, const hd_text_sink *sink)
{
    describe_warp(&(warp_description){.place = core_warp_place(core, warp),
                                      .unit = core->reconvergence.unit,
                                      .reconvergence = core->reconvergence.state,
                                      .warp = warp,
                                      .lanes = core->lane_count,
                                      .paths = paths_with(core, warp),
                                      .context = core,
                                      .repeats = repetition_found(core, warp),
                                      .for_ever = for_ever,
                                      .activity = activity},
                  sink);
    if (tx_retries(core->tx.transactions, warp))
        sink->line(sink->context, "  its transaction has been retried %u times",
                   tx_retries(core->tx.transactions, warp));
    memory_describe(core->memory, warp, sink);
}

/* For its threads, or for the memory after they have ended. */
static uint32_t waits(const simt_core *core, uint32_t warp)
{
    if (core->reconvergence.unit->live_lanes(core->reconvergence.state, warp) ||
        memory_accesses_outstanding(core->memory, warp))
        return 1;
    const path_range paths = core_paths_of(core, warp);
    for (uint32_t path = paths.first; path < paths.end; path++) {
        if (memory_stores_outstanding(core->memory, path))
            return 1;
    }
    return 0;
}

/* It neither does the same again and again, nor waits at barriers with all of its lanes that run. */
static uint32_t goes_on(const simt_core *core, uint32_t warp)
{
    const path_range paths = paths_with(core, warp);
    if (repetition_found(core, warp))
        return 0;
    for (uint32_t path = paths.first; path < paths.end; path++)
        if (core->path_states[path].status != PATH_NONE && core->path_states[path].status != PATH_BARRIER &&
            core->path_states[path].status != PATH_WARP_SYNC)
            return 1;
    return 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    simt_core *core = (simt_core *)block;
    uint32_t described = 0, left = 0, going = 0;
    for (uint32_t warp = 0; warp < core->warp_count; warp++)
        going += core->warps[warp].block != NO_SLOT && waits(core, warp) && goes_on(core, warp);
    for (uint32_t warp = 0; warp < core->warp_count; warp++) {
        if (core->warps[warp].block == NO_SLOT || !waits(core, warp))
            continue;
        if (described++ < DESCRIBED_WARPS)
            describe_one(core, warp, !going, sink);
        else
            left++;
    }
    if (left)
        sink->line(sink->context, "and %u more warps", left);
    if (going)
        sink->line(sink->context, HD_PENDING_GOES_ON "%u warp%s", going, going == 1 ? "" : "s");
    engine_describe(core, sink);
}

static uint32_t waits_for_others(uint8_t status)
{
    return status == PATH_BARRIER || status == PATH_WARP_SYNC || status == PATH_TRANSACTION || status == PATH_HELD;
}

/* Whatever it computes, a transaction that has failed has computed it before. */
static uint32_t computes_again(const simt_core *core, uint32_t path)
{
    return tx_is_inside(core->tx.transactions, path) && tx_retries(core->tx.transactions, core->paths[path].warp);
}

static hd_time computes_since(hd_block *block, hd_time t, uint32_t anew)
{
    simt_core *core = (simt_core *)block;
    if (anew)
        repetition_watch(core);
    hd_time earliest = memory_reads_afresh(core->memory, t, anew);
    for (uint32_t path = 0; path < core->path_count; path++) {
        const path_state *state = &core->path_states[path];
        const computing_path now = {.retired = account_retired_by_path(core, path),
                                    .read = memory_last_read(core->memory, path),
                                    .waits = waits_for_others(state->status) || computes_again(core, path),
                                    .exists = state->status != PATH_NONE};
        earliest = hd_earlier(earliest, computing_check(&core->computing[path], &now, t, anew));
    }
    return earliest;
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    simt_core *core = (simt_core *)block;
    core->edges.cycle_base = hd_clock_index_at_or_after(core->now.clock, t);
    memset(core->issue.port_busy_until, 0, sizeof core->issue.port_busy_until);
    memset(core->issue.unit_busy_until, 0, sizeof core->issue.unit_busy_until);
    core->residency.launches = 0;
    core->edges.next = 0;
    core->reconvergence.next = UINT64_MAX; /* in the new cycles when it is asked again */
    issue_reset_schedulers(core);
    if (core->spinning.unit)
        spinning_reset(core);
    tx_align(core->tx.transactions);
    memory_align(core->memory, sink);
}

static void each_under_way(hd_block *block, const hd_under_way_sink *sink)
{
    memory_each_unsent(((const simt_core *)block)->memory, sink);
}

static void mark(hd_block *block)
{
    simt_core *core = (simt_core *)block;
    hd_unit_counters_mark(core->block_class, core->unit_counters);
    core->counters.maximum_blocks = core->residency.in.blocks;
    core->counters.maximum_warps = core->residency.in.warps;
    core->counters.memory.maximum_mshrs = 0;
    core->counters.tx.tx_maximum_read_words = core->counters.tx.tx_maximum_write_words = 0;
    core->counters.tx.tx_maximum_warps = core->tx.transactions ? core->tx.transactions->tokens : 0;
    if (core->residency.in.blocks)
        return;
    core->reconvergence.unit->reset(core->reconvergence.state);
    core->reconvergence.next = UINT64_MAX;
    core->counters.maximum_stack_depth = 0;
}

const void *core_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {.has_work = has_work, .describe = describe};
    static const hd_align alignment = {.align = align};
    static const hd_mark marks = {.mark = mark};
    static const hd_computes computes = {.since = computes_since};
    static const hd_under_way under_way = {.each = each_under_way};
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &under_way;
    if (strcmp(id, HD_EXTENSION_COMPUTES) == 0)
        return &computes;
    if (strcmp(id, HD_EXTENSION_DEBUG) == 0)
        return &core_debug;
    if (strcmp(id, HD_EXTENSION_FAST_FORWARD) == 0)
        return &core_fast_forward;
    if (strcmp(id, HD_EXTENSION_CONTEXT) == 0)
        return &core_context;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &core_state;
    if (strcmp(id, HD_EXTENSION_PROFILE) == 0)
        return &((const simt_core *)block)->profile.ability;
    return hd_ability(id, &pending, &alignment, &marks);
}
