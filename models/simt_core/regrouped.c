/* SPDX-License-Identifier: MIT */
#include "regrouped.h"

#include "core_lanes.h"

#include <stdlib.h>
#include <string.h>

static size_t threads_of(const simt_core *core)
{
    return (size_t)core->warp_count * core->lane_count;
}

int regrouped_create(simt_core *core)
{
    core->threads = calloc(threads_of(core), sizeof *core->threads);
    core->path_kept = calloc(core->path_count, sizeof *core->path_kept);
    return !core->threads || !core->path_kept;
}

void regrouped_destroy(simt_core *core)
{
    free(core->threads);
    free(core->path_kept);
    homes_destroy(&core->kept);
}

void regrouped_reset(simt_core *core)
{
    if (!core->path_homes)
        return;
    homes_reset(&core->kept);
    memset(core->threads, 0, threads_of(core) * sizeof *core->threads);
    for (uint32_t path = 0; path < core->path_count; path++)
        core->path_kept[path] = NO_HOMES;
}

static thread_state *thread_of(const simt_core *core, lane_homes homes, uint32_t lane)
{
    return &core->threads[(size_t)homes_row_of(homes, lane) * core->lane_count + lane];
}

static uint32_t is_acquire(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_ATOMIC && instruction->flags & ISA_FLAG_ACQUIRE;
}

static void count_access(simt_core *core, uint32_t number, const isa_instruction *instruction, int change)
{
    const uint32_t acquires = is_acquire(instruction);
    const lane_homes homes = homes_at(&core->kept, number);
    for (uint64_t left = homes_entry(&core->kept, number)->lanes; left; left &= left - 1) {
        thread_state *thread = thread_of(core, homes, (uint32_t)__builtin_ctzll(left));
        thread->memory_in_flight = (uint16_t)(thread->memory_in_flight + change);
        if (acquires)
            thread->acquiring = (uint16_t)(thread->acquiring + change);
    }
    core->reconvergence.acquiring += acquires ? (uint32_t)change : 0;
}

void regrouped_begin_access(simt_core *core, uint32_t homes, const isa_instruction *instruction)
{
    count_access(core, homes, instruction, 1);
}

void regrouped_end_access(simt_core *core, uint32_t homes, const isa_instruction *instruction)
{
    count_access(core, homes, instruction, -1);
}

uint32_t regrouped_has_accesses(const simt_core *core, uint32_t path)
{
    const lane_homes homes = core_homes(core, path);
    uint32_t accesses = 0;
    for (uint64_t left = core->paths[path].mask; left; left &= left - 1)
        accesses |= thread_of(core, homes, (uint32_t)__builtin_ctzll(left))->memory_in_flight;
    return accesses || memory_thread_stores_outstanding(core->memory, homes, core->paths[path].mask);
}

static uint32_t is_acquiring(const simt_core *core, uint32_t path)
{
    const lane_homes homes = core_homes(core, path);
    uint32_t acquiring = 0;
    for (uint64_t left = core->reconvergence.acquiring ? core->paths[path].mask : 0; left; left &= left - 1)
        acquiring |= thread_of(core, homes, (uint32_t)__builtin_ctzll(left))->acquiring;
    return acquiring;
}

uint32_t regrouped_holds_access(const simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    return is_acquiring(core, path) || memory_would_overtake(core->memory, core_homes(core, path), p->mask, p->warp);
}

/* ---- Whose the path's lanes are ------------------------------------------------------------------------------------------- */

void regrouped_settle(simt_core *core, uint32_t path)
{
    path_count *count = &core->path_states[path].count;
    for (uint64_t left = count->lanes; left;) {
        const home_part part = homes_take(homes_at(&core->kept, core->path_kept[path]), &left);
        path_count of_part = {.lanes = part.lanes, .instructions = count->instructions};
        path_count_settle(&of_part, core->warps[part.row].retired);
    }
    count->lanes = 0;
    count->instructions = 0;
}

void regrouped_forget(simt_core *core, uint32_t path)
{
    if (core->path_kept[path] == NO_HOMES)
        return;
    regrouped_settle(core, path);
    homes_drop(&core->kept, core->path_kept[path]);
    core->path_kept[path] = NO_HOMES;
}

uint32_t regrouped_keep(simt_core *core, uint32_t path)
{
    regrouped_forget(core, path);
    return core->path_kept[path] = homes_keep(&core->kept, core_homes(core, path), core->paths[path].mask, path);
}

