/* SPDX-License-Identifier: MIT */
/*
 * Thread blocks stop and go on. A stopped block's paths have not fetched their next instruction, or wait at a barrier or
 * warp.sync; on the way there what they had in flight completes and their private lines go to memory.
 */
#include "core_lanes.h"
#include "tx/tx.h"

/* context.tx_policy */
enum { TX_POLICY_DRAIN, TX_POLICY_ABORT, TX_POLICY_DRAIN_THEN_ABORT };

uint32_t context_find(const simt_core *core, uint64_t tag)
{
    for (uint32_t slot = 0; slot < core->block_count; slot++) {
        if (core->blocks[slot].resident && core->blocks[slot].tag == tag)
            return slot;
    }
    return NO_SLOT;
}

void context_stand_at(simt_core *core, hd_time t)
{
    if (core->now.t < t)
        hd_cursor_seek(&core->now, t);
    core->account.settled = core->now.n;
    core->edges.next = 0;
    account_until(core, core->account.settled);
}

static uint32_t path_is_at_rest(const simt_core *core, uint32_t path)
{
    const path_state *state = &core->path_states[path];
    return (state->status == PATH_NONE || state->status >= PATH_BARRIER) && !state->in_flight &&
           !memory_stores_outstanding(core->memory, path);
}

static uint32_t is_at_rest(const simt_core *core, uint32_t slot)
{
    if (core->blocks[slot].releases)
        return 0;
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1)) {
        if (memory_accesses_outstanding(core->memory, warp) || !scoreboard_is_idle(&core->scoreboard, warp) ||
            tx_is_busy(core->tx.transactions, warp))
            return 0;
    }
    for (uint32_t path = core_next_path(core, slot, 0); path < core->path_count;
         path = core_next_path(core, slot, path + 1)) {
        if (!path_is_at_rest(core, path))
            return 0;
    }
    return 1;
}

static void proceed(simt_core *core, uint32_t slot)
{
    block_state *block = &core->blocks[slot];
    if (!block->threads.live || !is_at_rest(core, slot))
        return; /* without live threads it ends: residency_end_blocks */
    if (block->stage == STAGE_DRAINING) {
        memory_flush_block(core->memory, slot);
        block->stage = STAGE_FLUSHING;
    } else if (!memory_is_flushing(core->memory, slot)) {
        block->stage = STAGE_STOPPED;
        core->context.stopping--;
    }
}

static uint32_t is_stopping(const block_state *block)
{
    return block->resident && (block->stage == STAGE_DRAINING || block->stage == STAGE_FLUSHING);
}

static uint32_t gives_up(simt_core *core, uint32_t slot)
{
    const uint64_t policy = core_parameter_of(core, PARAMETER_CONTEXT_TX_POLICY);
    const uint64_t drain = policy == TX_POLICY_ABORT ? 0 : core_parameter_of(core, PARAMETER_CONTEXT_TX_DRAIN);
    const uint64_t edge = core->context.since[slot] + drain;
    if (policy == TX_POLICY_DRAIN || core->blocks[slot].stage != STAGE_DRAINING)
        return 0;
    if (edge > core->now.n && edge < core->context.next)
        core->context.next = edge;
    return edge <= core->now.n;
}

static void withdraw(simt_core *core, uint32_t slot)
{
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1))
        tx_withdraw(core->tx.transactions, warp);
}

void context_work(simt_core *core)
{
    core->context.next = UINT64_MAX;
    for (uint32_t slot = 0; core->tx.transactions && slot < core->block_count; slot++) {
        if (is_stopping(&core->blocks[slot]) && gives_up(core, slot))
            withdraw(core, slot);
    }
    for (uint32_t slot = 0; slot < core->block_count; slot++) {
        if (is_stopping(&core->blocks[slot]))
            proceed(core, slot);
    }
}

static uint32_t has_decoded(const path_state *state)
{
    return state->status >= PATH_READY && state->status <= PATH_HELD;
}

/* Paths that are about to issue let go of their instruction, those that fetch when they have it; or all go on from there. */
static void set_stopped(simt_core *core, uint32_t slot, uint32_t stopped)
{
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1))
        core->warps[warp].stopped = stopped;
    for (uint32_t path = core_next_path(core, slot, 0); path < core->path_count;
         path = core_next_path(core, slot, path + 1)) {
        const path_state *state = &core->path_states[path];
        if (stopped ? has_decoded(state) && !tx_is_inside(core->tx.transactions, path) : state->status == PATH_STOPPED)
            front_end_start(core, path);
    }
}

void context_begin_stop(simt_core *core, uint32_t slot)
{
    core->blocks[slot].stage = STAGE_DRAINING;
    core->context.since[slot] = core->now.n;
    core->context.stopping++;
    set_stopped(core, slot, 1);
}

void context_go_on(simt_core *core, uint32_t slot)
{
    core->blocks[slot].stage = STAGE_RUNNING;
    set_stopped(core, slot, 0);
}

