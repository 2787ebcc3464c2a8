/* SPDX-License-Identifier: MIT */
/* A core is made, bound, brought to its state after power-on, and taken apart. */
#include "deadlock_removal.h"
#include "rows.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beside what the unit is called for. There is no pipeline to tell of. */
#define TOLD (PATH_BARRIER_REACHED | PATH_BARRIER_OPENED)

static int create_unit(functional_core *core, const hd_value *values, char *error, size_t error_bytes)
{
    const hd_unit_place *chosen = hd_unit_chosen(core->block_class, FUNCTIONAL_RECONVERGENCE, values);
    reconvergence_events events = turn_events;
    events.context = core;
    core->reconvergence_unit = chosen->unit->functions;
    if (core->reconvergence_unit->homes) {
        snprintf(error, error_bytes,
                 "reconvergence '%s' has paths of several warps, which a core of type functional does not run",
                 chosen->unit->name);
        return -1;
    }
    core->reconvergence = core->reconvergence_unit->create(
        &(reconvergence_parameters){
            .warps = core->warp_count,
            .lanes = core->lane_count,
            .share = hd_unit_share_of(core->block_class, chosen, core->services, values, core->unit_counters)},
        &events);
    if (!core->reconvergence ||
        deadlock_removal_refuse(parameter_of(core, PARAMETER_SSDE), core->reconvergence_unit, core->reconvergence,
                                error, error_bytes) ||
        meeting_points_require(core->programs, core->reconvergence_unit, core->reconvergence, error, error_bytes))
        return -1;
    core->reconvergence_acts = core->reconvergence_unit->next != NULL;
    if (core->reconvergence_unit->wants)
        core->wanted = core->reconvergence_unit->wants(core->reconvergence) & TOLD;
    core->path_count = core->reconvergence_unit->path_count(core->reconvergence);
    core->paths = core->reconvergence_unit->paths(core->reconvergence);
    core->paths_per_warp = core->path_count / core->warp_count;
    core->ready_words = (core->path_count + 63) / 64;
    return 0;
}

static int create_state(functional_core *core)
{
    const size_t lanes = (size_t)core->warp_count * core->lane_count;
    const size_t scratchpad = core->block_count * (size_t)parameter_of(core, PARAMETER_SCRATCHPAD_BYTES);
    core->ready = calloc(core->ready_words, sizeof *core->ready);
    core->path_states = calloc(core->path_count, sizeof *core->path_states);
    core->warps = calloc(core->warp_count, sizeof *core->warps);
    core->blocks = calloc(core->block_count, sizeof *core->blocks);
    core->registers = rows_allocate(lanes * ISA_REGISTER_COUNT, sizeof *core->registers);
    core->fcsr = calloc(lanes, sizeof *core->fcsr);
    core->retired = calloc(lanes, sizeof *core->retired);
    core->reservations = calloc(lanes, sizeof *core->reservations);
    core->scratchpads = calloc(scratchpad + 4, 1);
    core->scratchpad_versions = calloc(scratchpad / 4 + 1, sizeof *core->scratchpad_versions);
    core->ranges = calloc(RANGES, sizeof *core->ranges);
    core->transactions = calloc(core->path_count, sizeof *core->transactions);
    core->attempts = calloc(lanes, sizeof *core->attempts);
    core->undo = calloc(UNDO_ROOM, sizeof *core->undo);
    if (!core->transactions || !core->attempts || !core->undo)
        return -1;
    return core->ready && core->path_states && core->warps && core->blocks && core->registers && core->fcsr &&
                   core->retired && core->reservations && core->scratchpads && core->scratchpad_versions && core->ranges
               ? 0
               : -1;
}

static uint32_t remove_deadlocks(functional_core *core, char *error, size_t error_bytes)
{
    const reconvergence_parameters size = {.warps = core->warp_count, .lanes = core->lane_count};
    return deadlock_removal_create(&core->switches, core->programs, &size, parameter_of(core, PARAMETER_SSDE), error,
                                   error_bytes);
}

