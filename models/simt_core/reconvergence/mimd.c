/* SPDX-License-Identifier: MIT */
/* Every lane a path of its own, path = warp * lanes + lane: lanes never part and never wait for each other. */
#include <stdlib.h>

#include "bits.h"
#include "reconvergence_units.h"

typedef struct mimd {
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint64_t maximum_depth;
    uint64_t *live;
    path *paths;
} mimd;

static void mimd_destroy(reconvergence *unit)
{
    mimd *m = (mimd *)unit;
    if (!m) {
        return;
    }
    free(m->live);
    free(m->paths);
    free(m);
}

static uint32_t mimd_path_count(const reconvergence *unit)
{
    const mimd *m = (const mimd *)unit;
    return m->parameters.warps * m->parameters.lanes;
}

static void mimd_reset(reconvergence *unit)
{
    mimd *m = (mimd *)unit;
    m->maximum_depth = 0;
    for (uint32_t w = 0; w < m->parameters.warps; w++) {
        m->live[w] = 0;
    }
    for (uint32_t p = 0; p < mimd_path_count(unit); p++) {
        m->paths[p] = (path){.stop_pc = NO_STOP, .warp = p / m->parameters.lanes, .home = p / m->parameters.lanes};
    }
}

static reconvergence *mimd_create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    mimd *m = calloc(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->parameters = *parameters;
    m->events = *events;
    m->live = calloc(parameters->warps, sizeof *m->live);
    m->paths = calloc((size_t)parameters->warps * parameters->lanes, sizeof *m->paths);
    if (!m->live || !m->paths) {
        mimd_destroy((reconvergence *)m);
        return NULL;
    }
    mimd_reset((reconvergence *)m);
    return (reconvergence *)m;
}

static path *mimd_paths(reconvergence *unit)
{
    return ((mimd *)unit)->paths;
}

static void launch_warp(mimd *m, uint32_t warp, uint32_t pc, uint64_t mask)
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

static void mimd_launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        launch_warp((mimd *)unit, warps->slots[i], pc, masks[i]);
    }
}

static void mimd_transfer(reconvergence *unit, const path_event *event)
{
    mimd *m = (mimd *)unit;
    m->paths[event->path].pc = event->groups[0].pc;
    m->paths[event->path].depth = event->groups[0].depth;
    m->events.changed(m->events.context, event->path);
}

/* Never due: no path has a stop point. */
static void mimd_arrive(reconvergence *unit, const path_event *event)
{
    (void)unit;
    (void)event;
}

static void mimd_exit(reconvergence *unit, const path_event *event)
{
    mimd *m = (mimd *)unit;
    path *p = &m->paths[event->path];
    if ((p->mask & event->mask) == 0) {
        return;
    }
    m->live[p->warp] &= ~event->mask;
    p->mask = 0;
    m->events.removed(m->events.context, event->path);
}

static void save_warp(mimd *m, uint32_t warp, byte_stream *stream)
{
    byte_stream_u64(stream, &m->live[warp]);
    for (uint32_t lane = 0; lane < m->parameters.lanes; lane++) {
        path *p = &m->paths[warp * m->parameters.lanes + lane];
        byte_stream_u32(stream, &p->pc);
        byte_stream_u32(stream, &p->depth);
    }
}

static void mimd_save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        save_warp((mimd *)unit, warps->slots[i], stream);
    }
}

static uint32_t restore_warp(mimd *m, uint32_t warp, byte_stream *stream)
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

static void drop_warp(mimd *m, uint32_t warp)
{
    for (uint64_t rest = m->live[warp]; rest; rest &= rest - 1) {
        const uint32_t id = warp * m->parameters.lanes + (uint32_t)__builtin_ctzll(rest);
        m->paths[id].mask = 0;
        m->events.removed(m->events.context, id);
    }
    m->live[warp] = 0;
}

static void mimd_drop(reconvergence *unit, const block_warps *warps)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        drop_warp((mimd *)unit, warps->slots[i]);
    }
}

static uint32_t mimd_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        if (restore_warp((mimd *)unit, warps->slots[i], stream)) {
            mimd_drop(unit, &(block_warps){warps->slots, i});
            return 1;
        }
    }
    return 0;
}

static uint64_t mimd_live_lanes(const reconvergence *unit, uint32_t warp)
{
    return ((const mimd *)unit)->live[warp];
}

static uint32_t mimd_may_wait(const reconvergence *unit, uint32_t path)
{
    (void)unit;
    (void)path;
    return 1;
}

static uint64_t mimd_maximum_depth(const reconvergence *unit)
{
    return ((const mimd *)unit)->maximum_depth;
}

static void mimd_describe(const reconvergence *unit, uint32_t warp, const isa_program *program,
                          const hd_text_sink *sink)
{
    (void)unit;
    (void)warp;
    (void)program;
    (void)sink;
}

static void mimd_transfer_state(reconvergence *unit, const hd_state_stream *stream)
{
    mimd *m = (mimd *)unit;
    HD_STATE_VALUE(stream, m->maximum_depth);
    HD_STATE_ARRAY(stream, m->live, m->parameters.warps);
    HD_STATE_ARRAY(stream, m->paths, mimd_path_count(unit));
}

const reconvergence_unit reconvergence_mimd = {
    .create = mimd_create,
    .destroy = mimd_destroy,
    .reset = mimd_reset,
    .path_count = mimd_path_count,
    .paths = mimd_paths,
    .launch = mimd_launch,
    .transfer = mimd_transfer,
    .arrive = mimd_arrive,
    .exit = mimd_exit,
    .save = mimd_save,
    .restore = mimd_restore,
    .drop = mimd_drop,
    .live_lanes = mimd_live_lanes,
    .may_wait = mimd_may_wait,
    .maximum_depth = mimd_maximum_depth,
    .describe = mimd_describe,
    .transfer_state = mimd_transfer_state,
};

const hd_unit hd_reconvergence_mimd = {
    HD_UNIT_HEAD(reconvergence, RECONVERGENCE, mimd),
    .doc = "each lane is a path of its own, as on cores without warps: the oracle of all others",
    .source = "ElTantawy 2018 §3.1",
};
