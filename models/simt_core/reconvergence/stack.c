/* SPDX-License-Identifier: MIT */
#include "stack_state.h"

#include <assert.h>
#include <stdlib.h>

#include "bits.h"
#include "instruction.h"
#include "likely.h"
#include "reconvergence_units.h"
#include "rows.h"

/* A reconvergence point. */
typedef struct point {
    uint32_t pc;
    uint32_t depth;
} point;

/* Where lanes go on the way to their stop point, as in stack_entry. */
typedef struct likely_point {
    uint32_t pc;
    uint32_t at;
} likely_point;

static void stack_destroy(reconvergence *unit)
{
    stack *s = (stack *)unit;
    if (!s) {
        return;
    }
    free(s->paths);
    free(s->warps);
    rows_free(s->entries);
    free(s->arrival_pcs);
    free(s);
}

static void stack_reset(reconvergence *unit)
{
    stack *s = (stack *)unit;
    s->maximum_depth = 0;
    for (uint32_t w = 0; w < s->parameters.warps; w++) {
        s->warps[w].live = 0;
        s->warps[w].size = s->warps[w].transaction = 0;
        s->paths[w] = (path){.stop_pc = NO_STOP, .warp = w, .home = w};
    }
}

static reconvergence *stack_create(const reconvergence_parameters *parameters, const reconvergence_events *events)
{
    stack *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->parameters = *parameters;
    s->first = (uint32_t)parameters->share.values[STACK_FIRST].u;
    s->events = *events;
    s->likely_points = likely_analysis(&parameters->share.values[STACK_LIKELY_POINTS],
                                       &parameters->share.values[STACK_BRANCH_PROFILE], &s->by_profile);
    s->capacity = (s->likely_points ? 3 : 2) * parameters->lanes + 1;
    s->paths = calloc(parameters->warps, sizeof *s->paths);
    s->warps = calloc(parameters->warps, sizeof *s->warps);
    s->entries = rows_allocate((size_t)parameters->warps * s->capacity, sizeof *s->entries);
    s->arrival_pcs = calloc((size_t)parameters->warps * parameters->lanes, sizeof *s->arrival_pcs);
    if (!s->paths || !s->warps || !s->entries || !s->arrival_pcs) {
        stack_destroy((reconvergence *)s);
        return NULL;
    }
    for (uint32_t w = 0; w < parameters->warps; w++) {
        s->warps[w].entries = s->entries + (size_t)w * s->capacity;
        s->warps[w].arrival_pcs = s->arrival_pcs + (size_t)w * parameters->lanes;
    }
    stack_reset((reconvergence *)s);
    return (reconvergence *)s;
}

static uint32_t stack_path_count(const reconvergence *unit)
{
    return ((const stack *)unit)->parameters.warps;
}

static path *stack_paths(reconvergence *unit)
{
    return ((stack *)unit)->paths;
}

static stack_entry *top_of(warp_stack *ws)
{
    return &ws->entries[ws->size - 1];
}

static void push(stack *s, warp_stack *ws, const path_group *group, point stop, likely_point likely)
{
    assert(ws->size < s->capacity);
    ws->entries[ws->size++] = (stack_entry){.mask = group->mask,
                                            .pc = group->pc,
                                            .depth = group->depth,
                                            .stop_pc = stop.pc,
                                            .stop_depth = stop.depth,
                                            .likely_pc = likely.pc,
                                            .likely_at = likely.at,
                                            .type = ENTRY_NORMAL};
    if (ws->size > s->maximum_depth) {
        s->maximum_depth = ws->size;
    }
}

/* Does candidate run before chosen? Groups are looked at in their order. */
static int runs_before(const stack *s, const path_group *candidate, const path_group *chosen)
{
    if (s->first == FIRST_NOT_TAKEN) {
        return 1;
    }
    if (s->first == FIRST_FEWER) {
        return bits_count(candidate->mask) < bits_count(chosen->mask);
    }
    return 0;
}

