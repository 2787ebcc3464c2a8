/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "likely.h"
#include "reconvergence_rig.h"

enum { A = 0x1000, B = 0x1040, C = 0x1080, D = 0x10c0, E = 0x1100, F = 0x1140, G = 0x1180 };

static rig r;

static void stop(void)
{
    rig_stop(&r);
}

static void start(uint32_t lanes, uint64_t mask, uint32_t first)
{
    rig_start(&r, &reconvergence_stack, 1, lanes, first);
    rig_launch(&r, 0, A, mask);
}

/* Fung 2015, figure 2.3: A to B or F, B to C or D, C and D to E, E and F to G. Threads 1 to 4 are lanes 0 to 3. */
Test(reconvergence_stack, walks_through_the_worked_example_of_nested_branches, .fini = stop)
{
    start(4, 0xf, FIRST_TAKEN);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xf});
    rig_branch(&r, B, 0x7, F, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf}, {F, 0, G, 0, 0x8}, {B, 0, G, 0, 0x7});
    rig_branch(&r, C, 0x1, D, E);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf}, {F, 0, G, 0, 0x8}, {E, 0, G, 0, 0x7}, {D, 0, E, 0, 0x6}, {C, 0, E, 0, 0x1});
    cr_assert_not(r.unit->may_wait(r.state, 0));
    rig_jump(&r, E);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf}, {F, 0, G, 0, 0x8}, {E, 0, G, 0, 0x7}, {D, 0, E, 0, 0x6});
    rig_run(&r, E);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf}, {F, 0, G, 0, 0x8}, {E, 0, G, 0, 0x7});
    rig_jump(&r, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf}, {F, 0, G, 0, 0x8});
    rig_run(&r, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf});
    cr_assert(r.unit->may_wait(r.state, 0));
    cr_assert_eq(r.unit->maximum_depth(r.state), 5);
    rig_exit(&r, 0xf);
    cr_assert_eq(r.added, 1);
    cr_assert_eq(r.changed, 6, "one for each call that left the path alive");
    cr_assert_eq(r.removed, 1);
    cr_assert_eq(rig_path(&r)->mask, 0);
    cr_assert_eq(r.unit->live_lanes(r.state, 0), 0);
}

/* ElTantawy 2018, figure 3.1a: even lanes take B, odd ones C; the other order of the sides runs C first. */
Test(reconvergence_stack, runs_the_not_taken_side_first_if_told_to, .fini = stop)
{
    start(4, 0xf, FIRST_NOT_TAKEN);
    rig_branch(&r, B, 0x5, C, D);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf}, {B, 0, D, 0, 0x5}, {C, 0, D, 0, 0xa});
    rig_run(&r, D);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf}, {B, 0, D, 0, 0x5});
    rig_jump(&r, D);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf});
}

Test(reconvergence_stack, runs_the_taken_side_first, .fini = stop)
{
    start(4, 0xf, FIRST_TAKEN);
    rig_branch(&r, B, 0x5, C, D);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf}, {C, 0, D, 0, 0xa}, {B, 0, D, 0, 0x5});
}

Test(reconvergence_stack, runs_the_side_with_fewer_lanes_first_and_the_taken_one_on_a_tie, .fini = stop)
{
    start(4, 0xf, FIRST_FEWER);
    rig_branch(&r, B, 0x7, C, D);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf}, {B, 0, D, 0, 0x7}, {C, 0, D, 0, 0x8});
    rig_run(&r, D);
    rig_branch(&r, E, 0x1, F, D);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf}, {F, 0, D, 0, 0x6}, {E, 0, D, 0, 0x1});
    rig_run(&r, D);
    rig_branch(&r, E, 0x2, F, D);
    EXPECT_STACK(&r, {D, 0, NO_POINT, 0xf}, {F, 0, D, 0, 0x4}, {E, 0, D, 0, 0x2});
}

/* ElTantawy 2018, figure 3.1b: B loops, lane 3 leaves to C and runs again only after the others have left too. */
Test(reconvergence_stack, holds_a_lane_that_has_left_a_loop_until_the_others_leave, .fini = stop)
{
    start(4, 0xf, FIRST_TAKEN);
    rig_run(&r, B);
    rig_branch(&r, B, 0x7, C, C);
    EXPECT_STACK(&r, {C, 0, NO_POINT, 0xf}, {B, 0, C, 0, 0x7});
    rig_branch(&r, B, 0x7, C, C);
    EXPECT_STACK(&r, {C, 0, NO_POINT, 0xf}, {B, 0, C, 0, 0x7});
    rig_branch(&r, B, 0x2, C, C);
    EXPECT_STACK(&r, {C, 0, NO_POINT, 0xf}, {B, 0, C, 0, 0x2});
    rig_branch(&r, B, 0, C, C);
    EXPECT_STACK(&r, {C, 0, NO_POINT, 0xf});
}

