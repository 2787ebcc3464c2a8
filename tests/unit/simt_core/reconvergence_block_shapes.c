/* SPDX-License-Identifier: MIT */
/* Thread block compaction: what its parameters change, threads that leave, returns, barriers, moves, and what it says of who waits. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "block_stack_rig.h"

#define STANDARD BLOCK_STACK_PARAMETERS, 0
#define ENTRY 0x1000u
#define NEXT 0x1004u
#define TAKEN 0x1100u
#define MEET 0x1200u

/* All warps of the block branch; the cycle of the last. */
static void branch_all(rig *r, uint32_t warps, uint64_t taken, uint32_t meet, uint64_t cycle)
{
    for (uint32_t path = 0; path < warps; path++)
        block_branch(r, path, taken, TAKEN, meet, cycle);
}

/* ---- Which warps ------------------------------------------------------------------------------------------------------------- */

/* Thread 1 keeps out: two warps either way, but its lane is free. */
Test(reconvergence_block_shapes, threads_keep_their_warps_where_nothing_is_gained)
{
    for (uint64_t keep = 0; keep < 2; keep++) {
        rig r;
        block_start(&r, BLOCK_STACK_STATIC_WHEN_NO_GAIN, keep);
        block_launch(&r, 0, 8, ENTRY);
        branch_all(&r, 2, 0x1FC, MEET, 0);
        block_compact(&r, 0);
        cr_expect_eq(block_threads_of(&r, 0), keep ? 0x1C : T(5) | T(2) | T(3) | T(4));
        cr_expect_eq(block_threads_of(&r, 1), keep ? 0x1E0 : T(6) | T(7) | T(8));
        cr_expect_eq(r.counters[BLOCK_STACK_WARPS_SAVED], 0);
        rig_stop(&r);
    }
}

Test(reconvergence_block_shapes, where_something_is_gained_they_do_not)
{
    rig r;
    block_start(&r, BLOCK_STACK_STATIC_WHEN_NO_GAIN, 1);
    block_launch(&r, 0, 8, ENTRY);
    branch_all(&r, 2, T(1) | T(6), MEET, 0);
    block_compact(&r, 0);
    cr_expect_eq(block_threads_of(&r, 0), T(1) | T(6));
    rig_stop(&r);
}

Test(reconvergence_block_shapes, without_compaction_warps_are_those_of_the_launch)
{
    rig r;
    block_start(&r, BLOCK_STACK_COMPACTION, 0);
    block_launch(&r, 0, 12, ENTRY);
    branch_all(&r, 3, T(1) | T(10), MEET, 0);
    cr_expect_eq(block_at(&r, 0)->awaited, 2);
    block_compact(&r, 0);
    cr_expect_eq(block_threads_of(&r, 0), T(1));
    cr_expect_eq(block_threads_of(&r, 1), T(10));
    cr_expect_eq(block_path(&r, 1)->home, 2, "in the second slot, with the registers of the third");
    rig_stop(&r);
}

/* The side of fewer threads, of the whole block: of the first warp they are more. */
Test(reconvergence_block_shapes, the_side_that_is_asked_for_runs_first)
{
    static const uint32_t sides[] = {[FIRST_TAKEN] = TAKEN, [FIRST_NOT_TAKEN] = NEXT, [FIRST_FEWER] = NEXT};
    for (uint32_t first = 0; first < 3; first++) {
        rig r;
        block_start(&r, BLOCK_STACK_FIRST, first);
        block_launch(&r, 0, 8, ENTRY);
        branch_all(&r, 2, T(1) | T(5) | T(6) | T(7) | T(8), MEET, 0);
        block_compact(&r, 0);
        cr_expect_eq(block_path(&r, 0)->pc, sides[first], "%u", first);
        rig_stop(&r);
    }
}

/* The warp that comes first takes it not. */
Test(reconvergence_block_shapes, the_order_of_arrivals_is_not_that_of_the_sides)
{
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 8, ENTRY);
    block_branch(&r, 0, 0, TAKEN, MEET, 0);
    block_branch(&r, 1, 0x1E0, TAKEN, MEET, 1);
    EXPECT_LEVELS(&r, 0, {MEET, NO_STOP, 0x1FE}, {NEXT, MEET, 0x1E}, {TAKEN, MEET, 0x1E0});
    rig_stop(&r);
}

