/* SPDX-License-Identifier: MIT */
/*
 * The whole core to bytes and back. What follows from parameters and links is not stored, nor who looks on: traces, profiles, debuggers,
 * and the search for hangs (repetition.h, seen words), which begins anew. Blocks find their programs by module number.
 */
#include "checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "core_lanes.h"
#include "tx/tx.h"

/* ---- Whether it can be --------------------------------------------------------------------------------------------------- */

static uint32_t unit_is_saved(enum core_unit slot, const void *functions)
{
    switch (slot) {
    case CORE_RECONVERGENCE: return ((const reconvergence_unit *)functions)->transfer_state != NULL;
    case CORE_SCHEDULER:
    case CORE_BACK_OFF: return ((const scheduler_unit *)functions)->transfer != NULL;
    case CORE_SPIN: return ((const spin_unit *)functions)->transfer != NULL;
    case CORE_SCOREBOARD: {
        const scoreboard_unit *unit = functions;
        return unit->transfer != NULL || unit->reset == NULL;
    }
    case CORE_TX:
    case CORE_TX_SCRATCHPAD: return ((const tx_unit *)functions)->transfer != NULL;
    case CORE_L1_REPLACEMENT: return ((const replacement_unit *)functions)->transfer != NULL;
    case CORE_UNITS: break;
    }
    return 1;
}

static uint32_t refuses(hd_block *block, char *text, size_t bytes)
{
    const simt_core *core = (const simt_core *)block;
    for (uint32_t slot = 0; slot < CORE_UNITS; slot++) {
        const hd_unit_place *chosen = core->chosen[slot];
        if (!chosen || unit_is_saved((enum core_unit)slot, chosen->unit->functions))
            continue;
        const hd_parameter *parameter = &core->block_class->parameters[core->block_class->unit_slots[slot].parameter];
        snprintf(text, bytes, "its unit %s.%s", parameter->name, chosen->unit->name);
        return 1;
    }
    return 0;
}

/* ---- What must be the same ----------------------------------------------------------------------------------------------- */

static void check_units(const simt_core *core, const hd_state_stream *stream)
{
    for (uint32_t slot = 0; slot < CORE_UNITS; slot++) {
        const char *name = core->chosen[slot] ? core->chosen[slot]->unit->name : "";
        hd_state_shape_name(
            stream, core->block_class->parameters[core->block_class->unit_slots[slot].parameter].name, name);
    }
}

static void check_shape(const simt_core *core, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "lanes", core->lane_count);
    HD_STATE_SHAPE(stream, "warps", core->warp_count);
    HD_STATE_SHAPE(stream, "blocks", core->block_count);
    HD_STATE_SHAPE(stream, "schedulers", core->scheduler_count);
    HD_STATE_SHAPE(stream, "paths", core->path_count);
    HD_STATE_SHAPE(stream, "memory.tickets", core_parameter_of(core, PARAMETER_MEMORY_TICKETS));
    HD_STATE_SHAPE(stream, "scratchpad.bytes", core_parameter_of(core, PARAMETER_SCRATCHPAD_BYTES));
    HD_STATE_SHAPE(stream, "marks of registers that are needed yet", core->live.registers != NULL);
    HD_STATE_SHAPE(stream, "locks that threads hold", core->lock_tries.held != NULL);
    check_units(core, stream);
}

/* ---- The parts ----------------------------------------------------------------------------------------------------------- */

static void transfer_edges(edge_state *edges, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, edges->cycle_base);
    HD_STATE_VALUE(stream, edges->horizon);
    HD_STATE_VALUE(stream, edges->next);
    HD_STATE_VALUE(stream, edges->changed);
    HD_STATE_VALUE(stream, edges->capacity_sent);
    HD_STATE_VALUE(stream, edges->launch_arrival);
    HD_STATE_VALUE(stream, edges->credit_arrival);
    HD_STATE_VALUE(stream, edges->transaction_arrival);
    HD_STATE_VALUE(stream, edges->input_time);
    HD_STATE_VALUE(stream, edges->input_edge);
}

static void transfer_schedulers(const simt_core *core, const port_schedulers *made, const hd_state_stream *stream)
{
    if (made->shared)
        made->unit->transfer_shared(made->shared, stream);
    for (uint32_t port = 0; port < core->scheduler_count; port++)
        made->unit->transfer(made->of_port[port], stream);
}