issued_lanes regrouped_issue_lanes(simt_core *core, uint32_t path)
{
    const issued_lanes lanes = core_kept_lanes(core, path);
    homes_use(&core->kept, lanes.number);
    return lanes;
}

/* ---- Who goes on -------------------------------------------------------------------------------------------------------- */

/* PATH_CONTROL: no register of its threads is awaited. */
static enum path_status drain_of(simt_core *core, uint32_t path)
{
    const pending_registers *pending = &core->scoreboard.pending;
    const lane_homes homes = core_known_homes(core, path);
    const uint64_t mask = core->paths[path].mask, awaited = pending_conflicts(pending, homes, UINT64_MAX, mask);
    if (!awaited)
        return PATH_CONTROL;
    return pending_loads(pending, homes, awaited, mask) ? PATH_DRAIN_DATA : PATH_DRAIN_RESULT;
}

uint32_t regrouped_begin_drain(simt_core *core, uint32_t path)
{
    const enum path_status status = drain_of(core, path);
    if (status == PATH_CONTROL)
        return 0;
    path_set_status(core, path, status);
    core->reconvergence.draining++;
    return 1;
}

static void recheck_drain(simt_core *core, uint32_t path)
{
    const uint8_t before = core->path_states[path].status;
    const enum path_status status = drain_of(core, path);
    if (status != before)
        path_set_status(core, path, status);
    if (status != PATH_CONTROL)
        return;
    core->reconvergence.draining--;
    control_go_on(core, path);
}

static uint32_t is_draining(const simt_core *core, uint32_t path)
{
    const uint8_t status = core->path_states[path].status;
    return status == PATH_DRAIN_RESULT || status == PATH_DRAIN_DATA;
}

static void recheck_drains(simt_core *core, uint32_t slot)
{
    for (uint32_t path = core_next_path(core, slot, 0);
         path < core->path_count && core->reconvergence.draining && !core->fault.halted;
         path = core_next_path(core, slot, path + 1)) {
        if (is_draining(core, path))
            recheck_drain(core, path);
    }
}

/* All paths of this warp's block that wait for registers or accesses. */
static void recheck_block(simt_core *core, uint32_t warp)
{
    const uint32_t slot = core->warps[warp].block;
    for (uint32_t other = core_next_warp(core, slot, 0); other < core->warp_count;
         other = core_next_warp(core, slot, other + 1))
        front_end_recheck_slot(core, other);
    if (core->reconvergence.draining)
        recheck_drains(core, slot);
}

static uint32_t paths_at(const simt_core *core, enum path_status status)
{
    uint32_t count = 0;
    for (uint32_t port = 0; port < core->scheduler_count; port++)
        count += core->issue.status_count[port][status];
    return count;
}

/* Who waits for a register is told of that, and so are threads whose acquire has come. */
void regrouped_drained(simt_core *core, uint32_t warp)
{
    if (core_parameter_of(core, PARAMETER_ADDRESS_INTERVAL) || paths_at(core, PATH_FENCE))
        recheck_block(core, warp);
}

/* Are the threads of the homes still in the path by which they were issued? */
static uint32_t are_in(const simt_core *core, uint32_t path, uint32_t homes)
{
    const uint64_t lanes = homes_entry(&core->kept, homes)->lanes;
    const lane_homes kept = homes_at(&core->kept, homes), now = core_homes(core, path);
    uint32_t differ = 0;
    if (lanes & ~core->paths[path].mask)
        return 0;
    for (uint64_t left = homes == core->path_kept[path] ? 0 : lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        differ |= homes_row_of(kept, lane) ^ homes_row_of(now, lane);
    }
    return !differ;
}

/* Nobody else waits for these, unless the scoreboard has reasons of its own. */
static uint32_t waits_by_path(const simt_core *core)
{
    const scoreboard_unit *scoreboard = core->scoreboard.unit;
    return !scoreboard->waits || scoreboard->by_path;
}

uint32_t regrouped_waits_on(const simt_core *core, uint32_t path, uint32_t homes, uint32_t number)
{
    return waits_by_path(core) && homes == core->path_kept[path] &&
           pending_conflicts(&core->scoreboard.pending, homes_at(&core->kept, homes), UINT64_C(1) << number,
                             homes_entry(&core->kept, homes)->lanes);
}

void regrouped_recheck_threads(simt_core *core, uint32_t path, uint32_t homes)
{
    if (!waits_by_path(core) || !are_in(core, path, homes)) {
        recheck_block(core, core->paths[path].warp);
        return;
    }
    front_end_recheck_path(core, path);
    if (is_draining(core, path))
        recheck_drain(core, path);
}
