/* SPDX-License-Identifier: MIT */
/* Blocks, warps, paths and threads, and what is kept of accesses in flight, to bytes and back. */
#include "checkpoint.h"
#include "core_lanes.h"

static void transfer_block(simt_core *core, uint32_t slot, const hd_state_stream *stream)
{
    block_state *block = &core->blocks[slot];
    HD_STATE_VALUE(stream, block->resident);
    if (!block->resident)
        return;
    HD_STATE_VALUE(stream, block->launch);
    HD_STATE_VALUE(stream, block->tag);
    HD_STATE_VALUE(stream, block->number);
    HD_STATE_VALUE(stream, block->warps);
    HD_STATE_VALUE(stream, block->scratchpad_offset);
    HD_STATE_VALUE(stream, block->scratchpad_taken);
    HD_STATE_VALUE(stream, block->threads);
    HD_STATE_VALUE(stream, block->releases);
    HD_STATE_VALUE(stream, block->stage);
    HD_STATE_VALUE(stream, block->busy_path);
    if (stream->is_restored)
        residency_find_program(core, slot);
}

/* A slot without a block has nothing but what the last one has left there, which the next one does not see. */
static void transfer_warp(simt_core *core, uint32_t warp, const hd_state_stream *stream)
{
    warp_state *w = &core->warps[warp];
    HD_STATE_VALUE(stream, w->block);
    HD_STATE_VALUE(stream, w->index);
    HD_STATE_VALUE(stream, w->waiting);
    HD_STATE_VALUE(stream, w->synchronising);
    HD_STATE_VALUE(stream, w->stopped);
    HD_STATE_ARRAY(stream, w->retired, core->lane_count);
    if (w->block == NO_SLOT)
        return;
    registers_transfer(&core->registers, warp, stream);
    if (core->live.registers)
        HD_STATE_VALUE(stream, core->live.registers[warp]);
}

static void transfer_path(path_state *state, const instruction_places *places, const hd_state_stream *stream)
{
    instruction_transfer(places, &state->instruction, stream);
    HD_STATE_VALUE(stream, state->taken);
    HD_STATE_VALUE(stream, state->count.lanes);
    HD_STATE_VALUE(stream, state->count.instructions);
    HD_STATE_VALUE(stream, state->count.active);
    HD_STATE_VALUE(stream, state->count.group);
    HD_STATE_VALUE(stream, state->since);
    HD_STATE_VALUE(stream, state->sequence);
    HD_STATE_VALUE(stream, state->in_flight);
    HD_STATE_VALUE(stream, state->memory_in_flight);
    HD_STATE_VALUE(stream, state->acquiring);
    HD_STATE_VALUE(stream, state->status);
    HD_STATE_VALUE(stream, state->unit);
    HD_STATE_VALUE(stream, state->barrier);
}

/* Of those that are told, whoever is not there is told no more; a debugger is of one run. */
static void transfer_ticket(const simt_core *core, ticket_state *ticket, const instruction_places *places,
                            const hd_state_stream *stream)
{
    instruction_transfer(places, &ticket->instruction, stream);
    HD_STATE_VALUE(stream, ticket->path);
    HD_STATE_VALUE(stream, ticket->warp);
    HD_STATE_VALUE(stream, ticket->homes);
    HD_STATE_VALUE(stream, ticket->transactional_store);
    HD_STATE_VALUE(stream, ticket->tag);
    const uint32_t told = (uint32_t)hd_state_number(stream, ticket->told);
    if (stream->is_restored)
        ticket->told = core->accesses ? told & TICKET_SAMPLED : 0;
    HD_STATE_VALUE(stream, ticket->tries_lock);
}

static void transfer_regrouped(simt_core *core, const hd_state_stream *stream)
{
    HD_STATE_ARRAY(stream, core->threads, (size_t)core->warp_count * core->lane_count);
    homes_transfer(&core->kept, stream);
    HD_STATE_ARRAY(stream, core->path_kept, core->path_count);
}

void entities_transfer(simt_core *core, const instruction_places *places, const hd_state_stream *stream)
{
    const uint32_t targets = core->path_homes ? core->path_count : core->warp_count;
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        transfer_block(core, slot, stream);
    for (uint32_t warp = 0; warp < core->warp_count; warp++)
        transfer_warp(core, warp, stream);
    for (uint32_t path = 0; path < core->path_count; path++)
        transfer_path(&core->path_states[path], places, stream);
    if (core->path_homes)
        transfer_regrouped(core, stream);
    HD_STATE_ARRAY(stream, core->control.jump_target, (size_t)targets * core->lane_count);
    for (uint64_t ticket = 0; ticket < core_parameter_of(core, PARAMETER_MEMORY_TICKETS); ticket++)
        transfer_ticket(core, &core->tickets[ticket], places, stream);
}
