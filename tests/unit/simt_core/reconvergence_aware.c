/* SPDX-License-Identifier: MIT */
/* The worked examples of ElTantawy 2018 §5, four lanes each, step by step; and what else AWARE says of itself. */
#include <criterion/criterion.h>

#include "aware/aware.h"
#include "reconvergence_rig.h"

#define A 0x1000u
#define B 0x1100u
#define C 0x1200u
#define D 0x1300u
#define E 0x1400u
#define F 0x1500u
#define G 0x1600u
#define NONE NO_STOP
#define ALL 0xFu

typedef struct split_row {
    uint32_t pc, stop;
    uint64_t mask;
} split_row;

typedef struct meeting_row {
    uint32_t at, next;
    uint64_t lanes, pending;
} meeting_row;

static void start_with(rig *r, uint32_t rotate, uint32_t timeout)
{
    const hd_value values[RIG_VALUES] = {
        [AWARE_FIRST] = {.u = SIDE_NOT_TAKEN}, [AWARE_ROTATE] = {.u = rotate}, [AWARE_TIMEOUT] = {.u = timeout}};
    rig_cycle = 0;
    rig_start_with(r, &reconvergence_aware, 1, 4, values);
    rig_launch(r, 0, A, ALL);
}

static void start(rig *r)
{
    start_with(r, AWARE_ROTATE_ALL, 0);
}

static void expect_queue(const rig *r, int line, const split_row *rows, uint32_t count)
{
    aware *u = (aware *)r->state;
    queue_take_pc(u, 0);
    cr_assert_eq(u->queued[0], count, "line %d: %u splits", line, u->queued[0]);
    for (uint32_t i = 0; i < count; i++) {
        const path *p = &u->splits.paths[u->queue[i]];
        cr_expect(p->pc == rows[i].pc && p->stop_pc == rows[i].stop && p->mask == rows[i].mask,
                  "line %d, split %u: pc %x, stop %x, mask %llx", line, i, p->pc, p->stop_pc,
                  (unsigned long long)p->mask);
    }
    cr_expect(splits_can_be(&u->splits, 0), "line %d", line);
}

static void expect_meetings(const rig *r, int line, const meeting_row *rows, uint32_t count)
{
    const splits *s = &((const aware *)r->state)->splits;
    cr_assert_eq(s->counts[0].meetings, count, "line %d: %u entries", line, s->counts[0].meetings);
    for (uint32_t i = 0; i < count; i++) {
        const meeting *m = &s->meetings[i];
        cr_expect(m->at.pc == rows[i].at && m->next.pc == rows[i].next && m->lanes == rows[i].lanes &&
                      m->pending == rows[i].pending,
                  "line %d, entry %u: %x, %x, lanes %llx, pending %llx", line, i, m->at.pc, m->next.pc,
                  (unsigned long long)m->lanes, (unsigned long long)m->pending);
    }
}

#define EXPECT_QUEUE(r, ...)                                                                                           \
    expect_queue(r, __LINE__, (const split_row[]){__VA_ARGS__},                                                        \
                 sizeof((const split_row[]){__VA_ARGS__}) / sizeof(split_row))
#define EXPECT_MEETINGS(r, ...)                                                                                        \
    expect_meetings(r, __LINE__, (const meeting_row[]){__VA_ARGS__},                                                   \
                    sizeof((const meeting_row[]){__VA_ARGS__}) / sizeof(meeting_row))
#define EXPECT_NO_MEETING(r) expect_meetings(r, __LINE__, NULL, 0)

/* Figure 5.1; even lanes take B. */
Test(reconvergence_aware, sides_take_turns_and_meet)
{
    rig r;
    start(&r);
    EXPECT_QUEUE(&r, {A, NONE, ALL});
    EXPECT_NO_MEETING(&r);
    rig_branch(&r, C, 0xA, B, D);
    EXPECT_QUEUE(&r, {B, D, 0x5}, {C, D, 0xA});
    EXPECT_MEETINGS(&r, {D, NONE, ALL, ALL});
    rig_run(&r, D);
    EXPECT_QUEUE(&r, {C, D, 0xA});
    EXPECT_MEETINGS(&r, {D, NONE, ALL, 0xA});
    rig_run(&r, D);
    EXPECT_QUEUE(&r, {D, NONE, ALL});
    EXPECT_NO_MEETING(&r);
    rig_stop(&r);
}

