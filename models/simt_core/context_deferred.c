/* SPDX-License-Identifier: MIT */
/*
 * Thread blocks that are told to leave, and have yet to stop: one that has just come goes on until it has issued an instruction, so
 * that it gets on however often it is moved; one whose threads hold locks, for which others may spin, goes on for a while.
 */
#include "core_lanes.h"

static uint32_t holds_lock(const simt_core *core, uint32_t slot)
{
    uint32_t locks = 0;
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1))
        locks |= lock_tries_held(core, warp);
    return locks != 0;
}

static uint32_t waits_for_lock(simt_core *core, uint32_t slot)
{
    context_engine *engine = &core->engine;
    const uint64_t edge = engine->stops[slot].edge + core_parameter_of(core, PARAMETER_CONTEXT_LOCK_PATIENCE);
    if (core->now.n >= edge || !holds_lock(core, slot))
        return 0;
    core->counters.context_lock_waits += !(engine->locked >> slot & 1);
    engine->locked |= UINT64_C(1) << slot;
    engine->next = edge < engine->next ? edge : engine->next;
    return 1;
}

static uint32_t goes_on(simt_core *core, uint32_t slot)
{
    return core->engine.unissued >> slot & 1 || waits_for_lock(core, slot);
}

void context_stop_or_wait(simt_core *core, uint32_t slot)
{
    if (goes_on(core, slot)) {
        core->engine.deferred |= UINT64_C(1) << slot;
        return;
    }
    context_begin_stop(core, slot);
    core->edges.changed = 1;
}

static void count_lock(simt_core *core, uint32_t slot)
{
    context_engine *engine = &core->engine;
    if (engine->locked >> slot & 1)
        core->counters.context_lock_cycles += core->now.n - engine->stops[slot].edge;
    engine->locked &= ~(UINT64_C(1) << slot);
}

void context_stop_waiting(simt_core *core)
{
    for (uint64_t left = core->engine.deferred; left; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        if (goes_on(core, slot))
            continue;
        core->engine.deferred ^= UINT64_C(1) << slot;
        count_lock(core, slot);
        context_begin_stop(core, slot);
        core->edges.next = core->now.n + 1; /* the rest of this edge is over */
    }
}
