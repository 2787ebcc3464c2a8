/* SPDX-License-Identifier: MIT */
/*
 * Lanes of a warp that have parted take turns on its one path: those at its front run until they have reached a barrier or ended.
 * Nothing ever meets again.
 */
#include <stdlib.h>

#include "bits.h"
#include "reconvergence.h"
#include "toy_units.h"

#define RUNS UINT32_C(0xFFFFFFFE) /* waits at no barrier */

/* Lanes that run together. The front one's pc and lanes are the path's. */
typedef struct party {
    uint64_t mask;
    uint32_t pc, depth;
    uint32_t barrier; /* at which they wait, with the pc behind it */
    uint32_t reserved;
} party;

typedef struct queue {
    party parties[MAX_LANES];
    uint32_t count;
    uint32_t reserved;
    uint64_t live;
} queue;

typedef struct turns {
    reconvergence_events events;
    uint32_t warps, reserved;
    path *paths;
    queue *queues;
} turns;

static void destroy(reconvergence *unit)
{
    turns *t = (turns *)unit;
    if (!t)
        return;
    free(t->paths);
    free(t->queues);
    free(t);
}

static void reset(reconvergence *unit)
{
    turns *t = (turns *)unit;
    for (uint32_t warp = 0; warp < t->warps; warp++) {
        t->paths[warp] = (path){.stop_pc = NO_STOP, .warp = warp, .home = warp};
        t->queues[warp].count = 0;
        t->queues[warp].live = 0;
    }
}

static reconvergence *create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    turns *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->events = *events;
    t->warps = parameters->warps;
    t->paths = calloc(t->warps, sizeof *t->paths);
    t->queues = calloc(t->warps, sizeof *t->queues);
    if (!t->paths || !t->queues) {
        destroy((reconvergence *)t);
        return NULL;
    }
    reset((reconvergence *)t);
    return (reconvergence *)t;
}

static uint32_t path_count(const reconvergence *unit)
{
    return ((const turns *)unit)->warps;
}

static path *paths(reconvergence *unit)
{
    return ((turns *)unit)->paths;
}

static void append(queue *q, party last)
{
    q->parties[q->count++] = last;
}

static party take(queue *q, uint32_t at)
{
    const party taken = q->parties[at];
    q->count--;
    for (uint32_t i = at; i < q->count; i++)
        q->parties[i] = q->parties[i + 1];
    return taken;
}

/* The first party from this one on that waits for nothing becomes the path. 0: there is none. */
static uint32_t show(turns *t, uint32_t warp, uint32_t from)
{
    queue *q = &t->queues[warp];
    for (uint32_t i = from; i < q->count; i++) {
        if (q->parties[i].barrier != RUNS)
            continue;
        const party front = take(q, i);
        for (uint32_t j = q->count++; j > 0; j--)
            q->parties[j] = q->parties[j - 1];
        q->parties[0] = front;
        t->paths[warp] =
            (path){.pc = front.pc, .depth = front.depth, .mask = front.mask, .stop_pc = NO_STOP, .warp = warp, .home = warp};
        return 1;
    }
    return 0;
}

static void launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    turns *t = (turns *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        const uint32_t warp = warps->slots[i];
        t->queues[warp].count = 0;
        t->queues[warp].live = masks[i];
        append(&t->queues[warp], (party){.mask = masks[i], .pc = pc, .barrier = RUNS});
        show(t, warp, 0);
        t->events.added(t->events.context, warp);
    }
}

static void transfer(reconvergence *unit, const path_event *event)
{
    turns *t = (turns *)unit;
    queue *q = &t->queues[event->path];
    take(q, 0);
    for (uint32_t i = 0; i < event->group_count; i++) {
        const path_group *group = &event->groups[i];
        append(q, (party){.mask = group->mask, .pc = group->pc, .depth = group->depth, .barrier = RUNS});
    }
    show(t, event->path, q->count - event->group_count); /* these first */
    t->events.changed(t->events.context, event->path);
}

/* No path has a stop point. */
static void arrive(reconvergence *unit, const path_event *event)
{
    (void)unit, (void)event;
}

/* The path goes on with those whose turn is next, or ends for now. */
static void next_turn(turns *t, uint32_t warp)
{
    if (show(t, warp, 0)) {
        t->events.changed(t->events.context, warp);
    } else {
        t->paths[warp].mask = 0;
        t->events.removed(t->events.context, warp);
    }
}

static void leave_kernel(reconvergence *unit, const path_event *event)
{
    turns *t = (turns *)unit;
    queue *q = &t->queues[event->path];
    q->live &= ~event->mask;
    take(q, 0);
    next_turn(t, event->path);
}

