/* SPDX-License-Identifier: MIT */
#include "dwf.h"

#include <assert.h>
#include <string.h>

#include "bits.h"
#include "lane_homes.h"

void dwf_enter_block(dwf *u, const block_warps *warps)
{
    for (uint32_t i = 0; i < warps->count; i++) {
        memcpy(u->block + (size_t)warps->slots[i] * u->warps, warps->slots, warps->count * sizeof *u->block);
        u->block_warps[warps->slots[i]] = warps->count;
    }
}

void dwf_settle(dwf *u, uint32_t path)
{
    struct path *p = &u->paths[path];
    p->home = homes_common(dwf_row(u, path), p->mask);
    p->stop_pc = point_set_after(&u->points, p->pc, NO_STOP);
    p->stop_depth = p->depth;
}

void dwf_exist(dwf *u, uint32_t path)
{
    const uint32_t slot = path / u->lanes;
    uint64_t *most = &u->parameters.share.counters[DWF_MAXIMUM_POOL];
    u->used[slot] |= UINT64_C(1) << path % u->lanes;
    u->pool++;
    *most = u->pool > *most ? u->pool : *most;
    u->maximum_depth = bits_count(u->used[slot]) > u->maximum_depth ? bits_count(u->used[slot]) : u->maximum_depth;
}

void dwf_leave(dwf *u, uint32_t path)
{
    u->paths[path].mask = 0;
    u->entered[path] = 0;
    u->used[path / u->lanes] &= ~(UINT64_C(1) << path % u->lanes);
    u->pool--;
}

/* In the slot of the home that the warp has for its lowest lane, if there is one, else in the next of the block. */
static uint32_t free_path(const dwf *u, uint32_t home)
{
    const uint64_t all = u->lanes < 64 ? (UINT64_C(1) << u->lanes) - 1 : UINT64_MAX;
    const uint32_t *slots = dwf_slots(u, home);
    uint32_t at = 0;
    while (slots[at] != home)
        at++;
    for (uint32_t i = 0; i < u->block_warps[home]; i++) {
        const uint32_t slot = slots[(at + i) % u->block_warps[home]];
        if (all & ~u->used[slot])
            return slot * u->lanes + (uint32_t)__builtin_ctzll(all & ~u->used[slot]);
    }
    assert(!"a block has a path for each thread");
    return NO_PATH;
}

static void put(dwf *u, uint32_t path, uint64_t lanes, const uint32_t *rows)
{
    uint32_t *row = dwf_row(u, path);
    u->paths[path].mask |= lanes;
    for (uint64_t left = lanes; left; left &= left - 1)
        row[__builtin_ctzll(left)] = rows[__builtin_ctzll(left)];
    dwf_settle(u, path);
}

uint32_t dwf_form(dwf *u, dwf_call *call, const path_group *group, const uint32_t *rows)
{
    uint32_t path = call->called;
    if (call->called != NO_PATH && !call->reused) {
        call->reused = 1;
    } else {
        path = free_path(u, rows[__builtin_ctzll(group->mask)]);
        dwf_exist(u, path);
        call->added[call->count++] = path;
    }
    u->paths[path].pc = group->pc;
    u->paths[path].depth = group->depth;
    u->paths[path].mask = 0;
    u->entered[path] = 0;
    put(u, path, group->mask, rows);
    return path;
}

static void count_conflict(dwf *u, uint64_t taken, uint64_t mask)
{
    uint64_t *counters = u->parameters.share.counters;
    counters[DWF_MERGE_CONFLICTS]++;
    counters[DWF_FRAGMENTATIONS] += bits_count(taken) + bits_count(mask) <= u->lanes;
}

void dwf_insert(dwf *u, dwf_call *call, const path_group *group, const uint32_t *rows)
{
    const uint32_t to = dwf_lookup(u, call->slot, group->pc, group->depth, call->called);
    path_group rest = *group;
    if (to != NO_PATH) {
        const uint64_t taken = u->paths[to].mask;
        rest.mask = group->mask & taken;
        if (rest.mask)
            count_conflict(u, taken, group->mask);
        if (group->mask & ~taken) {
            u->parameters.share.counters[DWF_MERGES]++;
            put(u, to, group->mask & ~taken, rows);
            call->regrouped[call->regrouped_count++] = to;
        }
    }
    if (rest.mask)
        dwf_register(u, call->slot, dwf_form(u, call, &rest, rows));
}

void dwf_report(dwf *u, const dwf_call *call)
{
    if (call->called != NO_PATH && !call->reused) {
        dwf_leave(u, call->called);
        u->events.removed(u->events.context, call->called);
    } else if (call->called != NO_PATH) {
        u->events.changed(u->events.context, call->called);
    }
    for (uint32_t i = 0; i < call->regrouped_count; i++)
        u->events.regrouped(u->events.context, call->regrouped[i]);
    for (uint32_t i = 0; i < call->count; i++)
        u->events.added(u->events.context, call->added[i]);
}
