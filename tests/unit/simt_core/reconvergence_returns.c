/* SPDX-License-Identifier: MIT */
/* Call depth: points of a depth, meeting at a return, returns to different places. */
#include <criterion/criterion.h>

#include "reconvergence_rig.h"

enum { A = 0x1000, B = 0x1040, C = 0x1080, D = 0x10c0, E = 0x1100, FN = 0x2000, P = 0x2040, Q = 0x2080, Z = 0x20c0 };

static rig r;

static void start(void)
{
    rig_start(&r, &reconvergence_stack, 1, 4, FIRST_TAKEN);
    rig_launch(&r, 0, A, 0xf);
}

static void stop(void)
{
    rig_stop(&r);
}

Test(reconvergence_returns, pushes_nothing_for_a_call, .init = start, .fini = stop)
{
    for (uint32_t depth = 1; depth <= 1000; depth++) {
        rig_call(&r, FN);
        EXPECT_STACK(&r, {FN, depth, NO_POINT, 0xf});
    }
    for (uint32_t depth = 1000; depth-- > 0;) {
        rig_return(&r, A + 4, 0xf, 0);
        EXPECT_STACK(&r, {A + 4, depth, NO_POINT, 0xf});
    }
    cr_assert_eq(r.unit->maximum_depth(r.state), 1);
}

/* The function's early return and its late one: lanes wait at its return and go on where they return to. */
Test(reconvergence_returns, meets_at_the_return_of_the_function, .init = start, .fini = stop)
{
    rig_call(&r, FN);
    rig_branch(&r, P, 0x3, Q, AT_RETURN);
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xf}, {Q, 1, AT_RETURN, 1, 0xc}, {P, 1, AT_RETURN, 1, 0x3});
    rig_return(&r, A + 4, 0xf, 0);
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xf}, {Q, 1, AT_RETURN, 1, 0xc});
    rig_run(&r, Z);
    rig_return(&r, A + 4, 0xf, 0);
    EXPECT_STACK(&r, {A + 4, 0, NO_POINT, 0xf});
}

Test(reconvergence_returns, merges_early_returns_in_a_loop, .init = start, .fini = stop)
{
    rig_call(&r, FN);
    for (uint32_t lane = 0; lane < 3; lane++) {
        rig_branch(&r, P, 1u << lane, Q, AT_RETURN);
        rig_return(&r, A + 4, 0xf, 0);
    }
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xf}, {Q, 1, AT_RETURN, 1, 0x8});
    cr_assert_eq(r.unit->maximum_depth(r.state), 3);
    rig_return(&r, A + 4, 0xf, 0);
    EXPECT_STACK(&r, {A + 4, 0, NO_POINT, 0xf});
}

/* A return of the callee is not the return of the caller that the lanes wait for. */
Test(reconvergence_returns, waits_for_the_return_of_its_own_depth, .init = start, .fini = stop)
{
    rig_call(&r, FN);
    rig_branch(&r, P, 0x3, Q, AT_RETURN);
    rig_call(&r, Z);
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xf}, {Q, 1, AT_RETURN, 1, 0xc}, {Z, 2, AT_RETURN, 1, 0x3});
    rig_return(&r, P + 4, 0xf, 0);
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xf}, {Q, 1, AT_RETURN, 1, 0xc}, {P + 4, 1, AT_RETURN, 1, 0x3});
}

/* The return lands on the point at which an outer branch meets. */
Test(reconvergence_returns, arrives_by_a_return, .init = start, .fini = stop)
{
    rig_branch(&r, B, 0x7, D, D);
    rig_call(&r, FN);
    rig_branch(&r, P, 0x1, Q, AT_RETURN);
    rig_return(&r, D, 0xf, 0);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf}, {AT_RETURN, 1, D, 0, 0x7}, {Q, 1, AT_RETURN, 1, 0x6});
    rig_return(&r, D, 0xf, 0);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf});
}

/* A recursive function: the inner instance passes the outer one's point and does not stop there. */
Test(reconvergence_returns, passes_its_point_at_another_depth, .init = start, .fini = stop)
{
    rig_call(&r, FN);
    rig_branch(&r, P, 0x3, Z, Z);
    EXPECT_STACK(&r, {Z, 1, NO_POINT, 0xf}, {P, 1, Z, 1, 0x3});
    rig_call(&r, FN);
    rig_branch(&r, P, 0x1, Z, Z);
    EXPECT_STACK(&r, {Z, 1, NO_POINT, 0xf}, {Z, 2, Z, 1, 0x3}, {P, 2, Z, 2, 0x1});
    rig_call(&r, FN);
    rig_branch(&r, P, 0, Z, Z);
    EXPECT_STACK(&r, {Z, 1, NO_POINT, 0xf}, {Z, 2, Z, 1, 0x3}, {Z, 3, Z, 2, 0x1});
    rig_return(&r, P + 4, 0xf, 0);
    rig_run(&r, Z);
    EXPECT_STACK(&r, {Z, 1, NO_POINT, 0xf}, {Z, 2, Z, 1, 0x3});
    rig_return(&r, P + 4, 0xf, 0);
    rig_run(&r, Z);
    EXPECT_STACK(&r, {Z, 1, NO_POINT, 0xf});
}