/* Figure 5.2. */
Test(reconvergence_aware, points_are_nested)
{
    rig r;
    start(&r);
    rig_branch(&r, B, 0x5, C, G);
    EXPECT_QUEUE(&r, {C, G, 0xA}, {B, G, 0x5});
    EXPECT_MEETINGS(&r, {G, NONE, ALL, ALL});
    rig_branch(&r, D, 0x2, E, F);
    EXPECT_QUEUE(&r, {B, G, 0x5}, {E, F, 0x8}, {D, F, 0x2});
    EXPECT_MEETINGS(&r, {G, NONE, ALL, ALL}, {F, G, 0xA, 0xA});
    rig_run(&r, G);
    EXPECT_QUEUE(&r, {E, F, 0x8}, {D, F, 0x2});
    EXPECT_MEETINGS(&r, {G, NONE, ALL, 0xA}, {F, G, 0xA, 0xA});
    rig_run(&r, F);
    EXPECT_QUEUE(&r, {D, F, 0x2});
    EXPECT_MEETINGS(&r, {G, NONE, ALL, 0xA}, {F, G, 0xA, 0x2});
    rig_run(&r, F);
    EXPECT_QUEUE(&r, {F, G, 0xA});
    EXPECT_MEETINGS(&r, {G, NONE, ALL, 0xA});
    rig_run(&r, G);
    EXPECT_QUEUE(&r, {G, NONE, ALL});
    EXPECT_NO_MEETING(&r);
    rig_stop(&r);
}

static void tell_barrier(const rig *r, uint32_t kind)
{
    const path_event event = {.kind = kind, .pc = rig_path(r)->pc, .mask = rig_path(r)->mask, .barrier = 2};
    r->unit->event(r->state, &event);
}

/* Figure 5.3: a barrier on both sides. */
Test(reconvergence_aware, a_barrier_blocks_a_split_and_not_the_warp)
{
    rig r;
    start(&r);
    rig_branch(&r, C, 0xA, B, D);
    cr_expect(r.unit->may_wait(r.state, 0));
    tell_barrier(&r, PATH_BARRIER_REACHED);
    EXPECT_QUEUE(&r, {C, D, 0xA}, {B + 4, D, 0x5});
    cr_expect_eq(r.unit->at_barrier(r.state, 0, 2), 0x5);
    tell_barrier(&r, PATH_BARRIER_REACHED);
    cr_expect_eq(r.unit->at_barrier(r.state, 0, 2), ALL);
    cr_expect_eq(rig_path(&r)->mask, 0);
    cr_expect_eq(r.removed, 1);
    tell_barrier(&r, PATH_BARRIER_OPENED);
    EXPECT_QUEUE(&r, {B + 4, D, 0x5}, {C + 4, D, 0xA});
    cr_expect_eq(r.added, 2);
    rig_run(&r, D);
    cr_expect(rig_path(&r)->mask == 0xA);
    cr_expect_not(r.unit->may_wait(r.state, 0), "those at D wait for these, and never come to a barrier");
    rig_run(&r, D);
    EXPECT_QUEUE(&r, {D, NONE, ALL});
    cr_expect_eq(r.counters[AWARE_BARRIER_BLOCKS], 2);
    rig_stop(&r);
}

/* A blocked split in front does not keep those behind it. The barrier is the last instruction before the meeting point. */
Test(reconvergence_aware, behind_a_barrier_lanes_may_be_where_they_meet)
{
    rig r;
    start(&r);
    rig_branch(&r, C, 0xA, D - 4, D);
    tell_barrier(&r, PATH_BARRIER_REACHED);
    tell_barrier(&r, PATH_BARRIER_REACHED);
    tell_barrier(&r, PATH_BARRIER_OPENED);
    EXPECT_QUEUE(&r, {C + 4, D, 0xA});
    EXPECT_MEETINGS(&r, {D, NONE, ALL, 0xA});
    rig_stop(&r);
}