Test(reconvergence_block_shapes, threads_that_stay_together_go_on_at_once)
{
    rig r;
    block_start(&r, BLOCK_STACK_RESUME_WHEN_UNIFORM, 1);
    block_launch(&r, 0, 8, ENTRY);
    branch_all(&r, 2, 0x1FE, MEET, 5);
    cr_expect_eq(r.unit->next(r.state, 5), UINT64_MAX, "no compaction");
    cr_expect_eq(block_at(&r, 0)->awaited, 2);
    EXPECT_LEVELS(&r, 0, {TAKEN, NO_STOP, 0x1FE});
    cr_expect_eq(block_threads_of(&r, 1), 0x1E0);
    cr_expect_eq(block_path(&r, 1)->pc, TAKEN);
    cr_expect_eq(r.counters[BLOCK_STACK_UNIFORM], 1);
    branch_all(&r, 2, 0x1E, MEET, 6);
    block_compact(&r, 6);
    branch_all(&r, 1, 0x1E, MEET, 9);
    cr_expect_eq(block_threads_of(&r, 0), 0x1E, "in a branch too");
    block_branch(&r, 0, 0x1E, MEET, MEET, 10);
    EXPECT_LEVELS(&r, 0, {MEET, NO_STOP, 0x1FE}, {TAKEN + 4, MEET, 0x1E0});
    rig_stop(&r);
}

/* ---- When -------------------------------------------------------------------------------------------------------------------- */

/* The cycles at which the warps of four, and then of another block of two, are made. */
static void expect_made(enum block_stack_parameter parameter, uint64_t value, const uint64_t cycles[6], uint64_t waited)
{
    rig r;
    block_start(&r, parameter, value);
    block_launch(&r, 0, 16, ENTRY);
    block_launch(&r, 4, 8, ENTRY);
    branch_all(&r, 4, UINT64_MAX, MEET, 10);
    for (uint32_t path = 4; path < 6; path++)
        block_branch(&r, path, UINT64_MAX, TAKEN, MEET, 10);
    for (uint64_t cycle = 10; r.unit->next(r.state, cycle) != UINT64_MAX;) {
        uint64_t before = 0;
        for (uint32_t path = 0; path < 6; path++)
            before |= (uint64_t)(block_path(&r, path)->mask != 0) << path;
        cycle = r.unit->next(r.state, cycle);
        r.unit->due(r.state, cycle);
        for (uint32_t path = 0; path < 6; path++)
            if (block_path(&r, path)->mask && !(before >> path & 1))
                cr_expect_eq(cycle, cycles[path], "parameter %d, path %u: cycle %lu", (int)parameter, path, cycle);
    }
    for (uint32_t path = 0; path < 6; path++)
        cr_expect(block_path(&r, path)->mask);
    cr_expect_eq(r.counters[BLOCK_STACK_WAIT_CYCLES], waited, "parameter %d", (int)parameter);
    rig_stop(&r);
}

/* Six arrivals, one in a cycle: the first block's are taken at 13, the other's at 15. */
Test(reconvergence_block_shapes, compactors_take_their_time)
{
    expect_made(STANDARD, (const uint64_t[]){14, 15, 16, 17, 18, 19}, 22);
    expect_made(BLOCK_STACK_ARRIVALS, 6, (const uint64_t[]){11, 12, 13, 14, 15, 16}, 0);
    expect_made(BLOCK_STACK_ARRIVALS, 4, (const uint64_t[]){11, 12, 13, 14, 15, 16}, 2);
    expect_made(BLOCK_STACK_COMPACTORS, 2, (const uint64_t[]){14, 15, 16, 17, 16, 17}, 22);
    expect_made(BLOCK_STACK_COMPACTOR_WARPS, 3, (const uint64_t[]){14, 14, 14, 15, 16, 16}, 22);
    expect_made(BLOCK_STACK_COMPACTOR_LATENCY, 9, (const uint64_t[]){22, 23, 24, 25, 26, 27}, 22);
}

/* Cycles are counted anew when the core is empty. */
Test(reconvergence_block_shapes, an_empty_core_has_a_clock_of_its_own)
{
    rig r;
    block_start(&r, STANDARD);
    for (uint32_t run = 0; run < 2; run++) {
        block_launch(&r, 0, 8, ENTRY);
        branch_all(&r, 2, UINT64_MAX, MEET, run ? 3 : 1000);
        cr_expect_eq(r.unit->next(r.state, run ? 3 : 1000), run ? 5 : 1002);
        block_compact(&r, run ? 3 : 1000);
        for (uint32_t path = 0; path < 2; path++)
            block_leave(&r, path, UINT64_MAX, run ? 9 : 1009);
    }
    rig_stop(&r);
}

