/* SPDX-License-Identifier: MIT */
/* A thread block that is told to leave while its threads hold locks, for which others may spin: it goes on for a while. */
#include "core_lanes.h"

static uint32_t holds_lock(const simt_core *core, uint32_t slot)
{
    uint32_t locks = 0;
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1))
        locks |= lock_tries_held(core, warp);
    return locks != 0;
}

void context_stop_or_wait(simt_core *core, uint32_t slot)
{
    if (core_parameter_of(core, PARAMETER_CONTEXT_LOCK_PATIENCE) && holds_lock(core, slot)) {
        core->engine.deferred |= UINT64_C(1) << slot;
        core->counters.context_lock_waits++;
        return;
    }
    context_begin_stop(core, slot);
    core->edges.changed = 1;
}

void context_stop_waiting(simt_core *core)
{
    context_engine *engine = &core->engine;
    for (uint64_t left = engine->deferred; left; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        const uint64_t edge = engine->stops[slot] + core_parameter_of(core, PARAMETER_CONTEXT_LOCK_PATIENCE);
        if (core->now.n < edge && holds_lock(core, slot)) {
            engine->next = edge < engine->next ? edge : engine->next;
            continue;
        }
        engine->deferred ^= UINT64_C(1) << slot;
        core->counters.context_lock_cycles += core->now.n - engine->stops[slot];
        context_begin_stop(core, slot);
        core->edges.next = core->now.n + 1; /* the rest of this edge is over */
    }
}
