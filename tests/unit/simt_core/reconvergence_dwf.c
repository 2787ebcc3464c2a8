/* SPDX-License-Identifier: MIT */
/* Dynamic warp formation: the published vectors, the table of the pool, reconvergence points, exits, warp barriers. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dwf/dwf.h"
#include "reconvergence_rig.h"

#define LANES 4u
#define NOBODY (-1)
#define HERE 0x2000u
#define THERE 0x3000u

/* A block of these warps, from slot 0. */
static void launch(rig *r, uint32_t count, const uint64_t *masks)
{
    static const uint32_t slots[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    r->unit->launch(r->state, &(block_warps){slots, count}, 0x1000, masks);
}

static path *path_at(const rig *r, uint32_t id)
{
    return &r->unit->paths(r->state)[id];
}

/* The path that has this thread; NO_PATH. */
static uint32_t path_of(const rig *r, uint32_t thread)
{
    for (uint32_t id = 0; id < r->unit->path_count(r->state); id++)
        if (path_at(r, id)->mask >> thread % LANES & 1 &&
            r->unit->homes(r->state)[id * LANES + thread % LANES] == thread / LANES)
            return id;
    return NO_PATH;
}

/* All lanes of the thread's path go to pc. */
static void go(const rig *r, uint32_t thread, uint32_t pc)
{
    const uint32_t id = path_of(r, thread);
    tell_transfer(r->unit, r->state, id, &(path_group){.mask = path_at(r, id)->mask, .pc = pc}, 1, AT_RETURN);
}

/* Some to pc, the others to other_pc, to meet at `meet`. */
static void part(const rig *r, uint32_t thread, uint64_t lanes, uint32_t pc, uint32_t other_pc, uint32_t meet)
{
    const uint32_t id = path_of(r, thread);
    const path_group groups[] = {{.mask = lanes, .pc = pc}, {.mask = path_at(r, id)->mask & ~lanes, .pc = other_pc}};
    tell_transfer(r->unit, r->state, id, groups, 2, meet);
}

/* Straight-line code to pc, a stop point. */
static void walk(const rig *r, uint32_t thread, uint32_t pc)
{
    const uint32_t id = path_of(r, thread);
    cr_assert_eq(path_at(r, id)->stop_pc, pc, "path %u stops at 0x%x", id, path_at(r, id)->stop_pc);
    path_at(r, id)->pc = pc;
    tell_arrive(r->unit, r->state, id);
}

/* The thread in each lane runs together with the others, and with nobody else. */
static void expect_warp(const rig *r, int line, uint32_t pc, int a, int b, int c, int d)
{
    const int threads[LANES] = {a, b, c, d};
    uint32_t id = NO_PATH;
    for (uint32_t lane = 0; lane < LANES && id == NO_PATH; lane++)
        if (threads[lane] != NOBODY)
            id = path_of(r, (uint32_t)threads[lane]);
    cr_assert_neq(id, NO_PATH, "line %d", line);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (threads[lane] == NOBODY)
            cr_expect_eq(path_at(r, id)->mask >> lane & 1, 0, "line %d, lane %u", line, lane);
        else
            cr_expect_eq(path_of(r, (uint32_t)threads[lane]), id, "line %d, lane %u", line, lane);
    }
    cr_expect_eq(path_at(r, id)->pc, pc, "line %d: pc 0x%x", line, path_at(r, id)->pc);
}
#define EXPECT_WARP(r, ...) expect_warp((r), __LINE__, __VA_ARGS__)

static uint32_t paths_that_exist(const rig *r)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < r->unit->path_count(r->state); id++)
        count += path_at(r, id)->mask != 0;
    return count;
}

static void start(rig *r, const reconvergence_unit *unit, uint32_t entries, uint32_t ways)
{
    const hd_value values[RIG_VALUES] = {[DWF_ENTRIES] = {.u = entries}, [DWF_WAYS] = {.u = ways}};
    rig_start_with(r, unit, 8, LANES, values);
}