/* Figure 5.4: a spin lock at B; the critical section at C ends before D, where lanes meet. */
Test(reconvergence_aware, with_a_point_behind_the_release_a_lock_goes_round)
{
    rig r;
    start(&r);
    rig_run(&r, B);
    for (uint32_t lane = 3; lane > 0; lane--) {
        const uint64_t left = (UINT64_C(1) << lane) - 1, waiting = ALL & ~(2 * left + 1);
        rig_branch(&r, B, left, C, D);
        EXPECT_QUEUE(&r, {C, D, UINT64_C(1) << lane}, {B, D, left});
        EXPECT_MEETINGS(&r, {D, NONE, ALL, ALL & ~waiting});
        rig_run(&r, D);
        EXPECT_QUEUE(&r, {B, D, left});
        EXPECT_MEETINGS(&r, {D, NONE, ALL, left});
    }
    rig_branch(&r, B, 0, C, D);
    EXPECT_QUEUE(&r, {C, D, 0x1});
    rig_run(&r, D);
    EXPECT_QUEUE(&r, {D, NONE, ALL});
    cr_expect_eq(r.counters[AWARE_MAXIMUM_SPLITS], 2);
    cr_expect_eq(r.counters[AWARE_MAXIMUM_MEETINGS], 1);
    rig_stop(&r);
}

/* Figure 5.5: the same with the point at C, and a time-out. */
Test(reconvergence_aware, a_time_out_lets_the_holder_go)
{
    rig r;
    start_with(&r, AWARE_ROTATE_ALL, 100);
    rig_run(&r, B);
    rig_cycle = 10;
    rig_branch(&r, B, 0x7, C, C);
    EXPECT_QUEUE(&r, {B, C, 0x7});
    EXPECT_MEETINGS(&r, {C, NONE, ALL, 0x7});
    cr_expect_eq(r.unit->next(r.state, 50), 111);
    rig_branch(&r, B, 0x7, C, C);
    EXPECT_QUEUE(&r, {B, C, 0x7});
    r.unit->due(r.state, 111);
    EXPECT_QUEUE(&r, {B, C, 0x7}, {C, NONE, 0x8});
    EXPECT_MEETINGS(&r, {C, NONE, 0x7, 0x7});
    cr_expect_eq(r.unit->next(r.state, 111), UINT64_MAX);
    rig_branch(&r, B, 0x7, C, C);
    EXPECT_QUEUE(&r, {C, NONE, 0x8}, {B, C, 0x7});
    cr_expect_eq(r.counters[AWARE_TIMEOUTS], 1);
    cr_expect_eq(r.counters[AWARE_ROTATIONS], 1);
    rig_stop(&r);
}

/* Who comes, and who waits already, wait from now on. */
Test(reconvergence_aware, each_arrival_begins_the_time_anew)
{
    rig r;
    start_with(&r, AWARE_ROTATE_ALL, 100);
    rig_branch(&r, B, 0x1, D, D);
    rig_cycle = 60;
    rig_branch(&r, C, 0x1, B + 4, D);
    EXPECT_QUEUE(&r, {C, D, 0x1});
    cr_expect_eq(r.unit->next(r.state, 61), 101);
    rig_stop(&r);

    start_with(&r, AWARE_ROTATE_ALL, 100);
    rig_branch(&r, B, 0x3, D, D);
    rig_branch(&r, C, 0x1, B + 4, D);
    rig_cycle = 60;
    rig_run(&r, D);
    EXPECT_QUEUE(&r, {C, D, 0x1});
    cr_expect_eq(r.unit->next(r.state, 61), 161);
    rig_stop(&r);
}

/* Lanes that give up meet the others at the outer point. */
Test(reconvergence_aware, those_that_give_up_are_pending_outside)
{
    rig r;
    start_with(&r, AWARE_ROTATE_ALL, 100);
    rig_branch(&r, B, 0x1, C, G);
    rig_branch(&r, D, 0x8, E, F);
    rig_run(&r, B + 8);
    rig_branch(&r, B, 0x1, B + 12, G); /* lets the next one run */
    rig_run(&r, F);
    r.unit->due(r.state, 101);
    EXPECT_QUEUE(&r, {D, F, 0x8}, {B, G, 0x1}, {F, G, 0x6});
    EXPECT_MEETINGS(&r, {G, NONE, ALL, ALL}, {F, G, 0x8, 0x8});
    rig_stop(&r);
}

/* UT15: if only those that part let others run, lanes that stay together in a loop keep them out. */
Test(reconvergence_aware, only_rotation_lets_others_run)
{
    static const uint32_t next[] = {[AWARE_ROTATE_BACK] = C, [AWARE_ROTATE_ALL] = C, [AWARE_ROTATE_DIVERGENT] = B};
    for (uint32_t rotate = 0; rotate <= AWARE_ROTATE_DIVERGENT; rotate++) {
        rig r;
        start_with(&r, rotate, 0);
        rig_branch(&r, C, 0xA, B, D);
        rig_run(&r, B + 8);
        rig_jump(&r, B);
        cr_expect_eq(rig_path(&r)->pc, next[rotate], "rotate %u", rotate);
        rig_stop(&r);
    }
}