/* Of seven entries two are in the core; each of the others comes back when it is on top. */
Test(reconvergence_block_shapes, deep_stacks_are_spilled_and_filled)
{
    rig r;
    block_start(&r, BLOCK_STACK_ENTRIES, 2);
    block_launch(&r, 0, 8, ENTRY);
    uint64_t cycle = 0, taken = 0x1FE;
    for (uint32_t depth = 0; depth < 3; depth++) {
        taken &= taken - 1;
        for (uint32_t path = 0; path < 2; path++)
            if (block_path(&r, path)->mask)
                block_branch(&r, path, taken, TAKEN + 0x400 * depth, MEET + 0x400 * depth, cycle++);
        cycle = block_compact(&r, cycle);
    }
    cr_expect_eq(r.unit->maximum_depth(r.state), 7);
    cr_expect_eq(r.counters[BLOCK_STACK_SPILLS], 5);
    cr_expect_eq(r.counters[BLOCK_STACK_FILLS], 0);
    for (uint32_t path = 0; path < 2; path++)
        if (block_path(&r, path)->mask)
            block_walk(&r, path, 100 + path);
    cr_expect_eq(r.unit->next(r.state, 102), 102 + 1, "that one is in the core: not %lu", r.unit->next(r.state, 102));
    block_compact(&r, 102);
    block_walk(&r, 0, 200);
    cr_expect_eq(r.unit->next(r.state, 200), 200 + 400 + 1);
    cr_expect_eq(r.counters[BLOCK_STACK_FILLS], 1);
    for (uint64_t turn = 1000; block_at(&r, 0)->stack.count > 1; turn += 1000) {
        turn = block_compact(&r, turn);
        for (uint32_t path = 0; path < 2; path++)
            if (block_path(&r, path)->mask)
                block_walk(&r, path, turn++);
    }
    cr_expect_eq(r.counters[BLOCK_STACK_FILLS], 5);
    rig_stop(&r);
}

/* ---- Threads leave ------------------------------------------------------------------------------------------------------------ */

Test(reconvergence_block_shapes, who_leaves_is_not_awaited)
{
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 8, ENTRY);
    block_branch(&r, 0, T(1), TAKEN, MEET, 0);
    block_leave(&r, 1, T(5) | T(6), 1);
    cr_expect_eq(block_at(&r, 0)->awaited, 1);
    cr_expect_eq(block_threads_of(&r, 1), T(7) | T(8));
    cr_expect_eq(r.changed, 1);
    block_leave(&r, 1, UINT64_MAX, 2);
    EXPECT_LEVELS(&r, 0, {MEET, NO_STOP, 0x1E}, {NEXT, MEET, 0x1C}, {TAKEN, MEET, T(1)});
    cr_expect_eq(r.unit->live_lanes(r.state, 1), 0);
    block_compact(&r, 2);
    block_leave(&r, 0, T(1), 5); /* nobody has arrived: the next side runs */
    EXPECT_LEVELS(&r, 0, {MEET, NO_STOP, 0x1C}, {NEXT, MEET, 0x1C});
    cr_expect_eq(r.counters[BLOCK_STACK_SYNCHRONISATIONS], 1, "nobody has arrived");
    block_compact(&r, 5);
    cr_expect_eq(block_threads_of(&r, 0), 0x1C);
    block_leave(&r, 0, UINT64_MAX, 9);
    cr_expect_eq(block_at(&r, 0)->stack.count, 0);
    cr_expect_eq(r.added, r.removed);
    cr_expect_eq(r.unit->next(r.state, 9), UINT64_MAX);
    rig_stop(&r);
}

Test(reconvergence_block_shapes, who_has_arrived_goes_on_when_the_others_have_left)
{
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 12, ENTRY);
    branch_all(&r, 3, 0x1FE, MEET, 0);
    block_compact(&r, 0);
    block_walk(&r, 0, 5);
    block_leave(&r, 1, UINT64_MAX, 6);
    EXPECT_LEVELS(&r, 0, {MEET, NO_STOP, 0x1E1E}, {NEXT, MEET, 0x1E00});
    block_compact(&r, 6);
    cr_expect_eq(block_threads_of(&r, 0), 0x1E00);
    rig_stop(&r);
}

