/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "block_threads.h"

Test(block_threads, barrier_opens_with_the_last_live_thread)
{
    block_threads threads = {.arrived = {[3] = 7}}; /* what a block before it left */
    block_threads_launch(&threads, 96);
    cr_assert_eq(threads.live, 96);
    cr_assert_eq(threads.launched, 96);
    cr_assert_eq(threads.arrived[3], 0);
    block_threads_arrive(&threads, 3, 64);
    cr_assert_not(block_threads_all_at(&threads, 3));
    block_threads_arrive(&threads, 3, 32);
    cr_assert(block_threads_all_at(&threads, 3));
    cr_assert_not(block_threads_all_at(&threads, 2));
    cr_assert_not(block_threads_some_exited(&threads));
}

Test(block_threads, an_exit_may_complete_a_barrier)
{
    block_threads threads;
    block_threads_launch(&threads, 40);
    block_threads_arrive(&threads, 0, 32);
    block_threads_exit(&threads, 8);
    cr_assert_eq(threads.live, 32);
    cr_assert_eq(threads.launched, 40);
    cr_assert(block_threads_some_exited(&threads));
    cr_assert(block_threads_all_at(&threads, 0));
}

Test(block_threads, nobody_is_at_a_barrier_after_it_opened)
{
    block_threads threads;
    block_threads_launch(&threads, 32);
    block_threads_arrive(&threads, BARRIERS - 1, 32);
    block_threads_arrive(&threads, 1, 5);
    block_threads_open(&threads, BARRIERS - 1);
    cr_assert_eq(threads.arrived[BARRIERS - 1], 0);
    cr_assert_eq(threads.arrived[1], 5);
    block_threads_exit(&threads, 32);
    cr_assert_not(block_threads_all_at(&threads, BARRIERS - 1)); /* none of none */
}

Test(block_threads, live_threads_return_warp_by_warp)
{
    block_threads threads;
    block_threads_launch(&threads, 64);
    block_threads_none(&threads);
    block_threads_return(&threads, 32);
    block_threads_return(&threads, 7);
    cr_assert_eq(threads.live, 39);
    cr_assert_eq(threads.launched, 64);
}