/* In each of 10^4 iterations the lanes part inside the loop, and meet again; one lane leaves early, the rest at the end.
 * Inside: the loop's point, the meeting point, two sides. */
Test(reconvergence_stack, stays_as_shallow_in_a_long_loop_as_in_a_short_one, .fini = stop)
{
    start(32, 0xffffffff, FIRST_TAKEN);
    rig_run(&r, B);
    for (uint32_t i = 0; i < 10000; i++) {
        rig_branch(&r, C, 0x0000ffff, D, E);
        rig_jump(&r, E);
        rig_run(&r, E);
        rig_branch(&r, B, i == 0 ? 0x7fffffff : 0xffffffff, G, G);
        EXPECT_STACK(&r, {G, 0, NO_POINT, 0xffffffff}, {B, 0, G, 0, 0x7fffffff});
    }
    cr_assert_eq(r.unit->maximum_depth(r.state), 4);
}

/* Lanes leave one after another by a second exit that leads past the loop's own end: both exits meet at G only. */
Test(reconvergence_stack, merges_partings_that_meet_at_one_point, .fini = stop)
{
    start(32, 0xffffffff, FIRST_TAKEN);
    rig_run(&r, B);
    for (uint32_t lane = 0; lane < 31; lane++) {
        const uint64_t left = UINT64_C(0xffffffff) << (lane + 1) & 0xffffffff;
        rig_branch(&r, B, left, F, G);
        cr_assert_eq(stack_size(r.state, 0), lane + 3, "the point, one entry for each lane at F, and the loop");
        cr_assert_eq(stack_entry_at(r.state, 0, lane + 1).mask, UINT64_C(1) << lane);
    }
    for (uint32_t lane = 32; lane-- > 0;) {
        cr_assert_eq(rig_path(&r)->mask, UINT64_C(1) << lane);
        rig_run(&r, G);
    }
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xffffffff});
}

Test(reconvergence_stack, merges_an_if_without_else_that_ends_where_its_parent_does, .fini = stop)
{
    start(4, 0xf, FIRST_TAKEN);
    rig_branch(&r, B, 0x7, G, G);
    rig_branch(&r, C, 0x3, G, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf}, {C, 0, G, 0, 0x3});
    rig_branch(&r, G, 0x1, D, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf}, {D, 0, G, 0, 0x2});
    cr_assert_eq(r.unit->maximum_depth(r.state), 2);
}

/* Each level splits one lane off, and no two levels meet at one point: n - 1 points, n - 1 lanes that wait for their
 * turn, and the top. */
Test(reconvergence_stack, reaches_but_never_exceeds_two_entries_less_one_per_lane, .fini = stop)
{
    start(64, UINT64_MAX, FIRST_TAKEN);
    for (uint32_t level = 0; level < 63; level++) {
        rig_branch(&r, A + 8 * level, UINT64_MAX << (level + 1), B + 8 * level, 0x8000 - 8 * level);
    }
    cr_assert_eq(stack_size(r.state, 0), 2 * 64 - 1);
    cr_assert_eq(r.unit->maximum_depth(r.state), 2 * 64 - 1);
    for (uint32_t level = 63; level-- > 0;) {
        rig_run(&r, 0x8000 - 8 * level);
        rig_run(&r, 0x8000 - 8 * level);
        cr_assert_eq(rig_path(&r)->mask, UINT64_MAX << level);
    }
    EXPECT_STACK(&r, {0x8000, 0, NO_POINT, UINT64_MAX});
}

Test(reconvergence_stack, pops_every_entry_that_arrives_at_once, .fini = stop)
{
    start(4, 0xf, FIRST_TAKEN);
    rig_branch(&r, B, 0x7, F, G);
    rig_branch(&r, C, 0x3, D, E);
    rig_run(&r, E);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xf}, {F, 0, G, 0, 0x8}, {E, 0, G, 0, 0x7}, {D, 0, E, 0, 0x4});
    rig_exit(&r, 0x4);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xb}, {F, 0, G, 0, 0x8}, {E, 0, G, 0, 0x3});
    rig_exit(&r, 0x3);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0x8}, {F, 0, G, 0, 0x8});
    rig_run(&r, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0x8});
    cr_assert_eq(r.unit->live_lanes(r.state, 0), 0x8);
    cr_assert(r.unit->may_wait(r.state, 0));
}

