/* SPDX-License-Identifier: MIT */
/* Every lane a path of its own, path = warp * lanes + lane: lanes never part and never wait for each other. reconvergence.h is the
 * contract; let lanes meet. */
#include <stdlib.h>

#include "bits.h"
#include "reconvergence_units.h"

typedef struct @name@ {
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint64_t maximum_depth;
    uint64_t *live;
    path *paths;
} @name@;

static void @name@_destroy(reconvergence *unit)
{
    @name@ *m = (@name@ *)unit;
    if (!m) {
        return;
    }
    free(m->live);
    free(m->paths);
    free(m);
}

static uint32_t @name@_path_count(const reconvergence *unit)
{
    const @name@ *m = (const @name@ *)unit;
    return m->parameters.warps * m->parameters.lanes;
}

static void @name@_reset(reconvergence *unit)
{
    @name@ *m = (@name@ *)unit;
    m->maximum_depth = 0;
    for (uint32_t w = 0; w < m->parameters.warps; w++) {
        m->live[w] = 0;
    }
    for (uint32_t p = 0; p < @name@_path_count(unit); p++) {
        m->paths[p] = (path){.stop_pc = NO_STOP, .warp = p / m->parameters.lanes, .home = p / m->parameters.lanes};
    }
}

static reconvergence *@name@_create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    @name@ *m = calloc(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->parameters = *parameters;
    m->events = *events;
    m->live = calloc(parameters->warps, sizeof *m->live);
    m->paths = calloc((size_t)parameters->warps * parameters->lanes, sizeof *m->paths);
    if (!m->live || !m->paths) {
        @name@_destroy((reconvergence *)m);
        return NULL;
    }
    @name@_reset((reconvergence *)m);
    return (reconvergence *)m;
}

static path *@name@_paths(reconvergence *unit)
{
    return ((@name@ *)unit)->paths;
}

static void launch_warp(@name@ *m, uint32_t warp, uint32_t pc, uint64_t mask)
{
    const uint64_t count = bits_count(mask);
    m->live[warp] = mask;
    if (count > m->maximum_depth) {
        m->maximum_depth = count;
    }
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t id = warp * m->parameters.lanes + (uint32_t)__builtin_ctzll(rest);
        m->paths[id] = (path){.pc = pc, .mask = rest & -rest, .stop_pc = NO_STOP, .warp = warp, .home = warp};
        m->events.added(m->events.context, id);
    }
}

static void @name@_launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        launch_warp((@name@ *)unit, warps->slots[i], pc, masks[i]);
    }
}

static void @name@_transfer(reconvergence *unit, const path_event *event)
{
    @name@ *m = (@name@ *)unit;
    m->paths[event->path].pc = event->groups[0].pc;
    m->paths[event->path].depth = event->groups[0].depth;
    m->events.changed(m->events.context, event->path);
}

/* Never due: no path has a stop point. */
static void @name@_arrive(reconvergence *unit, const path_event *event)
{
    (void)unit;
    (void)event;
}

static void @name@_exit(reconvergence *unit, const path_event *event)
{
    @name@ *m = (@name@ *)unit;
    path *p = &m->paths[event->path];
    if ((p->mask & event->mask) == 0) {
        return;
    }
    m->live[p->warp] &= ~event->mask;
    p->mask = 0;
    m->events.removed(m->events.context, event->path);
}

static void save_warp(@name@ *m, uint32_t warp, byte_stream *stream)
{
    byte_stream_u64(stream, &m->live[warp]);
    for (uint32_t lane = 0; lane < m->parameters.lanes; lane++) {
        path *p = &m->paths[warp * m->parameters.lanes + lane];
        byte_stream_u32(stream, &p->pc);
        byte_stream_u32(stream, &p->depth);
    }
}

static void @name@_save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        save_warp((@name@ *)unit, warps->slots[i], stream);
    }
}

static uint32_t restore_warp(@name@ *m, uint32_t warp, byte_stream *stream)
{
    path paths[MAX_LANES];
    uint64_t live = 0;
    byte_stream_u64(stream, &live);
    for (uint32_t lane = 0; lane < m->parameters.lanes; lane++) {
        paths[lane] = (path){.mask = live & UINT64_C(1) << lane, .stop_pc = NO_STOP, .warp = warp, .home = warp};
        byte_stream_u32(stream, &paths[lane].pc);
        byte_stream_u32(stream, &paths[lane].depth);
    }
    if (stream->too_short || (m->parameters.lanes < 64 && live >> m->parameters.lanes)) {
        return 1;
    }
    m->live[warp] = live;
    if (bits_count(live) > m->maximum_depth) {
        m->maximum_depth = bits_count(live);
    }
    for (uint64_t rest = live; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        const uint32_t id = warp * m->parameters.lanes + lane;
        m->paths[id] = paths[lane];
        m->events.added(m->events.context, id);
    }
    return 0;
}

static void drop_warp(@name@ *m, uint32_t warp)
{
    for (uint64_t rest = m->live[warp]; rest; rest &= rest - 1) {
        const uint32_t id = warp * m->parameters.lanes + (uint32_t)__builtin_ctzll(rest);
        m->paths[id].mask = 0;
        m->events.removed(m->events.context, id);
    }
    m->live[warp] = 0;
}

static void @name@_drop(reconvergence *unit, const block_warps *warps)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        drop_warp((@name@ *)unit, warps->slots[i]);
    }
}

static uint32_t @name@_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        if (restore_warp((@name@ *)unit, warps->slots[i], stream)) {
            @name@_drop(unit, &(block_warps){warps->slots, i});
            return 1;
        }
    }
    return 0;
}

static uint64_t @name@_live_lanes(const reconvergence *unit, uint32_t warp)
{
    return ((const @name@ *)unit)->live[warp];
}

static uint32_t @name@_may_wait(const reconvergence *unit, uint32_t path)
{
    (void)unit;
    (void)path;
    return 1;
}

static uint64_t @name@_maximum_depth(const reconvergence *unit)
{
    return ((const @name@ *)unit)->maximum_depth;
}

static void @name@_describe(const reconvergence *unit, uint32_t warp, const isa_program *program,
                          const hd_text_sink *sink)
{
    (void)unit;
    (void)warp;
    (void)program;
    (void)sink;
}

/* For checkpoints: what may have changed since reset, written down or read. */
static void @name@_transfer_state(reconvergence *unit, const hd_state_stream *stream)
{
    @name@ *m = (@name@ *)unit;
    HD_STATE_VALUE(stream, m->maximum_depth);
    HD_STATE_ARRAY(stream, m->live, m->parameters.warps);
    HD_STATE_ARRAY(stream, m->paths, @name@_path_count(unit));
}

const reconvergence_unit reconvergence_@name@ = {
    .create = @name@_create,
    .destroy = @name@_destroy,
    .reset = @name@_reset,
    .transfer_state = @name@_transfer_state,
    .path_count = @name@_path_count,
    .paths = @name@_paths,
    .launch = @name@_launch,
    .transfer = @name@_transfer,
    .arrive = @name@_arrive,
    .exit = @name@_exit,
    .save = @name@_save,
    .restore = @name@_restore,
    .drop = @name@_drop,
    .live_lanes = @name@_live_lanes,
    .may_wait = @name@_may_wait,
    .maximum_depth = @name@_maximum_depth,
    .describe = @name@_describe,
};

const hd_unit hd_reconvergence_@name@ = {
    HD_UNIT_HEAD(reconvergence, RECONVERGENCE, @name@),
    .doc = "each lane is a path of its own",
    .source = "heddle new unit",
};
