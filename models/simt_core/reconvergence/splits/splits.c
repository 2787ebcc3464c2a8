/* SPDX-License-Identifier: MIT */
/* Lanes part, meet, and leave. */
#include "splits.h"

#include <assert.h>
#include <stdlib.h>

#include "bits.h"
#include "instruction.h"

void splits_destroy(splits *s)
{
    free(s->paths);
    free(s->outer);
    free(s->meetings);
    free(s->counts);
    free(s->live);
    free(s->returned);
}

void splits_forget(splits *s, uint32_t warp)
{
    for (uint32_t i = warp * s->lanes; i < (warp + 1) * s->lanes; i++) {
        s->paths[i] = (path){.stop_pc = NO_STOP, .warp = warp, .home = warp};
        s->outer[i] = NO_MEETING;
        s->meetings[i] = (meeting){.lanes = 0};
    }
    s->counts[warp] = (split_counts){0};
    s->live[warp] = 0;
}

void splits_reset(splits *s)
{
    s->maximum_splits = 0;
    for (uint32_t warp = 0; warp < s->warps; warp++)
        splits_forget(s, warp);
}

int splits_create(splits *s, uint32_t warps, uint32_t lanes, uint32_t first, const split_owner *owner)
{
    const size_t threads = (size_t)warps * lanes;
    *s = (splits){.warps = warps, .lanes = lanes, .first = first, .owner = *owner};
    s->paths = calloc(threads, sizeof *s->paths);
    s->outer = calloc(threads, sizeof *s->outer);
    s->meetings = calloc(threads, sizeof *s->meetings);
    s->counts = calloc(warps, sizeof *s->counts);
    s->live = calloc(warps, sizeof *s->live);
    s->returned = calloc(threads, sizeof *s->returned);
    if (!s->paths || !s->outer || !s->meetings || !s->counts || !s->live || !s->returned) {
        splits_destroy(s);
        return -1;
    }
    splits_reset(s);
    return 0;
}

static void tell(const splits *s, void (*what)(void *context, uint32_t entry), uint32_t entry)
{
    if (what)
        what(s->owner.context, entry);
}

/* ---- The two tables ---------------------------------------------------------------------------------------------------------- */

static void add_split(splits *s, uint32_t warp, const path_group *group, split_point stop, uint32_t outer)
{
    uint32_t split = warp * s->lanes;
    while (s->paths[split].mask)
        split++;
    assert(splits_warp_of(s, split) == warp);
    s->paths[split] = (path){.pc = group->pc,
                             .depth = group->depth,
                             .mask = group->mask,
                             .stop_pc = stop.pc,
                             .stop_depth = stop.depth,
                             .warp = warp,
                             .home = warp};
    s->outer[split] = outer;
    const uint32_t now = ++s->counts[warp].splits;
    s->maximum_splits = now > s->maximum_splits ? now : s->maximum_splits;
    s->owner.added(s->owner.context, split);
}

void splits_remove(splits *s, uint32_t split)
{
    s->counts[splits_warp_of(s, split)].splits--;
    s->owner.removed(s->owner.context, split);
    s->paths[split].mask = 0;
}

uint32_t splits_entry_for(splits *s, uint32_t warp, uint64_t lanes, split_point at, split_point *stop, uint32_t outer,
                          uint64_t cycle)
{
    if ((at.pc == stop->pc && at.depth == stop->depth) || s->counts[warp].meetings == s->lanes)
        return outer;
    uint32_t entry = warp * s->lanes;
    while (s->meetings[entry].lanes)
        entry++;
    s->meetings[entry] =
        (meeting){.lanes = lanes, .pending = lanes, .at = at, .next = *stop, .outer = outer, .since = cycle};
    s->counts[warp].meetings++;
    tell(s, s->owner.made, entry);
    *stop = at;
    return entry;
}

/* ---- Lanes part -------------------------------------------------------------------------------------------------------------- */

static void come(splits *s, uint32_t entry, uint64_t lanes, uint64_t cycle);

/* The lanes go on, or are where they meet others. */
static void place(splits *s, uint32_t warp, const path_group *group, split_point stop, uint32_t outer, uint64_t cycle)
{
    if (group->pc == stop.pc && group->depth == stop.depth)
        come(s, outer, group->mask, cycle);
    else
        add_split(s, warp, group, stop, outer);
}

/* Lanes that were one, up to `stop`, meet again at `at`. */
static void part(splits *s, uint32_t warp, const path_group *groups, uint32_t group_count, split_point at,
                 split_point stop, uint32_t outer, uint64_t cycle)
{
    uint64_t lanes = 0;
    for (uint32_t g = 0; g < group_count; g++)
        lanes |= groups[g].mask;
    const uint32_t entry = splits_entry_for(s, warp, lanes, at, &stop, outer, cycle);
    for (uint32_t g = 0; g < group_count; g++)
        place(s, warp, &groups[s->first == SIDE_TAKEN ? g : group_count - 1 - g], stop, entry, cycle);
}

/*
 * Lanes that return together, to one depth. Nothing in the program says where those meet that go to different places: at their own
 * point if it is of that depth, else when that depth returns.
 */
static void go_back(splits *s, uint32_t warp, const path_group *groups, uint32_t group_count, split_point stop,
                    uint32_t outer, uint64_t cycle)
{
    const uint32_t inside = stop.pc != NO_STOP && stop.depth == groups[0].depth;
    if (group_count == 1)
        place(s, warp, groups, stop, outer, cycle);
    else
        part(s, warp, groups, group_count, inside ? stop : (split_point){ISA_RECONVERGE_AT_RETURN, groups[0].depth},
             stop, outer, cycle);
}

