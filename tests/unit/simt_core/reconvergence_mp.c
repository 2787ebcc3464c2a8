/* SPDX-License-Identifier: MIT */
/* Multi-path execution: the examples of ElTantawy 2018 §7, and random programs against each lane alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "mp/mp.h"
#include "reconvergence_random_run.h"

#define A 0x1000u
#define B 0x1100u
#define C 0x1200u
#define D 0x1300u
#define ALL 0xFu
#define PROGRAMS 600u

static void start(rig *r, uint32_t splits, uint32_t early)
{
    const hd_value values[RIG_VALUES] = {
        [MP_FIRST] = {.u = SIDE_TAKEN}, [MP_SPLITS] = {.u = splits}, [MP_EARLY] = {.u = early}};
    rig_cycle = 0;
    rig_start_with(r, &reconvergence_mp, 1, 4, values);
    rig_launch(r, 0, A, ALL);
}

static path *path_at(const rig *r, uint32_t pc)
{
    for (uint32_t i = 0; i < 4; i++)
        if (rig_path(r)[i].mask && rig_path(r)[i].pc == pc)
            return &rig_path(r)[i];
    return NULL;
}

static uint64_t lanes_at(const rig *r, uint32_t pc)
{
    const path *p = path_at(r, pc);
    return p ? p->mask : 0;
}

static void part(const rig *r, uint32_t from, uint32_t taken, uint64_t lanes, uint32_t other, uint32_t meeting)
{
    const path *p = path_at(r, from);
    const path_group groups[] = {{p->mask & lanes, taken, 0}, {p->mask & ~lanes, other, 0}};
    tell_transfer(r->unit, r->state, (uint32_t)(p - rig_path(r)), groups, 2, meeting);
}

static void come(const rig *r, uint32_t from, uint32_t to)
{
    path *p = path_at(r, from);
    p->pc = to;
    tell_arrive(r->unit, r->state, (uint32_t)(p - rig_path(r)));
}

/* Figure 7.4. */
Test(reconvergence_mp, both_sides_run_and_meet)
{
    rig r;
    start(&r, 0, 0);
    part(&r, A, B, 0x5, C, D);
    cr_expect(lanes_at(&r, B) == 0x5 && lanes_at(&r, C) == 0xA);
    come(&r, B, D);
    cr_expect(lanes_at(&r, D) == 0 && lanes_at(&r, C) == 0xA);
    come(&r, C, D);
    cr_expect_eq(lanes_at(&r, D), ALL);
    cr_expect_eq(r.added, r.removed + 1);
    rig_stop(&r);
}

Test(reconvergence_mp, with_room_for_one_a_warp_does_what_it_does_on_a_stack)
{
    rig r;
    start(&r, 1, 0);
    part(&r, A, B, 0x5, C, D);
    cr_expect(lanes_at(&r, B) == 0x5 && lanes_at(&r, C) == 0);
    part(&r, B, B + 16, 0x1, B + 32, B + 64);
    cr_expect_eq(lanes_at(&r, B + 16), 0x1);
    come(&r, B + 16, B + 64);
    cr_expect_eq(lanes_at(&r, B + 32), 0x4, "before the other side of the outer branch");
    come(&r, B + 32, B + 64);
    come(&r, B + 64, D);
    cr_expect_eq(lanes_at(&r, C), 0xA);
    come(&r, C, D);
    cr_expect_eq(lanes_at(&r, D), ALL);
    cr_expect_eq(r.counters[MP_WAITS], 2);
    rig_stop(&r);
}

/* From the first event on: how many run, and who waits at a point, or for room. */
Test(reconvergence_mp, time_is_counted_by_splits_and_by_lanes_that_wait)
{
    for (uint32_t room = 0; room < 2; room++) {
        rig r;
        start(&r, room, 0);
        rig_cycle = 10;
        part(&r, A, B, 0x1, C, D);
        rig_cycle = 30;
        come(&r, B, D);
        rig_cycle = 70;
        come(&r, C, D);
        rig_cycle = 75;
        path *p = path_at(&r, D);
        tell_exit(r.unit, r.state, (uint32_t)(p - rig_path(&r)), ALL);
        rig_cycle = 100;
        rig_launch(&r, 0, A, ALL);
        rig_cycle = 200;
        part(&r, A, B, 0x1, D, D);
        cr_expect_eq(r.counters[MP_WARP_CYCLES], 65, "nothing before the first event, nor behind the last lane's end");
        cr_expect_eq(r.counters[MP_SPLIT_CYCLES], room ? 65 : 85);
        cr_expect_eq(r.counters[MP_SUSPENDED_CYCLES], (room ? 20 * 3 : 0) + 40);
        rig_stop(&r);
    }
}

