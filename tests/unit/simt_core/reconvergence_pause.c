/* SPDX-License-Identifier: MIT */
/* Lanes of a transaction pause on the SIMT stack while others of it go on (Ren & Lis 2018 §VI). */
#include <criterion/criterion.h>
#include <stdio.h>

#include "likely.h"
#include "reconvergence_random_program.h"
#include "reconvergence_rig.h"

enum { A = 0x1000, START = 0x1004, P = 0x1040, B = 0x1080, D = 0x10c0, E = 0x1100, F = 0x1140, COMMIT = 0x1180 };
#define N ENTRY_NORMAL
#define R ENTRY_RETRY
#define T ENTRY_TRANSACTION

static rig r;

static void stop(void)
{
    rig_stop(&r);
}

static void begin_with(uint32_t lanes, uint64_t mask, uint32_t likely)
{
    rig_start_with(
        &r, &reconvergence_stack, 1, lanes,
        (const hd_value[RIG_VALUES]){[STACK_FIRST] = {.u = FIRST_TAKEN}, [STACK_LIKELY_POINTS] = {.u = likely}});
    rig_launch(&r, 0, A, mask);
    r.unit->tx_begin(r.state, 0, mask, A + 4);
    rig_path(&r)->pc += 4;
}

static void begin(uint32_t lanes, uint64_t mask)
{
    begin_with(lanes, mask, LIKELY_NONE);
}

static void expect_types(int line, const uint32_t *types, uint32_t count)
{
    cr_assert_eq(stack_size(r.state, 0), count, "line %d: %u entries", line, stack_size(r.state, 0));
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(stack_entry_at(r.state, 0, i).type, types[i], "line %d, entry %u", line, i);
}
#define EXPECT_TYPES(...)                                                                                              \
    expect_types(__LINE__, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint64_t running(void)
{
    return r.unit->tx_running(r.state, 0);
}

static uint64_t paused(void)
{
    return r.unit->tx_paused(r.state, 0);
}

/* Lane i is bit i: lanes 0 and 3 of four pause at P, 2 aborts, 1 commits; then the first two go on, and 0 commits. */
Test(reconvergence_pause, walks_through_the_worked_example, .fini = stop)
{
    begin(4, 0xF);
    rig_run(&r, P);
    r.unit->tx_pause(r.state, 0, 0x6);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0}, {P, 0, NO_POINT, 0x9}, {P, 0, NO_POINT, 0},
                 {P, 0, NO_POINT, 0x6});
    EXPECT_TYPES(N, R, T, ENTRY_PAUSE, T);
    cr_expect_eq(running(), 0x6);
    cr_expect_eq(paused(), 0x9);
    cr_expect(r.unit->tx_together(r.state, 0), "those that go on are");
    rig_run(&r, COMMIT);
    r.unit->tx_abort(r.state, 0, 0x4);
    r.unit->tx_done(r.state, 0, 0x2, 0);
    cr_expect_eq(running(), 0);
    const uint32_t changed = r.changed;
    r.unit->tx_resume(r.state, 0);
    cr_expect_eq(r.changed, changed + 1);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0x4}, {P, 0, NO_POINT, 0x9});
    EXPECT_TYPES(N, R, T);
    cr_expect_eq(paused(), 0);
    rig_run(&r, COMMIT);
    r.unit->tx_done(r.state, 0, 0x1, 0x8);
    r.unit->tx_restart(r.state, 0, 0xC);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0}, {START, 0, NO_POINT, 0xC});
    EXPECT_TYPES(N, R, T);
}

/* Lanes 0 and 1 are in one arm of a branch, 2 and 3 in the other, which has yet to run: one of the first pauses. */
Test(reconvergence_pause, lanes_of_a_branch_leave_it_alone, .fini = stop)
{
    begin(8, 0xF);
    rig_branch(&r, B, 0x3, D, F);
    r.unit->tx_pause(r.state, 0, 0x1);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0xE}, {D, 0, F, 0, 0xC},
                 {B, 0, F, 0, 0x2}, {B, 0, NO_POINT, 0}, {B, 0, NO_POINT, 0x1});
    cr_expect_eq(paused(), 0xE, "those of the other arm, too");
    rig_run(&r, COMMIT);
    cr_expect_eq(rig_path(&r)->mask, 0x1, "it does not wait where the others meet");
    r.unit->tx_done(r.state, 0, 0x1, 0);
    r.unit->tx_resume(r.state, 0);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0xE}, {D, 0, F, 0, 0xC},
                 {B, 0, F, 0, 0x2});
    rig_run(&r, F);
    rig_run(&r, F);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0xE});
}