/* ---- Returns ------------------------------------------------------------------------------------------------------------------ */

static void by_register(rig *r, uint32_t path, const path_group *groups, uint32_t count, uint64_t cycle)
{
    const struct path *p = block_path(r, path);
    const path_event event = {.kind = PATH_BRANCHED,
                              .path = path,
                              .warp = p->warp,
                              .pc = p->pc,
                              .mask = p->mask,
                              .cycle = cycle,
                              .taken = groups[0].mask,
                              .target = groups[0].pc,
                              .transfer = PATH_TRANSFER_REGISTER,
                              .reconvergence_pc = ISA_RECONVERGE_AT_RETURN,
                              .groups = groups,
                              .group_count = count};
    r->unit->transfer(r->state, &event);
}

/* In a function that is called from two places, threads part and return one by one. */
Test(reconvergence_block_shapes, threads_meet_at_the_return_of_their_function)
{
    const path_group called = {.mask = 0xF, .pc = 0x4000, .depth = 1};
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 8, ENTRY);
    for (uint32_t path = 0; path < 2; path++)
        by_register(&r, path, &called, 1, path);
    EXPECT_LEVELS(&r, 0, {0x4000, NO_STOP, 0x1FE});
    cr_expect_eq(r.unit->maximum_depth(r.state), 1, "a call pushes nothing");
    block_compact(&r, 1);
    branch_all(&r, 2, T(1) | T(6), ISA_RECONVERGE_AT_RETURN, 4);
    EXPECT_LEVELS(&r, 0, {ISA_RECONVERGE_AT_RETURN, NO_STOP, 0x1FE},
                  {0x4004, ISA_RECONVERGE_AT_RETURN, 0x1FE & ~(T(1) | T(6))},
                  {TAKEN, ISA_RECONVERGE_AT_RETURN, T(1) | T(6)});
    block_compact(&r, 4);
    by_register(&r, 0, &(path_group){.mask = 0x3, .pc = 0x1010}, 1, 8);
    block_compact(&r, 8);
    /* one goes elsewhere */
    by_register(&r, 0, (const path_group[]){{0x2, 0x1020, 0}, {block_path(&r, 0)->mask & ~0x2u, 0x1010, 0}}, 2, 12);
    cr_expect_eq(block_at(&r, 0)->stack.count, 2, "others have to return");
    by_register(&r, 1, &(path_group){.mask = block_path(&r, 1)->mask, .pc = 0x1010}, 1, 13);
    EXPECT_LEVELS(&r, 0, {ISA_RECONVERGE_AT_RETURN, NO_STOP, 0x1FE}, {0x1020, ISA_RECONVERGE_AT_RETURN, T(2)},
                  {0x1010, ISA_RECONVERGE_AT_RETURN, 0x1FE & ~T(2)});
    rig_stop(&r);
}

/* The place where they were to meet anyway is of the depth to which they return. */
Test(reconvergence_block_shapes, threads_that_return_to_two_places_meet_where_they_would_have)
{
    const uint64_t all = 0x1E;
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 4, ENTRY);
    branch_all(&r, 1, all, MEET, 0);
    block_compact(&r, 0);
    by_register(&r, 0, &(path_group){.mask = 0xF, .pc = 0x4000, .depth = 1}, 1, 5);
    block_compact(&r, 5);
    by_register(&r, 0, (const path_group[]){{0x1, 0x1108, 0}, {0xE, 0x1110, 0}}, 2, 9);
    EXPECT_LEVELS(&r, 0, {MEET, NO_STOP, all}, {0x1110, MEET, all & ~T(1)}, {0x1108, MEET, T(1)});
    rig_stop(&r);
}

/* ---- Barriers ----------------------------------------------------------------------------------------------------------------- */