hd_block *functional_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    const hd_block_class *block_class = hd_class_of(services);
    functional_core *core = calloc(1, sizeof *core + hd_unit_counters(block_class) * sizeof *core->unit_counters);
    if (core) {
        core->services = services;
        core->block_class = block_class;
        memcpy(core->values, values, sizeof core->values);
        core->lane_count = (uint32_t)parameter_of(core, PARAMETER_LANES);
        core->warp_count = (uint32_t)parameter_of(core, PARAMETER_WARPS);
        core->block_count = (uint32_t)parameter_of(core, PARAMETER_BLOCKS);
        core->rate = (uint32_t)parameter_of(core, PARAMETER_RATE);
        functional_trace_create(core);
        core->accesses = services->extension(services->context, HD_EXTENSION_ACCESSES);
        core->programs = services->extension(services->context, HD_EXTENSION_PROGRAMS);
        core->direct = services->extension(services->context, HD_EXTENSION_DIRECT);
        core->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
        core->message_capacity = services->message(services->context, HD_CORE_CAPACITY);
        core->message_done = services->message(services->context, HD_BLOCK_DONE);
    }
    error[0] = '\0';
    if (!core || remove_deadlocks(core, error, error_bytes) || create_unit(core, values, error, error_bytes) ||
        create_state(core)) {
        if (!error[0])
            snprintf(error, error_bytes, "out of memory");
        functional_destroy((hd_block *)core);
        return NULL;
    }
    functional_reset((hd_block *)core);
    return (hd_block *)core;
}

void functional_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    functional_core *core = (functional_core *)block;
    (void)element;
    if (port == PORT_DISPATCH)
        core->dispatch = in;
    else if (port == PORT_EVENT)
        core->event = out;
}

static void reset_warps(functional_core *core)
{
    for (uint32_t warp = 0; warp < core->warp_count; warp++) {
        const size_t first = (size_t)warp * core->lane_count;
        core->warps[warp] = (warp_state){.block = NO_SLOT,
                                         .lanes = {.registers = core->registers + first * ISA_REGISTER_COUNT,
                                                   .fcsr = core->fcsr + first,
                                                   .lanes = core->lane_count},
                                         .retired = core->retired + first,
                                         .reservations = core->reservations + first};
    }
}

static void reset_blocks(functional_core *core)
{
    const size_t bytes = (size_t)parameter_of(core, PARAMETER_SCRATCHPAD_BYTES) & ~(size_t)3;
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        core->blocks[slot] = (block_state){.scratchpad = core->scratchpads + slot * bytes,
                                           .versions = core->scratchpad_versions + slot * (bytes / 4)};
}

void functional_reset(hd_block *block)
{
    functional_core *core = (functional_core *)block;
    core->transaction = NO_SLOT;
    memset(core->transactions, 0, core->path_count * sizeof *core->transactions);
    hd_cursor_init(&core->now, core->services->clock);
    core->cycle_base = core->accounted = 0;
    core->capacity_sent = core->halted = core->warned = core->held = core->starved = 0;
    core->turn_asked = core->progressed = core->scratchpad_watched = 0;
    core->turn_edge = core->issued = core->busy_until = 0;
    core->current = core->path_count - 1; /* path 0 is next */
    core->left = 0;
    core->residents = (residents){0};
    core->ended_blocks = core->resident_scratchpad = 0;
    memset(core->ready, 0, core->ready_words * sizeof *core->ready);
    memset(core->path_states, 0, core->path_count * sizeof *core->path_states);
    memset(&core->counters, 0, sizeof core->counters);
    memset(core->unit_counters, 0, hd_unit_counters(core->block_class) * sizeof *core->unit_counters);
    core->profile = (hd_profile_table){0};
    seen_words_reset(&core->seen);
    reset_warps(core);
    reset_blocks(core);
    ranges_forget(core);
    core->reconvergence_unit->reset(core->reconvergence);
    core->reconvergence_next = UINT64_MAX;
}

void functional_destroy(hd_block *block)
{
    functional_core *core = (functional_core *)block;
    if (!core)
        return;
    if (core->reconvergence)
        core->reconvergence_unit->destroy(core->reconvergence);
    virtual_switches_destroy(&core->switches);
    free(core->ready);
    free(core->path_states);
    seen_words_reset(&core->seen);
    free(core->warps);
    free(core->blocks);
    rows_free(core->registers);
    free(core->fcsr);
    free(core->retired);
    free(core->reservations);
    free(core->scratchpads);
    free(core->scratchpad_versions);
    free(core->transactions);
    free(core->attempts);
    free(core->undo);
    free(core->ranges);
    free(core);
}