/* {0,1,.,.} {.,.,6,7} {8,.,.,11} {12,13,.,.} {.,.,14,.} */
Test(reconvergence_dwf, threads_fill_lanes_of_the_youngest_warp)
{
    static const uint32_t sizes[] = {0, 32};
    for (uint32_t i = 0; i < 2; i++) {
        rig r;
        start(&r, &reconvergence_dwf, sizes[i], 2);
        launch(&r, 4, (const uint64_t[]){0x3, 0xC, 0x9, 0x7});
        go(&r, 0, HERE);
        go(&r, 6, HERE);
        EXPECT_WARP(&r, HERE, 0, 1, 6, 7);
        cr_expect_eq(path_at(&r, path_of(&r, 0))->home, HOMES_DIFFER);
        go(&r, 8, HERE);
        part(&r, 12, 0x3, HERE, THERE, AT_RETURN);
        go(&r, 14, HERE);
        EXPECT_WARP(&r, HERE, 0, 1, 6, 7);
        EXPECT_WARP(&r, HERE, 8, 13, NOBODY, 11);
        EXPECT_WARP(&r, HERE, 12, NOBODY, 14, NOBODY);
        cr_expect_eq(paths_that_exist(&r), 3);
        cr_expect_eq(path_at(&r, path_of(&r, 12))->home, 3, "12 and 14 are of one warp");
        cr_expect_eq(r.counters[DWF_MERGES], 3, "6 and 7; 13; 14");
        cr_expect_eq(r.counters[DWF_MERGE_CONFLICTS], 2);
        cr_expect_eq(r.counters[DWF_FRAGMENTATIONS], 1);
        cr_expect_eq(r.counters[DWF_MAXIMUM_POOL], 4, "not %lu", r.counters[DWF_MAXIMUM_POOL]);
        cr_expect_eq(r.unit->maximum_depth(r.state), 2, "12 and 13 beside 14");
        rig_stop(&r);
    }
}

Test(reconvergence_dwf, a_warp_that_has_issued_is_not_joined)
{
    rig r;
    start(&r, &reconvergence_dwf, 0, 1);
    launch(&r, 3, (const uint64_t[]){0x1, 0x2, 0x4});
    go(&r, 0, HERE);
    r.busy = UINT64_C(1) << path_of(&r, 0);
    go(&r, 5, HERE);
    cr_expect_eq(r.regrouped, 0);
    r.busy = 0;
    path_at(&r, path_of(&r, 5))->pc += 4; /* it goes on */
    go(&r, 10, HERE);
    EXPECT_WARP(&r, HERE, 0, NOBODY, 10, NOBODY); /* which has come back between */
    cr_expect_eq(r.regrouped, 1);
    cr_expect_eq(r.removed, 1);
    cr_expect_eq(path_at(&r, r.last_path)->mask, 0x5, "what was reported last");
    rig_stop(&r);
}

Test(reconvergence_dwf, only_threads_of_a_block_and_a_depth_join)
{
    static const uint32_t sizes[] = {0, 32};
    for (uint32_t i = 0; i < 2; i++) {
        rig r;
        start(&r, &reconvergence_dwf, sizes[i], 2);
        launch(&r, 2, (const uint64_t[]){0x1, 0x2});
        r.unit->launch(r.state, &(block_warps){(const uint32_t[]){4}, 1}, 0x1000, (const uint64_t[]){0x4});
        go(&r, 0, HERE);
        go(&r, 18, HERE);
        cr_expect_eq(r.regrouped, 0, "of another block");
        const path_group called = {.mask = 0x2, .pc = HERE, .depth = 1};
        tell_transfer(r.unit, r.state, path_of(&r, 5), &called, 1, AT_RETURN);
        cr_expect_eq(r.regrouped, 0, "in a call");
        cr_expect_eq(paths_that_exist(&r), 3);
        rig_stop(&r);
    }
}

/* One set of one way knows one pc at a time. */
Test(reconvergence_dwf, what_the_table_has_forgotten_is_not_joined)
{
    rig r;
    start(&r, &reconvergence_dwf, 1, 1);
    launch(&r, 4, (const uint64_t[]){0x1, 0x2, 0x4, 0x8});
    go(&r, 0, HERE);
    go(&r, 5, THERE);
    cr_expect_eq(r.counters[DWF_LOOKUP_EVICTIONS], 1);
    go(&r, 10, HERE);
    cr_expect_eq(r.counters[DWF_LOOKUP_EVICTIONS], 2);
    cr_expect_eq(r.regrouped, 0);
    go(&r, 15, HERE);
    EXPECT_WARP(&r, HERE, NOBODY, NOBODY, 10, 15);
    rig_stop(&r);
}

