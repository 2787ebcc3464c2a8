/* SPDX-License-Identifier: MIT */
/* Block barriers count threads; warp.sync counts the live lanes of a warp. Both release some cycles after the last arrival. */
#include "bits.h"
#include "core_lanes.h"
#include "lane_list.h"
#include "tx/tx.h"

static void raise_arrival(const simt_core *core, uint32_t path, uint32_t barrier)
{
    path_event event = core_event(core, path, PATH_BARRIER_REACHED);
    event.barrier = barrier;
    core_raise(core, &event);
}

/* To those who care for the warp as a whole. */
static void raise_release(const simt_core *core, uint32_t warp, uint32_t barrier)
{
    const path_event event = {
        .kind = PATH_BARRIER_OPENED, .path = NO_PATH, .warp = warp, .cycle = core_cycle(core), .barrier = barrier};
    core_raise_of_warp(core, &event);
}

static uint32_t must_not_wait(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    if (core->reconvergence.unit->may_wait(core->reconvergence.state, path))
        return 0;
    const lane_homes homes = core_homes(core, path);
    uint64_t elsewhere = 0;
    for (uint64_t left = p->mask; left && !elsewhere;) {
        const home_part part = homes_take(homes, &left);
        elsewhere = core->reconvergence.unit->live_lanes(core->reconvergence.state, part.row) & ~part.lanes;
    }
    char what[LANE_LIST_BYTES + 96];
    divergent_barrier(elsewhere, what, sizeof what);
    core_fault(core, homes, p->pc, p->mask, HD_DEBUG_FAULT_TRAP, "%s", what);
    return 1;
}

/* Threads of other warps do not run until those of this path have come to where they meet. */
static uint32_t must_not_wait_for_block(simt_core *core, uint32_t path)
{
    const reconvergence_unit *unit = core->reconvergence.unit;
    if (!unit->may_wait_for_block || unit->may_wait_for_block(core->reconvergence.state, path))
        return 0;
    core_fault(core, core_homes(core, path), core->paths[path].pc, core->paths[path].mask, HD_DEBUG_FAULT_TRAP,
               MISTAKE_BLOCK_BARRIER);
    return 1;
}

void barrier_arrive(simt_core *core, uint32_t path)
{
    path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    uint32_t number = (uint32_t)state->instruction->immediate;
    if (must_not_wait(core, path) || must_not_wait_for_block(core, path))
        return;
    if (number >= BARRIERS) {
        core_fault(core, core_homes(core, path), p->pc, p->mask, HD_DEBUG_FAULT_TRAP, MISTAKE_BARRIER_NUMBER, number,
                   BARRIERS);
        return;
    }
    uint32_t block = core->warps[p->warp].block;
    state->barrier = (uint8_t)number;
    path_set_status(core, path, PATH_BARRIER);
    tx_threads_wait(core->tx.transactions, p->warp, p->mask);
    block_threads_arrive(&core->blocks[block].threads, number, bits_count(p->mask));
    if (core->tracing.trace)
        core_trace_arrive(core, path, number);
    if (core->wanted.kinds & PATH_BARRIER_REACHED)
        raise_arrival(core, path, number);
    barrier_check(core, block);
}

static uint32_t waits_at(const simt_core *core, uint32_t path, uint32_t number)
{
    return core->path_states[path].status == PATH_BARRIER && core->path_states[path].barrier == number;
}

/* Which stands at the barrier; or, if the reconvergence unit runs others meanwhile, one of the block. */
static uint32_t path_for_message(const simt_core *core, uint32_t block, uint32_t number)
{
    const uint32_t first = core_next_path(core, block, 0);
    for (uint32_t path = first; path < core->path_count; path = core_next_path(core, block, path + 1)) {
        if (waits_at(core, path, number))
            return path;
    }
    return first;
}

/* Threads that have ended do not count at a barrier. A program that relies on it runs, but few mean it. */
static void check_ended_threads(simt_core *core, uint32_t block, uint32_t number)
{
    const block_state *b = &core->blocks[block];
    uint32_t refuse = core_parameter_of(core, PARAMETER_BARRIER_EARLY_EXIT) == EARLY_EXIT_FAULT;
    if (!block_threads_some_exited(&b->threads) || (core->fault.warned && !refuse))
        return;
    const uint32_t path = path_for_message(core, block, number);
    const struct path *p = &core->paths[path];
    uint32_t warp = 0;
    uint64_t ended = 0;
    for (; !ended; warp++) {
        if (core->warps[warp].block == block)
            ended = launched_lanes(b->threads.launched, core->warps[warp].index, core->lane_count) &
                    ~core->reconvergence.unit->live_lanes(core->reconvergence.state, warp);
    }
    char what[LANE_LIST_BYTES + 128];
    early_exit(number, b->threads.live, b->threads.launched, core->warps[warp - 1].index, ended, what, sizeof what);
    core->fault.warned = 1;
    if (refuse)
        core_fault(core, core_homes(core, path), p->pc, p->mask, HD_DEBUG_FAULT_TRAP, "%s", what);
    else
        core_warn(core, core_homes(core, path), p->pc, p->mask, what);
}

