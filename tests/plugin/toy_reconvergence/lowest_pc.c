/* SPDX-License-Identifier: MIT */
/*
 * A reconvergence unit of a plug-in: a warp has two paths, of some lanes each. Of the lanes of a path those run that are deepest in
 * calls, and of these those with the lowest pc; where others stand on their way, they meet. No analysis of the program says where that
 * is. Lanes of a path that wait for others of it may wait for ever, as with a stack. Source: Collange 2011 (Min-SP-PC).
 */
#include <stdlib.h>

#include "reconvergence.h"

#define PATHS 2u /* of a warp: number PATHS * warp + side */

enum { LOWER, PARAMETERS };
enum { MEETINGS, STATISTICS };

/* The lanes of a path, those that stand aside included. */
typedef struct side {
    uint64_t live;
    uint32_t pcs[MAX_LANES]; /* [lane]: where a lane that stands aside goes on */
    uint32_t depths[MAX_LANES];
    uint64_t began; /* lanes of its transaction: of them these run, and those have to start again */
    uint64_t running, aborted;
    uint32_t restart_pc, begin_depth;
} side;

typedef struct lowest_pc {
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint64_t maximum_groups;
    path *paths;
    side *sides;  /* [path] */
    uint32_t *tx; /* [warp]: path that is, or was last, in a transaction */
} lowest_pc;

static void destroy(reconvergence *unit)
{
    lowest_pc *u = (lowest_pc *)unit;
    free(u->paths);
    free(u->sides);
    free(u->tx);
    free(u);
}

static void reset(reconvergence *unit)
{
    lowest_pc *u = (lowest_pc *)unit;
    u->maximum_groups = 0;
    for (uint32_t path = 0; path < PATHS * u->parameters.warps; path++) {
        u->paths[path] = (struct path){.stop_pc = NO_STOP, .warp = path / PATHS, .home = path / PATHS};
        u->sides[path] = (side){.live = 0};
        u->tx[path / PATHS] = path;
    }
}

static reconvergence *create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    const uint32_t warps = parameters->warps;
    lowest_pc *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->parameters = *parameters;
    u->events = *events;
    u->paths = calloc(PATHS * warps, sizeof *u->paths);
    u->sides = calloc(PATHS * warps, sizeof *u->sides);
    u->tx = calloc(warps, sizeof *u->tx);
    if (!u->paths || !u->sides || !u->tx) {
        destroy((reconvergence *)u);
        return NULL;
    }
    reset((reconvergence *)u);
    return (reconvergence *)u;
}

static uint32_t path_count(const reconvergence *unit)
{
    return PATHS * ((const lowest_pc *)unit)->parameters.warps;
}

static path *paths(reconvergence *unit)
{
    return ((lowest_pc *)unit)->paths;
}

static uint64_t lanes_of(const lowest_pc *u, uint32_t path)
{
    const uint32_t lanes = u->parameters.lanes, lower = (uint32_t)u->parameters.share.values[LOWER].u;
    const uint64_t first = (UINT64_C(1) << (lower && lower < lanes ? lower : lanes / 2)) - 1;
    const uint64_t all = lanes < 64 ? (UINT64_C(1) << lanes) - 1 : UINT64_MAX;
    return path % PATHS ? all & ~first : first;
}

/* ---- Who runs ------------------------------------------------------------------------------------------------------------- */

static void stand_at(side *s, uint64_t lanes, uint32_t pc, uint32_t depth)
{
    for (uint64_t left = lanes; left; left &= left - 1) {
        s->pcs[__builtin_ctzll(left)] = pc;
        s->depths[__builtin_ctzll(left)] = depth;
    }
}

/* The path's lanes stand where they are. */
static void stop(lowest_pc *u, uint32_t path)
{
    const struct path *p = &u->paths[path];
    stand_at(&u->sides[path], p->mask, p->pc, p->depth);
}

/* Of lanes, not 0: those at the place that comes first. */
static uint64_t first_of(const side *s, uint64_t lanes)
{
    uint32_t first = (uint32_t)__builtin_ctzll(lanes);
    uint64_t group = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (s->depths[lane] > s->depths[first] || (s->depths[lane] == s->depths[first] && s->pcs[lane] < s->pcs[first]))
            first = lane;
    }
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        group |= s->depths[lane] == s->depths[first] && s->pcs[lane] == s->pcs[first] ? left & -left : 0;
    }
    return group;
}

static void count_groups(lowest_pc *u, const side *s)
{
    uint64_t groups = 0;
    for (uint64_t left = s->live; left; groups++)
        left &= ~first_of(s, left);
    if (groups > u->maximum_groups)
        u->maximum_groups = groups;
}

