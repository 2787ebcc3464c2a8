/* SPDX-License-Identifier: MIT */
#include "aware.h"

#include <stdlib.h>
#include <string.h>

static void destroy(reconvergence *unit)
{
    aware *u = (aware *)unit;
    if (!u)
        return;
    splits_destroy(&u->splits);
    free(u->paths);
    free(u->running);
    free(u->queue);
    free(u->queued);
    free(u->barrier);
    free(u->residency);
    free(u->used);
    free(u);
}

static void reset(reconvergence *unit)
{
    aware *u = (aware *)unit;
    splits_reset(&u->splits);
    for (uint32_t warp = 0; warp < u->warps; warp++) {
        u->paths[warp] = (path){.stop_pc = NO_STOP, .warp = warp, .home = warp};
        u->running[warp] = NO_SPLIT;
        u->queued[warp] = 0;
    }
    memset(u->residency, 0, u->warps * sizeof *u->residency);
}

static void split_added(void *context, uint32_t split)
{
    queue_add(context, split);
}

static void split_removed(void *context, uint32_t split)
{
    queue_remove(context, split);
}

static void meeting_made(void *context, uint32_t entry)
{
    tables_enter(context, TABLE_MEETINGS, entry);
    tables_use(context, entry);
}

static void meeting_used(void *context, uint32_t entry)
{
    tables_use(context, entry);
}

static void meeting_ended(void *context, uint32_t entry)
{
    tables_leave(context, TABLE_MEETINGS, entry);
}

static reconvergence *create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    const size_t warps = parameters->warps, threads = warps * parameters->lanes;
    const uint32_t first = (uint32_t)parameters->share.values[AWARE_FIRST].u;
    aware *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    const split_owner owner = {.context = u,
                               .added = split_added,
                               .removed = split_removed,
                               .made = meeting_made,
                               .used = meeting_used,
                               .ended = meeting_ended};
    u->parameters = *parameters;
    u->events = *events;
    u->warps = parameters->warps;
    u->lanes = parameters->lanes;
    u->paths = calloc(warps, sizeof *u->paths);
    u->running = calloc(warps, sizeof *u->running);
    u->queue = calloc(threads, sizeof *u->queue);
    u->queued = calloc(warps, sizeof *u->queued);
    u->barrier = calloc(threads, sizeof *u->barrier);
    u->residency = calloc(warps, sizeof *u->residency);
    u->used = calloc(threads, sizeof *u->used);
    if (!u->paths || !u->running || !u->queue || !u->queued || !u->barrier || !u->residency || !u->used ||
        splits_create(&u->splits, u->warps, u->lanes, first, &owner)) {
        destroy((reconvergence *)u);
        return NULL;
    }
    reset((reconvergence *)u);
    return (reconvergence *)u;
}

static const char *table_of(const reconvergence *unit)
{
    return aware_value((const aware *)unit, AWARE_DELAYED) ? "delayed_reconvergence" : "reconvergence";
}

static uint32_t path_count(const reconvergence *unit)
{
    return ((const aware *)unit)->warps;
}

static path *paths(reconvergence *unit)
{
    return ((aware *)unit)->paths;
}

static void keep_maxima(aware *u, uint32_t warp)
{
    hd_raise_maximum(&u->parameters.share.counters[AWARE_MAXIMUM_SPLITS], u->splits.counts[warp].splits);
    hd_raise_maximum(&u->parameters.share.counters[AWARE_MAXIMUM_MEETINGS], u->splits.counts[warp].meetings);
}

static void launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    aware *u = (aware *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        splits_launch(&u->splits, warps->slots[i], pc, masks[i]);
        keep_maxima(u, warps->slots[i]);
        queue_wake(u, warps->slots[i]);
    }
}

/* Every cycle of a program that is no recursion has a jump back. */
static uint32_t rotates(const aware *u, const path_event *event, uint32_t depth)
{
    const uint32_t back = path_event_is_backward(event) && event->groups->depth == depth;
    switch (aware_value(u, AWARE_ROTATE)) {
    case AWARE_ROTATE_BACK: return back;
    case AWARE_ROTATE_ALL: return back || event->transfer == PATH_TRANSFER_BRANCH;
    default: return 0;
    }
}

static void transfer(reconvergence *unit, const path_event *event)
{
    aware *u = (aware *)unit;
    const uint32_t warp = event->path, depth = u->paths[warp].depth;
    queue_take_pc(u, warp);
    if (splits_transfer(&u->splits, u->running[warp], event) && !event->reserved && rotates(u, event, depth)) {
        aware_count(u, AWARE_ROTATIONS, u->queued[warp] > 1);
        queue_rotate(u, warp);
    }
    queue_bring(u, warp, event->reserved);
    keep_maxima(u, warp);
    queue_show(u, warp);
}

static void arrive(reconvergence *unit, const path_event *event)
{
    aware *u = (aware *)unit;
    queue_take_pc(u, event->path);
    splits_arrive(&u->splits, u->running[event->path], event->cycle);
    queue_bring(u, event->path, event->reserved);
    keep_maxima(u, event->path);
    queue_show(u, event->path);
}

static void leave_kernel(reconvergence *unit, const path_event *event)
{
    aware *u = (aware *)unit;
    queue_take_pc(u, event->path);
    splits_exit(&u->splits, event->path, event->mask, event->cycle);
    queue_show(u, event->path);
}

const reconvergence_unit reconvergence_aware = {
    .table_of = table_of,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .path_count = path_count,
    .paths = paths,
    .launch = launch,
    .transfer = transfer,
    .arrive = arrive,
    .exit = leave_kernel,
    .wants = aware_wants,
    .event = aware_told,
    .next = aware_next,
    .due = aware_due,
    .accessed = aware_accessed,
    .save = aware_save,
    .restore = aware_restore,
    .drop = aware_drop,
    .at_barrier = aware_at_barrier,
    .live_lanes = splits_live_lanes,
    .may_wait = aware_may_wait,
    .maximum_depth = splits_maximum_depth,
    .describe = splits_describe,
    .waiting_pc = splits_waiting_pc,
    .transfer_state = aware_transfer_state,
};
