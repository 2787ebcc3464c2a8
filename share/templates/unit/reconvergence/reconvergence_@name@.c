/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "reconvergence_rig.h"

Test(reconvergence_@name@, gives_every_lane_a_path_of_its_own)
{
    rig r;
    rig_start(&r, &reconvergence_@name@, 2, 8, 0);
    rig_launch(&r, 1, 0x1000, 0xA5);
    cr_expect_eq(r.added, 4);
    cr_expect_eq(r.unit->live_lanes(r.state, 1), 0xA5);
    cr_expect_eq(r.unit->live_lanes(r.state, 0), 0);
    rig_stop(&r);
}
