/* SPDX-License-Identifier: MIT */
/* Thread blocks come and go: slots, warps, scratchpad, the state that threads start with, and the end of a block. */
#include "bits.h"
#include "common/deadlock_removal.h"
#include "common/meeting_points.h"
#include "core_lanes.h"
#include "hd_link.h"
#include "tx/tx.h"

#include <string.h>

static uint32_t free_block_slot(const simt_core *core)
{
    for (uint32_t slot = 0; slot < core->block_count; slot++) {
        if (!core->blocks[slot].resident)
            return slot;
    }
    return NO_SLOT;
}

/* Bytes of the scratchpad that a block takes, with what transactions keep beside its own. */
static uint64_t scratchpad_taken(const simt_core *core, const hd_grid *grid)
{
    const hd_programs *programs = core->residency.programs;
    const hd_scratchpad_rows rows = tx_scratchpad_rows(core->tx.transactions);
    return hd_scratchpad_taken(&rows, grid->scratchpad_bytes,
                               rows.bytes && programs &&
                                   programs->uses_scratchpad_transactions(programs->context, grid->module));
}

/* Lowest word at which `bytes` of scratchpad are free, NO_SLOT if there is none. */
static uint32_t place_scratchpad(const simt_core *core, uint32_t bytes)
{
    const hd_scratchpad_rows rows = tx_scratchpad_rows(core->tx.transactions);
    const uint32_t step = rows.bytes ? rows.bytes : 4;
    uint32_t offset = 0;
    for (uint32_t slot = 0; slot < core->block_count; slot++) {
        const block_state *block = &core->blocks[slot];
        uint32_t end = block->scratchpad_offset + block->scratchpad_taken;
        if (!block->resident || end <= offset || block->scratchpad_offset >= offset + bytes)
            continue;
        offset = (end + step - 1) / step * step;
        slot = UINT32_MAX; /* look again at all blocks, from the new offset */
    }
    return offset + bytes <= core_parameter_of(core, PARAMETER_SCRATCHPAD_BYTES) ? offset : NO_SLOT;
}

static resident_limits limits_of(const simt_core *core)
{
    return (resident_limits){.warps = core->warp_count,
                             .lanes = core->lane_count,
                             .scratchpad_bytes = core_parameter_of(core, PARAMETER_SCRATCHPAD_BYTES)};
}

uint32_t residency_find_room(const simt_core *core, const hd_grid *grid, uint32_t *slot, uint32_t *offset)
{
    const resident_limits limits = limits_of(core);
    *slot = free_block_slot(core);
    *offset = place_scratchpad(core, (uint32_t)scratchpad_taken(core, grid));
    return *slot != NO_SLOT && *offset != NO_SLOT && residents_have_warps(&core->residency.in, grid, &limits);
}

void residency_enter_warp(simt_core *core, uint32_t slot, uint32_t warp, uint32_t index)
{
    const block_state *block = &core->blocks[slot];
    const hd_grid *grid = &block->launch.grid;
    warp_state *w = &core->warps[warp];
    w->block = slot;
    w->index = index;
    w->waiting = w->synchronising = 0;
    w->stopped = core->fast.is_on;
    repetition_forget(core, warp);
    tx_new_warp(core->tx.transactions, warp);
    lock_tries_launch(core, warp);
    memory_set_view(core->memory, warp,
                    &(memory_view){.block = slot,
                                   .warp_in_block = index,
                                   .scratchpad_offset = block->scratchpad_offset,
                                   .scratchpad_bytes = grid->scratchpad_bytes,
                                   .context_slot = block->launch.context_slot,
                                   .context_slots = block->launch.context_slots,
                                   .warps_in_block = block->warps,
                                   .private_bytes = grid->private_bytes,
                                   .constant_base = grid->argument_address,
                                   .constant_bytes = grid->argument_bytes});
    if (core->tracing.trace)
        core_trace_enter_warp(core, warp);
}

static void start_warp(simt_core *core, uint32_t slot, uint32_t warp, uint32_t index)
{
    registers_start(&core->registers, warp, &core->blocks[slot].launch.grid);
    memset(core->warps[warp].retired, 0, core->lane_count * sizeof *core->warps[warp].retired);
    residency_enter_warp(core, slot, warp, index);
    live_start(core, slot, warp);
    patterns_start(core, warp);
    core->counters.warps_run++;
}

/* Of the function that the pc is the first of. */
static uint32_t instructions_from(const isa_program *program, uint32_t pc)
{
    for (uint32_t i = 0; i < program->symbol_count; i++) {
        const isa_symbol *symbol = &program->symbols[i];
        if (symbol->is_function && symbol->address == pc && symbol->bytes)
            return symbol->bytes / 4;
    }
    return (program->text_address + program->text_bytes - pc) / 4;
}

