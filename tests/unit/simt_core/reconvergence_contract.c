/* SPDX-License-Identifier: MIT */
/* What every reconvergence unit has to satisfy of events, time and barriers (reconvergence.h); new ones are in the list by themselves. */
#include <criterion/criterion.h>

#include "reconvergence_rig.h"
#include "reconvergence_units.h"
#include "toy_units.h"

#define LANES 8u
#define ENTRY 0x1000u
#define ALL 0xFFu
#define BARRIER 3u

static const hd_unit *const units[] = {RECONVERGENCE_UNITS(HD_UNIT_POINTER) REGROUPING_UNITS(HD_UNIT_POINTER) &
                                           toy_listening_stack,
                                       &toy_late_stack, &toy_turns};
#define UNITS (sizeof units / sizeof *units)

static uint32_t wants(const rig *r, uint32_t kind)
{
    return r->unit->wants && r->unit->wants(r->state) & kind;
}

static void tell_barrier(const rig *r, uint32_t kind, uint32_t path)
{
    const path_event event = {.kind = kind,
                              .path = kind == PATH_BARRIER_REACHED ? path : NO_PATH,
                              .pc = r->unit->paths(r->state)[path].pc,
                              .mask = r->unit->paths(r->state)[path].mask,
                              .barrier = BARRIER};
    if (wants(r, kind))
        r->unit->event(r->state, &event);
}

static uint64_t out_of_sight(const rig *r, uint32_t barrier)
{
    return r->unit->at_barrier ? r->unit->at_barrier(r->state, 0, barrier) : 0;
}

Test(reconvergence_contract, what_a_unit_has_of_events_and_time_fits_together)
{
    for (size_t u = 0; u < UNITS; u++) {
        rig r;
        rig_start(&r, units[u]->functions, 2, LANES, FIRST_TAKEN);
        cr_expect(!wants(&r, ~PATH_EVERY_KIND) && (!wants(&r, PATH_EVERY_KIND) || r.unit->event), "%s", units[u]->name);
        cr_expect_eq(!r.unit->next, !r.unit->due, "%s", units[u]->name);
        if (r.unit->next)
            cr_expect_gt(r.unit->next(r.state, 77), 77, "%s", units[u]->name);
        for (uint32_t barrier = 0; barrier < 16; barrier++)
            cr_expect_eq(out_of_sight(&r, barrier) | out_of_sight(&r, BARRIER_OF_WARP), 0, "%s", units[u]->name);
        rig_stop(&r);
    }
}

/* Every path that may comes to the barrier, until none runs. Then each lane is seen there, or is said to be there. */
static uint64_t all_reach(const rig *r, uint64_t *waiting)
{
    uint64_t at = 0;
    for (uint32_t path = 0; path < r->unit->path_count(r->state); path++) {
        const struct path *p = &r->unit->paths(r->state)[path];
        while (p->warp == 0 && p->mask && !(*waiting >> path & 1)) {
            const uint64_t lanes = p->mask;
            if (!r->unit->may_wait(r->state, path))
                return 0;
            tell_barrier(r, PATH_BARRIER_REACHED, path);
            if (p->mask == lanes && !(out_of_sight(r, BARRIER) & lanes)) { /* it stays where it is */
                *waiting |= UINT64_C(1) << path;
                at |= lanes;
            }
        }
    }
    return at;
}

Test(reconvergence_contract, lanes_at_a_barrier_are_seen_or_kept)
{
    for (size_t u = 0; u < UNITS; u++) {
        rig r;
        uint64_t waiting = 0;
        toy_delay = 1;
        rig_start(&r, units[u]->functions, 1, LANES, FIRST_TAKEN);
        rig_launch(&r, 0, ENTRY, ALL);
        if (r.unit->next && r.unit->next(r.state, 10) == 11)
            r.unit->due(r.state, 11);
        if (units[u] == &toy_turns)
            tell_transfer(r.unit, r.state, 0, (const path_group[]){{0x0F, 0x2000, 0}, {0xF0, ENTRY + 4, 0}}, 2, 0x3000);
        const uint64_t seen = all_reach(&r, &waiting), kept = out_of_sight(&r, BARRIER);
        cr_expect_eq(seen | kept, ALL, "%s: %lx and %lx", units[u]->name, seen, kept);
        cr_expect_eq(seen & kept, 0, "%s", units[u]->name);
        cr_expect_eq(out_of_sight(&r, BARRIER + 1), 0, "%s", units[u]->name);
        for (uint32_t path = 0; path < r.unit->path_count(r.state); path++)
            r.unit->paths(r.state)[path].pc += waiting >> path & 1 ? 4 : 0;
        tell_barrier(&r, PATH_BARRIER_OPENED, 0);
        cr_expect_eq(out_of_sight(&r, BARRIER), 0, "%s", units[u]->name);
        cr_expect_eq(r.unit->live_lanes(r.state, 0), ALL, "%s", units[u]->name);
        rig_stop(&r);
    }
}

/* The first half is kept with the instruction after the barrier; it runs when the second half has ended, and not before it opens. */
Test(reconvergence_contract, kept_lanes_run_when_the_barrier_has_opened)
{
    rig r;
    rig_start(&r, toy_turns.functions, 1, LANES, FIRST_TAKEN);
    rig_launch(&r, 0, ENTRY, ALL);
    tell_transfer(r.unit, r.state, 0, (const path_group[]){{0x0F, 0x2000, 0}, {0xF0, ENTRY + 4, 0}}, 2, 0x3000);
    const path *p = rig_path(&r);
    cr_assert(p->mask == 0x0F && p->pc == 0x2000);
    tell_barrier(&r, PATH_BARRIER_REACHED, 0);
    cr_assert(p->mask == 0xF0 && p->pc == ENTRY + 4);
    tell_exit(r.unit, r.state, 0, 0xF0);
    cr_assert(p->mask == 0 && r.removed == 1);
    cr_expect_eq(out_of_sight(&r, BARRIER), 0x0F);
    tell_barrier(&r, PATH_BARRIER_OPENED, 0);
    cr_assert(p->mask == 0x0F && p->pc == 0x2004 && r.added == 2);
    rig_stop(&r);
}
