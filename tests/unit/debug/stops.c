/* SPDX-License-Identifier: MIT */
#include "stops.h"

#include <criterion/criterion.h>

#include "fake_target.h"

static fake_target fake;
static debug_target target;
static debug_stops stops;

static void begin(void)
{
    target = fake_target_of(&fake);
    stops = (debug_stops){0};
}

/* Threads are 1, 2, 3: bits 0, 1, 2. */
static debug_stop look_at(uint64_t pc, uint64_t threads)
{
    const debug_moment moment = {.pc = pc, .first = 1, .threads = threads};
    return stops_look(&stops, &moment, &target);
}

static debug_stop look_at_access(uint64_t address, uint32_t bytes, uint32_t access)
{
    const debug_moment moment = {
        .pc = 8, .first = 1, .threads = 2, .address = address, .bytes = bytes, .access = access};
    return stops_look(&stops, &moment, &target);
}

static void insert(uint32_t kind, uint64_t address, uint32_t bytes)
{
    cr_assert(stops_insert(&stops, &(debug_place){.kind = kind, .bytes = bytes, .address = address}));
}

Test(stops, at_a_breakpoint_until_it_is_left, .init = begin)
{
    insert(0, 0x10, 4);
    cr_assert_eq(look_at(0x0C, 6).reason, STOP_NONE);
    const debug_stop stop = look_at(0x10, 6);
    cr_assert_eq(stop.reason, STOP_TRAP);
    cr_assert_eq(stop.thread, 2, "the first of those that execute it");
    stops_resume(&stops, 2, STEP_NONE, 2, 0, 0);
    cr_assert_eq(look_at(0x10, 6).reason, STOP_NONE, "it is the same moment");
    cr_assert_eq(look_at(0x10, 6).reason, STOP_TRAP, "and now another one");
    stops_remove(&stops, &(debug_place){.bytes = 4, .address = 0x10});
    cr_assert_eq(look_at(0x10, 6).reason, STOP_NONE);
}

Test(stops, others_are_looked_at_when_the_one_that_stopped_goes_on, .init = begin)
{
    stops_resume(&stops, 3, STEP_NONE, 3, 0, 0);
    insert(0, 0x10, 4);
    cr_assert_eq(look_at(0x10, 3).reason, STOP_TRAP);
}

Test(stops, a_step_ends_at_the_next_instruction_of_its_thread, .init = begin)
{
    stops_resume(&stops, 2, STEP_NEXT, 2, 0, 0);
    cr_assert_eq(look_at(0x10, 2).reason, STOP_NONE, "the instruction that it stands at");
    cr_assert_eq(look_at(0x50, 4).reason, STOP_NONE, "another thread");
    const debug_stop stop = look_at(0x14, 7);
    cr_assert_eq(stop.reason, STOP_TRAP);
    cr_assert_eq(stop.thread, 2);
}

Test(stops, the_thread_that_is_always_there_steps_with_anybody, .init = begin)
{
    stops_resume(&stops, 0, STEP_NEXT, TARGET_ANY, 0, 0);
    const debug_stop stop = look_at(0x10, 4);
    cr_assert_eq(stop.reason, STOP_TRAP);
    cr_assert_eq(stop.thread, 3);
}

Test(stops, a_step_over_a_range_ends_outside_of_it, .init = begin)
{
    stops_resume(&stops, 1, STEP_NEXT, 1, 0x10, 0x20);
    cr_assert_eq(look_at(0x10, 1).reason, STOP_NONE);
    cr_assert_eq(look_at(0x1C, 1).reason, STOP_NONE);
    cr_assert_eq(look_at(0x20, 1).reason, STOP_TRAP);
    stops_resume(&stops, 1, STEP_NEXT, 1, 0x10, 0x20);
    cr_assert_eq(look_at(0x18, 1).reason, STOP_NONE);
    cr_assert_eq(look_at(0x0C, 1).reason, STOP_TRAP);
}

Test(stops, a_thread_that_steps_alone_stops_before_anybody_else_executes, .init = begin)
{
    stops_resume(&stops, 2, STEP_ALONE, 2, 0, 0);
    cr_assert_eq(look_at(0x10, 2).reason, STOP_NONE);
    const debug_stop stop = look_at(0x50, 4);
    cr_assert_eq(stop.reason, STOP_TRAP);
    cr_assert_eq(stop.thread, 2);
    insert(0, 0x50, 4);
    stops_resume(&stops, 2, STEP_NONE, 2, 0, 0);
    cr_assert_eq(look_at(0x50, 4).reason, STOP_TRAP, "nor is a breakpoint of others missed");
}

Test(stops, a_step_of_a_thread_that_has_ended_stops_with_whoever_executes, .init = begin)
{
    stops_resume(&stops, 0, STEP_NEXT, 77, 0, 0);
    const debug_stop stop = look_at(0x10, 4);
    cr_assert_eq(stop.reason, STOP_TRAP);
    cr_assert_eq(stop.thread, 3);
    stops_resume(&stops, 0, STEP_NEXT, 77, 0, 0);
    cr_assert_eq(stops_look_between(&stops, &target).reason, STOP_TRAP);
}

