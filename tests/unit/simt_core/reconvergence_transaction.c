/* SPDX-License-Identifier: MIT */
/* Transactions on the SIMT stack (Fung 2015 §4.2.1). */
#include <criterion/criterion.h>
#include <stdio.h>

#include "reconvergence_random_program.h"
#include "reconvergence_rig.h"

enum { A = 0x1000, B = 0x1040, C = 0x1044, D = 0x10c0, E = 0x1100, F = 0x1140, G = 0x1144, H = 0x11c0 };
#define N ENTRY_NORMAL
#define R ENTRY_RETRY
#define T ENTRY_TRANSACTION

static rig r;

static void stop(void)
{
    rig_stop(&r);
}

static void start(uint32_t lanes, uint64_t mask)
{
    rig_start(&r, &reconvergence_stack, 1, lanes, FIRST_TAKEN);
    rig_launch(&r, 0, A, mask);
}

static void expect_types(int line, const uint32_t *types, uint32_t count)
{
    cr_assert_eq(stack_size(r.state, 0), count, "line %d: %u entries", line, stack_size(r.state, 0));
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(stack_entry_at(r.state, 0, i).type, types[i], "line %d, entry %u", line, i);
}
#define EXPECT_TYPES(...)                                                                                              \
    expect_types(__LINE__, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* As the pipeline does: the path stands at tx.begin, and goes on behind it. */
static void begin_with(uint64_t lanes)
{
    r.unit->tx_begin(r.state, 0, lanes, rig_path(&r)->pc + 4);
    rig_path(&r)->pc += 4;
}

static void begin(void)
{
    begin_with(rig_path(&r)->mask);
}

static void restart(uint64_t lanes)
{
    r.unit->tx_restart(r.state, 0, lanes & r.unit->tx_aborted(r.state, 0));
}

/* Figure 4.3: lane i is bit i, so that its 11110011, lane 0 first, is 0xCF. Lanes 4 and 5 go past the transaction, to H. */
Test(reconvergence_transaction, walks_through_the_worked_example, .fini = stop)
{
    start(8, 0xFF);
    rig_branch(&r, B, 0xCF, H, H);
    EXPECT_STACK(&r, {H, 0, NO_POINT, 0xFF}, {B, 0, H, 0, 0xCF});
    begin();
    EXPECT_STACK(&r, {H, 0, NO_POINT, 0xFF}, {B, 0, H, 0, 0xCF}, {C, 0, NO_POINT, 0}, {C, 0, NO_POINT, 0xCF});
    EXPECT_TYPES(N, N, R, T);
    rig_run(&r, D);
    rig_branch(&r, E, 0xC8, F, F);
    EXPECT_STACK(&r, {H, 0, NO_POINT, 0xFF}, {B, 0, H, 0, 0xCF}, {C, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0xCF},
                 {E, 0, F, 0, 0xC8});
    EXPECT_TYPES(N, N, R, T, N);
    cr_expect_not(r.unit->tx_together(r.state, 0));
    rig_run(&r, F);
    EXPECT_STACK(&r, {H, 0, NO_POINT, 0xFF}, {B, 0, H, 0, 0xCF}, {C, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0xCF});
    cr_expect(r.unit->tx_together(r.state, 0));
    r.unit->tx_done(r.state, 0, 0x0F, 0xC0);
    EXPECT_STACK(&r, {H, 0, NO_POINT, 0xFF}, {B, 0, H, 0, 0xCF}, {C, 0, NO_POINT, 0xC0}, {F, 0, NO_POINT, 0});
    EXPECT_TYPES(N, N, R, T);
    cr_expect_eq(r.unit->tx_aborted(r.state, 0), 0xC0);
    restart(~UINT64_C(0));
    EXPECT_STACK(&r, {H, 0, NO_POINT, 0xFF}, {B, 0, H, 0, 0xCF}, {C, 0, NO_POINT, 0}, {C, 0, NO_POINT, 0xC0});
    EXPECT_TYPES(N, N, R, T);
    rig_run(&r, F);
    r.unit->tx_done(r.state, 0, 0xC0, 0);
    r.unit->tx_leave(r.state, 0, G);
    EXPECT_STACK(&r, {H, 0, NO_POINT, 0xFF}, {G, 0, H, 0, 0xCF});
    EXPECT_TYPES(N, N);
    rig_run(&r, H);
    EXPECT_STACK(&r, {H, 0, NO_POINT, 0xFF});
}

Test(reconvergence_transaction, starts_all_lanes_again_when_all_have_aborted, .fini = stop)
{
    start(8, 0xFF);
    begin();
    rig_run(&r, D);
    rig_branch(&r, E, 0x0F, F, F);
    r.unit->tx_abort(r.state, 0, 0xFF);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0xFF}, {F, 0, NO_POINT, 0});
    cr_expect_eq(rig_path(&r)->mask, 0);
    cr_expect_eq(r.removed, 0, "the path is still there");
    restart(~UINT64_C(0));
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0}, {A + 4, 0, NO_POINT, 0xFF});
    EXPECT_TYPES(N, R, T);
}

Test(reconvergence_transaction, lanes_begin_and_start_again_in_turn, .fini = stop)
{
    start(8, 0xFF);
    begin_with(0x0F);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0xF0}, {A + 4, 0, NO_POINT, 0x0F});
    cr_expect_eq(rig_path(&r)->mask, 0x0F);
    rig_run(&r, F);
    r.unit->tx_done(r.state, 0, 0x0C, 0x03);
    restart(0x31);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0xC2}, {A + 4, 0, NO_POINT, 0x31});
    EXPECT_TYPES(N, R, T);
    rig_run(&r, F);
    r.unit->tx_done(r.state, 0, 0x31, 0);
    restart(0xC2);
    rig_run(&r, F);
    r.unit->tx_done(r.state, 0, 0xC2, 0);
    r.unit->tx_leave(r.state, 0, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xFF});
}

