/* SPDX-License-Identifier: MIT */
#include "debug.h"

#include "core_lanes.h"
#include "debug_lanes.h"

static uint32_t groups(hd_block *block)
{
    return ((const simt_core *)block)->warp_count;
}

static void listen(hd_block *block, const hd_debug_listener *listener)
{
    simt_core *core = (simt_core *)block;
    core->debugging.listener = *listener;
    core->hears_accesses = (core->hears_accesses & ~HEARS_DEBUGGER) | (listener->watches ? HEARS_DEBUGGER : 0);
    issue_set_listeners(core);
}

/* A path may have lanes of several warps: each of them is told of for itself. */
void debug_tell(const simt_core *core, uint32_t path)
{
    const hd_debug_listener *listener = &core->debugging.listener;
    const lane_homes homes = core_homes(core, path);
    for (uint64_t left = core->paths[path].mask; left && listener->before;) {
        const home_part part = homes_take(homes, &left);
        const hd_debug_moment moment = {
            .t = core->now.t, .pc = core->paths[path].pc, .lanes = part.lanes, .group = part.row};
        listener->before(listener->context, &moment);
    }
}

void debug_tell_fault(const simt_core *core, uint32_t kind, const char *what)
{
    const hd_debug_listener *listener = &core->debugging.listener;
    const hd_debug_moment moment = {
        .t = core->now.t, .pc = core->fault.pc, .lanes = core->fault.lanes, .group = core->fault.warp};
    if (listener->fault)
        listener->fault(listener->context, &moment, kind, what);
}

static uint64_t live(hd_block *block, uint32_t group, uint32_t *owner)
{
    const simt_core *core = (const simt_core *)block;
    *owner = core->warps[group].block;
    if (*owner == NO_SLOT)
        return 0;
    return core->reconvergence.unit->live_lanes(core->reconvergence.state, group) | watched_shown_lanes(core, group);
}

static uint64_t lanes_of(const simt_core *core, uint32_t path, uint32_t warp)
{
    const uint64_t mask = core->path_states[path].status == PATH_NONE ? 0 : core->paths[path].mask;
    return mask ? homes_lanes_of(core_homes(core, path), mask, warp) : 0;
}

/* The path that the thread is in; path_count: it waits for others. */
static uint32_t path_with(const simt_core *core, uint32_t warp, uint32_t lane)
{
    const path_range paths = core->path_homes ? (path_range){.end = core->path_count} : core_paths_of(core, warp);
    for (uint32_t path = paths.first; path < paths.end; path++)
        if (lanes_of(core, path, warp) >> lane & 1)
            return path;
    return core->path_count;
}

/* At an access that it has made, whatever it has done since. */
static uint32_t is_shown(const simt_core *core, uint32_t warp, uint32_t lane)
{
    return watched_shown_lanes(core, warp) >> lane & 1;
}

static void thread(hd_block *block, uint32_t group, uint32_t lane, hd_debug_thread *thread)
{
    simt_core *core = (simt_core *)block;
    const warp_place place = core_warp_place(core, group);
    const uint32_t path = path_with(core, group, lane);
    *thread = debug_thread_at(&place, lane,
                              core->path_homes ? "waits for others of its block" : "waits for others of its warp");
    if (is_shown(core, group, lane)) {
        thread->active = watched_shown_lanes(core, group);
        thread->what = "has made an access that is watched";
        return;
    }
    if (path == core->path_count)
        return;
    thread->active = lanes_of(core, path, group);
    thread->what = core_path_activity(core, path);
}

/* The unit has yet to be told of the path's last instruction. */
static uint32_t is_between(const path_state *state)
{
    return state->status == PATH_CONTROL || state->status == PATH_DRAIN_RESULT || state->status == PATH_DRAIN_DATA;
}

