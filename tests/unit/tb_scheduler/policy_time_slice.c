/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "thread_block_policy_units.h"

/* A block leaves after its slice, but only for those that wait for room, and one at a time. */
Test(policy_time_slice, stops_blocks_for_those_that_wait_for_room)
{
    const thread_block_policy_unit *unit = &thread_block_policy_time_slice;
    const hd_value values[] = {{.u = 100}};
    thread_block_policy *p =
        unit->create(&(thread_block_policy_parameters){.slots = 4, .cores = 256, .share = {.values = values}});
    cr_assert_not_null(p);
    for (uint32_t slot = 0; slot < 2; slot++)
        unit->event(p, &(thread_block_event){.kind = THREAD_BLOCK_LAUNCHED, .slot = slot, .cycle = 10 + slot});
    for (uint32_t stall = STALL_NONE; stall <= STALL_POLICY; stall++) {
        const thread_block_demand early = {.cycle = 109, .stall = stall}, late = {.cycle = 110, .stall = stall};
        cr_expect_eq(unit->next(p, &early), stall == STALL_ROOM ? 110 : UINT64_MAX);
        cr_expect_eq(unit->choose_victim(p, &early), NO_BLOCK);
        cr_expect_eq(unit->choose_victim(p, &late), stall == STALL_ROOM ? 0 : NO_BLOCK);
    }
    unit->event(p, &(thread_block_event){.kind = THREAD_BLOCK_STOPPING, .slot = 0, .cycle = 110});
    cr_expect_eq(unit->choose_victim(p, &(thread_block_demand){.cycle = 500, .stall = STALL_ROOM}), NO_BLOCK);
    unit->destroy(p);
}
