/* SPDX-License-Identifier: MIT */
#include "mp.h"

#include <stdlib.h>
#include <string.h>

static void destroy(reconvergence *unit)
{
    mp *u = (mp *)unit;
    if (!u)
        return;
    splits_destroy(&u->splits);
    free(u->paths);
    free(u->homes);
    free(u->begins);
    free(u->running);
    free(u->waiting);
    free(u->waits);
    free(u->since);
    free(u);
}

static uint32_t path_count(const reconvergence *unit)
{
    return ((const mp *)unit)->warps * ((const mp *)unit)->lanes;
}

static void reset(reconvergence *unit)
{
    mp *u = (mp *)unit;
    splits_reset(&u->splits);
    for (uint32_t p = 0; p < path_count(unit); p++) {
        u->paths[p] = (path){.stop_pc = NO_STOP, .warp = p / u->lanes, .home = p / u->lanes};
        for (uint32_t lane = 0; lane < u->lanes; lane++)
            u->homes[(size_t)p * u->lanes + lane] = p / u->lanes;
    }
    memset(u->running, 0, u->warps * sizeof *u->running);
    memset(u->waits, 0, u->warps * sizeof *u->waits);
    memset(u->since, 0xFF, u->warps * sizeof *u->since);
    u->called = NO_PATH;
    u->added = 0;
}

static reconvergence *create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    const size_t warps = parameters->warps, threads = warps * parameters->lanes;
    const uint32_t first = (uint32_t)parameters->share.values[MP_FIRST].u;
    mp *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    const split_owner owner = {.context = u, .added = mp_added, .removed = mp_removed};
    u->parameters = *parameters;
    u->events = *events;
    u->warps = parameters->warps;
    u->lanes = parameters->lanes;
    u->paths = calloc(threads, sizeof *u->paths);
    u->homes = calloc(threads * u->lanes, sizeof *u->homes);
    u->begins = calloc(threads, sizeof *u->begins);
    u->running = calloc(warps, sizeof *u->running);
    u->waiting = calloc(threads, sizeof *u->waiting);
    u->waits = calloc(warps, sizeof *u->waits);
    u->since = calloc(warps, sizeof *u->since);
    if (!u->paths || !u->homes || !u->begins || !u->running || !u->waiting || !u->waits || !u->since ||
        splits_create(&u->splits, u->warps, u->lanes, first, &owner)) {
        destroy((reconvergence *)u);
        return NULL;
    }
    reset((reconvergence *)u);
    return (reconvergence *)u;
}

static const char *table_of(const reconvergence *unit)
{
    return mp_value((const mp *)unit, MP_DELAYED) ? "delayed_reconvergence" : "reconvergence";
}

static path *paths(reconvergence *unit)
{
    return ((mp *)unit)->paths;
}

static const uint32_t *homes(const reconvergence *unit)
{
    return ((const mp *)unit)->homes;
}

static void launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    mp *u = (mp *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        u->since[warps->slots[i]] = MP_NOT_SEEN;
        splits_launch(&u->splits, warps->slots[i], pc, masks[i]);
        mp_settle(u, warps->slots[i]);
    }
}

/* Splits that are new look for others that they may meet at once. */
static void settle(mp *u, uint32_t warp, uint64_t cycle)
{
    uint32_t fresh[2 * MAX_LANES];
    const uint32_t count = u->added;
    memcpy(fresh, u->fresh, count * sizeof *fresh);
    for (uint32_t i = 0; mp_value(u, MP_EARLY) && i < count; i++)
        mp_meet_early(u, fresh[i], cycle);
    mp_settle(u, warp);
}

static void transfer(reconvergence *unit, const path_event *event)
{
    mp *u = (mp *)unit;
    u->called = event->path;
    mp_count_time(u, event->warp, event->cycle);
    mp_take_pc(u, event->path);
    if (splits_transfer(&u->splits, event->path, event)) {
        u->paths[event->path] = u->splits.paths[event->path];
        u->begins[event->path] = u->paths[event->path].pc;
    }
    settle(u, event->warp, event->cycle);
}

static void arrive(reconvergence *unit, const path_event *event)
{
    mp *u = (mp *)unit;
    u->called = event->path;
    mp_count_time(u, event->warp, event->cycle);
    mp_take_pc(u, event->path);
    splits_arrive(&u->splits, event->path, event->cycle);
    settle(u, event->warp, event->cycle);
}

static void leave_kernel(reconvergence *unit, const path_event *event)
{
    mp *u = (mp *)unit;
    u->called = event->path;
    mp_count_time(u, event->warp, event->cycle);
    mp_take_pc(u, event->path);
    splits_exit(&u->splits, event->warp, event->mask, event->cycle);
    if (u->paths[event->path].mask)
        u->paths[event->path] = u->splits.paths[event->path];
    mp_settle(u, event->warp);
}

static uint64_t next(const reconvergence *unit, uint64_t cycle)
{
    const mp *u = (const mp *)unit;
    uint64_t first = UINT64_MAX;
    for (uint32_t warp = 0; warp < u->warps; warp++) {
        const uint64_t end = splits_patience(&u->splits, warp, mp_value(u, MP_TIMEOUT));
        first = end < first ? end : first;
    }
    return first > cycle ? first : cycle + 1;
}

static void due(reconvergence *unit, uint64_t cycle)
{
    mp *u = (mp *)unit;
    for (uint32_t warp = 0; warp < u->warps; warp++) {
        mp_count_time(u, warp, cycle);
        const uint32_t times = splits_lose_patience(&u->splits, warp, mp_value(u, MP_TIMEOUT), cycle);
        mp_count(u, MP_TIMEOUTS, times);
        if (times)
            mp_settle(u, warp);
    }
}

/* Lanes that wait where they are to meet those of the path do not come, unless a time-out lets them go; nor do those that wait for its
 * room. */
static uint32_t may_wait(const reconvergence *unit, uint32_t path)
{
    const mp *u = (const mp *)unit;
    const uint32_t warp = path / u->lanes;
    return (mp_value(u, MP_TIMEOUT) || !splits_are_awaited(&u->splits, path)) &&
           !(u->waits[warp] && u->running[warp] == 1);
}

const reconvergence_unit reconvergence_mp = {
    .table_of = table_of,
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
    .next = next,
    .due = due,
    .save = mp_save,
    .restore = mp_restore,
    .drop = mp_drop,
    .live_lanes = splits_live_lanes,
    .may_wait = may_wait,
    .maximum_depth = splits_maximum_depth,
    .describe = splits_describe,
    .waiting_pc = splits_waiting_pc,
    .transfer_state = mp_transfer_state,
};
