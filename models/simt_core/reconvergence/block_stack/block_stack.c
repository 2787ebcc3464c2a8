/* SPDX-License-Identifier: MIT */
#include "block_stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "likely.h"

static void destroy(reconvergence *unit)
{
    block_stack *u = (block_stack *)unit;
    for (uint32_t w = 0; u->blocks && w < u->warps; w++) {
        entries_destroy(&u->blocks[w].stack);
        entries_destroy(&u->blocks[w].targets);
        free(u->blocks[w].compacted);
    }
    free(u->paths);
    free(u->homes);
    free(u->live);
    free(u->arrived);
    free(u->arrival_pcs);
    free(u->blocks);
    free(u->first);
    free(u->index);
    free(u->slots);
    free(u->queue);
    free(u);
}

static void reset(reconvergence *unit)
{
    block_stack *u = (block_stack *)unit;
    for (uint32_t w = 0; w < u->warps; w++) {
        u->paths[w] = (path){.stop_pc = NO_STOP, .warp = w, .home = w};
        u->live[w] = 0;
        u->first[w] = w;
        u->blocks[w].stack.count = u->blocks[w].targets.count = u->blocks[w].warps = 0;
    }
    u->queued = u->arrivals_taken = 0;
    u->cycle = u->arrivals_cycle = u->maximum_depth = 0;
}

static int create_blocks(block_stack *u)
{
    int failed = 0;
    for (uint32_t w = 0; w < u->warps; w++) {
        resident_block *b = &u->blocks[w];
        b->first = w;
        b->slots = u->slots + (size_t)w * u->warps;
        failed |= !(b->compacted = calloc(2 * (size_t)u->warps, sizeof *b->compacted));
        b->latch = b->compacted + u->warps;
    }
    return failed;
}

static reconvergence *create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    const size_t warps = parameters->warps, threads = warps * parameters->lanes;
    block_stack *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->parameters = *parameters;
    u->events = *events;
    u->likely_points = likely_analysis(&parameters->share.values[BLOCK_STACK_LIKELY_POINTS],
                                       &parameters->share.values[BLOCK_STACK_BRANCH_PROFILE], &u->by_profile);
    u->warps = parameters->warps;
    u->lanes = parameters->lanes;
    u->paths = calloc(warps, sizeof *u->paths);
    u->homes = calloc(threads, sizeof *u->homes);
    u->live = calloc(warps, sizeof *u->live);
    u->arrived = calloc(warps, sizeof *u->arrived);
    u->arrival_pcs = calloc(threads, sizeof *u->arrival_pcs);
    u->blocks = calloc(warps, sizeof *u->blocks);
    u->first = calloc(warps, sizeof *u->first);
    u->index = calloc(warps, sizeof *u->index);
    u->slots = calloc(warps * warps, sizeof *u->slots);
    u->queue = calloc(warps, sizeof *u->queue);
    if (!u->paths || !u->homes || !u->live || !u->arrived || !u->arrival_pcs || !u->blocks || !u->first || !u->index ||
        !u->slots || !u->queue || create_blocks(u)) {
        destroy((reconvergence *)u);
        return NULL;
    }
    reset((reconvergence *)u);
    return (reconvergence *)u;
}

static uint32_t path_count(const reconvergence *unit)
{
    return ((const block_stack *)unit)->warps;
}

static path *paths(reconvergence *unit)
{
    return ((block_stack *)unit)->paths;
}

static const uint32_t *homes(const reconvergence *unit)
{
    return ((const block_stack *)unit)->homes;
}

/* The warps of the launch are in the warp buffer at once. */
static void launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    block_stack *u = (block_stack *)unit;
    resident_block *b = blocks_enter(u, warps);
    levels_push(u, b, (block_entry){.pc = pc, .stop_pc = NO_STOP}, masks);
    for (uint32_t i = 0; i < warps->count; i++)
        u->live[warps->slots[i]] = masks[i];
    memcpy(b->compacted, masks, warps->count * sizeof *masks);
    memcpy(b->latch, masks, warps->count * sizeof *masks);
    b->by_rows = 1;
    while (masks_any(b->latch, b->warps)) {
        const uint32_t path = compactor_make(u, b);
        b->awaited++;
        u->events.added(u->events.context, path);
    }
}

/* ---- Warps arrive ----------------------------------------------------------------------------------------------------------- */

/* All threads go one way: then they go on as the warps that they are. 0: they do not, or that is where the entry's threads meet. */
static uint32_t resume(block_stack *u, resident_block *b)
{
    block_entry *top = block_stack_top(b);
    const block_entry to = b->targets.entries[0];
    if (!block_stack_value(u, BLOCK_STACK_RESUME_WHEN_UNIFORM) || b->targets.count > 1 ||
        block_entry_stops(top, to.pc, to.depth) || block_entry_meets(top, to.pc, to.depth))
        return 0;
    b->targets.count = 0;
    top->pc = to.pc;
    top->depth = to.depth;
    for (uint32_t i = 0; i < b->made; i++) {
        path *p = &u->paths[b->slots[i]];
        p->mask = u->arrived[b->slots[i]];
        u->arrived[b->slots[i]] = 0;
        p->pc = to.pc;
        p->depth = to.depth;
        block_stack_set_stop(b, p);
        b->awaited += p->mask != 0;
        if (p->mask)
            u->events.added(u->events.context, b->slots[i]);
    }
    return 1;
}

