/* SPDX-License-Identifier: MIT */
/* Block barriers count threads; warp.sync counts the live lanes of a warp. Both release with the last arrival. */
#include "bits.h"
#include "state.h"

#include "lane_list.h"

static void raise_arrival(const functional_core *core, uint32_t path, uint32_t barrier)
{
    path_event event = functional_event(core, path, PATH_BARRIER_REACHED);
    event.barrier = barrier;
    core->reconvergence_unit->event(core->reconvergence, &event);
}

static void raise_release(const functional_core *core, uint32_t warp, uint32_t barrier)
{
    const path_event event = {.kind = PATH_BARRIER_OPENED,
                              .path = NO_PATH,
                              .warp = warp,
                              .cycle = current_edge(core) - core->cycle_base,
                              .barrier = barrier};
    core->reconvergence_unit->event(core->reconvergence, &event);
}

static uint32_t must_not_wait(functional_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    if (core->reconvergence_unit->may_wait(core->reconvergence, path))
        return 0;
    const uint64_t live = core->reconvergence_unit->live_lanes(core->reconvergence, p->warp);
    char what[LANE_LIST_BYTES + 96];
    divergent_barrier(live & ~p->mask, what, sizeof what);
    functional_fault(core, p, p->mask, HD_DEBUG_FAULT_TRAP, "%s", what);
    return 1;
}

void functional_barrier_arrive(functional_core *core, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &core->paths[path];
    const uint32_t number = (uint32_t)instruction->immediate;
    if (must_not_wait(core, path))
        return;
    if (number >= BARRIERS) {
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_TRAP, MISTAKE_BARRIER_NUMBER, number, BARRIERS);
        return;
    }
    const uint32_t block = core->warps[p->warp].block;
    core->path_states[path].barrier = (uint8_t)number;
    functional_path_set_status(core, path, PATH_BARRIER);
    block_threads_arrive(&core->blocks[block].threads, number, bits_count(p->mask));
    functional_trace_arrive(core, path, number);
    if (core->wanted & PATH_BARRIER_REACHED)
        raise_arrival(core, path, number);
    functional_barrier_check(core, block);
}

uint32_t functional_waits_at(const functional_core *core, uint32_t path, uint32_t block, uint32_t number)
{
    return core->path_states[path].status == PATH_BARRIER && core->path_states[path].barrier == number &&
           core->warps[core->paths[path].warp].block == block;
}

/* Which stands at the barrier; or, if the reconvergence unit runs others meanwhile, one of the block. */
static uint32_t path_for_message(const functional_core *core, uint32_t block, uint32_t number)
{
    uint32_t other = 0;
    for (uint32_t path = 0; path < core->path_count; path++) {
        if (functional_waits_at(core, path, block, number))
            return path;
        if (core->warps[core->paths[path].warp].block == block)
            other = path;
    }
    return other;
}

/* Threads that have ended do not count at a barrier. A program that relies on it runs, but few mean it. */
static void check_ended_threads(functional_core *core, uint32_t block, uint32_t number)
{
    const block_state *b = &core->blocks[block];
    const uint32_t refuse = parameter_of(core, PARAMETER_EARLY_EXIT) == EARLY_EXIT_FAULT;
    if (!block_threads_some_exited(&b->threads) || (core->warned && !refuse))
        return;
    const uint32_t path = path_for_message(core, block, number);
    uint32_t warp = 0;
    uint64_t ended = 0;
    for (; !ended; warp++) {
        if (core->warps[warp].block == block)
            ended = launched_lanes(b->threads.launched, core->warps[warp].index, core->lane_count) &
                    ~core->reconvergence_unit->live_lanes(core->reconvergence, warp);
    }
    const struct path *p = &core->paths[path];
    const warp_place place = functional_warp_place(core, p->warp);
    char what[LANE_LIST_BYTES + 128];
    early_exit(number, b->threads.live, b->threads.launched, core->warps[warp - 1].index, ended, what, sizeof what);
    core->warned = 1;
    if (refuse)
        functional_fault(core, p, p->mask, HD_DEBUG_FAULT_TRAP, "%s", what);
    else
        warp_place_warn(&place, current_time(core), p->pc, p->mask, what);
}

static void release(functional_core *core, uint32_t path)
{
    functional_path_set_status(core, path, PATH_READY);
    execute_step(core, path);
}

void functional_barrier_check(functional_core *core, uint32_t block)
{
    block_state *b = &core->blocks[block];
    for (uint32_t number = 0; number < BARRIERS && !core->halted; number++) {
        if (!block_threads_all_at(&b->threads, number))
            continue;
        check_ended_threads(core, block, number);
        block_threads_open(&b->threads, number);
        core->counters.barriers_released++;
        core->services->progress(core->services->context, current_time(core));
        functional_trace_release(core, block, number);
        if (core->accesses)
            functional_report_block(core, block, HD_ACCESS_BARRIER, hd_clock_edge(core->now.clock, core->turn_edge));
        for (uint32_t path = 0; path < core->path_count && !core->halted; path++) {
            if (functional_waits_at(core, path, block, number))
                release(core, path);
        }
        for (uint32_t warp = 0; core->wanted & PATH_BARRIER_OPENED && warp < core->warp_count; warp++) {
            if (core->warps[warp].block == block)
                raise_release(core, warp, number);
        }
    }
}

void functional_warp_sync_arrive(functional_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const uint32_t warp = p->warp;
    if (must_not_wait(core, path))
        return;
    functional_path_set_status(core, path, PATH_WARP_SYNC);
    core->warps[warp].synchronising += bits_count(p->mask);
    if (core->wanted & PATH_BARRIER_REACHED)
        raise_arrival(core, path, BARRIER_OF_WARP);
    functional_warp_sync_check(core, warp);
}

void functional_warp_sync_check(functional_core *core, uint32_t warp)
{
    const uint64_t live = core->reconvergence_unit->live_lanes(core->reconvergence, warp);
    const path_range paths = paths_of(warp, core->paths_per_warp);
    warp_state *w = &core->warps[warp];
    if (!w->synchronising || w->synchronising != bits_count(live))
        return;
    w->synchronising = 0;
    core->counters.barriers_released++; /* no progress: a loop that waits may go through it for ever */
    if (core->accesses)
        functional_report_order(core, &core->paths[paths.first], HD_ACCESS_WARP_SYNC, 0);
    for (uint32_t path = paths.first; path < paths.end; path++) {
        if (core->path_states[path].status == PATH_WARP_SYNC)
            release(core, path);
    }
    if (core->wanted & PATH_BARRIER_OPENED)
        raise_release(core, warp, BARRIER_OF_WARP);
}
