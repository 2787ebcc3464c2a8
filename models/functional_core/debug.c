/* SPDX-License-Identifier: MIT */
/* Who debugs kernels (hd_debug.h): groups are warp slots. What an instruction accesses it has accessed when it has been executed. */
#include "debug_lanes.h"
#include "state.h"

static uint32_t groups(hd_block *block)
{
    return ((const functional_core *)block)->warp_count;
}

static void listen(hd_block *block, const hd_debug_listener *listener)
{
    ((functional_core *)block)->debugging.listener = *listener;
}

/* ---- What is told ----------------------------------------------------------------------------------------------------- */

/* Before it is executed, which may change the registers that they come from. */
static void find_addresses(const functional_core *core, const path *p, hd_debug_moment *moment, uint32_t *address)
{
    const isa_instruction *instruction = isa_program_at(program_of(core, p), p->pc);
    const uint32_t access = instruction ? debug_access_of(instruction) : 0;
    if (!access)
        return;
    isa_addresses(instruction, &core->warps[p->warp].lanes, p->mask, address);
    moment->access = access;
    moment->bytes = debug_access_bytes(instruction);
    moment->addresses = address;
}

static void tell_accessed(functional_core *core, hd_debug_moment *moment)
{
    const hd_debug_listener *listener = &core->debugging.listener;
    moment->lanes = listener->watches(listener->context, moment);
    core->debugging.shown = moment;
    if (moment->lanes)
        listener->accessed(listener->context, moment);
    core->debugging.shown = NULL;
}

/* Who listens may go away while the instruction waits. */
static void execute_one(functional_core *core, uint32_t path)
{
    const hd_debug_listener *listener = &core->debugging.listener;
    const struct path *p = &core->paths[path];
    uint32_t address[MAX_LANES];
    if (isa_program_at(program_of(core, p), p->pc))
        transaction_go_on(core, path);
    hd_debug_moment moment = {.t = current_time(core), .pc = p->pc, .lanes = p->mask, .group = p->warp};
    if (listener->before)
        listener->before(listener->context, &moment);
    if (listener->watches && *listener->watching)
        find_addresses(core, p, &moment, address);
    execute_path(core, path, 1);
    if (moment.access && !core->halted)
        tell_accessed(core, &moment);
}

void functional_debug_path(functional_core *core, uint32_t path, uint64_t limit)
{
    const uint64_t end = core->issued + limit;
    const uint32_t transaction = core->transaction;
    while (core->issued < end && core->path_states[path].status == PATH_READY && !core->halted &&
           core->transaction == transaction)
        execute_one(core, path);
}

void functional_debug_fault(const functional_core *core, const path *p, uint64_t lanes, uint32_t kind, const char *what)
{
    const hd_debug_listener *listener = &core->debugging.listener;
    const hd_debug_moment moment = {.t = current_time(core), .pc = p->pc, .lanes = lanes, .group = p->warp};
    if (listener->fault)
        listener->fault(listener->context, &moment, kind, what);
}

/* ---- What is shown ---------------------------------------------------------------------------------------------------- */

static uint64_t live(hd_block *block, uint32_t group, uint32_t *owner)
{
    const functional_core *core = (const functional_core *)block;
    *owner = core->warps[group].block;
    return *owner == NO_SLOT ? 0 : core->reconvergence_unit->live_lanes(core->reconvergence, group);
}

/* At an access that they have made. */
static uint64_t shown_lanes(const functional_core *core, uint32_t warp)
{
    const hd_debug_moment *shown = core->debugging.shown;
    return shown && shown->group == warp ? shown->lanes : 0;
}

/* The path that the thread is in; path_count: it waits for others. */
static uint32_t path_with(const functional_core *core, uint32_t warp, uint32_t lane)
{
    const path_range paths = paths_of(warp, core->paths_per_warp);
    for (uint32_t path = paths.first; path < paths.end; path++)
        if (core->path_states[path].status != PATH_NONE && core->paths[path].mask >> lane & 1)
            return path;
    return core->path_count;
}

