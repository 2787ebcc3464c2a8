/* SPDX-License-Identifier: MIT */
/*
 * heddle.state/1: all that may have changed since reset, to bytes and back. Traces, profiles, debuggers and the search for hangs are of
 * one run; where direct memory is follows from the machine.
 */
#include "deadlock_removal.h"
#include "state.h"

#include <stdio.h>
#include <string.h>

static const hd_unit *unit_of(const functional_core *core)
{
    return hd_unit_chosen(core->block_class, FUNCTIONAL_RECONVERGENCE, core->values)->unit;
}

static uint32_t refuses(hd_block *block, char *text, size_t bytes)
{
    const functional_core *core = (const functional_core *)block;
    if (core->reconvergence_unit->transfer_state)
        return 0;
    snprintf(text, bytes, "its unit reconvergence.%s", unit_of(core)->name);
    return 1;
}

static void check_shape(const functional_core *core, const hd_state_stream *stream)
{
    const char *unit = unit_of(core)->name;
    HD_STATE_SHAPE(stream, "lanes", core->lane_count);
    HD_STATE_SHAPE(stream, "warps", core->warp_count);
    HD_STATE_SHAPE(stream, "blocks", core->block_count);
    HD_STATE_SHAPE(stream, "scratchpad.bytes", parameter_of(core, PARAMETER_SCRATCHPAD_BYTES));
    hd_state_shape_name(stream, "reconvergence", unit);
}

/* ---- Blocks, warps and paths ----------------------------------------------------------------------------------------------- */

static void transfer_block(functional_core *core, uint32_t slot, const hd_state_stream *stream)
{
    block_state *block = &core->blocks[slot];
    HD_STATE_VALUE(stream, block->resident);
    if (!block->resident)
        return;
    HD_STATE_VALUE(stream, block->launch);
    HD_STATE_VALUE(stream, block->tag);
    HD_STATE_VALUE(stream, block->ended);
    HD_STATE_VALUE(stream, block->warps);
    HD_STATE_VALUE(stream, block->threads);
    HD_STATE_ARRAY(stream, block->scratchpad, block->launch.grid.scratchpad_bytes);
    HD_STATE_ARRAY(stream, block->versions, (block->launch.grid.scratchpad_bytes + 3) / 4);
    if (stream->is_restored)
        functional_residency_find_program(core, slot);
}

static void transfer_warp(const functional_core *core, uint32_t warp, const hd_state_stream *stream)
{
    warp_state *w = &core->warps[warp];
    const size_t first = (size_t)warp * core->lane_count;
    HD_STATE_VALUE(stream, w->block);
    if (w->block == NO_SLOT)
        return;
    HD_STATE_VALUE(stream, w->view);
    HD_STATE_VALUE(stream, w->index);
    HD_STATE_VALUE(stream, w->synchronising);
    HD_STATE_ARRAY(stream, w->retired, core->lane_count);
    HD_STATE_ARRAY(stream, w->reservations, core->lane_count);
    HD_STATE_ARRAY(stream, w->lanes.registers, (size_t)ISA_REGISTER_COUNT * core->lane_count);
    HD_STATE_ARRAY(stream, w->lanes.fcsr, core->lane_count);
    HD_STATE_ARRAY(stream, core->attempts + first, core->lane_count);
}

static void transfer_path(functional_core *core, uint32_t path, const hd_state_stream *stream)
{
    path_state *state = &core->path_states[path];
    HD_STATE_VALUE(stream, state->count.lanes);
    HD_STATE_VALUE(stream, state->count.instructions);
    HD_STATE_VALUE(stream, state->count.active);
    HD_STATE_VALUE(stream, state->count.group);
    HD_STATE_VALUE(stream, state->read);
    HD_STATE_VALUE(stream, state->status);
    HD_STATE_VALUE(stream, state->barrier);
    HD_STATE_VALUE(stream, core->transactions[path]);
}

static void transfer_attempt(functional_core *core, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, core->transaction);
    HD_STATE_VALUE(stream, core->transaction_began);
    HD_STATE_VALUE(stream, core->undo_count);
    for (uint32_t i = 0; i < core->undo_count; i++) {
        HD_STATE_VALUE(stream, core->undo[i].address);
        HD_STATE_VALUE(stream, core->undo[i].before);
        HD_STATE_VALUE(stream, core->undo[i].number);
    }
}

/* ---- The core -------------------------------------------------------------------------------------------------------------- */

static void transfer_turns(functional_core *core, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, core->turn_asked);
    HD_STATE_VALUE(stream, core->turn_edge);
    HD_STATE_VALUE(stream, core->issued);
    HD_STATE_VALUE(stream, core->busy_until);
    HD_STATE_VALUE(stream, core->current);
    HD_STATE_VALUE(stream, core->left);
    HD_STATE_VALUE(stream, core->progressed);
    HD_STATE_VALUE(stream, core->scratchpad_watched);
    HD_STATE_ARRAY(stream, core->ready, core->ready_words);
}

static void transfer_cycles(functional_core *core, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, core->now);
    HD_STATE_VALUE(stream, core->cycle_base);
    HD_STATE_VALUE(stream, core->accounted);
    HD_STATE_VALUE(stream, core->capacity_sent);
    HD_STATE_VALUE(stream, core->halted);
    HD_STATE_VALUE(stream, core->warned);
    HD_STATE_VALUE(stream, core->held);
    HD_STATE_VALUE(stream, core->starved);
    HD_STATE_VALUE(stream, core->residents);
    HD_STATE_VALUE(stream, core->ended_blocks);
    HD_STATE_VALUE(stream, core->resident_scratchpad);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    functional_core *core = (functional_core *)block;
    check_shape(core, stream);
    transfer_cycles(core, stream);
    transfer_turns(core, stream);
    HD_STATE_VALUE(stream, core->reconvergence_next);
    core->reconvergence_unit->transfer_state(core->reconvergence, stream);
    virtual_switches_transfer_state(&core->switches, core->warp_count, stream);
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        transfer_block(core, slot, stream);
    for (uint32_t warp = 0; warp < core->warp_count; warp++)
        transfer_warp(core, warp, stream);
    for (uint32_t path = 0; path < core->path_count; path++)
        transfer_path(core, path, stream);
    transfer_attempt(core, stream);
    HD_STATE_VALUE(stream, core->counters);
    HD_STATE_ARRAY(stream, core->unit_counters, hd_unit_counters(core->block_class));
}

const hd_state functional_state = {.transfer = transfer, .refuses = refuses};