/* Pushes the groups that still have a way to go; the one that runs first ends on top. */
static void push_groups(stack *s, warp_stack *ws, const path_group *groups, uint32_t count, point stop,
                        likely_point likely)
{
    uint32_t order[MAX_LANES];
    uint32_t kept = 0;
    for (uint32_t g = 0; g < count; g++) {
        if (groups[g].pc == stop.pc && groups[g].depth == stop.depth) {
            continue; /* PRUNE */
        }
        if (groups[g].pc == likely.pc && groups[g].depth == stop.depth) {
            ws->entries[likely.at].mask |= groups[g].mask;
            continue;
        }
        uint32_t at = kept++;
        for (; at > 0 && runs_before(s, &groups[g], &groups[order[at - 1]]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = g;
    }
    while (kept > 0) {
        push(s, ws, &groups[order[--kept]], stop, likely);
    }
}

/* The top entry's lanes part, to meet again at `meet`, and most of them at likely_pc, if that is not 0. */
static void part(stack *s, warp_stack *ws, const path_group *groups, uint32_t count, point meet, uint32_t likely_pc)
{
    stack_entry *top = top_of(ws);
    likely_point likely = {0};
    if (meet.pc == top->stop_pc && meet.depth == top->stop_depth) {
        likely = (likely_point){top->likely_pc, top->likely_at};
        ws->size--; /* TAIL-MERGE: the entry would wait where the one below already does */
    } else {
        top->pc = meet.pc;
        top->depth = meet.depth;
    }
    if (likely_pc && likely_pc != meet.pc && likely_pc != likely.pc) {
        push(s, ws, &(path_group){.pc = likely_pc, .depth = meet.depth}, meet, likely);
        likely = (likely_point){likely_pc, ws->size - 1};
    }
    push_groups(s, ws, groups, count, meet, likely);
}

/*
 * The top entry's lanes, returning together, go to different places of the depth below. Nothing in the program says
 * where they meet: at the entry's own point if it is of that depth, else when that depth returns.
 */
static void part_at_return(stack *s, warp_stack *ws, const path_group *groups, uint32_t count)
{
    const stack_entry *top = top_of(ws);
    const uint32_t depth = groups[0].depth;
    if (top->stop_pc != NO_STOP && top->stop_depth == depth) {
        part(s, ws, groups, count, (point){top->stop_pc, depth}, 0);
    } else {
        part(s, ws, groups, count, (point){ISA_RECONVERGE_AT_RETURN, depth}, 0);
    }
}

static void go(stack *s, warp_stack *ws, const path_group *groups, uint32_t count)
{
    if (count > 1) {
        part_at_return(s, ws, groups, count);
        return;
    }
    top_of(ws)->pc = groups[0].pc;
    top_of(ws)->depth = groups[0].depth;
}

/* All lanes of the top entry have returned: they go on where each returned to. */
static void take_arrivals(stack *s, warp_stack *ws)
{
    const stack_entry *top = top_of(ws);
    path_group groups[MAX_LANES];
    uint32_t count = 0;
    for (uint64_t rest = top->mask; rest; rest &= rest - 1) {
        const uint32_t pc = ws->arrival_pcs[__builtin_ctzll(rest)];
        uint32_t g = 0;
        while (g < count && groups[g].pc != pc) {
            g++;
        }
        if (g == count) {
            groups[count++] = (path_group){.pc = pc, .depth = top->depth - 1};
        }
        groups[g].mask |= rest & -rest;
    }
    go(s, ws, groups, count);
}

void stack_publish_top(stack *s, uint32_t warp)
{
    const stack_entry *top = top_of(&s->warps[warp]);
    s->paths[warp] = (path){.pc = top->pc, .depth = top->depth, .mask = top->mask, .warp = warp, .home = warp};
    path_stop_at(&s->paths[warp], top->stop_pc, top->likely_pc ? top->likely_pc : NO_STOP, top->stop_depth);
}

/* Have the top entry's lanes come to their likely-convergence point? Then they are with its entry. */
static int has_met(warp_stack *ws)
{
    const stack_entry *top = top_of(ws);
    if (!top->likely_pc || top->pc != top->likely_pc || top->depth != top->stop_depth) {
        return 0;
    }
    ws->entries[top->likely_at].mask |= top->mask;
    return 1;
}

void stack_reveal(stack *s, uint32_t warp)
{
    warp_stack *ws = &s->warps[warp];
    path *p = &s->paths[warp];
    while (ws->size > 0) {
        const stack_entry *top = top_of(ws);
        if (top->mask == 0 || (top->pc == top->stop_pc && top->depth == top->stop_depth) || has_met(ws)) {
            ws->size--;
        } else if (top->pc == ISA_RECONVERGE_AT_RETURN) {
            take_arrivals(s, ws);
        } else {
            break;
        }
    }
    if (ws->size == 0) {
        *p = (path){.stop_pc = NO_STOP, .warp = warp, .home = warp};
        s->events.removed(s->events.context, warp);
        return;
    }
    stack_publish_top(s, warp);
    s->events.changed(s->events.context, warp);
}

void stack_save_pc(stack *s, uint32_t warp)
{
    top_of(&s->warps[warp])->pc = s->paths[warp].pc;
    top_of(&s->warps[warp])->depth = s->paths[warp].depth;
}

static void launch_warp(stack *s, uint32_t warp, uint32_t pc, uint64_t mask)
{
    warp_stack *ws = &s->warps[warp];
    if (mask == 0) {
        return;
    }
    ws->live = mask;
    ws->size = ws->transaction = 0;
    push(s, ws, &(path_group){.mask = mask, .pc = pc}, (point){.pc = NO_STOP}, (likely_point){0});
    s->paths[warp] = (path){.pc = pc, .mask = mask, .stop_pc = NO_STOP, .warp = warp, .home = warp};
    s->events.added(s->events.context, warp);
}

static void stack_launch(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        launch_warp((stack *)unit, warps->slots[i], pc, masks[i]);
    }
}

static void record_arrivals(warp_stack *ws, const path_group *groups, uint32_t count)
{
    for (uint32_t g = 0; g < count; g++) {
        for (uint64_t rest = groups[g].mask; rest; rest &= rest - 1) {
            ws->arrival_pcs[__builtin_ctzll(rest)] = groups[g].pc;
        }
    }
}

static void stack_transfer(reconvergence *unit, const path_event *event)
{
    stack *s = (stack *)unit;
    warp_stack *ws = &s->warps[event->path];
    const path_group *groups = event->groups;
    stack_save_pc(s, event->path);
    const stack_entry *top = top_of(ws);
    const int returns = groups[0].depth < top->depth;
    if (returns && top->stop_pc == ISA_RECONVERGE_AT_RETURN && top->stop_depth == top->depth) {
        record_arrivals(ws, groups, event->group_count);
        ws->size--;
    } else if (returns || event->group_count == 1) {
        go(s, ws, groups, event->group_count);
    } else {
        part(s, ws, groups, event->group_count, (point){event->reconvergence_pc, top->depth}, event->likely_pc);
    }
    stack_reveal(s, event->path);
}

static void stack_arrive(reconvergence *unit, const path_event *event)
{
    stack *s = (stack *)unit;
    stack_save_pc(s, event->path);
    stack_reveal(s, event->path);
}

static void stack_exit(reconvergence *unit, const path_event *event)
{
    stack *s = (stack *)unit;
    warp_stack *ws = &s->warps[event->path];
    stack_save_pc(s, event->path);
    ws->live &= ~event->mask;
    for (uint32_t e = 0; e < ws->size; e++) {
        ws->entries[e].mask &= ~event->mask;
    }
    stack_reveal(s, event->path);
}

static uint64_t stack_live_lanes(const reconvergence *unit, uint32_t warp)
{
    return ((const stack *)unit)->warps[warp].live;
}

static uint32_t stack_may_wait(const reconvergence *unit, uint32_t path)
{
    const stack *s = (const stack *)unit;
    return s->paths[path].mask == s->warps[path].live;
}

static uint64_t stack_maximum_depth(const reconvergence *unit)
{
    return ((const stack *)unit)->maximum_depth;
}

static const isa_analysis *stack_likely_points(const reconvergence *unit)
{
    return ((const stack *)unit)->likely_points;
}

const reconvergence_unit reconvergence_stack = {
    .table = "reconvergence",
    .likely_points = stack_likely_points,
    .create = stack_create,
    .destroy = stack_destroy,
    .reset = stack_reset,
    .path_count = stack_path_count,
    .paths = stack_paths,
    .launch = stack_launch,
    .transfer = stack_transfer,
    .arrive = stack_arrive,
    .exit = stack_exit,
    .tx_begin = stack_tx_begin,
    .tx_running = stack_tx_running,
    .tx_aborted = stack_tx_aborted,
    .tx_together = stack_tx_together,
    .tx_abort = stack_tx_abort,
    .tx_done = stack_tx_done,
    .tx_restart = stack_tx_restart,
    .tx_leave = stack_tx_leave,
    .tx_pause = stack_tx_pause,
    .tx_paused = stack_tx_paused,
    .tx_resume = stack_tx_resume,
    .save = stack_save,
    .restore = stack_restore,
    .drop = stack_drop,
    .live_lanes = stack_live_lanes,
    .may_wait = stack_may_wait,
    .maximum_depth = stack_maximum_depth,
    .describe = stack_describe,
    .waiting_pc = stack_waiting_pc,
    .transfer_state = stack_transfer_state,
};

static const hd_parameter own_parameters[STACK_PARAMETERS] = {
    [STACK_FIRST] = {.name = "first",
                     .type = HD_TYPE_CHOICE,
                     .standard = "taken",
                     .choices = "taken|not_taken|fewer",
                     .doc = "side of a divergent branch that runs first"},
    LIKELY_PARAMETERS(STACK_LIKELY_POINTS, STACK_BRANCH_PROFILE),
};

static const hd_requirement requirements[] = {LIKELY_REQUIREMENTS};

const hd_unit hd_reconvergence_stack = {
    HD_UNIT_HEAD(reconvergence, RECONVERGENCE, stack),
    .doc = "a SIMT stack per warp: lanes that part meet again at the post-dominator of the branch",
    .source = "Fung 2015 §2.3.3",
    .parameter_count = STACK_PARAMETERS,
    .parameters = own_parameters,
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
    .abilities = "transactions|pauses",
};