static void thread(hd_block *block, uint32_t group, uint32_t lane, hd_debug_thread *thread)
{
    const functional_core *core = (const functional_core *)block;
    const warp_place place = functional_warp_place(core, group);
    const uint32_t path = path_with(core, group, lane);
    const uint64_t shown = shown_lanes(core, group);
    *thread = debug_thread_at(&place, lane, "waits for others of its warp");
    if (shown >> lane & 1) {
        thread->active = shown;
        thread->what = "has made an access that is watched";
    } else if (path < core->path_count) {
        thread->active = core->paths[path].mask;
        thread->what = functional_path_activity(core, path);
    }
}

static uint32_t read_pc(const functional_core *core, uint32_t warp, uint32_t lane, uint64_t *value)
{
    const reconvergence_unit *unit = core->reconvergence_unit;
    const uint32_t path = path_with(core, warp, lane);
    uint32_t pc = 0;
    uint32_t is_known = 1;
    if (shown_lanes(core, warp) >> lane & 1)
        pc = (uint32_t)core->debugging.shown->pc;
    else if (path < core->path_count) /* from a barrier it goes on behind it */
        pc = core->paths[path].pc + (core->path_states[path].status == PATH_READY ? 0 : 4);
    else
        is_known = unit->waiting_pc && unit->waiting_pc(core->reconvergence, warp, lane, &pc);
    *value = pc;
    return is_known;
}

static uint32_t read_register(hd_block *block, uint32_t group, uint32_t lane, uint32_t number, uint64_t *value)
{
    const functional_core *core = (const functional_core *)block;
    const isa_lanes *lanes = &core->warps[group].lanes;
    *value = 0;
    if (number >= HD_DEBUG_CSR)
        return debug_read_fcsr(lanes->fcsr[lane], number - HD_DEBUG_CSR, value);
    if (number == HD_DEBUG_PC)
        return read_pc(core, group, lane, value);
    if (number > HD_DEBUG_PC)
        return 0;
    *value = lanes->registers[number * core->lane_count + lane];
    return 1;
}

static uint32_t write_register(hd_block *block, uint32_t group, uint32_t lane, uint32_t number, uint64_t value)
{
    functional_core *core = (functional_core *)block;
    if (!number || number >= HD_DEBUG_PC)
        return 0;
    core->warps[group].lanes.registers[number * core->lane_count + lane] = (uint32_t)value;
    return 1;
}

static uint32_t clip(uint32_t offset, uint32_t bytes)
{
    return offset < bytes ? bytes - offset : 0;
}

static uint32_t place(hd_block *block, uint32_t group, uint32_t lane, uint64_t address, hd_debug_place *place)
{
    const functional_core *core = (const functional_core *)block;
    const memory_view *view = &core->warps[group].view;
    const uint32_t at = (uint32_t)address;
    *place = (hd_debug_place){0};
    if (address > UINT32_MAX)
        return 0;
    switch (window_of(at)) {
    case WINDOW_GLOBAL:
        place->address = at;
        place->count = UINT32_MAX - at;
        break;
    case WINDOW_CONSTANT:
        place->address = view->constant_base + (at - HD_CONSTANT_BASE);
        place->count = clip(at - HD_CONSTANT_BASE, view->constant_bytes);
        break;
    case WINDOW_PRIVATE: /* a word of each lane after the other */
        place->address = hd_private_address(view->context_slot, view->context_slots, core->lane_count,
                                            view->warps_in_block, view->warp_in_block, lane, at - HD_PRIVATE_BASE);
        place->count = at - HD_PRIVATE_BASE < view->private_bytes ? 4 - (at & 3) : 0;
        break;
    default:
        place->count = at < HD_SCRATCHPAD_BASE ? 0 : clip(at - HD_SCRATCHPAD_BASE, view->scratchpad_bytes);
        place->bytes = core->blocks[core->warps[group].block].scratchpad + (at - HD_SCRATCHPAD_BASE);
    }
    return place->count != 0;
}

const hd_debug functional_debug = {.register_bytes = 4,
                                   .groups = groups,
                                   .listen = listen,
                                   .live = live,
                                   .thread = thread,
                                   .read = read_register,
                                   .write = write_register,
                                   .place = place};
