/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "reconvergence_rig.h"

enum { WARPS = 3, LANES = 8, ENTRY = 0x1000 };

static rig r;

static void start(void)
{
    rig_start(&r, &reconvergence_mimd, WARPS, LANES, FIRST_TAKEN);
}

static void stop(void)
{
    rig_stop(&r);
}

static void no_line(void *context, const char *format, ...)
{
    (void)format;
    ++*(uint32_t *)context;
}

Test(reconvergence_mimd, gives_every_lane_a_path_of_its_own, .init = start, .fini = stop)
{
    cr_assert_eq(r.unit->path_count(r.state), WARPS * LANES);
    rig_launch(&r, 1, ENTRY, 0xa5);
    cr_assert_eq(r.added, 4);
    cr_assert_eq(r.last_path, LANES + 7);
    const path *paths = r.unit->paths(r.state);
    for (uint32_t p = 0; p < WARPS * LANES; p++) {
        const uint64_t lane = UINT64_C(1) << (p % LANES);
        cr_assert_eq(paths[p].mask, p / LANES == 1 ? lane & 0xa5 : 0);
        cr_assert_eq(paths[p].warp, p / LANES);
        cr_assert_eq(paths[p].stop_pc, NO_STOP);
        cr_assert_eq(paths[p].pc, paths[p].mask ? ENTRY : 0);
    }
    cr_assert_eq(r.unit->live_lanes(r.state, 1), 0xa5);
    cr_assert_eq(r.unit->live_lanes(r.state, 0), 0);
    cr_assert_eq(r.unit->maximum_depth(r.state), 4);
}

Test(reconvergence_mimd, moves_one_lane_at_a_time, .init = start, .fini = stop)
{
    rig_launch(&r, 0, ENTRY, 0xff);
    const path_group group = {0x4, 0x2000, 1};
    tell_transfer(r.unit, r.state, 2, &group, 1, ENTRY + 4);
    const path *paths = r.unit->paths(r.state);
    cr_assert(paths[2].pc == 0x2000 && paths[2].depth == 1 && paths[2].stop_pc == NO_STOP);
    cr_assert(paths[1].pc == ENTRY && paths[1].depth == 0);
    cr_assert_eq(r.changed, 1);
    cr_assert_eq(r.last_path, 2);
}

Test(reconvergence_mimd, ends_a_path_when_its_lane_exits, .init = start, .fini = stop)
{
    rig_launch(&r, 2, ENTRY, 0xff);
    tell_exit(r.unit, r.state, 2 * LANES + 3, 0x8);
    cr_assert_eq(r.removed, 1);
    cr_assert_eq(r.last_path, 2 * LANES + 3);
    cr_assert_eq(r.unit->live_lanes(r.state, 2), 0xf7);
    cr_assert_eq(r.unit->paths(r.state)[2 * LANES + 3].mask, 0);
}

Test(reconvergence_mimd, lets_every_path_wait_for_the_others, .init = start, .fini = stop)
{
    uint32_t lines = 0;
    const hd_text_sink sink = {&lines, no_line};
    rig_launch(&r, 0, ENTRY, 0xff);
    for (uint32_t p = 0; p < LANES; p++) {
        cr_assert(r.unit->may_wait(r.state, p));
    }
    r.unit->describe(r.state, 0, NULL, &sink);
    cr_assert_eq(lines, 0, "no lane waits at a reconvergence point");
}

Test(reconvergence_mimd, is_empty_after_reset, .init = start, .fini = stop)
{
    rig_launch(&r, 0, ENTRY, 0xff);
    r.unit->reset(r.state);
    cr_assert_eq(r.unit->live_lanes(r.state, 0), 0);
    cr_assert_eq(r.unit->maximum_depth(r.state), 0);
    cr_assert_eq(r.unit->paths(r.state)[0].mask, 0);
}