/* All of an arm go on, and the other arm pauses. */
Test(reconvergence_pause, an_arm_may_go_on_as_a_whole, .fini = stop)
{
    begin(8, 0xF);
    rig_branch(&r, B, 0x3, D, F);
    r.unit->tx_pause(r.state, 0, 0x3);
    cr_expect_eq(paused(), 0xC);
    rig_run(&r, COMMIT);
    r.unit->tx_done(r.state, 0, 0x3, 0);
    r.unit->tx_resume(r.state, 0);
    cr_expect_eq(rig_path(&r)->pc, D, "what is left of their arm is skipped");
    cr_expect_eq(rig_path(&r)->mask, 0xC);
}

/* All lanes that go on abort: no lane starts again before those that pause are done. */
Test(reconvergence_pause, who_pauses_comes_before_who_has_aborted, .fini = stop)
{
    begin(4, 0xF);
    rig_run(&r, P);
    r.unit->tx_pause(r.state, 0, 0xC);
    rig_branch(&r, D, 0x4, E, F);
    r.unit->tx_abort(r.state, 0, 0xC);
    cr_expect_eq(rig_path(&r)->mask, 0);
    cr_expect_eq(r.unit->tx_aborted(r.state, 0), 0xC);
    r.unit->tx_resume(r.state, 0);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0xC}, {P, 0, NO_POINT, 0x3});
}

/* As many groups as lanes: an entry for each, one below each but the first, and two below all. */
Test(reconvergence_pause, n_lanes_part_n_minus_1_times_within_the_bound, .fini = stop)
{
    const uint32_t lanes = 32;
    begin(lanes, 0xFFFFFFFF);
    for (uint32_t lane = 0; lane + 1 < lanes; lane++)
        r.unit->tx_pause(r.state, 0, running() & (running() - 1));
    cr_expect_eq(running(), UINT64_C(1) << 31);
    cr_expect_eq(paused(), 0x7FFFFFFF);
    cr_expect_eq(stack_size(r.state, 0), 1 + 1 + 32 + 31);
    cr_expect_eq(r.unit->maximum_depth(r.state), 2 * lanes + 1);
    for (uint32_t lane = lanes; lane-- > 0;) {
        cr_expect_eq(running(), UINT64_C(1) << lane, "the last to pause goes on first");
        r.unit->tx_done(r.state, 0, running(), 0);
        if (lane)
            r.unit->tx_resume(r.state, 0);
    }
    r.unit->tx_leave(r.state, 0, COMMIT + 4);
    EXPECT_STACK(&r, {COMMIT + 4, 0, NO_POINT, 0xFFFFFFFF});
}

/* Lanes 1 to 3 are on their way to E, where most meet, 0 is on its own: 3 pauses, and comes there later. */
Test(reconvergence_pause, lanes_that_go_on_leave_their_likely_point, .fini = stop)
{
    begin_with(8, 0xF, LIKELY_BY_LOOPS);
    rig_branch_likely(&r, D, 0xE, B, F, E);
    r.unit->tx_pause(r.state, 0, 0x6);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0x9}, {E, 0, F, 0, 0},
                 {B, 0, F, 0, 0x1}, {D, 0, F, 0, 0x8}, {D, 0, NO_POINT, 0}, {D, 0, NO_POINT, 0x6});
    cr_expect_eq(rig_path(&r)->stop_pc, NO_STOP, "those that go on stop nowhere");
    rig_branch_likely(&r, E, 0x2, E + 4, F, E + 8);
    rig_run(&r, E + 8);
    rig_run(&r, E + 8);
    rig_run(&r, F);
    rig_run(&r, COMMIT);
    r.unit->tx_done(r.state, 0, 0x6, 0);
    r.unit->tx_resume(r.state, 0);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0x9}, {E, 0, F, 0, 0},
                 {B, 0, F, 0, 0x1}, {D, 0, F, 0, 0x8});
    rig_run(&r, E);
    rig_run(&r, E);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0x9}, {E, 0, F, 0, 0x9});
    rig_run(&r, F);
    cr_expect(r.unit->tx_together(r.state, 0));
    cr_expect_eq(rig_path(&r)->mask, 0x9);
}

/* Lanes that wait at a likely point pause there with the others, and abort there. */
Test(reconvergence_pause, lanes_abort_where_most_meet, .fini = stop)
{
    begin_with(8, 0xF, LIKELY_BY_LOOPS);
    rig_branch_likely(&r, D, 0xC, B, F, E);
    rig_run(&r, E);
    r.unit->tx_pause(r.state, 0, 0x1);
    cr_expect_eq(paused(), 0xE);
    r.unit->tx_done(r.state, 0, 0x1, 0);
    r.unit->tx_resume(r.state, 0);
    r.unit->tx_abort(r.state, 0, 0xC);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xF}, {START, 0, NO_POINT, 0xC}, {F, 0, NO_POINT, 0x2}, {E, 0, F, 0, 0},
                 {B, 0, F, 0, 0x2});
    rig_run(&r, E);
    rig_run(&r, F);
    r.unit->tx_done(r.state, 0, 0x2, 0);
    cr_expect_eq(r.unit->tx_aborted(r.state, 0), 0xC);
}