/* The last warp that was awaited has come, or left the kernel. */
static void synchronise(block_stack *u, resident_block *b, uint64_t cycle)
{
    const uint32_t at_transfer = b->arrival == ARRIVED_AT_TRANSFER, uniform = at_transfer && b->targets.count == 1;
    uint32_t filled = 0;
    block_stack_count(u, BLOCK_STACK_SYNCHRONISATIONS, b->arrived != 0);
    block_stack_count(u, BLOCK_STACK_UNIFORM, uniform);
    block_stack_count(u, BLOCK_STACK_WAIT_CYCLES, b->arrived * cycle - b->arrivals);
    b->arrived = 0;
    b->arrivals = 0;
    const uint32_t goes_on = at_transfer && resume(u, b);
    if (!goes_on)
        filled = levels_advance(u, b);
    b->arrival = ARRIVED_NOWHERE;
    if (!goes_on && b->stack.count)
        compactor_add(u, b, cycle + filled * block_stack_value(u, BLOCK_STACK_FILL_LATENCY));
}

/* So many arrivals are taken in a cycle: when this one is. */
static uint64_t take_arrival(block_stack *u, uint64_t cycle)
{
    if (u->arrivals_cycle < cycle) {
        u->arrivals_cycle = cycle;
        u->arrivals_taken = 0;
    }
    if (u->arrivals_taken++ == block_stack_value(u, BLOCK_STACK_ARRIVALS)) {
        u->arrivals_cycle++;
        u->arrivals_taken = 1;
    }
    return u->arrivals_cycle;
}

static void arrive_by(block_stack *u, const path_event *event, enum block_arrival arrival)
{
    resident_block *b = block_stack_of(u, event->warp);
    path *p = &u->paths[event->path];
    const uint64_t cycle = take_arrival(u, event->cycle);
    assert(b->arrival == ARRIVED_NOWHERE || b->arrival == arrival);
    b->arrival = arrival;
    b->arrived++;
    b->arrivals += event->cycle;
    u->cycle = event->cycle;
    u->arrived[event->path] = p->mask;
    p->mask = 0;
    u->events.removed(u->events.context, event->path);
    if (--b->awaited == 0)
        synchronise(u, b, cycle);
}

static void record_returns(block_stack *u, const path_event *event)
{
    const uint32_t *row = block_stack_row(u, event->path);
    for (uint32_t g = 0; g < event->group_count; g++)
        for (uint64_t left = event->groups[g].mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            u->arrival_pcs[(size_t)row[lane] * u->lanes + lane] = event->groups[g].pc;
        }
}

static void record_targets(block_stack *u, resident_block *b, const path_event *event)
{
    const uint32_t *row = block_stack_row(u, event->path);
    assert(b->arrival == ARRIVED_NOWHERE || b->transfer.pc == event->pc);
    b->transfer = (block_transfer){.pc = event->pc,
                                   .depth = u->paths[event->path].depth,
                                   .is_branch = event->transfer == PATH_TRANSFER_BRANCH,
                                   .target = event->target,
                                   .meeting_pc = event->reconvergence_pc,
                                   .likely_pc = event->likely_pc};
    for (uint32_t g = 0; g < event->group_count; g++) {
        uint64_t *masks = entries_at(&b->targets, event->groups[g].pc, event->groups[g].depth);
        for (uint64_t left = event->groups[g].mask; left; left &= left - 1)
            masks[u->index[row[__builtin_ctzll(left)]]] |= left & -left;
    }
}

static void jump(block_stack *u, const path_event *event)
{
    const resident_block *b = block_stack_of(u, event->warp);
    const block_entry *top = block_stack_top(b);
    path *p = &u->paths[event->path];
    p->pc = event->groups->pc;
    p->depth = event->groups->depth;
    block_stack_set_stop(b, p);
    if (block_entry_stops(top, p->pc, p->depth))
        arrive_by(u, event, ARRIVED_AT_POINT);
    else if (block_entry_meets(top, p->pc, p->depth))
        arrive_by(u, event, ARRIVED_AT_LIKELY_POINT);
    else
        u->events.changed(u->events.context, event->path);
}

static void transfer(reconvergence *unit, const path_event *event)
{
    block_stack *u = (block_stack *)unit;
    const path *p = &u->paths[event->path];
    const block_entry *top = block_stack_top(block_stack_of(u, event->warp));
    const path_group *to = event->groups;
    if (event->transfer == PATH_TRANSFER_JUMP) {
        jump(u, event);
    } else if (to->depth < p->depth && top->stop_pc == ISA_RECONVERGE_AT_RETURN && top->stop_depth == p->depth) {
        record_returns(u, event);
        arrive_by(u, event, ARRIVED_AT_POINT);
    } else {
        record_targets(u, block_stack_of(u, event->warp), event);
        arrive_by(u, event, ARRIVED_AT_TRANSFER);
    }
}