void residency_tell_launch(simt_core *core, uint32_t slot)
{
    const block_state *block = &core->blocks[slot];
    if (!(core->wanted.kinds & PATH_LAUNCHED) && !core->spinning.unit)
        return;
    path_event event = {.kind = PATH_LAUNCHED,
                        .path = NO_PATH,
                        .pc = block->launch.grid.entry_pc,
                        .cycle = core_cycle(core),
                        .instructions = instructions_from(block->program, block->launch.grid.entry_pc)};
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1)) {
        event.warp = warp;
        core_raise_of_warp(core, &event);
        if (core->spinning.unit)
            spinning_launch(core, warp);
    }
}

static void start_threads(simt_core *core, uint32_t slot)
{
    const block_state *block = &core->blocks[slot];
    uint32_t slots[MAX_WARPS];
    uint64_t masks[MAX_WARPS];
    const block_warps warps = core_warps_of(core, slot, slots);
    for (uint32_t index = 0; index < warps.count; index++)
        masks[index] = launched_lanes(block->threads.launched, index, core->lane_count);
    for (uint32_t index = 0; index < warps.count; index++)
        tx_threads_enter(core->tx.transactions, warps.slots[index], masks[index]);
    core->edges.changed = 1; /* even if no path runs yet */
    core->reconvergence.unit->launch(core->reconvergence.state, &warps, block->launch.grid.entry_pc, masks);
    residency_tell_launch(core, slot);
}

void residency_find_program(simt_core *core, uint32_t slot)
{
    const hd_programs *programs = core->residency.programs;
    block_state *block = &core->blocks[slot];
    block->program = programs ? programs->find(programs->context, block->launch.grid.module) : NULL;
    if (!block->program)
        return;
    block->points = meeting_points_of(block->program, core->reconvergence.unit, core->reconvergence.state);
    block->points.meetings = deadlock_removal_meetings(&core->switches, block->program, block->points.meetings);
    block->switches = switch_tables_of(block->program);
    block->commits = isa_program_table(block->program, isa_commits.name);
    live_enter(core, slot);
}

int residency_enter(simt_core *core, uint32_t slot, uint32_t offset, const hd_block_launch *launch, uint64_t tag)
{
    block_state *block = &core->blocks[slot];
    account_until(core, core->account.settled);
    memset(block, 0, sizeof *block);
    block->launch = *launch;
    block->tag = tag;
    block->number = core->residency.launches++;
    block->resident = 1;
    block_threads_launch(&block->threads, (uint32_t)grid_threads(&launch->grid));
    block->warps = residents_warps_of(block->threads.launched, core->lane_count);
    block->scratchpad_offset = offset;
    block->scratchpad_taken = (uint32_t)scratchpad_taken(core, &launch->grid);
    residency_find_program(core, slot);
    residents_enter(&core->residency.in, block->warps, &core->counters.maximum_blocks, &core->counters.maximum_warps);
    if (core->tracing.trace)
        core_trace_enter(core, slot);
    return block->program ? 0 : -1;
}

static void start_block(simt_core *core, uint32_t slot, uint32_t offset, const hd_packet *packet)
{
    const block_state *block = &core->blocks[slot];
    if (residency_enter(core, slot, offset, hd_body_const(packet), packet->tag)) {
        core->fault.halted = 1;
        core->services->fault(core->services->context, core->now.t, MISTAKE_MODULE, core->services->name,
                              block->launch.grid.launch, block->launch.grid.module);
        return;
    }
    if (core->accesses)
        core_report_block(core, slot, HD_ACCESS_BEGIN);
    if (block->launch.first_of_grid)
        memory_begin_grid(core->memory);
    memory_clear_scratchpad(core->memory, offset, block->launch.grid.scratchpad_bytes);
    tx_block_begins(core->tx.transactions, slot, 1);
    for (uint32_t warp = 0, index = 0; index < block->warps; warp++) {
        if (core->warps[warp].block == NO_SLOT)
            start_warp(core, slot, warp, index++);
    }
    start_threads(core, slot);
}

/* A launch has arrived. One block per cycle; one that does not fit yet waits, and those behind it. */
void residency_accept(simt_core *core)
{
    const hd_services *services = core->services;
    if (core->residency.held && !core->residency.freed)
        return;
    const hd_packet *packet = hd_link_peek(core->links.dispatch, core->now.t);
    if (packet->message != core->links.message_launch) {
        engine_accept(core, packet);
        return;
    }
    const hd_grid *grid = &((const hd_block_launch *)hd_body_const(packet))->grid;
    const resident_limits limits = limits_of(core);
    if (!residents_may_fit(grid, &limits)) {
        core->fault.halted = 1;
        services->fault(services->context, core->now.t, MISTAKE_BLOCK, services->name, grid_threads(grid),
                        grid->scratchpad_bytes);
        return;
    }
    if (scratchpad_taken(core, grid) > limits.scratchpad_bytes) {
        core->fault.halted = 1;
        services->fault(services->context, core->now.t, MISTAKE_SHADOW, services->name, grid->scratchpad_bytes,
                        scratchpad_taken(core, grid), limits.scratchpad_bytes);
        return;
    }
    uint32_t slot, offset;
    core->residency.freed = 0;
    if (!residency_find_room(core, grid, &slot, &offset)) {
        core->counters.launches_held += !core->residency.held;
        core->residency.held = 1;
        return;
    }
    core->residency.held = 0;
    hd_packet *taken = services->pop(services->context, core->links.dispatch, core->now.t);
    core->edges.launch_arrival = hd_link_arrival(core->links.dispatch);
    start_block(core, slot, offset, taken);
    if (__builtin_expect(core->fast.stopping, 0))
        fast_enter(core, slot);
    services->free(services->context, taken);
}