Test(reconvergence_stack, goes_on_with_the_lanes_that_did_not_exit, .fini = stop)
{
    start(4, 0xf, FIRST_TAKEN);
    rig_branch(&r, B, 0x7, F, G);
    rig_exit(&r, 0x2);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xd}, {F, 0, G, 0, 0x8}, {B, 0, G, 0, 0x5});
    cr_assert_eq(r.unit->live_lanes(r.state, 0), 0xd);
}

/* A jump through a register: groups by target, the first group first. */
Test(reconvergence_stack, gives_every_target_of_an_indirect_jump_its_entry, .fini = stop)
{
    start(8, 0xff, FIRST_TAKEN);
    const path_group groups[] = {{0x81, D, 0}, {0x42, G, 0}, {0x3c, B, 0}};
    tell_transfer(r.unit, r.state, 0, groups, 3, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xff}, {B, 0, G, 0, 0x3c}, {D, 0, G, 0, 0x81});
}

Test(reconvergence_stack, orders_many_targets_by_their_lanes, .fini = stop)
{
    start(8, 0xff, FIRST_FEWER);
    const path_group groups[] = {{0x07, B, 0}, {0x08, C, 0}, {0x30, D, 0}, {0xc0, E, 0}};
    tell_transfer(r.unit, r.state, 0, groups, 4, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xff}, {B, 0, G, 0, 0x07}, {E, 0, G, 0, 0xc0}, {D, 0, G, 0, 0x30},
                 {C, 0, G, 0, 0x08});
}

Test(reconvergence_stack, starts_a_partial_warp_and_a_warp_of_one_lane, .fini = stop)
{
    start(4, 0x6, FIRST_TAKEN);
    cr_assert_eq(r.unit->live_lanes(r.state, 0), 0x6);
    rig_branch(&r, B, 0x2, F, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0x6}, {F, 0, G, 0, 0x4}, {B, 0, G, 0, 0x2});
    stop();
    start(1, 0x1, FIRST_TAKEN);
    rig_branch(&r, B, 0x1, F, G);
    EXPECT_STACK(&r, {B, 0, NO_POINT, 0x1});
}

Test(reconvergence_stack, keeps_warps_apart, .fini = stop)
{
    rig_start(&r, &reconvergence_stack, 3, 4, FIRST_TAKEN);
    cr_assert_eq(r.unit->path_count(r.state), 3);
    for (uint32_t w = 0; w < 3; w++) {
        rig_launch(&r, w, A, 0xf);
        cr_assert_eq(r.last_path, w);
    }
    const path_group groups[] = {{0x3, B, 0}, {0xc, C, 0}};
    tell_transfer(r.unit, r.state, 1, groups, 2, D);
    cr_assert_eq(r.last_path, 1);
    tell_exit(r.unit, r.state, 2, 0xf);
    cr_assert_eq(r.last_path, 2);
    const path *paths = r.unit->paths(r.state);
    cr_assert(paths[0].mask == 0xf && paths[0].pc == A && paths[0].warp == 0);
    cr_assert(paths[1].mask == 0x3 && paths[1].pc == B && paths[1].warp == 1);
    cr_assert(paths[2].mask == 0 && paths[2].warp == 2);
    rig_launch(&r, 2, B, 0x1);
    cr_assert(paths[2].mask == 0x1 && paths[2].pc == B && paths[2].stop_pc == NO_STOP);
}

Test(reconvergence_stack, is_empty_after_reset, .fini = stop)
{
    start(4, 0xf, FIRST_TAKEN);
    rig_branch(&r, B, 0x7, F, G);
    r.unit->reset(r.state);
    cr_assert_eq(rig_path(&r)->mask, 0);
    cr_assert_eq(r.unit->live_lanes(r.state, 0), 0);
    cr_assert_eq(r.unit->maximum_depth(r.state), 0);
    rig_launch(&r, 0, A, 0xf);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xf});
}

typedef struct text {
    char lines[8][128];
    uint32_t count;
} text;

static void keep_line(void *context, const char *format, ...)
{
    text *t = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(t->lines[t->count++], sizeof t->lines[0], format, arguments);
    va_end(arguments);
}