static void arrive(reconvergence *unit, const path_event *event)
{
    block_stack *u = (block_stack *)unit;
    const path *p = &u->paths[event->path];
    const block_entry *top = block_stack_top(block_stack_of(u, event->warp));
    arrive_by(u, event, block_entry_stops(top, p->pc, p->depth) ? ARRIVED_AT_POINT : ARRIVED_AT_LIKELY_POINT);
}

static uint32_t arrives(const reconvergence *unit, uint32_t path, uint32_t pc, uint32_t depth)
{
    const block_entry *top = block_stack_top(block_stack_of((const block_stack *)unit, path));
    return block_entry_stops(top, pc, depth) || block_entry_meets(top, pc, depth);
}

static void forget(block_stack *u, resident_block *b, uint32_t warp, uint64_t lane)
{
    u->live[warp] &= ~lane;
    for (uint32_t e = 0; e < b->stack.count; e++)
        entry_masks(&b->stack, e)[u->index[warp]] &= ~lane;
}

static void leave_kernel(reconvergence *unit, const path_event *event)
{
    block_stack *u = (block_stack *)unit;
    resident_block *b = block_stack_of(u, event->warp);
    path *p = &u->paths[event->path];
    const uint32_t *row = block_stack_row(u, event->path);
    u->cycle = event->cycle;
    for (uint64_t left = event->mask; left; left &= left - 1)
        forget(u, b, row[__builtin_ctzll(left)], left & -left);
    p->mask &= ~event->mask;
    if (p->mask) {
        u->events.changed(u->events.context, event->path);
        return;
    }
    u->events.removed(u->events.context, event->path);
    if (--b->awaited == 0)
        synchronise(u, b, event->cycle);
}

/* ---- Questions -------------------------------------------------------------------------------------------------------------- */

static uint32_t drains(const reconvergence *unit)
{
    return block_stack_value((const block_stack *)unit, BLOCK_STACK_DRAIN) != 0;
}

static uint64_t next(const reconvergence *unit, uint64_t cycle)
{
    return compactor_next((const block_stack *)unit, cycle);
}

static void due(reconvergence *unit, uint64_t cycle)
{
    ((block_stack *)unit)->cycle = cycle;
    compactor_work((block_stack *)unit, cycle);
}

static uint64_t live_lanes(const reconvergence *unit, uint32_t warp)
{
    return ((const block_stack *)unit)->live[warp];
}

/* Are all threads of this warp that have not exited in the block's top entry? */
static uint32_t is_on_top(const block_stack *u, uint32_t warp)
{
    const resident_block *b = block_stack_of(u, warp);
    return entry_masks(&b->stack, b->stack.count - 1)[u->index[warp]] == u->live[warp];
}

static uint32_t may_wait(const reconvergence *unit, uint32_t path)
{
    const block_stack *u = (const block_stack *)unit;
    uint32_t may = 1;
    for (uint64_t left = u->paths[path].mask; left; left &= left - 1)
        may &= is_on_top(u, block_stack_row(u, path)[__builtin_ctzll(left)]);
    return may;
}

static uint32_t may_wait_for_block(const reconvergence *unit, uint32_t path)
{
    const block_stack *u = (const block_stack *)unit;
    const resident_block *b = block_stack_of(u, path);
    uint32_t may = 1;
    for (uint32_t i = 0; i < b->warps; i++)
        may &= is_on_top(u, b->slots[i]);
    return may;
}

static uint64_t maximum_depth(const reconvergence *unit)
{
    return ((const block_stack *)unit)->maximum_depth;
}

static uint32_t launch_warps(const reconvergence *unit, uint32_t path)
{
    return compactor_launch_warps((const block_stack *)unit, path);
}

static const isa_analysis *likely_points(const reconvergence *unit)
{
    return ((const block_stack *)unit)->likely_points;
}

const reconvergence_unit reconvergence_block_stack = {
    .table = "reconvergence",
    .likely_points = likely_points,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .path_count = path_count,
    .paths = paths,
    .homes = homes,
    .launch = launch,
    .transfer = transfer,
    .arrive = arrive,
    .exit = leave_kernel,
    .drains = drains,
    .arrives = arrives,
    .next = next,
    .due = due,
    .save = block_stack_save,
    .restore = block_stack_restore,
    .drop = block_stack_drop,
    .live_lanes = live_lanes,
    .may_wait = may_wait,
    .may_wait_for_block = may_wait_for_block,
    .launch_warps = launch_warps,
    .maximum_depth = maximum_depth,
    .describe = block_stack_describe,
    .waiting_pc = block_stack_waiting_pc,
    .transfer_state = block_stack_transfer_state,
};