/* Two sets: of the first, its two ways; what was looked up last stays. */
Test(reconvergence_dwf, the_least_recently_used_entry_of_a_set_makes_room)
{
    rig r;
    start(&r, &reconvergence_dwf, 4, 2);
    launch(&r, 5, (const uint64_t[]){0x1, 0x1, 0x2, 0x1, 0x4});
    go(&r, 0, 0x2000);
    go(&r, 4, 0x2008);
    go(&r, 9, 0x2000); /* joins 0 */
    go(&r, 12, 0x2010);
    cr_expect_eq(r.counters[DWF_LOOKUP_EVICTIONS], 1);
    go(&r, 18, 0x2000);
    EXPECT_WARP(&r, 0x2000, 0, 9, 18, NOBODY);
    rig_stop(&r);
}

/* Straight-line code stops at points that a branch has named, and at the next one after that. */
Test(reconvergence_dwf, threads_meet_at_reconvergence_points)
{
    rig r;
    start(&r, &reconvergence_dwf, 0, 1);
    launch(&r, 2, (const uint64_t[]){0xF, 0xF});
    part(&r, 0, 0x3, 0x1100, 0x1004, 0x1200);
    part(&r, 0, 0x1, 0x1180, 0x1104, 0x11C0);
    walk(&r, 0, 0x11C0);
    walk(&r, 1, 0x11C0);
    EXPECT_WARP(&r, 0x11C0, 0, 1, NOBODY, NOBODY);
    walk(&r, 0, 0x1200);
    go(&r, 2, 0x1200);
    EXPECT_WARP(&r, 0x1200, 0, 1, 2, 3);
    cr_expect_eq(path_at(&r, path_of(&r, 0))->stop_pc, NO_STOP);
    rig_stop(&r);
}

Test(reconvergence_dwf, threads_that_leave_are_gone)
{
    rig r;
    start(&r, &reconvergence_dwf, 0, 1);
    launch(&r, 2, (const uint64_t[]){0x3, 0xC});
    go(&r, 0, HERE);
    go(&r, 6, HERE);
    tell_exit(r.unit, r.state, path_of(&r, 0), 0x6);
    cr_expect_eq(r.unit->live_lanes(r.state, 0), 0x1);
    cr_expect_eq(r.unit->live_lanes(r.state, 1), 0x8);
    EXPECT_WARP(&r, HERE, 0, NOBODY, NOBODY, 7);
    const uint32_t removed = r.removed;
    tell_exit(r.unit, r.state, path_of(&r, 0), 0x9);
    cr_expect_eq(r.removed, removed + 1);
    cr_expect_eq(r.unit->live_lanes(r.state, 0) | r.unit->live_lanes(r.state, 1), 0);
    cr_expect_eq(paths_that_exist(&r), 0);
    rig_stop(&r);
}

/* Fung 2015, Fig. 3.3a: B and C, then D, with C behind: D runs as three warps. */
Test(reconvergence_dwf, threads_that_fall_behind_fragment_later_warps)
{
    rig r;
    start(&r, &reconvergence_dwf, 0, 1);
    launch(&r, 2, (const uint64_t[]){0xF, 0xF});
    part(&r, 0, 0xB, 0x1100, 0x1200, 0x1300);
    part(&r, 4, 0x6, 0x1100, 0x1200, 0x1300);
    EXPECT_WARP(&r, 0x1200, 4, NOBODY, 2, 7);
    EXPECT_WARP(&r, 0x1100, 0, 1, 6, 3);
    EXPECT_WARP(&r, 0x1100, NOBODY, 5, NOBODY, NOBODY);
    go(&r, 0, 0x1300);
    go(&r, 5, 0x1300);
    r.busy = UINT64_C(1) << path_of(&r, 0) | UINT64_C(1) << path_of(&r, 5); /* D has issued */
    go(&r, 4, 0x1300);
    cr_expect_eq(paths_that_exist(&r), 3);
    rig_stop(&r);
}