Test(stops, ctrl_c_stops_the_next_instruction_or_in_between, .init = begin)
{
    stops_resume(&stops, 1, STEP_NONE, 1, 0, 0);
    cr_assert_eq(stops_look_between(&stops, &target).reason, STOP_NONE);
    stops.interrupted = 1;
    cr_assert_eq(look_at(0x10, 6).reason, STOP_INTERRUPT);
    cr_assert_eq(stops_look_between(&stops, &target).reason, STOP_INTERRUPT);
    stops_resume(&stops, 1, STEP_NONE, 1, 0, 0);
    cr_assert_eq(look_at(0x10, 6).reason, STOP_NONE);
}

Test(stops, a_watchpoint_stops_behind_the_access, .init = begin)
{
    insert(2, 0x100, 4);
    cr_assert_eq(look_at_access(0x104, 4, ACCESS_WRITE).reason, STOP_NONE, "beside it");
    cr_assert_eq(look_at_access(0xFC, 4, ACCESS_WRITE).reason, STOP_NONE, "before it");
    cr_assert_eq(look_at_access(0x100, 4, ACCESS_READ).reason, STOP_NONE, "not a write");
    cr_assert_eq(look_at_access(0xF9, 8, ACCESS_WRITE).reason, STOP_NONE, "the write itself");
    const debug_stop stop = look_at(0x10, 1);
    cr_assert_eq(stop.reason, STOP_WATCH);
    cr_assert_eq(stop.thread, 2, "who wrote");
    cr_assert_eq(stop.address, 0x100);
    cr_assert_eq(look_at(0x14, 1).reason, STOP_NONE);
}

Test(stops, watchpoints_of_reads_and_of_both, .init = begin)
{
    insert(3, 0x100, 1);
    look_at_access(0x100, 4, ACCESS_WRITE);
    cr_assert_eq(look_at(0x10, 1).reason, STOP_NONE);
    look_at_access(0x100, 4, ACCESS_READ);
    cr_assert_eq(look_at(0x10, 1).reason, STOP_READ_WATCH);
    insert(4, 0x200, 8);
    look_at_access(0x207, 1, ACCESS_READ | ACCESS_WRITE);
    cr_assert_eq(stops_look_between(&stops, &target).reason, STOP_ACCESS_WATCH);
    look_at_access(0x300, 1, ACCESS_NONE);
    cr_assert_eq(look_at(0x10, 1).reason, STOP_NONE);
}

Test(stops, the_watchpoints_of_an_access_come_one_after_the_other, .init = begin)
{
    insert(0, 0x100, 4);
    cr_assert_eq(stops.watch_count, 0, "a breakpoint is none");
    insert(2, 0x103, 1);
    insert(3, 0x100, 1);
    insert(4, 0x101, 8);
    insert(4, 0x101, 8);
    cr_assert_eq(stops.watch_count, 3);
    debug_stop stop = stops_watch(&stops, 7, 0x100, 4, ACCESS_WRITE, 0);
    cr_assert_eq(stop.reason, STOP_ACCESS_WATCH);
    cr_assert_eq(stop.address, 0x101, "the lowest that is written");
    cr_assert_eq(stop.thread, 7);
    stop = stops_watch(&stops, 7, 0x100, 4, ACCESS_WRITE, 0x102);
    cr_assert_eq(stop.reason, STOP_WATCH, "what begins before is over");
    cr_assert_eq(stop.address, 0x103);
    cr_assert_eq(stops_watch(&stops, 7, 0x100, 4, ACCESS_WRITE, 0x104).reason, STOP_NONE);
    stop = stops_watch(&stops, 7, 0x104, 4, ACCESS_READ, 0);
    cr_assert_eq(stop.reason, STOP_ACCESS_WATCH);
    cr_assert_eq(stop.address, 0x104, "the first byte that both have");
    stops_remove(&stops, &(debug_place){.kind = 4, .bytes = 8, .address = 0x101});
    cr_assert_eq(stops.watch_count, 2);
    cr_assert_eq(stops_watch(&stops, 7, 0x104, 4, ACCESS_READ, 0).reason, STOP_NONE);
}

Test(stops, there_is_room_for_so_many_places, .init = begin)
{
    for (uint32_t i = 0; i < STOPS_MAX; i++)
        insert(0, 4 * i, 4);
    insert(0, 0, 4);
    cr_assert_not(stops_insert(&stops, &(debug_place){.address = 4 * STOPS_MAX, .bytes = 4}));
    stops_remove(&stops, &(debug_place){.address = 4, .bytes = 4});
    insert(0, 4 * STOPS_MAX, 4);
    cr_assert_eq(look_at(4, 1).reason, STOP_NONE);
    cr_assert_eq(look_at(4 * STOPS_MAX, 1).reason, STOP_TRAP);
}