Test(reconvergence_aware, with_back_branches_ahead_do_not_rotate)
{
    rig r;
    start_with(&r, AWARE_ROTATE_BACK, 0);
    rig_branch(&r, C, 0xA, B, D);
    rig_jump(&r, B + 16);
    cr_expect_eq(rig_path(&r)->pc, B + 16);
    cr_expect_eq(r.counters[AWARE_ROTATIONS], 0);
    rig_stop(&r);
}

/* ---- Between a load reserved and its store conditional ------------------------------------------------------------------------ */

/* As rig_branch, with lanes that then stand there. */
static void branch_reserved(const rig *r, uint32_t taken_pc, uint64_t taken, uint32_t other_pc, uint64_t reserved)
{
    const path *p = rig_path(r);
    const path_group sides[] = {{p->mask & taken, taken_pc, 0}, {p->mask & ~taken, other_pc, 0}};
    const uint32_t first = !sides[0].mask, count = 2 - first - !sides[1].mask;
    const path_event event = {.kind = PATH_BRANCHED,
                              .pc = p->pc,
                              .mask = p->mask,
                              .taken = sides[0].mask,
                              .target = taken_pc,
                              .transfer = PATH_TRANSFER_BRANCH,
                              .groups = sides + first,
                              .group_count = count,
                              .reconvergence_pc = G,
                              .reserved = reserved};
    r->unit->transfer(r->state, &event);
}

Test(reconvergence_aware, between_a_load_reserved_and_its_store_nobody_else_runs)
{
    rig r;
    start(&r);
    rig_branch(&r, C, 0xA, B, D);
    branch_reserved(&r, F, 0, B + 8, 0x5);
    EXPECT_QUEUE(&r, {B + 8, D, 0x5}, {C, D, 0xA});
    cr_expect_eq(r.counters[AWARE_ROTATIONS], 0);
    branch_reserved(&r, B, 0x5, B + 16, 0);
    EXPECT_QUEUE(&r, {C, D, 0xA}, {B, D, 0x5});
    cr_expect_eq(r.counters[AWARE_ROTATIONS], 1);
    rig_stop(&r);
}

/* Those that leave go to the back, in the order in which they would. */
Test(reconvergence_aware, lanes_that_part_there_run_up_to_their_store_before_others)
{
    rig r;
    start(&r);
    rig_branch(&r, C, 0x8, B, D);
    branch_reserved(&r, F, 0x3, B + 8, 0x4);
    EXPECT_QUEUE(&r, {B + 8, G, 0x4}, {C, D, 0x8}, {F, G, 0x3});
    rig_stop(&r);

    start(&r);
    rig_branch(&r, C, 0x8, B, D);
    branch_reserved(&r, F, 0x3, B + 8, 0x7);
    EXPECT_QUEUE(&r, {B + 8, G, 0x4}, {F, G, 0x3}, {C, D, 0x8});
    rig_stop(&r);
}

Test(reconvergence_aware, lanes_that_meet_there_run_before_others)
{
    rig r;
    start(&r);
    rig_branch(&r, C, 0x8, B, D);
    branch_reserved(&r, G, 0x3, B + 8, 0x7);
    EXPECT_QUEUE(&r, {B + 8, G, 0x4}, {C, D, 0x8});
    rig_path(&r)->pc = G;
    const path_event event = {.kind = PATH_ARRIVED, .pc = G, .mask = 0x4, .reserved = 0x4};
    r.unit->arrive(r.state, &event);
    EXPECT_QUEUE(&r, {G, D, 0x7}, {C, D, 0x8});
    rig_stop(&r);
}

Test(reconvergence_aware, lanes_that_exit_are_awaited_no_longer)
{
    rig r;
    start(&r);
    rig_branch(&r, C, 0xA, B, D);
    rig_run(&r, D);
    rig_exit(&r, 0x2);
    EXPECT_QUEUE(&r, {C, D, 0x8});
    rig_exit(&r, 0x8);
    EXPECT_QUEUE(&r, {D, NONE, 0x5});
    EXPECT_NO_MEETING(&r);
    cr_expect_eq(r.unit->live_lanes(r.state, 0), 0x5);
    rig_exit(&r, 0x5);
    cr_expect_eq(r.added, r.removed);
    rig_stop(&r);
}