/* ---- Warp barriers -------------------------------------------------------------------------------------------------------- */

Test(reconvergence_dwf, a_warp_that_parted_is_made_again_where_it_meets)
{
    rig r;
    start(&r, &reconvergence_dwf_wb, 0, 1);
    launch(&r, 2, (const uint64_t[]){0xF, 0xF});
    part(&r, 0, 0xB, 0x1100, 0x1200, 0x1300);
    part(&r, 4, 0x6, 0x1100, 0x1200, 0x1300);
    cr_expect_eq(r.counters[DWF_WARP_BARRIERS], 2);
    EXPECT_WARP(&r, 0x1100, 0, 1, 6, 3);
    cr_expect_not(r.unit->may_wait(r.state, path_of(&r, 0)), "its warp is held");
    go(&r, 0, 0x1300);
    cr_expect_eq(path_of(&r, 6), NO_PATH, "held");
    walk(&r, 5, 0x1300);
    walk(&r, 4, 0x1300);
    EXPECT_WARP(&r, 0x1300, 0, 1, 2, 3);
    EXPECT_WARP(&r, 0x1300, 4, 5, 6, 7);
    cr_expect_eq(path_at(&r, path_of(&r, 0))->home, 0);
    cr_expect(r.unit->may_wait(r.state, path_of(&r, 0)));
    rig_stop(&r);
}

Test(reconvergence_dwf, warps_that_have_not_parted_stay_as_they_are)
{
    rig r;
    start(&r, &reconvergence_dwf_wb, 0, 1);
    launch(&r, 2, (const uint64_t[]){0x3, 0xC});
    go(&r, 0, HERE);
    go(&r, 6, HERE);
    cr_expect_eq(paths_that_exist(&r), 2);
    cr_expect_eq(r.regrouped, 0);
    rig_stop(&r);
}

Test(reconvergence_dwf, branches_inside_begin_no_barrier)
{
    rig r;
    start(&r, &reconvergence_dwf_wb, 0, 1);
    launch(&r, 1, (const uint64_t[]){0xF});
    part(&r, 0, 0x7, 0x1100, 0x1300, 0x1300);
    part(&r, 0, 0x1, 0x1180, 0x1104, 0x1200);
    cr_expect_eq(r.counters[DWF_WARP_BARRIERS], 1);
    walk(&r, 0, 0x1200);
    cr_expect_neq(path_of(&r, 0), NO_PATH, "nested points hold nobody");
    rig_stop(&r);
}

Test(reconvergence_dwf, threads_that_leave_are_not_awaited)
{
    rig r;
    start(&r, &reconvergence_dwf_wb, 0, 1);
    launch(&r, 1, (const uint64_t[]){0xF});
    part(&r, 0, 0x3, 0x1100, 0x1300, 0x1300);
    cr_expect_eq(path_of(&r, 2), NO_PATH);
    cr_expect_eq(r.unit->live_lanes(r.state, 0), 0xF);
    tell_exit(r.unit, r.state, path_of(&r, 0), 0x3);
    EXPECT_WARP(&r, 0x1300, NOBODY, NOBODY, 2, 3);
    part(&r, 2, 0x4, 0x1400, 0x1500, 0x1600);
    cr_expect_eq(r.counters[DWF_WARP_BARRIERS], 2, "it is whole again");
    rig_stop(&r);
}

/* It meets on the way, and is awaited still; and a call to the same pc is no arrival. */
Test(reconvergence_dwf, a_barrier_ends_where_it_is)
{
    rig r;
    start(&r, &reconvergence_dwf_wb, 0, 1);
    launch(&r, 1, (const uint64_t[]){0xF});
    part(&r, 0, 0x3, 0x1100, 0x1004, 0x1300);
    const path_group called = {.mask = 0xC, .pc = 0x1300, .depth = 1};
    tell_transfer(r.unit, r.state, path_of(&r, 2), &called, 1, AT_RETURN);
    cr_assert_neq(path_of(&r, 2), NO_PATH, "another depth");
    go(&r, 2, 0x1200);
    go(&r, 0, 0x1200);
    EXPECT_WARP(&r, 0x1200, 0, 1, 2, 3);
    cr_expect_not(r.unit->may_wait(r.state, path_of(&r, 0)));
    walk(&r, 0, 0x1300);
    EXPECT_WARP(&r, 0x1300, 0, 1, 2, 3);
    cr_expect(r.unit->may_wait(r.state, path_of(&r, 0)), "the barrier is over");
    rig_stop(&r);
}

