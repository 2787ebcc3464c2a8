/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "residents.h"

static const resident_limits limits = {.warps = 4, .lanes = 32, .scratchpad_bytes = 1024};

static hd_grid grid_of(uint32_t threads, uint32_t scratchpad_bytes)
{
    return (hd_grid){.block_size = {threads, 1, 1}, .scratchpad_bytes = scratchpad_bytes};
}

Test(residents, threads_take_whole_warps)
{
    cr_expect_eq(residents_warps_of(1, 32), 1);
    cr_expect_eq(residents_warps_of(32, 32), 1);
    cr_expect_eq(residents_warps_of(33, 32), 2);
}

Test(residents, a_block_may_fit_up_to_the_limits_and_no_further)
{
    const hd_grid most = grid_of(128, 1024), none = grid_of(0, 0), wide = grid_of(129, 0), big = grid_of(1, 1025);
    cr_expect(residents_may_fit(&most, &limits));
    cr_expect_not(residents_may_fit(&none, &limits));
    cr_expect_not(residents_may_fit(&wide, &limits));
    cr_expect_not(residents_may_fit(&big, &limits));
}

Test(residents, a_block_has_room_beside_the_others)
{
    residents r = {.warps = 2};
    const hd_grid two = grid_of(64, 0), three = grid_of(65, 0);
    cr_expect(residents_have_warps(&r, &two, &limits));
    cr_expect_not(residents_have_warps(&r, &three, &limits));
}

Test(residents, the_most_at_once_stay_known)
{
    residents r = {0};
    uint64_t blocks = 0, warps = 0;
    residents_enter(&r, 3, &blocks, &warps);
    residents_leave(&r, 3);
    residents_enter(&r, 1, &blocks, &warps);
    cr_expect_eq(blocks, 1);
    cr_expect_eq(warps, 3);
    residents_enter(&r, 1, &blocks, &warps);
    cr_expect_eq(blocks, 2);
    cr_expect_eq(warps, 3);
    cr_expect_eq(r.blocks, 2);
    cr_expect_eq(r.warps, 2);
}
