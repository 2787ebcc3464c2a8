/* SPDX-License-Identifier: MIT */
/* Warp barriers, one per static warp: between the branch where it parts first, and the post-dominator of that. Fung 2015 §3.2.1. */
#include "dwf.h"

uint32_t dwf_is_static(const dwf *u, const path_group *group, const uint32_t *rows)
{
    const uint32_t home = rows[__builtin_ctzll(group->mask)];
    for (uint64_t left = group->mask; left; left &= left - 1)
        if (rows[__builtin_ctzll(left)] != home)
            return 0;
    return group->mask == u->live[home] && !u->barriers[home].active;
}

void dwf_barrier_begin(dwf *u, const path_event *event)
{
    const path *p = &u->paths[event->path];
    const path_group whole = {.mask = p->mask, .pc = p->pc, .depth = p->depth};
    if (event->reconvergence_pc == ISA_RECONVERGE_AT_RETURN || !dwf_is_static(u, &whole, dwf_row(u, event->path)) ||
        !point_set_add(&u->points, event->reconvergence_pc))
        return;
    u->barriers[p->home] =
        (dwf_barrier){.active = 1, .pc = event->reconvergence_pc, .depth = p->depth, .expected = p->mask};
    u->parameters.share.counters[DWF_WARP_BARRIERS]++;
}

/* The warp is whole again. */
static void open(dwf *u, dwf_call *call, uint32_t warp)
{
    dwf_barrier *b = &u->barriers[warp];
    uint32_t rows[MAX_LANES];
    if (!b->active || b->arrived != b->expected)
        return;
    b->active = 0;
    if (!b->expected)
        return;
    for (uint32_t lane = 0; lane < u->lanes; lane++)
        rows[lane] = warp;
    dwf_form(u, call, &(path_group){.mask = b->expected, .pc = b->pc, .depth = b->depth}, rows);
    b->arrived = 0;
}

uint64_t dwf_barrier_hold(dwf *u, dwf_call *call, const path_group *group, const uint32_t *rows)
{
    uint64_t rest = group->mask;
    for (uint64_t left = group->mask; left; left &= left - 1) {
        const uint32_t warp = rows[__builtin_ctzll(left)];
        dwf_barrier *b = &u->barriers[warp];
        if (!b->active || b->pc != group->pc || b->depth != group->depth)
            continue;
        b->arrived |= left & -left;
        rest &= ~(left & -left);
        open(u, call, warp);
    }
    return rest;
}

void dwf_barrier_exit(dwf *u, dwf_call *call, uint32_t warp, uint64_t lanes)
{
    u->barriers[warp].expected &= ~lanes;
    open(u, call, warp);
}
