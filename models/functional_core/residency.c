/* SPDX-License-Identifier: MIT */
/* Thread blocks come and go: slots, warps, scratchpad, and the end of a block. */
#include "bits.h"
#include "deadlock_removal.h"
#include "hd_link.h"
#include "state.h"

#include <string.h>

static uint32_t free_slot(const functional_core *core)
{
    uint32_t slot = 0;
    while (slot < core->block_count && core->blocks[slot].resident)
        slot++;
    return slot;
}

static void start_warp(functional_core *core, uint32_t slot, uint32_t warp, uint32_t index, hd_time t)
{
    const block_state *block = &core->blocks[slot];
    const hd_grid *grid = &block->launch.grid;
    warp_state *w = &core->warps[warp];
    warp_start_registers(&w->lanes, grid);
    memset(w->retired, 0, core->lane_count * sizeof *w->retired);
    memset(w->reservations, 0, core->lane_count * sizeof *w->reservations);
    w->block = slot;
    w->index = index;
    w->synchronising = 0;
    w->view = (memory_view){.block = slot,
                            .warp_in_block = index,
                            .scratchpad_bytes = grid->scratchpad_bytes,
                            .context_slot = block->launch.context_slot,
                            .context_slots = block->launch.context_slots,
                            .warps_in_block = block->warps,
                            .private_bytes = grid->private_bytes,
                            .constant_base = grid->argument_address,
                            .constant_bytes = grid->argument_bytes,
                            .memory_end = core->map ? core->map->memory_end : 0};
    core->counters.warps_run++;
    functional_trace_enter_warp(core, warp, t);
}

static void start_warps(functional_core *core, uint32_t slot, hd_time t)
{
    const block_state *block = &core->blocks[slot];
    uint32_t slots[MAX_WARPS], index = 0;
    uint64_t masks[MAX_WARPS];
    for (uint32_t warp = 0; index < block->warps; warp++) {
        if (core->warps[warp].block != NO_SLOT)
            continue;
        start_warp(core, slot, warp, index, t);
        masks[index] = launched_lanes(block->threads.launched, index, core->lane_count);
        slots[index++] = warp;
    }
    core->reconvergence_unit->launch(core->reconvergence, &(block_warps){slots, index}, block->launch.grid.entry_pc,
                                     masks);
}

void functional_residency_find_program(functional_core *core, uint32_t slot)
{
    block_state *block = &core->blocks[slot];
    block->program = core->programs ? core->programs->find(core->programs->context, block->launch.grid.module) : NULL;
    block->points = meeting_points_of(block->program, core->reconvergence_unit, core->reconvergence);
    if (!block->program)
        return;
    block->points.meetings = deadlock_removal_meetings(&core->switches, block->program, block->points.meetings);
    block->switches = switch_tables_of(block->program);
}

static void start_block(functional_core *core, uint32_t slot, const hd_packet *packet, hd_time t)
{
    const hd_services *services = core->services;
    block_state *block = &core->blocks[slot];
    *block = (block_state){.scratchpad = block->scratchpad, .versions = block->versions};
    memcpy(&block->launch, hd_body_const(packet), sizeof block->launch);
    block->tag = packet->tag;
    block->resident = 1;
    block_threads_launch(&block->threads, (uint32_t)grid_threads(&block->launch.grid));
    block->warps = residents_warps_of(block->threads.launched, core->lane_count);
    functional_residency_find_program(core, slot);
    residents_enter(&core->residents, block->warps, &core->counters.maximum_blocks, &core->counters.maximum_warps);
    core->resident_scratchpad += block->launch.grid.scratchpad_bytes;
    if (!block->program) {
        core->halted = 1;
        services->fault(services->context, t, MISTAKE_MODULE, services->name, block->launch.grid.launch,
                        block->launch.grid.module);
        return;
    }
    memset(block->scratchpad, 0, block->launch.grid.scratchpad_bytes);
    functional_trace_enter(core, slot, t);
    if (core->accesses)
        functional_report_block(core, slot, HD_ACCESS_BEGIN, t);
    start_warps(core, slot, t);
}

/* One block per cycle; one that does not fit yet waits, and those behind it. */
void functional_residency_accept(functional_core *core, hd_time t)
{
    const hd_services *services = core->services;
    const hd_packet *packet = hd_link_peek(core->dispatch, t);
    if (!packet)
        return;
    const hd_grid *grid = &((const hd_block_launch *)hd_body_const(packet))->grid;
    const resident_limits limits = {.warps = core->warp_count,
                                    .lanes = core->lane_count,
                                    .scratchpad_bytes = parameter_of(core, PARAMETER_SCRATCHPAD_BYTES)};
    if (!residents_may_fit(grid, &limits)) {
        core->halted = 1;
        services->fault(services->context, t, MISTAKE_BLOCK, services->name, grid_threads(grid),
                        grid->scratchpad_bytes);
        return;
    }
    const uint32_t slot = free_slot(core);
    if (slot == core->block_count || !residents_have_warps(&core->residents, grid, &limits) ||
        core->resident_scratchpad + (uint64_t)grid->scratchpad_bytes > limits.scratchpad_bytes) {
        core->held = 1;
        return;
    }
    core->held = 0;
    hd_packet *taken = services->pop(services->context, core->dispatch, t);
    start_block(core, slot, taken, t);
    services->free(services->context, taken);
    if (!core->turn_asked && !core->halted)
        ask_for_turn(core, hd_clock_index_at_or_after(core->now.clock, t + core->direct->lead));
}

void functional_residency_exit_threads(functional_core *core, uint32_t path, uint64_t mask)
{
    const uint32_t warp = core->paths[path].warp;
    const uint32_t slot = core->warps[warp].block;
    block_state *block = &core->blocks[slot];
    const uint32_t count = bits_count(mask);
    core->counters.threads_run += count;
    core->services->progress(core->services->context, current_time(core));
    block_threads_exit(&block->threads, count);
    path_event event = functional_event(core, path, PATH_EXITED);
    event.mask = mask;
    core->reconvergence_unit->exit(core->reconvergence, &event);
    if (block->threads.live) {
        functional_barrier_check(core, slot);
        functional_warp_sync_check(core, warp);
        return;
    }
    block->ended = current_edge(core) + 1;
    core->ended_blocks++;
}

static void end_block(functional_core *core, block_state *block, hd_time t)
{
    const uint32_t slot = (uint32_t)(block - core->blocks);
    functional_trace_leave(core, slot, t);
    if (core->accesses)
        functional_report_block(core, slot, HD_ACCESS_END, t);
    for (uint32_t warp = 0; warp < core->warp_count; warp++) {
        if (core->warps[warp].block == slot)
            core->warps[warp].block = NO_SLOT;
    }
    block->resident = 0;
    residents_leave(&core->residents, block->warps);
    core->resident_scratchpad -= block->launch.grid.scratchpad_bytes;
    core->ended_blocks--;
    core->held = 0;
    core->counters.blocks_run++;
    simt_core_send(core->services, core->event, core->message_done, block->tag, NULL, 0, t);
}

/* Of those that have ended by now, the first; at most one per cycle. */
void functional_residency_end_blocks(functional_core *core, hd_time t)
{
    block_state *first = NULL;
    for (uint32_t slot = 0; slot < core->block_count && core->ended_blocks; slot++) {
        block_state *block = &core->blocks[slot];
        if (block->resident && !block->threads.live && block->ended <= core->now.n &&
            (!first || block->ended < first->ended))
            first = block;
    }
    if (!first)
        return;
    core->starved = !hd_link_has_credit(core->services, core->event, t);
    if (!core->starved)
        end_block(core, first, t);
}