static uint32_t context_state(hd_block *block, uint64_t tag)
{
    static const uint32_t states[] = {[STAGE_RUNNING] = HD_CONTEXT_RUNNING,
                                      [STAGE_DRAINING] = HD_CONTEXT_STOPPING,
                                      [STAGE_FLUSHING] = HD_CONTEXT_STOPPING,
                                      [STAGE_STOPPED] = HD_CONTEXT_STOPPED};
    const simt_core *core = (const simt_core *)block;
    uint32_t slot = context_find(core, tag);
    return slot == NO_SLOT ? HD_CONTEXT_ABSENT : states[core->blocks[slot].stage];
}

/* Slot of a block in this stage, or NO_SLOT; after a fault nothing changes any more. */
static uint32_t find_in(const simt_core *core, uint64_t tag, uint32_t stage)
{
    uint32_t slot = context_find(core, tag);
    return slot == NO_SLOT || core->fault.halted || core->blocks[slot].stage != stage ? NO_SLOT : slot;
}

/* The same, to change it at t; of those that the engine takes away none. */
static uint32_t find_at(simt_core *core, uint64_t tag, uint32_t stage, hd_time t)
{
    uint32_t slot = find_in(core, tag, stage);
    if (slot != NO_SLOT && core->engine.chosen >> slot & 1)
        return NO_SLOT;
    if (slot != NO_SLOT)
        context_stand_at(core, t);
    return slot;
}

static uint32_t context_stop(hd_block *block, uint64_t tag, hd_time t)
{
    simt_core *core = (simt_core *)block;
    uint32_t slot = find_at(core, tag, STAGE_RUNNING, t);
    if (slot == NO_SLOT)
        return 0;
    context_begin_stop(core, slot);
    proceed(core, slot);
    return 1;
}

static uint32_t context_resume(hd_block *block, uint64_t tag, hd_time t)
{
    simt_core *core = (simt_core *)block;
    uint32_t slot = find_at(core, tag, STAGE_STOPPED, t);
    if (slot == NO_SLOT)
        return 0;
    context_go_on(core, slot);
    return 1;
}

void context_measure(simt_core *core, uint32_t slot, hd_context_size *size)
{
    const block_state *b = &core->blocks[slot];
    byte_stream counter = byte_stream_counter();
    context_write(core, slot, &counter);
    const context_registers registers = context_registers_of(core, slot);
    *size = (hd_context_size){.stream_bytes = counter.at,
                              .register_bytes = registers.bytes,
                              .scratchpad_bytes = words_bytes(core, slot),
                              .control_bytes = context_control_bytes(core, slot) + registers.mark_bytes,
                              .threads = b->threads.launched,
                              .warps = b->warps,
                              .context_slot = b->launch.context_slot,
                              .context_slots = b->launch.context_slots,
                              .saved_by = core->services->endpoint};
}

static uint32_t context_size(hd_block *block, uint64_t tag, hd_context_size *size)
{
    simt_core *core = (simt_core *)block;
    uint32_t slot = context_find(core, tag);
    if (slot == NO_SLOT)
        return 0;
    context_measure(core, slot, size);
    return 1;
}

static uint32_t context_save(hd_block *block, uint64_t tag, void *stream, uint64_t bytes)
{
    simt_core *core = (simt_core *)block;
    uint32_t slot = find_in(core, tag, STAGE_STOPPED);
    byte_stream counter = byte_stream_counter(), writer = byte_stream_writer(stream, bytes);
    if (slot == NO_SLOT)
        return 0;
    context_write(core, slot, &counter);
    if (counter.at > bytes)
        return 0;
    context_write(core, slot, &writer);
    return 1;
}

void context_leave(simt_core *core, uint32_t slot)
{
    uint32_t slots[MAX_WARPS];
    const block_warps warps = core_warps_of(core, slot, slots);
    for (uint32_t index = 0; core->tx.transactions && index < warps.count; index++)
        tx_threads_end(core->tx.transactions, warps.slots[index],
                       core->reconvergence.unit->live_lanes(core->reconvergence.state, warps.slots[index]));
    core->reconvergence.unit->drop(core->reconvergence.state, &warps);
    residency_leave(core, slot);
}

static uint32_t context_release(hd_block *block, uint64_t tag, hd_time t)
{
    simt_core *core = (simt_core *)block;
    uint32_t slot = find_at(core, tag, STAGE_STOPPED, t);
    if (slot == NO_SLOT)
        return 0;
    context_leave(core, slot);
    return 1;
}

static uint32_t context_restore(hd_block *block, const void *stream, uint64_t bytes, hd_time t, char *error,
                                size_t error_bytes)
{
    simt_core *core = (simt_core *)block;
    byte_stream reader = byte_stream_reader(stream, bytes);
    context_stand_at(core, t);
    return context_read(core, &reader, error, error_bytes) != NO_SLOT;
}

const hd_context core_context = {
    .state = context_state,
    .stop = context_stop,
    .resume = context_resume,
    .size = context_size,
    .save = context_save,
    .release = context_release,
    .restore = context_restore,
};