/* Then its scheduler need not learn of another, and all is as on a stack. */
Test(reconvergence_mp, where_one_side_is_empty_the_path_stays)
{
    rig r;
    start(&r, 0, 0);
    part(&r, A, B, 0x5, D, D);
    cr_expect_eq(lanes_at(&r, B), 0x5);
    come(&r, B, D);
    cr_expect_eq(lanes_at(&r, D), ALL);
    cr_expect(r.added == 1 && r.removed == 0 && r.changed == 2);
    rig_stop(&r);
}

/* Figures 7.7 and 7.8: the lanes that come to B later meet the others where these stand. */
Test(reconvergence_mp, lanes_meet_early_in_code_that_others_are_in)
{
    rig r;
    start(&r, 0, 1);
    part(&r, A, B, 0xA, C, D);
    path_at(&r, B)->pc = B + 8;
    const path *p = path_at(&r, C);
    tell_transfer(r.unit, r.state, (uint32_t)(p - rig_path(&r)), (const path_group[]){{0x5, B, 0}}, 1, D);
    cr_expect_eq(lanes_at(&r, B), 0x5, "nobody has been made a split anew");
    rig_stop(&r);

    start(&r, 0, 1);
    part(&r, A, B, 0x8, C, D);
    path_at(&r, B)->pc = B + 8;
    part(&r, C, B, 0x1, C + 16, D);
    cr_expect_eq(lanes_at(&r, B), 0x1);
    cr_expect_eq(lanes_at(&r, B + 8), 0, "they wait where they stood");
    cr_expect_eq(path_at(&r, B)->stop_pc, B + 8);
    come(&r, B, B + 8);
    cr_expect_eq(lanes_at(&r, B + 8), 0x9);
    cr_expect_eq(r.counters[MP_EARLY_MEETINGS], 1);
    come(&r, B + 8, D);
    come(&r, C + 16, D);
    cr_expect_eq(lanes_at(&r, D), ALL);
    rig_stop(&r);
}

/* UT5: those of another entry may stand there too, but are awaited elsewhere. */
Test(reconvergence_mp, only_lanes_of_one_entry_meet_early)
{
    rig r;
    start(&r, 0, 1);
    part(&r, A, B, 0x8, C, D);
    part(&r, C, B, 0x1, C + 16, C + 64);
    cr_expect_eq(r.counters[MP_EARLY_MEETINGS], 0);
    rig_stop(&r);
}

Test(reconvergence_mp, lanes_that_begin_together_are_one_split)
{
    rig r;
    start(&r, 0, 1);
    part(&r, A, B, 0x8, C, D);
    part(&r, C, B, 0x1, C + 16, D);
    cr_expect_eq(lanes_at(&r, B), 0x9);
    cr_expect_eq(r.regrouped, 1);
    r.busy = UINT64_MAX;
    part(&r, C + 16, B, 0x2, C + 32, D);
    cr_expect_eq(r.counters[MP_EARLY_MEETINGS], 1, "one whose instruction issues is left alone");
    rig_stop(&r);
}

static void check_tables(const reconvergence *state, uint32_t warp)
{
    cr_assert(splits_can_be(&((const mp *)state)->splits, warp));
}

static uint64_t programs(void)
{
    const char *text = getenv("HEDDLE_MP_PROGRAMS");
    return text ? strtoull(text, NULL, 10) : PROGRAMS;
}

/* Whichever side is first, however many run, and whenever they lose patience. HEDDLE_MP_PROGRAMS: how many programs. */
Test(reconvergence_mp, runs_every_lane_of_any_program_as_it_runs_alone, .timeout = 600)
{
    static const uint32_t lane_counts[] = {2, 3, 4, 8, 8, 16, 32, 64}, room[] = {0, 1, 2, 4, 0, 6},
                          timeouts[] = {0, 0, 1, 5, 30, 400};
    static program p;
    run *r = calloc(1, sizeof *r);
    cr_assert_not_null(r);
    const uint64_t seed = 20180701;
    uint64_t made = 0, issues[2] = {0};
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint64_t s = seed; made < programs(); s++) {
        const hd_value values[RIG_VALUES] = {[MP_FIRST] = {.u = s / 8 % 2},
                                             [MP_SPLITS] = {.u = room[s / 16 % 6]},
                                             [MP_EARLY] = {.u = s / 5 % 2},
                                             [MP_TIMEOUT] = {.u = timeouts[s / 48 % 6]}};
        r->program = &p;
        r->lanes = lane_counts[s % 8];
        r->timed = 1;
        r->moving = s % 5 ? 0 : s;
        r->values = NULL;
        r->check = NULL;
        if (!program_make(&p, s) || !run_alone(r))
            continue;
        made++;
        run_on(r, &reconvergence_mimd);
        issues[0] += r->issue_count;
        r->values = values;
        r->check = check_tables;
        run_on(r, &reconvergence_mp);
        issues[1] += r->issue_count;
    }
    printf("%llu programs, %llu instructions instead of %llu\n", (unsigned long long)made,
           (unsigned long long)issues[1], (unsigned long long)issues[0]);
    cr_assert_lt(issues[1], issues[0]);
    free(r);
}