/* Where the branch of this step goes, and where its lanes meet: most of them, and all, if not where those of the top entry do. */
static void random_branch(uint64_t taken, uint32_t step, uint64_t *state)
{
    const uint32_t at = 0x2000 + 64 * step, has_likely = random_next(state) % 2, inherits = random_next(state) % 3 == 0;
    const stack_entry top = stack_entry_at(r.state, 0, stack_size(r.state, 0) - 1);
    const uint32_t meet = inherits && top.stop_pc != NO_STOP ? top.stop_pc : at + 48;
    rig_branch_likely(&r, at, taken, at + 16, meet, has_likely ? at + 32 : 0);
}

/* Who runs, pauses, has aborted and has committed are all who began, and apart from each other (EI-3). */
static void random_pauses(uint64_t seed, uint32_t likely, uint64_t *deepest, uint64_t *most)
{
    uint64_t state = seed;
    const uint64_t some_lanes = random_next(&state) & 0xFFFF, all = some_lanes ? some_lanes : 1;
    uint64_t committed = 0, pauses = 0;
    begin_with(16, all, likely);
    for (uint32_t step = 0; step < 600; step++) {
        const uint64_t mask = rig_path(&r)->mask, some = random_next(&state), few = some & random_next(&state);
        if (!running() && paused())
            r.unit->tx_resume(r.state, 0);
        else if (!running() && r.unit->tx_aborted(r.state, 0))
            r.unit->tx_restart(r.state, 0, r.unit->tx_aborted(r.state, 0));
        else if (!running())
            break;
        else if (random_next(&state) % 4 == 0 && mask & some && (mask & some) != running()) {
            r.unit->tx_pause(r.state, 0, mask & some);
            pauses++;
        } else if (random_next(&state) % 8 == 0)
            r.unit->tx_abort(r.state, 0, running() & few);
        else if (rig_path(&r)->stop_pc != NO_STOP && random_next(&state) % 2)
            rig_run(&r, rig_path(&r)->stop_pc);
        else if (r.unit->tx_together(r.state, 0) && random_next(&state) % 4 == 0) {
            const uint64_t lanes = running();
            committed |= lanes & ~few;
            r.unit->tx_done(r.state, 0, lanes & ~few, lanes & few);
        } else if ((mask & some) && (mask & ~some) && likely)
            random_branch(mask & some, step, &state);
        else if ((mask & some) && (mask & ~some))
            rig_branch(&r, B + 16 * step, mask & some, D + 16 * step, E + 16 * step);
        const uint64_t lanes[] = {running(), paused(), r.unit->tx_aborted(r.state, 0), committed};
        uint64_t sum = 0, either = 0;
        for (uint32_t i = 0; i < 4; i++) {
            sum += lanes[i];
            either |= lanes[i];
        }
        cr_assert(sum == all && either == all, "seed %lu: %lx run, %lx pause, %lx aborted, %lx committed", seed,
                  lanes[0], lanes[1], lanes[2], lanes[3]);
    }
    *deepest = r.unit->maximum_depth(r.state) > *deepest ? r.unit->maximum_depth(r.state) : *deepest;
    *most = pauses > *most ? pauses : *most;
    rig_stop(&r);
}

Test(reconvergence_pause, loses_no_lane)
{
    uint64_t deepest = 0, most = 0;
    fprintf(stderr, "random pauses: seeds 1 to 2000\n");
    for (uint64_t seed = 1; seed <= 2000; seed++)
        random_pauses(seed, LIKELY_NONE, &deepest, &most);
    cr_expect_gt(deepest, 12, "only %lu entries", deepest);
    cr_expect_leq(deepest, 33);
    cr_expect_gt(most, 12, "only %lu pauses", most);
}

Test(reconvergence_pause, loses_no_lane_with_likely_points)
{
    uint64_t deepest = 0, most = 0;
    fprintf(stderr, "random pauses with likely points: seeds 1 to 2000\n");
    for (uint64_t seed = 1; seed <= 2000; seed++)
        random_pauses(seed, LIKELY_BY_LOOPS, &deepest, &most);
    cr_expect_gt(deepest, 12, "only %lu entries", deepest);
    cr_expect_leq(deepest, 3 * 16 + 1);
    cr_expect_gt(most, 12, "only %lu pauses", most);
}