Test(reconvergence_block_shapes, who_may_wait_for_whom)
{
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 12, ENTRY);
    cr_expect(r.unit->may_wait(r.state, 2) && r.unit->may_wait_for_block(r.state, 2));
    branch_all(&r, 3, T(2) | 0x1FE0, MEET, 0);
    block_compact(&r, 0);
    cr_expect_eq(block_threads_of(&r, 0), T(5) | T(2) | T(7) | T(8));
    cr_expect_not(r.unit->may_wait(r.state, 0), "threads of the first warp are elsewhere");
    cr_expect_eq(block_threads_of(&r, 2), T(10));
    cr_expect(r.unit->may_wait(r.state, 2), "all of its warp are here, in three");
    cr_expect_not(r.unit->may_wait_for_block(r.state, 2), "but not all of the block");
    block_walk(&r, 0, 5);
    block_leave(&r, 1, UINT64_MAX, 6);
    block_walk(&r, 2, 7);
    block_compact(&r, 7);
    block_leave(&r, 0, UINT64_MAX, 9);
    block_compact(&r, 9);
    cr_expect(r.unit->may_wait(r.state, 0) && r.unit->may_wait_for_block(r.state, 0), "all that are left");
    rig_stop(&r);
}

/* The second path runs in the slot of a warp that is all on top, with a thread of one that is not. */
Test(reconvergence_block_shapes, it_is_the_warps_of_its_threads_that_a_path_waits_for)
{
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 12, ENTRY);
    branch_all(&r, 3, 0x1E0 | T(10), MEET, 0);
    block_compact(&r, 0);
    cr_expect_eq(block_threads_of(&r, 1), T(10));
    cr_expect_not(r.unit->may_wait(r.state, 1));
    cr_expect(r.unit->may_wait(r.state, 0));
    rig_stop(&r);
}

/* ---- Who waits, and moves ----------------------------------------------------------------------------------------------------- */

typedef struct lines {
    uint32_t count;
    char text[1024];
} lines;

static void take_line(void *context, const char *format, ...)
{
    lines *l = context;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(l->text + strlen(l->text), sizeof l->text - strlen(l->text), format, arguments);
    va_end(arguments);
    l->count++;
}

static void expect_lines(const rig *r, uint32_t warp, const char *a, const char *b)
{
    static const isa_program program;
    lines l = {.count = 0};
    const hd_text_sink sink = {.context = &l, .line = take_line};
    r->unit->describe(r->state, warp, &program, &sink);
    cr_expect_eq(l.count, (a != NULL) + (b != NULL), "%s", l.text);
    cr_expect(!a || strstr(l.text, a), "no '%s' in %s", a, l.text);
    cr_expect(!b || strstr(l.text, b), "no '%s' in %s", b, l.text);
}

Test(reconvergence_block_shapes, who_waits_is_described)
{
    rig r;
    block_start(&r, STANDARD);
    block_launch(&r, 0, 8, ENTRY);
    expect_lines(&r, 0, NULL, NULL);
    block_branch(&r, 0, T(1) | T(2), TAKEN, MEET, 0);
    expect_lines(&r, 0, "lanes 0-3: have arrived at the branch", NULL);
    expect_lines(&r, 1, NULL, NULL);
    block_branch(&r, 1, T(5), TAKEN, MEET, 1);
    expect_lines(&r, 0, "lanes 2-3: go on at", NULL);
    block_compact(&r, 1);
    block_walk(&r, 0, 5);
    expect_lines(&r, 0, "lanes 0-1: have arrived at the reconvergence point", "lanes 2-3: go on at");
    expect_lines(&r, 1, "lanes 1-3: go on at", NULL);
    rig_stop(&r);
}

static uint64_t save(const rig *r, uint32_t warps, uint8_t *bytes, size_t size)
{
    static const uint32_t slots[] = {0, 1, 2, 3};
    byte_stream writer = byte_stream_writer(bytes, size);
    r->unit->save(r->state, &(block_warps){slots, warps}, &writer);
    cr_assert_not(writer.too_short);
    return writer.at;
}

static uint32_t restore(rig *r, uint32_t warps, const uint8_t *bytes, uint64_t count)
{
    static const uint32_t slots[] = {7, 4, 6, 5};
    byte_stream reader = byte_stream_reader(bytes, count);
    return r->unit->restore(r->state, &(block_warps){slots, warps}, &reader);
}

/* A warp has been made and has arrived, one has been made, one is in the compactor. */
static void stop_within(rig *r)
{
    block_start(r, STANDARD);
    block_launch(r, 0, 12, ENTRY);
    branch_all(r, 3, 0x1FFE, MEET, 0);
    r->unit->due(r->state, 3);
    r->unit->due(r->state, 4);
    block_branch(r, 0, T(1), TAKEN + 0x400, MEET - 8, 5);
    cr_assert_eq(r->unit->next(r->state, 5), 6);
}

