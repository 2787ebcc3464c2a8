/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "thread_block_policy_units.h"

Test(policy_@name@, takes_the_first_core)
{
    thread_block_policy *p =
        thread_block_policy_@name@.create(&(thread_block_policy_parameters){.slots = 4, .cores = 256});
    const uint64_t takes[4] = {0xC};
    const hd_grid grid = {0};
    const thread_block block = {.core = NO_CORE, .grid = &grid};
    const thread_block_cores cores = {.count = 4, .has_room = takes, .takes = takes};
    cr_assert_not_null(p);
    cr_expect_eq(thread_block_policy_@name@.choose_core(p, &block, &cores, 0), 2);
    thread_block_policy_@name@.event(
        p, &(thread_block_event){.kind = THREAD_BLOCK_LAUNCHED, .core = 2, .block = &block});
    cr_expect_eq(thread_block_policy_@name@.choose_core(p, &block, &cores, 1), 2);
    thread_block_policy_@name@.destroy(p);
}