/* Of those that stand, who may run: then a lane further on is where the path stops. */
static void run_first(lowest_pc *u, uint32_t path)
{
    struct path *p = &u->paths[path];
    const side *s = &u->sides[path];
    const uint64_t lanes = s->began ? s->running : s->live;
    p->mask = first_of(s, lanes);
    p->pc = s->pcs[__builtin_ctzll(p->mask)];
    p->depth = s->depths[__builtin_ctzll(p->mask)];
    p->stop_pc = NO_STOP;
    p->stop_depth = 0;
    if (lanes & ~p->mask) {
        const uint32_t next = (uint32_t)__builtin_ctzll(first_of(s, lanes & ~p->mask));
        if (s->depths[next] == p->depth) {
            p->stop_pc = s->pcs[next];
            p->stop_depth = p->depth;
        }
    }
    count_groups(u, s);
}

static void go_on(lowest_pc *u, uint32_t path)
{
    run_first(u, path);
    u->events.changed(u->events.context, path);
}

static void launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    lowest_pc *u = (lowest_pc *)unit;
    for (uint32_t i = 0; i < PATHS * warps->count; i++) {
        const uint32_t path = PATHS * warps->slots[i / PATHS] + i % PATHS;
        side *s = &u->sides[path];
        *s = (side){.live = masks[i / PATHS] & lanes_of(u, path)};
        if (!s->live)
            continue;
        stand_at(s, s->live, pc, 0);
        run_first(u, path);
        u->events.added(u->events.context, path);
    }
}

static void transfer(reconvergence *unit, const path_event *event)
{
    lowest_pc *u = (lowest_pc *)unit;
    for (uint32_t i = 0; i < event->group_count; i++)
        stand_at(&u->sides[event->path], event->groups[i].mask, event->groups[i].pc, event->groups[i].depth);
    go_on(u, event->path);
}

static void arrive(reconvergence *unit, const path_event *event)
{
    lowest_pc *u = (lowest_pc *)unit;
    const uint64_t before = u->paths[event->path].mask;
    stop(u, event->path);
    run_first(u, event->path);
    u->parameters.share.counters[MEETINGS] += u->paths[event->path].mask != before;
    u->events.changed(u->events.context, event->path);
}

static void leave_kernel(reconvergence *unit, const path_event *event)
{
    lowest_pc *u = (lowest_pc *)unit;
    side *s = &u->sides[event->path];
    stop(u, event->path);
    s->live &= ~event->mask;
    if (s->live) {
        go_on(u, event->path);
        return;
    }
    u->paths[event->path].mask = 0;
    u->events.removed(u->events.context, event->path);
}

/* ---- Transactions ----------------------------------------------------------------------------------------------------------- */

static side *side_of(const reconvergence *unit, uint32_t warp)
{
    const lowest_pc *u = (const lowest_pc *)unit;
    return &u->sides[u->tx[warp]];
}

static void tx_begin(reconvergence *unit, uint32_t path, uint64_t lanes, uint32_t restart_pc)
{
    lowest_pc *u = (lowest_pc *)unit;
    struct path *p = &u->paths[path];
    side *s = &u->sides[path];
    u->tx[path / PATHS] = path;
    s->began = p->mask;
    s->running = lanes;
    s->aborted = p->mask & ~lanes;
    s->restart_pc = restart_pc;
    s->begin_depth = p->depth;
    p->mask = lanes;
    p->stop_pc = NO_STOP;
    p->stop_depth = 0;
}

static uint64_t tx_running(const reconvergence *unit, uint32_t warp)
{
    return side_of(unit, warp)->running;
}

static uint64_t tx_aborted(const reconvergence *unit, uint32_t warp)
{
    return side_of(unit, warp)->aborted;
}

static uint32_t tx_together(const reconvergence *unit, uint32_t warp)
{
    const lowest_pc *u = (const lowest_pc *)unit;
    return u->paths[u->tx[warp]].mask == side_of(unit, warp)->running;
}

static void tx_abort(reconvergence *unit, uint32_t warp, uint64_t lanes)
{
    lowest_pc *u = (lowest_pc *)unit;
    struct path *p = &u->paths[u->tx[warp]];
    side *s = side_of(unit, warp);
    s->running &= ~lanes;
    s->aborted |= lanes;
    p->mask &= ~lanes;
    if (!p->mask && s->running)
        go_on(u, u->tx[warp]);
}

static void tx_done(reconvergence *unit, uint32_t warp, uint64_t committed, uint64_t failed)
{
    lowest_pc *u = (lowest_pc *)unit;
    side *s = side_of(unit, warp);
    s->running &= ~(committed | failed);
    s->aborted |= failed;
    u->paths[u->tx[warp]].mask = s->running;
}

static void tx_restart(reconvergence *unit, uint32_t warp, uint64_t lanes)
{
    side *s = side_of(unit, warp);
    s->running = lanes;
    s->aborted &= ~lanes;
    stand_at(s, lanes, s->restart_pc, s->begin_depth);
    go_on((lowest_pc *)unit, ((lowest_pc *)unit)->tx[warp]);
}