Test(reconvergence_stack, says_which_lanes_wait_where, .fini = stop)
{
    text t = {0};
    isa_symbol function = {.name = "f", .address = A, .is_function = 1};
    isa_line line = {.address = E, .line = 12};
    char *file = "k.c";
    const isa_program program = {.text_address = A,
                                 .text_bytes = G + 4 - A,
                                 .symbol_count = 1,
                                 .symbols = &function,
                                 .line_count = 1,
                                 .lines = &line,
                                 .source_file_count = 1,
                                 .source_files = &file};
    const hd_text_sink sink = {&t, keep_line};
    start(4, 0xf, FIRST_TAKEN);
    rig_branch(&r, B, 0x7, G, G);
    rig_branch(&r, C, 0x3, D, E);
    r.unit->describe(r.state, 0, &program, &sink);
    cr_assert_eq(t.count, 2);
    cr_assert_str_eq(t.lines[0],
                     "  lanes 2: at 0x000010c0 (f+0xc0), call depth 0, have yet to run; lanes 0-1 go first");
    cr_assert_str_eq(
        t.lines[1], "  lanes 3: wait at reconvergence point 0x00001180 (f+0x180, k.c:12), call depth 0, for lanes 0-2");
}

/* ---- Likely-convergence points ---------------------------------------------------------------------------------------------- */

static void start_likely(void)
{
    rig_start_with(&r, &reconvergence_stack, 1, 4,
                   (const hd_value[RIG_VALUES]){[STACK_LIKELY_POINTS] = {.u = LIKELY_BY_LOOPS}});
    rig_launch(&r, 0, A, 0xf);
}

/* Fung 2015, figure 3.8: A to B or C, B to E, C to E or D, D to F, E to F. Threads 1 to 4 are lanes 0 to 3. */
Test(reconvergence_stack, walks_through_the_worked_example_of_a_likely_point, .init = start_likely, .fini = stop)
{
    rig_branch_likely(&r, C, 0xe, B, F, E);
    EXPECT_STACK(&r, {F, 0, NO_POINT, 0xf}, {E, 0, F, 0, 0}, {B, 0, F, 0, 0x1}, {C, 0, F, 0, 0xe});
    rig_branch(&r, D, 0xc, E, F); /* of its own it has none: it inherits that of A */
    EXPECT_STACK(&r, {F, 0, NO_POINT, 0xf}, {E, 0, F, 0, 0x2}, {B, 0, F, 0, 0x1}, {D, 0, F, 0, 0xc});
    rig_jump(&r, F);
    EXPECT_STACK(&r, {F, 0, NO_POINT, 0xf}, {E, 0, F, 0, 0x2}, {B, 0, F, 0, 0x1});
    rig_run(&r, E);
    EXPECT_STACK(&r, {F, 0, NO_POINT, 0xf}, {E, 0, F, 0, 0x3});
    rig_run(&r, F);
    EXPECT_STACK(&r, {F, 0, NO_POINT, 0xf});
    cr_assert_eq(r.unit->maximum_depth(r.state), 4);
}

/* The branch is not at the end of its entry: what parts there meets at G, within, and has no likely point. */
Test(reconvergence_stack, who_meets_before_inherits_no_likely_point, .init = start_likely, .fini = stop)
{
    rig_branch_likely(&r, B, 0x7, C, F, E);
    rig_branch(&r, D, 0x3, E, G);
    EXPECT_STACK(&r, {F, 0, NO_POINT, 0xf}, {E, 0, F, 0, 0}, {C, 0, F, 0, 0x8}, {G, 0, F, 0, 0x7}, {E, 0, G, 0, 0x4},
                 {D, 0, G, 0, 0x3});
    rig_jump(&r, E); /* no point of theirs */
    EXPECT_STACK(&r, {F, 0, NO_POINT, 0xf}, {E, 0, F, 0, 0}, {C, 0, F, 0, 0x8}, {G, 0, F, 0, 0x7}, {E, 0, G, 0, 0x4},
                 {E, 0, G, 0, 0x3});
}

/* In each turn of the loop the branch names the same point. */
Test(reconvergence_stack, stays_as_shallow_with_likely_points, .init = start_likely, .fini = stop)
{
    for (uint32_t i = 0; i < 1000; i++) {
        rig_branch_likely(&r, B, 0x5, C, F, E);
        rig_jump(&r, E);
        rig_run(&r, E);
        rig_jump(&r, A);
        EXPECT_STACK(&r, {F, 0, NO_POINT, 0xf}, {A, 0, F, 0, 0xf});
    }
    cr_assert_eq(r.unit->maximum_depth(r.state), 4);
}