Test(reconvergence_block_shapes, a_block_moves_within_a_compaction)
{
    rig r;
    static uint8_t bytes[4096];
    stop_within(&r);
    const uint64_t count = save(&r, 3, bytes, sizeof bytes);
    r.unit->drop(r.state, &(block_warps){(const uint32_t[]){0, 1, 2}, 3});
    cr_expect_eq(r.added, r.removed);
    cr_expect_eq(r.unit->next(r.state, 6), UINT64_MAX);
    cr_assert_eq(restore(&r, 3, bytes, count), 0);
    cr_expect_eq(block_at(&r, 7)->awaited, 2);
    cr_expect_eq(block_threads_of(&r, 4), 0x1E0);
    block_compact(&r, 20);
    cr_expect_eq(block_threads_of(&r, 6), 0x1E00);
    block_branch(&r, 4, 0, TAKEN + 0x400, MEET - 8, 30);
    block_branch(&r, 6, 0, TAKEN + 0x400, MEET - 8, 31);
    block_compact(&r, 31);
    cr_expect_eq(block_threads_of(&r, 7), T(1));
    cr_expect_eq(r.counters[BLOCK_STACK_SYNCHRONISATIONS], 2);
    rig_stop(&r);
}

/* Of two warps one has left the kernel, and so does the other elsewhere: nobody has arrived. */
Test(reconvergence_block_shapes, who_has_left_before_a_move_has_not_arrived)
{
    rig r;
    static uint8_t bytes[4096];
    block_start(&r, STANDARD);
    block_launch(&r, 0, 8, ENTRY);
    block_leave(&r, 0, UINT64_MAX, 1);
    const uint64_t count = save(&r, 2, bytes, sizeof bytes);
    r.unit->drop(r.state, &(block_warps){(const uint32_t[]){0, 1}, 2});
    cr_assert_eq(restore(&r, 2, bytes, count), 0);
    cr_expect_eq(block_at(&r, 7)->awaited, 1);
    block_leave(&r, 4, UINT64_MAX, 9);
    cr_expect_eq(r.counters[BLOCK_STACK_SYNCHRONISATIONS], 0);
    cr_expect_eq(r.counters[BLOCK_STACK_WAIT_CYCLES], 0);
    cr_expect_eq(r.added, r.removed);
    rig_stop(&r);
}

Test(reconvergence_block_shapes, half_a_block_is_refused)
{
    rig r;
    static uint8_t bytes[4096];
    stop_within(&r);
    const uint64_t count = save(&r, 3, bytes, sizeof bytes);
    for (uint64_t shorter = 0; shorter < count; shorter++) {
        const uint32_t added = r.added;
        cr_expect(restore(&r, 3, bytes, shorter), "%lu bytes", shorter);
        cr_expect_eq(r.added, added);
        cr_expect_eq(r.unit->live_lanes(r.state, 7), 0);
    }
    rig_stop(&r);
}

/* Any byte may be wrong: the block is refused, or it is one that can run. */
Test(reconvergence_block_shapes, what_no_save_has_written_is_refused_or_runs)
{
    static uint8_t bytes[4096];
    uint32_t refused = 0;
    uint64_t count = 1;
    for (uint32_t at = 0; at < count; at++) {
        rig r;
        stop_within(&r);
        count = save(&r, 3, bytes, sizeof bytes);
        bytes[at] ^= (uint8_t)(1u << at % 7);
        if (restore(&r, 3, bytes, sizeof bytes)) {
            refused++;
            cr_expect_eq(r.unit->live_lanes(r.state, 7) | r.unit->live_lanes(r.state, 4), 0);
            cr_expect_eq(r.added - r.removed, 1, "the first block is as it was");
        } else {
            uint32_t warps = 0;
            for (uint32_t path = 4; path < 8; path++)
                warps += block_path(&r, path)->mask != 0;
            const resident_block *b = block_at(&r, 7);
            cr_expect_leq(warps, b->awaited, "byte %u", at);
            cr_expect_gt(b->awaited, 0, "byte %u", at);
        }
        rig_stop(&r);
    }
    cr_expect_gt(refused, 30, "not %u", refused);
}