static void tx_leave(reconvergence *unit, uint32_t warp, uint32_t pc)
{
    side *s = side_of(unit, warp);
    stand_at(s, s->began, pc, s->begin_depth);
    s->began = 0;
    go_on((lowest_pc *)unit, ((lowest_pc *)unit)->tx[warp]);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------------------- */

static void save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    const lowest_pc *u = (const lowest_pc *)unit;
    for (uint32_t i = 0; i < PATHS * warps->count; i++) {
        const uint32_t path = PATHS * warps->slots[i / PATHS] + i % PATHS;
        side s = u->sides[path];
        stand_at(&s, u->paths[path].mask, u->paths[path].pc, u->paths[path].depth);
        byte_stream_u64(stream, &s.live);
        for (uint32_t lane = 0; lane < u->parameters.lanes; lane++) {
            byte_stream_u32(stream, &s.pcs[lane]);
            byte_stream_u32(stream, &s.depths[lane]);
        }
    }
}

static void drop(reconvergence *unit, const block_warps *warps)
{
    lowest_pc *u = (lowest_pc *)unit;
    for (uint32_t i = 0; i < PATHS * warps->count; i++) {
        const uint32_t path = PATHS * warps->slots[i / PATHS] + i % PATHS;
        const uint64_t live = u->sides[path].live;
        u->sides[path].live = u->paths[path].mask = 0;
        if (live)
            u->events.removed(u->events.context, path);
    }
}

static uint32_t restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    lowest_pc *u = (lowest_pc *)unit;
    for (uint32_t i = 0; i < PATHS * warps->count; i++) {
        const uint32_t path = PATHS * warps->slots[i / PATHS] + i % PATHS;
        side s = {.live = 0};
        byte_stream_u64(stream, &s.live);
        for (uint32_t lane = 0; lane < u->parameters.lanes; lane++) {
            byte_stream_u32(stream, &s.pcs[lane]);
            byte_stream_u32(stream, &s.depths[lane]);
        }
        if (stream->too_short || s.live & ~lanes_of(u, path)) {
            drop(unit, &(block_warps){warps->slots, i / PATHS + 1});
            return 1;
        }
        u->sides[path] = s;
        if (!s.live)
            continue;
        run_first(u, path);
        u->events.added(u->events.context, path);
    }
    return 0;
}

/* ---- Questions ----------------------------------------------------------------------------------------------------------------- */

static uint64_t live_lanes(const reconvergence *unit, uint32_t warp)
{
    const lowest_pc *u = (const lowest_pc *)unit;
    return u->sides[PATHS * warp].live | u->sides[PATHS * warp + 1].live;
}

/* For those of the other path: yes. */
static uint32_t may_wait(const reconvergence *unit, uint32_t path)
{
    const lowest_pc *u = (const lowest_pc *)unit;
    return u->paths[path].mask == u->sides[path].live;
}

static uint64_t maximum_depth(const reconvergence *unit)
{
    return ((const lowest_pc *)unit)->maximum_groups;
}

static void describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink)
{
    const lowest_pc *u = (const lowest_pc *)unit;
    (void)program;
    for (uint32_t path = PATHS * warp; path < PATHS * (warp + 1); path++) {
        const side *s = &u->sides[path];
        uint64_t left = s->live & ~u->paths[path].mask & ~s->began;
        while (left) {
            const uint64_t group = first_of(s, left);
            sink->line(sink->context, "lanes 0x%llx wait at 0x%x", (unsigned long long)group,
                       s->pcs[__builtin_ctzll(group)]);
            left &= ~group;
        }
    }
}

static const reconvergence_unit functions = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .path_count = path_count,
    .paths = paths,
    .launch = launch,
    .transfer = transfer,
    .arrive = arrive,
    .exit = leave_kernel,
    .tx_begin = tx_begin,
    .tx_running = tx_running,
    .tx_aborted = tx_aborted,
    .tx_together = tx_together,
    .tx_abort = tx_abort,
    .tx_done = tx_done,
    .tx_restart = tx_restart,
    .tx_leave = tx_leave,
    .save = save,
    .restore = restore,
    .drop = drop,
    .live_lanes = live_lanes,
    .may_wait = may_wait,
    .maximum_depth = maximum_depth,
    .describe = describe,
};

static const hd_parameter parameters_of_unit[PARAMETERS] = {
    [LOWER] = {.name = "lower",
               .type = HD_TYPE_UNSIGNED,
               .standard = "0",
               .maximum = 63,
               .doc = "lanes of a warp's first path, fewer than it has; 0: half of them"},
};

static const hd_statistic statistics[STATISTICS] = {
    [MEETINGS] = {.name = "lowest_pc_meetings",
                  .unit = "meetings",
                  .kind = HD_STATISTIC_COUNT,
                  .doc = "running lanes that reached others of their path, and went on with them"},
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_RANGE,
     .sentence = "needs two lanes at least, one for each path",
     .parameter = "lanes",
     .minimum = 2,
     .maximum = MAX_LANES},
};

const hd_unit toy_lowest_pc = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "reconvergence",
    .name = "lowest_pc",
    .doc = "two paths per warp; of each those lanes run that have the lowest pc",
    .source = "Collange 2011",
    .interface = RECONVERGENCE_INTERFACE,
    .functions = &functions,
    .parameter_count = PARAMETERS,
    .parameters = parameters_of_unit,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
    .abilities = "transactions",
};
