/* SPDX-License-Identifier: MIT */
#include "regrouped.h"

#include "core_lanes.h"

static thread_state *thread_of(const simt_core *core, lane_homes homes, uint32_t lane)
{
    const uint32_t warp = homes.rows ? homes.rows[lane] : homes.row;
    return &core->threads[(size_t)warp * core->lane_count + lane];
}

static uint32_t is_acquire(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_ATOMIC && instruction->flags & ISA_FLAG_ACQUIRE;
}

static void count_access(simt_core *core, uint32_t homes, const isa_instruction *instruction, int change)
{
    const uint32_t acquires = is_acquire(instruction);
    for (uint64_t left = homes_entry(&core->kept, homes)->lanes; left; left &= left - 1) {
        thread_state *thread = thread_of(core, homes_at(&core->kept, homes), (uint32_t)__builtin_ctzll(left));
        thread->memory_in_flight = (uint16_t)(thread->memory_in_flight + change);
        thread->acquiring = (uint16_t)(thread->acquiring + (acquires ? change : 0));
    }
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
    for (uint64_t left = core->paths[path].mask; left; left &= left - 1)
        acquiring |= thread_of(core, homes, (uint32_t)__builtin_ctzll(left))->acquiring;
    return acquiring;
}

uint32_t regrouped_holds_access(const simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    return is_acquiring(core, path) || memory_would_overtake(core->memory, core_homes(core, path), p->mask, p->warp);
}

void regrouped_retire(simt_core *core, uint32_t path)
{
    const lane_homes homes = core_homes(core, path);
    for (uint64_t left = core->paths[path].mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        core->warps[homes.rows ? homes.rows[lane] : homes.row].retired[lane]++;
    }
}

/* PATH_CONTROL: no register of its threads is awaited. */
static enum path_status drain_of(const simt_core *core, uint32_t path)
{
    const pending_registers *pending = &core->scoreboard.pending;
    const lane_homes homes = core_homes(core, path);
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

void regrouped_recheck(simt_core *core, uint32_t warp)
{
    const uint32_t slot = core->warps[warp].block;
    for (uint32_t other = core_next_warp(core, slot, 0); other < core->warp_count;
         other = core_next_warp(core, slot, other + 1))
        front_end_recheck_slot(core, other);
    if (core->reconvergence.draining)
        recheck_drains(core, slot);
}

/* Are the threads of the homes still in the path by which they were issued? */
static uint32_t are_in(const simt_core *core, uint32_t path, uint32_t homes)
{
    const uint64_t lanes = homes_entry(&core->kept, homes)->lanes;
    const uint32_t *kept = homes_at(&core->kept, homes).rows;
    const lane_homes now = core_homes(core, path);
    uint32_t differ = 0;
    if (lanes & ~core->paths[path].mask)
        return 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        differ |= kept[lane] ^ (now.rows ? now.rows[lane] : now.row);
    }
    return !differ;
}

/* Nobody else waits for these, unless the scoreboard has reasons of its own. */
void regrouped_recheck_threads(simt_core *core, uint32_t path, uint32_t homes)
{
    const scoreboard_unit *scoreboard = core->scoreboard.unit;
    if ((scoreboard->waits && !scoreboard->by_path) || !are_in(core, path, homes)) {
        regrouped_recheck(core, core->paths[path].warp);
        return;
    }
    front_end_recheck_path(core, path);
    if (is_draining(core, path))
        recheck_drain(core, path);
}