/* The lanes return together to two places: they meet when the depth they returned to returns. */
Test(reconvergence_returns, splits_lanes_that_return_to_different_places, .init = start, .fini = stop)
{
    rig_call(&r, FN);
    rig_call(&r, P);
    rig_return(&r, FN + 4, 0x6, FN + 8);
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xf}, {FN + 8, 1, AT_RETURN, 1, 0x9}, {FN + 4, 1, AT_RETURN, 1, 0x6});
    rig_return(&r, A + 4, 0xf, 0);
    rig_return(&r, A + 4, 0xf, 0);
    EXPECT_STACK(&r, {A + 4, 0, NO_POINT, 0xf});
}

/* The same inside a branch of that depth: its point is nearer. */
Test(reconvergence_returns, meets_after_a_split_return_at_the_nearest_point, .init = start, .fini = stop)
{
    rig_branch(&r, B, 0x7, D, D);
    rig_call(&r, FN);
    rig_return(&r, B + 4, 0x1, B + 8);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf}, {B + 8, 0, D, 0, 0x6}, {B + 4, 0, D, 0, 0x1});
    rig_run(&r, D);
    rig_run(&r, D);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf});
}

/* Two sides wait at the return, and bring three different places with them. */
Test(reconvergence_returns, splits_what_waited_at_a_return_by_where_each_lane_returned_to, .init = start, .fini = stop)
{
    rig_call(&r, E);
    rig_call(&r, FN);
    rig_branch(&r, P, 0x3, Q, AT_RETURN);
    rig_return(&r, E + 8, 0x1, E + 12);
    EXPECT_STACK(&r, {AT_RETURN, 2, NO_POINT, 0xf}, {Q, 2, AT_RETURN, 2, 0xc});
    rig_return(&r, E + 8, 0x4, E + 16);
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xf}, {E + 16, 1, AT_RETURN, 1, 0x8}, {E + 12, 1, AT_RETURN, 1, 0x2},
                 {E + 8, 1, AT_RETURN, 1, 0x5});
}

Test(reconvergence_returns, meets_after_an_indirect_call_at_its_return_address, .init = start, .fini = stop)
{
    const path_group groups[] = {{0x3, FN, 1}, {0xc, P, 1}};
    tell_transfer(r.unit, r.state, 0, groups, 2, A + 4);
    EXPECT_STACK(&r, {A + 4, 0, NO_POINT, 0xf}, {P, 1, A + 4, 0, 0xc}, {FN, 1, A + 4, 0, 0x3});
    rig_return(&r, A + 4, 0xf, 0);
    EXPECT_STACK(&r, {A + 4, 0, NO_POINT, 0xf}, {P, 1, A + 4, 0, 0xc});
    rig_return(&r, A + 4, 0xf, 0);
    EXPECT_STACK(&r, {A + 4, 0, NO_POINT, 0xf});
}

/* A tail call keeps the depth: the function jumped to returns in its caller's stead. */
Test(reconvergence_returns, returns_from_a_tail_call_as_from_the_function, .init = start, .fini = stop)
{
    rig_call(&r, FN);
    rig_branch(&r, P, 0x3, Q, AT_RETURN);
    rig_jump(&r, E);
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xf}, {Q, 1, AT_RETURN, 1, 0xc}, {E, 1, AT_RETURN, 1, 0x3});
    rig_return(&r, A + 4, 0xf, 0);
    rig_return(&r, A + 4, 0xf, 0);
    EXPECT_STACK(&r, {A + 4, 0, NO_POINT, 0xf});
}

Test(reconvergence_returns, goes_on_at_a_return_without_the_lanes_that_exited, .init = start, .fini = stop)
{
    rig_call(&r, FN);
    rig_branch(&r, P, 0x3, Q, AT_RETURN);
    rig_exit(&r, 0x3);
    EXPECT_STACK(&r, {AT_RETURN, 1, NO_POINT, 0xc}, {Q, 1, AT_RETURN, 1, 0xc});
    rig_return(&r, A + 4, 0xf, 0);
    EXPECT_STACK(&r, {A + 4, 0, NO_POINT, 0xc});
}

/* At depth 0 there is no return to meet at: the sides run one after the other to their end. */
Test(reconvergence_returns, runs_sides_that_never_meet_one_after_the_other, .init = start, .fini = stop)
{
    rig_branch(&r, B, 0x3, C, AT_RETURN);
    EXPECT_STACK(&r, {AT_RETURN, 0, NO_POINT, 0xf}, {C, 0, AT_RETURN, 0, 0xc}, {B, 0, AT_RETURN, 0, 0x3});
    rig_exit(&r, 0x3);
    EXPECT_STACK(&r, {AT_RETURN, 0, NO_POINT, 0xc}, {C, 0, AT_RETURN, 0, 0xc});
    cr_assert(r.unit->may_wait(r.state, 0), "no other lane is left");
    rig_exit(&r, 0xc);
    cr_assert_eq(r.removed, 1);
    cr_assert_eq(stack_size(r.state, 0), 0);
}
