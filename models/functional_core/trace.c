/* SPDX-License-Identifier: MIT */
#include "state.h"

enum { EVENT_BLOCK, EVENT_WARP, EVENT_ARRIVE, EVENT_RELEASE, EVENT_DISPATCH, EVENT_BARRIER, EVENT_COUNT };

const hd_trace_event functional_trace_events[FUNCTIONAL_TRACE_EVENTS] = {
    [EVENT_BLOCK] = {"block", HD_TRACE_SPAN, 0, "block|launch", NULL, "a thread block is resident in the slot"},
    [EVENT_WARP] = {"warp", HD_TRACE_SPAN, 0, "warp|block", NULL, "a warp of that block is resident"},
    [EVENT_ARRIVE] = {"barrier.arrive", HD_TRACE_INSTANT, 0, "barrier", NULL, "lanes of the warp arrive at a barrier"},
    [EVENT_RELEASE] = {"barrier.release", HD_TRACE_INSTANT, 0, "barrier", NULL, "the barrier releases the block"},
    [EVENT_DISPATCH] = {"dispatch", HD_TRACE_FLOW, 0, NULL, NULL, "from the dispatch of a block to its start"},
    [EVENT_BARRIER] = {"barrier", HD_TRACE_FLOW, 0, NULL, NULL, "from an arrival at a barrier to the release"},
};
_Static_assert(EVENT_COUNT == FUNCTIONAL_TRACE_EVENTS, "as many as declared");

void functional_trace_create(functional_core *core)
{
    const hd_services *services = core->services;
    core->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    core->slot_tracks = hd_trace_tracks(core->trace, HD_TRACE_BLOCK, "slot", core->block_count);
    core->warp_tracks = hd_trace_tracks(core->trace, HD_TRACE_BLOCK, "warp", core->warp_count);
}

void functional_trace_enter(const functional_core *core, uint32_t slot, hd_time t)
{
    const hd_block_launch *launch = &core->blocks[slot].launch;
    const uint64_t number = hd_block_number(launch);
    hd_trace_begin(core->trace, core->slot_tracks + slot, EVENT_BLOCK, t, number, launch->grid.launch);
    hd_trace_flow(core->trace, EVENT_BLOCK, EVENT_DISPATCH, t, HD_TRACE_TO,
                  (uint64_t)launch->grid.launch << 32 | (uint32_t)number);
}

void functional_trace_enter_warp(const functional_core *core, uint32_t warp, hd_time t)
{
    const warp_state *w = &core->warps[warp];
    hd_trace_begin(core->trace, core->warp_tracks + warp, EVENT_WARP, t, w->index,
                   hd_block_number(&core->blocks[w->block].launch));
}

void functional_trace_leave(const functional_core *core, uint32_t slot, hd_time t)
{
    for (uint32_t warp = 0; core->trace && warp < core->warp_count; warp++)
        if (core->warps[warp].block == slot)
            hd_trace_end(core->trace, core->warp_tracks + warp, EVENT_WARP, t);
    hd_trace_end(core->trace, core->slot_tracks + slot, EVENT_BLOCK, t);
}

/* A path waits at one barrier at a time. */
static uint64_t arrow_of(const functional_core *core, uint32_t path)
{
    return (uint64_t)core->services->endpoint << 32 | path;
}

void functional_trace_arrive(const functional_core *core, uint32_t path, uint32_t number)
{
    if (!core->trace)
        return;
    const hd_time t = current_time(core);
    hd_trace_instant(core->trace, core->warp_tracks + core->paths[path].warp, EVENT_ARRIVE, t, number);
    hd_trace_flow(core->trace, EVENT_ARRIVE, EVENT_BARRIER, t, HD_TRACE_FROM, arrow_of(core, path));
}

void functional_trace_release(const functional_core *core, uint32_t slot, uint32_t number)
{
    if (!core->trace)
        return;
    const hd_time t = current_time(core);
    hd_trace_instant(core->trace, core->slot_tracks + slot, EVENT_RELEASE, t, number);
    for (uint32_t path = 0; path < core->path_count; path++)
        if (functional_waits_at(core, path, slot, number))
            hd_trace_flow(core->trace, EVENT_RELEASE, EVENT_BARRIER, t, HD_TRACE_TO, arrow_of(core, path));
}