typedef struct lines {
    uint32_t count;
    char last[160];
} lines;

static void take_line(void *context, const char *format, ...)
{
    lines *l = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(l->last, sizeof l->last, format, arguments);
    va_end(arguments);
    l->count++;
}

Test(reconvergence_dwf, who_is_held_is_described_and_moves)
{
    rig r;
    uint8_t bytes[4096];
    lines l = {.count = 0};
    start(&r, &reconvergence_dwf_wb, 0, 1);
    rig_launch(&r, 0, 0x1000, 0xF);
    part(&r, 0, 0x3, 0x1100, 0x1300, 0x1300);
    const hd_text_sink sink = {.context = &l, .line = take_line};
    r.unit->describe(r.state, 0, NULL, &sink);
    cr_expect(l.count == 1 && strstr(l.last, "0xc") && strstr(l.last, "0x1300"), "%s", l.last);
    uint32_t pc = 0;
    cr_expect(r.unit->waiting_pc(r.state, 0, 2, &pc) && pc == 0x1300);
    cr_expect_not(r.unit->waiting_pc(r.state, 0, 1, &pc), "it runs");
    byte_stream writer = byte_stream_writer(bytes, sizeof bytes);
    rig_save(&r, 0, &writer);
    rig_drop(&r, 0);
    cr_expect_eq(paths_that_exist(&r), 0);
    for (uint64_t shorter = 0; shorter < writer.at; shorter++) {
        byte_stream reader = byte_stream_reader(bytes, shorter);
        cr_expect(rig_restore(&r, 2, &reader), "%lu bytes", shorter);
        cr_expect_eq(r.unit->live_lanes(r.state, 2), 0);
    }
    byte_stream reader = byte_stream_reader(bytes, writer.at);
    rig other;
    start(&other, &reconvergence_dwf_wb, 0, 1);
    cr_assert_not(rig_restore(&other, 2, &reader));
    cr_expect_eq(other.unit->live_lanes(other.state, 2), 0xF);
    walk(&other, 8, 0x1300);
    EXPECT_WARP(&other, 0x1300, 8, 9, 10, 11);
    rig_stop(&other);
    rig_stop(&r);
}

/* Of threads in two paths, or held without a barrier, nothing has been written. */
Test(reconvergence_dwf, what_no_save_has_written_is_refused)
{
    static const uint32_t at[] = {0, 12, 20, 28, 44};
    for (uint32_t i = 0; i < sizeof at / sizeof *at; i++) {
        rig r;
        uint8_t bytes[4096];
        start(&r, i < 3 ? &reconvergence_dwf : &reconvergence_dwf_wb, 0, 1);
        rig_launch(&r, 0, 0x1000, 0xF);
        byte_stream writer = byte_stream_writer(bytes, sizeof bytes);
        rig_save(&r, 0, &writer);
        bytes[at[i]] ^= at[i] == 44 ? 1 : 0x13;
        byte_stream reader = byte_stream_reader(bytes, writer.at);
        cr_expect(rig_restore(&r, 2, &reader), "byte %u", at[i]);
        cr_expect_eq(r.unit->live_lanes(r.state, 2), 0, "byte %u", at[i]);
        rig_stop(&r);
    }
}

/* The second path is of a thread that the first one has. */
Test(reconvergence_dwf, a_thread_is_in_one_path)
{
    rig r;
    uint8_t bytes[4096] = {0};
    start(&r, &reconvergence_dwf, 0, 1);
    rig_launch(&r, 0, 0x1000, 0xF);
    byte_stream writer = byte_stream_writer(bytes, sizeof bytes);
    rig_save(&r, 0, &writer);
    bytes[60] = 1;
    byte_stream reader = byte_stream_reader(bytes, sizeof bytes);
    cr_expect(rig_restore(&r, 2, &reader));
    cr_expect_eq(r.unit->live_lanes(r.state, 2), 0);
    rig_stop(&r);
}