/* ---- Barriers ----------------------------------------------------------------------------------------------------------- */

static uint32_t wants(const reconvergence *unit)
{
    (void)unit;
    return PATH_BARRIER_REACHED | PATH_BARRIER_OPENED;
}

static void reached(turns *t, uint32_t warp, uint32_t barrier)
{
    queue *q = &t->queues[warp];
    party front = take(q, 0);
    front.pc = t->paths[warp].pc + 4;
    front.barrier = barrier;
    append(q, front);
    next_turn(t, warp);
}

static void opened(turns *t, uint32_t warp, uint32_t barrier)
{
    queue *q = &t->queues[warp];
    for (uint32_t i = 0; i < q->count; i++) {
        if (q->parties[i].barrier == barrier)
            q->parties[i].barrier = RUNS;
    }
    if (!t->paths[warp].mask && show(t, warp, 0))
        t->events.added(t->events.context, warp);
}

static void told(reconvergence *unit, const path_event *event)
{
    if (event->kind == PATH_BARRIER_REACHED)
        reached((turns *)unit, event->warp, event->barrier);
    else
        opened((turns *)unit, event->warp, event->barrier);
}

static uint64_t at_barrier(const reconvergence *unit, uint32_t warp, uint32_t barrier)
{
    const turns *t = (const turns *)unit;
    const queue *q = &t->queues[warp];
    uint64_t lanes = 0;
    for (uint32_t i = 0; i < q->count; i++)
        lanes |= q->parties[i].barrier == barrier ? q->parties[i].mask : 0;
    return lanes;
}

/* ---- Moves -------------------------------------------------------------------------------------------------------------- */

static void stream_queue(queue *q, byte_stream *stream)
{
    byte_stream_u64(stream, &q->live);
    byte_stream_u32(stream, &q->count);
    for (uint32_t i = 0; i < q->count && i < MAX_LANES; i++) {
        byte_stream_u64(stream, &q->parties[i].mask);
        byte_stream_u32(stream, &q->parties[i].pc);
        byte_stream_u32(stream, &q->parties[i].depth);
        byte_stream_u32(stream, &q->parties[i].barrier);
    }
}

static void save(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    turns *t = (turns *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        const uint32_t warp = warps->slots[i];
        uint32_t runs = t->paths[warp].mask != 0;
        if (runs)
            t->queues[warp].parties[0].pc = t->paths[warp].pc;
        byte_stream_u32(stream, &runs);
        stream_queue(&t->queues[warp], stream);
    }
}

static uint32_t restore(reconvergence *unit, const block_warps *warps, byte_stream *stream)
{
    turns *t = (turns *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        const uint32_t warp = warps->slots[i];
        const party *front = &t->queues[warp].parties[0];
        uint32_t runs = 0;
        byte_stream_u32(stream, &runs);
        stream_queue(&t->queues[warp], stream);
        if (stream->too_short || t->queues[warp].count > MAX_LANES)
            return 1;
        if (!runs)
            continue;
        t->paths[warp] =
            (path){.pc = front->pc, .depth = front->depth, .mask = front->mask, .stop_pc = NO_STOP, .warp = warp, .home = warp};
        t->events.added(t->events.context, warp);
    }
    return 0;
}

static void drop(reconvergence *unit, const block_warps *warps)
{
    turns *t = (turns *)unit;
    for (uint32_t i = 0; i < warps->count; i++) {
        const uint32_t warp = warps->slots[i];
        t->queues[warp].count = 0;
        t->queues[warp].live = 0;
        if (!t->paths[warp].mask)
            continue;
        t->paths[warp].mask = 0;
        t->events.removed(t->events.context, warp);
    }
}

static uint64_t live_lanes(const reconvergence *unit, uint32_t warp)
{
    return ((const turns *)unit)->queues[warp].live;
}

static uint32_t may_wait(const reconvergence *unit, uint32_t path)
{
    (void)unit, (void)path;
    return 1;
}

static uint64_t maximum_depth(const reconvergence *unit)
{
    (void)unit;
    return 0;
}

static void describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink)
{
    (void)unit, (void)warp, (void)program, (void)sink;
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
    .wants = wants,
    .event = told,
    .at_barrier = at_barrier,
    .save = save,
    .restore = restore,
    .drop = drop,
    .live_lanes = live_lanes,
    .may_wait = may_wait,
    .maximum_depth = maximum_depth,
    .describe = describe,
};

const hd_unit toy_turns = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "reconvergence",
    .name = "turns",
    .doc = "lanes that have parted take turns",
    .source = "a test",
    .interface = RECONVERGENCE_INTERFACE,
    .functions = &functions,
};