static void transfer_issue(simt_core *core, const hd_state_stream *stream)
{
    issue_state *issue = &core->issue;
    HD_STATE_VALUE(stream, issue->delay);
    HD_STATE_VALUE(stream, issue->port_busy_until);
    HD_STATE_VALUE(stream, issue->port_waits_from);
    HD_STATE_VALUE(stream, issue->unit_busy_until);
    for (uint32_t unit = 0; unit < UNIT_COUNT; unit++)
        HD_STATE_ARRAY(stream, issue->ready[unit], issue->ready_words);
    HD_STATE_VALUE(stream, issue->ready_count);
    HD_STATE_VALUE(stream, issue->awaits_credit);
    HD_STATE_VALUE(stream, issue->is_narrow);
    HD_STATE_VALUE(stream, issue->declined);
    HD_STATE_VALUE(stream, issue->ports_without_room);
    HD_STATE_VALUE(stream, issue->ready_units);
    HD_STATE_VALUE(stream, issue->ready_ports);
    HD_STATE_VALUE(stream, issue->status_count);
    transfer_schedulers(core, &issue->base, stream);
    if (core->chosen[CORE_BACK_OFF])
        transfer_schedulers(core, &issue->back_off, stream);
}

static void transfer_reconvergence(reconvergence_state *reconvergence, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, reconvergence->next);
    HD_STATE_VALUE(stream, reconvergence->draining);
    HD_STATE_VALUE(stream, reconvergence->acquiring);
    reconvergence->unit->transfer_state(reconvergence->state, stream);
}

static void transfer_scoreboard(core_scoreboard *board, const hd_state_stream *stream)
{
    pending_transfer(&board->pending, stream);
    if (board->unit->transfer)
        board->unit->transfer(board->state, stream);
}

static void transfer_residency(residency_state *residency, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, residency->launches);
    HD_STATE_VALUE(stream, residency->in);
    HD_STATE_VALUE(stream, residency->ending);
    HD_STATE_VALUE(stream, residency->held);
    HD_STATE_VALUE(stream, residency->freed);
    HD_STATE_VALUE(stream, residency->end_awaits_credit);
    HD_STATE_VALUE(stream, residency->may_end);
}

static void transfer_fault(fault_state *fault, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, fault->halted);
    HD_STATE_VALUE(stream, fault->warp);
    HD_STATE_VALUE(stream, fault->pc);
    HD_STATE_VALUE(stream, fault->lanes);
    HD_STATE_VALUE(stream, fault->warned);
}

static void transfer_statistics(simt_core *core, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, core->account.accounted);
    HD_STATE_VALUE(stream, core->account.of_port);
    HD_STATE_VALUE(stream, core->account.settled);
    HD_STATE_VALUE(stream, core->issued);
    HD_STATE_VALUE(stream, core->counters);
    HD_STATE_ARRAY(stream, core->unit_counters, hd_unit_counters(core->block_class));
}

static void transfer_context(simt_core *core, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, core->context.stopping);
    HD_STATE_VALUE(stream, core->context.next);
    HD_STATE_VALUE(stream, core->context.since);
    engine_transfer(core, stream);
    levels_transfer(&core->levels, stream);
    pattern_cache_transfer(&core->patterns, core->warp_count, stream);
    array_table_transfer(&core->words, stream);
    arrays_transfer(&core->arrays, stream);
}

static instruction_places places_of(const simt_core *core)
{
    instruction_places places = {.programs = core->residency.programs};
    places.own[places.own_count++] = &core->reconvergence.access;
    tx_own_instructions(core->tx.transactions, &places);
    return places;
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    simt_core *core = (simt_core *)block;
    const instruction_places places = places_of(core);
    check_shape(core, stream);
    HD_STATE_VALUE(stream, core->now);
    transfer_edges(&core->edges, stream);
    transfer_reconvergence(&core->reconvergence, stream);
    entities_transfer(core, &places, stream);
    front_end_transfer(&core->front_end, stream);
    transfer_issue(core, stream);
    operands_transfer(&core->operands, stream);
    pipe_exits_transfer(&core->exits, stream);
    transfer_scoreboard(&core->scoreboard, stream);
    wheel_transfer(&core->wheel, stream);
    write_back_transfer(&core->results, &places, stream);
    HD_STATE_VALUE(stream, core->control.returning);
    virtual_switches_transfer_state(&core->switches, core->warp_count, stream);
    spinning_transfer(core, stream);
    lock_tries_transfer(core, stream);
    transfer_residency(&core->residency, stream);
    transfer_context(core, stream);
    transfer_fault(&core->fault, stream);
    transfer_statistics(core, stream);
    memory_transfer(core->memory, &places, stream);
    HD_STATE_VALUE(stream, core->tx.next);
    HD_STATE_VALUE(stream, core->tx.room_from);
    tx_transfer(core->tx.transactions, &places, stream);
}

const hd_state core_state = {.transfer = transfer, .refuses = refuses};