/* ---- Lanes meet -------------------------------------------------------------------------------------------------------------- */

/* They go on from the entry's point. */
static void go_on_from(splits *s, uint32_t warp, const meeting *from, uint64_t lanes, uint64_t cycle)
{
    const path_group together = {.mask = lanes, .pc = from->at.pc, .depth = from->at.depth};
    path_group groups[MAX_LANES];
    if (from->at.pc != ISA_RECONVERGE_AT_RETURN) {
        place(s, warp, &together, from->next, from->outer, cycle);
        return;
    }
    const uint32_t group_count =
        groups_by_target(lanes, s->returned + (size_t)warp * s->lanes, from->at.depth - 1, groups);
    go_back(s, warp, groups, group_count, from->next, from->outer, cycle);
}

static void open(splits *s, uint32_t entry, uint64_t cycle)
{
    const meeting opened = s->meetings[entry];
    const uint32_t warp = splits_warp_of(s, entry);
    s->meetings[entry].lanes = 0;
    s->counts[warp].meetings--;
    tell(s, s->owner.ended, entry);
    go_on_from(s, warp, &opened, opened.lanes, cycle);
}

static void come(splits *s, uint32_t entry, uint64_t lanes, uint64_t cycle)
{
    s->meetings[entry].pending &= ~lanes;
    s->meetings[entry].since = cycle;
    tell(s, s->owner.used, entry);
    if (!s->meetings[entry].pending)
        open(s, entry, cycle);
}

void splits_arrive(splits *s, uint32_t split, uint64_t cycle)
{
    const uint64_t lanes = s->paths[split].mask;
    splits_remove(s, split);
    come(s, s->outer[split], lanes, cycle);
}

void splits_give_up(splits *s, uint32_t entry, uint64_t cycle)
{
    meeting *m = &s->meetings[entry];
    const uint64_t waiting = splits_waiting(s, entry);
    const meeting left = *m;
    m->lanes = m->pending;
    m->since = cycle;
    tell(s, s->owner.used, entry);
    go_on_from(s, splits_warp_of(s, entry), &left, waiting, cycle);
}

/* ---- What happens to a split ------------------------------------------------------------------------------------------------- */

static void record_returns(splits *s, uint32_t warp, const path_event *event)
{
    for (uint32_t g = 0; g < event->group_count; g++)
        for (uint64_t left = event->groups[g].mask; left; left &= left - 1)
            s->returned[(size_t)warp * s->lanes + (uint32_t)__builtin_ctzll(left)] = event->groups[g].pc;
}

uint32_t splits_transfer(splits *s, uint32_t split, const path_event *event)
{
    path *p = &s->paths[split];
    const path_group *to = event->groups;
    const split_point stop = {p->stop_pc, p->stop_depth};
    const uint32_t warp = p->warp, depth = p->depth, outer = s->outer[split], returns = to->depth < depth;
    if (returns && stop.pc == ISA_RECONVERGE_AT_RETURN && stop.depth == depth) {
        record_returns(s, warp, event);
        splits_arrive(s, split, event->cycle);
        return 0;
    }
    if (event->group_count == 1) {
        p->pc = to->pc;
        p->depth = to->depth;
        if (p->pc != stop.pc || p->depth != stop.depth)
            return 1;
        splits_arrive(s, split, event->cycle);
        return 0;
    }
    splits_remove(s, split);
    if (returns)
        go_back(s, warp, to, event->group_count, stop, outer, event->cycle);
    else
        part(s, warp, to, event->group_count, (split_point){event->reconvergence_pc, depth}, stop, outer, event->cycle);
    return 0;
}

void splits_launch(splits *s, uint32_t warp, uint32_t pc, uint64_t mask)
{
    splits_forget(s, warp);
    s->live[warp] = mask;
    if (mask)
        add_split(s, warp, &(path_group){.mask = mask, .pc = pc}, (split_point){.pc = NO_STOP}, NO_MEETING);
}

/* Lanes leave the entry: does it open for those that wait there? */
static uint32_t leave(splits *s, uint32_t entry, uint64_t lanes)
{
    meeting *m = &s->meetings[entry];
    if (!m->lanes)
        return 0;
    m->lanes &= ~lanes;
    m->pending &= ~lanes;
    s->counts[splits_warp_of(s, entry)].meetings -= !m->lanes;
    if (!m->lanes)
        tell(s, s->owner.ended, entry);
    return m->lanes && !m->pending;
}

void splits_exit(splits *s, uint32_t warp, uint64_t mask, uint64_t cycle)
{
    const uint32_t begin = warp * s->lanes, end = begin + s->lanes;
    s->live[warp] &= ~mask;
    for (uint32_t split = begin; split < end; split++) {
        if (s->paths[split].mask && !(s->paths[split].mask & ~mask))
            splits_remove(s, split);
        s->paths[split].mask &= ~mask;
    }
    uint64_t opens = 0;
    for (uint32_t entry = begin; entry < end; entry++)
        opens |= (uint64_t)leave(s, entry, mask) << (entry - begin);
    for (; opens; opens &= opens - 1)
        open(s, begin + (uint32_t)__builtin_ctzll(opens), cycle);
}

uint32_t splits_are_awaited(const splits *s, uint32_t split)
{
    for (uint32_t entry = s->outer[split]; entry != NO_MEETING; entry = s->meetings[entry].outer)
        if (splits_waiting(s, entry))
            return 1;
    return 0;
}