/* What it executes next. A transfer's outcome is known to the core before the path goes there. */
static uint32_t pc_of(const simt_core *core, uint32_t path, uint32_t lane)
{
    const path_state *state = &core->path_states[path];
    const uint32_t pc = core->paths[path].pc;
    const size_t row = core->path_homes ? path : core->paths[path].warp;
    if (state->status == PATH_BARRIER || state->status == PATH_WARP_SYNC)
        return pc + 4;
    if (!is_between(state))
        return pc;
    switch (state->instruction->instruction_class) {
    case ISA_CLASS_BRANCH: return pc + (state->taken >> lane & 1 ? (uint32_t)state->instruction->immediate : 4);
    case ISA_CLASS_JUMP: return pc + (uint32_t)state->instruction->immediate;
    case ISA_CLASS_JUMP_REGISTER: return core->control.jump_target[row * core->lane_count + lane];
    default: return pc;
    }
}

static uint32_t find_pc(const simt_core *core, uint32_t warp, uint32_t lane, uint32_t *pc)
{
    const uint32_t path = path_with(core, warp, lane);
    const reconvergence_unit *unit = core->reconvergence.unit;
    if (path == core->path_count)
        return unit->waiting_pc && unit->waiting_pc(core->reconvergence.state, warp, lane, pc);
    *pc = pc_of(core, path, lane);
    return 1;
}

static uint8_t fcsr_of(const simt_core *core, uint32_t warp, uint32_t lane)
{
    return is_shown(core, warp, lane) ? watched_fcsr(core, lane)
                                      : core->registers.fcsr[(size_t)warp * core->lane_count + lane];
}

static uint32_t is_being_loaded(const simt_core *core, uint32_t warp, uint32_t lane, uint32_t number)
{
    const pending_registers *pending = &core->scoreboard.pending;
    return pending->loading[warp] >> number & 1 && pending->lanes[(size_t)warp * 64 + number] >> lane & 1;
}

static uint32_t read_register(hd_block *block, uint32_t group, uint32_t lane, uint32_t number, uint64_t *value)
{
    const simt_core *core = (const simt_core *)block;
    *value = 0;
    if (number >= HD_DEBUG_CSR)
        return debug_read_fcsr(fcsr_of(core, group, lane), number - HD_DEBUG_CSR, value);
    if (number <= HD_DEBUG_PC && is_shown(core, group, lane) && !watched_has_loaded(core, number))
        return watched_read(core, lane, number, value);
    if (number == HD_DEBUG_PC && group == core->fault.warp && core->fault.lanes >> lane & 1) {
        *value = core->fault.pc;
        return 1;
    }
    if (number == HD_DEBUG_PC) {
        uint32_t pc;
        const uint32_t is_known = find_pc(core, group, lane, &pc);
        *value = is_known ? pc : 0;
        return is_known;
    }
    if (number > HD_DEBUG_PC || is_being_loaded(core, group, lane, number))
        return 0;
    *value = core->registers.rows[group].registers[number * core->lane_count + lane];
    return 1;
}

static uint32_t write_register(hd_block *block, uint32_t group, uint32_t lane, uint32_t number, uint64_t value)
{
    simt_core *core = (simt_core *)block;
    if (!number || number >= HD_DEBUG_PC || is_shown(core, group, lane) || is_being_loaded(core, group, lane, number))
        return 0;
    core->registers.rows[group].registers[number * core->lane_count + lane] = (uint32_t)value;
    words_register_written(core, group, number);
    return 1;
}

static uint32_t place(hd_block *block, uint32_t group, uint32_t lane, uint64_t address, hd_debug_place *place)
{
    const simt_core *core = (const simt_core *)block;
    return address <= UINT32_MAX && memory_debug_place(core->memory, group, lane, (uint32_t)address, place);
}

const hd_debug core_debug = {.register_bytes = 4,
                             .groups = groups,
                             .listen = listen,
                             .live = live,
                             .thread = thread,
                             .read = read_register,
                             .write = write_register,
                             .place = place};