/* Lane 5 is in the side of the outer branch that has yet to run, lanes 0 and 1 are in the inner branch. */
Test(reconvergence_transaction, aborts_lanes_below_the_top_and_skips_what_is_emptied, .fini = stop)
{
    start(8, 0xFF);
    begin();
    rig_branch(&r, B, 0x0F, D, F);
    rig_branch(&r, C, 0x03, E, E);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0}, {F, 0, NO_POINT, 0xFF}, {D, 0, F, 0, 0xF0},
                 {E, 0, F, 0, 0x0F}, {C, 0, E, 0, 0x03});
    const uint32_t changed = r.changed;
    r.unit->tx_abort(r.state, 0, 0x20);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0x20}, {F, 0, NO_POINT, 0xDF}, {D, 0, F, 0, 0xD0},
                 {E, 0, F, 0, 0x0F}, {C, 0, E, 0, 0x03});
    r.unit->tx_abort(r.state, 0, 0x01);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0x21}, {F, 0, NO_POINT, 0xDE}, {D, 0, F, 0, 0xD0},
                 {E, 0, F, 0, 0x0E}, {C, 0, E, 0, 0x02});
    cr_expect_eq(r.changed, changed, "the path goes on where it is");
    r.unit->tx_abort(r.state, 0, 0xD0);
    r.unit->tx_abort(r.state, 0, 0x02);
    cr_expect_eq(r.changed, changed + 1, "it goes on elsewhere");
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0xF3}, {F, 0, NO_POINT, 0x0C}, {D, 0, F, 0, 0},
                 {E, 0, F, 0, 0x0C});
    rig_run(&r, F);
    EXPECT_STACK(&r, {A, 0, NO_POINT, 0xFF}, {A + 4, 0, NO_POINT, 0xF3}, {F, 0, NO_POINT, 0x0C});
    EXPECT_TYPES(N, R, T);
}

/* The transaction ends where the enclosing branch does, and that where the one around it does. */
Test(reconvergence_transaction, leaves_all_entries_whose_point_the_end_is, .fini = stop)
{
    start(8, 0xFF);
    rig_branch(&r, B, 0x0F, D, G);
    rig_branch(&r, C, 0x03, G, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xFF}, {D, 0, G, 0, 0xF0}, {C, 0, G, 0, 0x03});
    begin();
    rig_run(&r, F);
    r.unit->tx_done(r.state, 0, 0x03, 0);
    r.unit->tx_leave(r.state, 0, G);
    EXPECT_STACK(&r, {G, 0, NO_POINT, 0xFF}, {D, 0, G, 0, 0xF0});
    cr_expect_eq(r.unit->tx_running(r.state, 0) | r.unit->tx_aborted(r.state, 0), 0);
}

/* Nothing is lost: who runs, who has aborted and who has committed are all who began. */
static void random_transaction(uint64_t seed, uint64_t *deepest)
{
    uint64_t state = seed;
    const uint64_t began = random_next(&state) & 0xFFFF ? random_next(&state) & 0xFFFF : 0xFFFF;
    uint64_t committed = 0;
    start(16, began ? began : 1);
    const uint64_t all = rig_path(&r)->mask;
    begin_with(seed % 3 ? all : all & -all);
    for (uint32_t step = 0; step < 400 && (r.unit->tx_running(r.state, 0) | r.unit->tx_aborted(r.state, 0)); step++) {
        const uint64_t running = r.unit->tx_running(r.state, 0);
        const uint64_t some = random_next(&state) & random_next(&state);
        const uint64_t mask = rig_path(&r)->mask;
        if (!running)
            restart(some & r.unit->tx_aborted(r.state, 0) ? some : ~UINT64_C(0));
        else if (random_next(&state) % 4 == 0)
            r.unit->tx_abort(r.state, 0, running & some);
        else if (rig_path(&r)->stop_pc != NO_STOP && random_next(&state) % 2)
            rig_run(&r, rig_path(&r)->stop_pc);
        else if (r.unit->tx_together(r.state, 0) && random_next(&state) % 2) {
            committed |= running & ~some;
            r.unit->tx_done(r.state, 0, running & ~some, running & some);
        } else if ((mask & some) && (mask & ~some)) {
            rig_branch(&r, B + 16 * step, mask & some, D + 16 * step, E + 16 * step);
        }
        cr_assert_eq(r.unit->tx_running(r.state, 0) & r.unit->tx_aborted(r.state, 0), 0, "seed %lu", seed);
        cr_assert_eq(r.unit->tx_running(r.state, 0) + r.unit->tx_aborted(r.state, 0) + committed, all, "seed %lu",
                     seed);
    }
    *deepest = r.unit->maximum_depth(r.state) > *deepest ? r.unit->maximum_depth(r.state) : *deepest;
    if (!(r.unit->tx_running(r.state, 0) | r.unit->tx_aborted(r.state, 0))) {
        r.unit->tx_leave(r.state, 0, H);
        EXPECT_STACK(&r, {H, 0, NO_POINT, all});
    }
    rig_stop(&r);
}

Test(reconvergence_transaction, loses_no_lane)
{
    uint64_t deepest = 0;
    fprintf(stderr, "random transactions: seeds 1 to 2000\n");
    for (uint64_t seed = 1; seed <= 2000; seed++)
        random_transaction(seed, &deepest);
    cr_expect_gt(deepest, 8, "only %lu entries", deepest);
    cr_expect_leq(deepest, 33);
}

Test(reconvergence_transaction, a_path_per_lane_has_none)
{
    cr_expect_null(reconvergence_mimd.tx_begin);
}