void barrier_check(simt_core *core, uint32_t block)
{
    block_state *b = &core->blocks[block];
    for (uint32_t number = 0; number < BARRIERS && !core->fault.halted; number++) {
        if (!block_threads_all_at(&b->threads, number))
            continue;
        check_ended_threads(core, block, number);
        block_threads_open(&b->threads, number);
        b->releases++;
        wheel_add(&core->wheel, core->now.n + core_parameter_of(core, PARAMETER_BARRIER_LATENCY),
                  &(wheel_event){.kind = EVENT_BARRIER_RELEASE, .owner = block, .number = (uint8_t)number});
    }
}

static void go_on(simt_core *core, uint32_t path)
{
    tx_threads_go_on(core->tx.transactions, core->paths[path].warp, core->paths[path].mask);
    control_step(core, path);
}

void barrier_release(simt_core *core, uint32_t block, uint32_t number)
{
    core->counters.barriers_released++;
    core->blocks[block].releases--;
    core->services->progress(core->services->context, core->now.t);
    if (core->tracing.trace)
        core_trace_release(core, block, number);
    if (core->accesses)
        core_report_block(core, block, HD_ACCESS_BARRIER);
    for (uint32_t path = core_next_path(core, block, 0); path < core->path_count;
         path = core_next_path(core, block, path + 1)) {
        if (waits_at(core, path, number))
            go_on(core, path);
    }
    for (uint32_t warp = core_next_warp(core, block, 0);
         core->wanted.kinds & PATH_BARRIER_OPENED && warp < core->warp_count;
         warp = core_next_warp(core, block, warp + 1))
        raise_release(core, warp, number);
}

void warp_sync_arrive(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const uint64_t arrived = p->mask; /* told of them, the unit may take the path away */
    const lane_homes homes = core_homes(core, path);
    if (must_not_wait(core, path))
        return;
    path_set_status(core, path, PATH_WARP_SYNC);
    tx_threads_wait(core->tx.transactions, p->warp, arrived);
    core->path_states[path].synchronised = 0;
    for (uint64_t left = arrived; left;) {
        const home_part part = homes_take(homes, &left);
        core->warps[part.row].synchronising += bits_count(part.lanes);
    }
    if (core->wanted.kinds & PATH_BARRIER_REACHED)
        raise_arrival(core, path, BARRIER_OF_WARP);
    for (uint64_t left = arrived; left;)
        warp_sync_check(core, homes_take(homes, &left).row);
}

void warp_sync_check(simt_core *core, uint32_t warp)
{
    uint64_t live = core->reconvergence.unit->live_lanes(core->reconvergence.state, warp);
    warp_state *w = &core->warps[warp];
    if (!w->synchronising || w->synchronising != bits_count(live))
        return;
    w->synchronising = 0;
    core->blocks[w->block].releases++;
    wheel_add(&core->wheel, core->now.n + core_parameter_of(core, PARAMETER_BARRIER_LATENCY),
              &(wheel_event){.kind = EVENT_WARP_SYNC_RELEASE, .owner = warp});
}

/* The path goes on when the warps of all its lanes have been released. */
static void release_lanes(simt_core *core, uint32_t path, uint64_t lanes)
{
    path_state *state = &core->path_states[path];
    state->synchronised |= lanes;
    if (lanes && state->synchronised == core->paths[path].mask)
        control_step(core, path);
}

/* Paths of the block with lanes of the warp that wait. */
static void release_regrouped(simt_core *core, uint32_t warp)
{
    const uint32_t slot = core->warps[warp].block;
    for (uint32_t path = core_next_path(core, slot, 0); path < core->path_count;
         path = core_next_path(core, slot, path + 1)) {
        if (core->path_states[path].status == PATH_WARP_SYNC)
            release_lanes(core, path, homes_lanes_of(core_homes(core, path), core->paths[path].mask, warp));
    }
}

void warp_sync_release(simt_core *core, uint32_t warp)
{
    const path_range paths = core_paths_of(core, warp);
    core->blocks[core->warps[warp].block].releases--;
    core->counters.barriers_released++; /* no progress: a loop that waits may go through it for ever */
    if (core->accesses)
        core_report_order(core, warp, 0, HD_ACCESS_WARP_SYNC, 0);
    if (core->path_homes)
        release_regrouped(core, warp);
    for (uint32_t path = paths.first; path < paths.end && !core->path_homes; path++) {
        if (core->path_states[path].status == PATH_WARP_SYNC)
            go_on(core, path);
    }
    if (core->wanted.kinds & PATH_BARRIER_OPENED)
        raise_release(core, warp, BARRIER_OF_WARP);
}