void residency_exit_threads(simt_core *core, uint32_t path, uint64_t mask)
{
    uint32_t slot = core->warps[core->paths[path].warp].block;
    block_state *block = &core->blocks[slot];
    uint32_t count = bits_count(mask);
    const issued_lanes leaving = core_issue_lanes(core, path); /* the path may have others in a moment */
    core->counters.threads_run += count;
    core->services->progress(core->services->context, core->now.t);
    block_threads_exit(&block->threads, count);
    tx_threads_end(core->tx.transactions, core->paths[path].warp, mask);
    path_event event = core_event(core, path, PATH_EXITED);
    event.mask = mask;
    core_raise(core, &event);
    if (core->spinning.unit && core->spinning.unit->exited)
        core->spinning.unit->exited(core->spinning.detector, event.warp, mask);
    core->reconvergence.unit->exit(core->reconvergence.state, &event);
    if (core->path_states[path].status == PATH_CONTROL && core->paths[path].mask)
        front_end_start(core, path);
    residency_recheck_ends(core);
    if (!block->threads.live)
        core->residency.ending++;
    else
        barrier_check(core, slot);
    for (uint64_t left = mask; left;)
        warp_sync_check(core, homes_take(homes_at(&core->kept, leaving.number), &left).row);
    homes_drop(&core->kept, leaving.number);
}

static uint32_t is_busy(const simt_core *core, uint32_t path)
{
    return core->path_states[path].in_flight || memory_stores_outstanding(core->memory, path);
}

/* Nothing of the block is in flight any more: no instruction, no store to acknowledge. */
static uint32_t can_end(const simt_core *core, block_state *block)
{
    uint32_t slot = (uint32_t)(block - core->blocks);
    if (core->warps[core->paths[block->busy_path].warp].block == slot && is_busy(core, block->busy_path))
        return 0;
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1)) {
        if (tx_is_busy(core->tx.transactions, warp) ||
            (core->reconvergence.unit->accessed && memory_accesses_outstanding(core->memory, warp)))
            return 0;
        const path_range paths = core_paths_of(core, warp);
        for (uint32_t path = paths.first; path < paths.end; path++) {
            if (!is_busy(core, path))
                continue;
            block->busy_path = path;
            return 0;
        }
    }
    return 1;
}

void residency_leave(simt_core *core, uint32_t slot)
{
    block_state *block = &core->blocks[slot];
    account_until(core, core->account.settled);
    if (core->tracing.trace)
        core_trace_leave(core, slot);
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1))
        core->warps[warp].block = NO_SLOT;
    block->resident = 0;
    engine_forget(core, slot);
    words_end(core, slot);
    if (core->levels.watched)
        levels_drop(core, slot);
    residents_leave(&core->residency.in, block->warps);
    core->residency.freed = 1;
    if (core->spinning.unit && !core->residency.in.blocks)
        spinning_drain(core);
}

static void end_block(simt_core *core, const block_state *block)
{
    const hd_services *services = core->services;
    uint32_t slot = (uint32_t)(block - core->blocks);
    if (core->accesses)
        core_report_block(core, slot, HD_ACCESS_END);
    tx_block_ends(core->tx.transactions, core_next_warp(core, slot, 0));
    memory_end_block(core->memory, slot);
    residency_leave(core, slot);
    core->residency.ending--;
    core->context.stopping -= block->stage != STAGE_RUNNING;
    core->counters.blocks_run++;
    simt_core_send(services, core->links.event, core->links.message_done, block->tag, NULL, 0, core->now.t);
}

void residency_end_blocks(simt_core *core)
{
    core->residency.end_awaits_credit = 0;
    for (uint32_t slot = 0, left = core->residency.ending; left && slot < core->block_count; slot++) {
        block_state *block = &core->blocks[slot];
        if (!block->resident || block->threads.live)
            continue;
        left--;
        if (!can_end(core, block))
            continue;
        if (core->levels.watched && !levels_end(core, slot))
            core->residency.end_awaits_credit = 1;
        else if (hd_link_has_credit(core->services, core->links.event, core->now.t))
            end_block(core, block);
        else
            core->residency.end_awaits_credit = 1;
    }
    core->residency.may_end = core->residency.end_awaits_credit;
    if (core->residency.end_awaits_credit)
        core->edges.credit_arrival = core->services->credit_arrival(core->services->context, core->links.event);
}
