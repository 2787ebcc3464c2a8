/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

#define X (GLOBAL + 0x40)
#define FLAG (GLOBAL + 0x80)

static rig r;

static void open_rig(void)
{
    rig_open(&r);
    rig_begin(&r);
}

#define EXPECT_RACE(...)                                                                                               \
    do {                                                                                                               \
        rig_finish(&r);                                                                                                \
        cr_expect_gt(r.found, 0);                                                                                      \
        rig_expect_texts(&r, (const char *const[]){__VA_ARGS__, NULL});                                                \
    } while (0)

Test(race_checker, both_accesses_are_named)
{
    open_rig();
    rig_allocate(&r, 3, GLOBAL, 256, HD_ALLOCATION_PROGRAM);
    rig_store(&r, T(2), X, 1);
    rig_load(&r, T(13), X);
    rig_load(&r, T(13), X);
    EXPECT_RACE(
        "store and load of 0x10000040, byte 64 of allocation 3: in different blocks: no release and acquire orders "
        "them\n",
        "  store: pc module 0 line 200, core[0], block (0,0,0), warp 0, lane 2, thread (2,0,0)\n",
        "  load: pc module 0 line 100, core[1], block (1,0,0), warp 1, lane 1, thread (5,0,0)\n",
        "  allocation 3: 256 bytes at 0x10000000, allocated at host.c:3\n", "  and 1 times more there\n");
}

Test(race_checker, loads_are_no_race)
{
    open_rig();
    for (uint32_t i = 0; i < 32; i++)
        rig_load(&r, T(i), X);
    rig_expect_clean(&r);
}

Test(race_checker, a_barrier_orders_its_block)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_store(&r, T(1), SCRATCHPAD, 1);
    rig_barrier(&r, 0);
    rig_store(&r, T(7), X, 2);
    rig_load(&r, T(6), SCRATCHPAD);
    rig_expect_clean(&r);
}

Test(race_checker, a_barrier_orders_no_other_block)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_barrier(&r, 0);
    rig_barrier(&r, 1);
    rig_store(&r, T(8), X, 2);
    EXPECT_RACE("in different blocks");
}

Test(race_checker, scratchpads_of_two_blocks_are_two)
{
    open_rig();
    rig_store(&r, T(0), SCRATCHPAD, 1);
    rig_store(&r, T(8), SCRATCHPAD, 2);
    rig_expect_clean(&r);
}

Test(race_checker, threads_of_a_block_need_a_barrier)
{
    open_rig();
    rig_store(&r, T(0), SCRATCHPAD + 12, 1);
    rig_load(&r, T(4), SCRATCHPAD + 12);
    EXPECT_RACE("store and load of the scratchpad at byte 0xc: in one block: neither a barrier nor");
}

Test(race_checker, warp_sync_orders_its_warp)
{
    open_rig();
    rig_store(&r, T(0), SCRATCHPAD, 1);
    rig_warp_sync(&r, 0, 0);
    rig_load(&r, T(3), SCRATCHPAD);
    rig_expect_clean(&r);
}

Test(race_checker, warp_sync_orders_no_other_warp)
{
    open_rig();
    rig_store(&r, T(0), SCRATCHPAD, 1);
    rig_warp_sync(&r, 0, 0);
    rig_warp_sync(&r, 0, 1);
    rig_load(&r, T(4), SCRATCHPAD);
    EXPECT_RACE("in one block");
}

Test(race_checker, lanes_of_a_warp_are_not_ordered)
{
    open_rig();
    rig_store(&r, T(0), SCRATCHPAD, 1);
    rig_load(&r, T(1), SCRATCHPAD);
    EXPECT_RACE("in one warp: neither warp.sync");
}

/* T(0) stores X and sets FLAG, T(8) sees FLAG and loads X; what stands between them is given. */
static void publish(uint32_t fence_in_front, uint32_t release, uint32_t plain_flag, uint32_t acquire,
                    uint32_t fence_behind)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    if (fence_in_front)
        rig_fence(&r, T(0), HD_ACCESS_ACQUIRE);
    if (plain_flag)
        rig_store(&r, T(0), FLAG, 1);
    else
        rig_atomic(&r, T(0), release ? HD_ACCESS_RELEASE : 0, FLAG);
    if (plain_flag)
        rig_load_cg(&r, T(8), FLAG);
    else
        rig_atomic(&r, T(8), acquire ? HD_ACCESS_ACQUIRE : 0, FLAG);
    if (fence_behind)
        rig_fence(&r, T(8), HD_ACCESS_ACQUIRE);
    rig_load(&r, T(8), X);
}

Test(race_checker, fences_on_both_sides_of_a_flag_order)
{
    publish(1, 0, 0, 0, 1);
    rig_expect_clean(&r);
    publish(1, 0, 1, 0, 1);
    rig_expect_clean(&r);
}

Test(race_checker, release_and_acquire_order)
{
    publish(0, 1, 0, 1, 0);
    rig_expect_clean(&r);
    publish(1, 0, 0, 1, 0);
    rig_expect_clean(&r);
    publish(0, 1, 0, 0, 1);
    rig_expect_clean(&r);
}

Test(race_checker, one_side_is_not_enough)
{
    publish(0, 0, 0, 0, 1);
    EXPECT_RACE("in different blocks");
    publish(1, 0, 0, 0, 0);
    EXPECT_RACE("in different blocks");
    publish(0, 0, 1, 0, 1);
    EXPECT_RACE("in different blocks");
    publish(0, 1, 0, 0, 0);
    EXPECT_RACE("in different blocks");
}

Test(race_checker, a_fence_that_does_not_order_later_loads_acquires_nothing)
{
    publish(1, 0, 0, 0, 0);
    rig_fence(&r, T(8), 0);
    rig_store(&r, T(8), X, 2);
    EXPECT_RACE("in different blocks");
}

/* What T(1) has stored is visible to the others of its block behind the barrier, but not to all because T(0) fences. */
Test(race_checker, a_barrier_hands_on_what_is_fenced_and_no_more)
{
    for (uint32_t fenced = 0; fenced < 2; fenced++) {
        open_rig();
        rig_store(&r, T(1), X, 1);
        if (fenced)
            rig_fence(&r, T(1), HD_ACCESS_ACQUIRE);
        rig_barrier(&r, 0);
        rig_fence(&r, T(0), HD_ACCESS_ACQUIRE);
        rig_atomic(&r, T(0), 0, FLAG);
        rig_atomic(&r, T(8), HD_ACCESS_ACQUIRE, FLAG);
        rig_load(&r, T(8), X);
        if (fenced)
            rig_expect_clean(&r);
        else
            EXPECT_RACE("in different blocks");
    }
}

/* All threads of the block have fenced: what one of them does behind its fence is not visible to all. */
Test(race_checker, a_barrier_of_threads_that_have_fenced)
{
    for (uint32_t is_dirty = 0; is_dirty < 2; is_dirty++) {
        open_rig();
        rig_store(&r, T(1), X, 1);
        for (uint32_t i = 0; i < RIG_BLOCK; i++)
            rig_fence(&r, T(i), HD_ACCESS_ACQUIRE);
        if (is_dirty)
            rig_store(&r, T(1), X, 2);
        rig_barrier(&r, 0);
        rig_atomic(&r, T(0), 0, FLAG);
        rig_atomic(&r, T(8), HD_ACCESS_ACQUIRE, FLAG);
        rig_load(&r, T(8), X);
        if (is_dirty)
            EXPECT_RACE("in different blocks");
        else
            rig_expect_clean(&r);
    }
}

Test(race_checker, what_is_acquired_is_handed_on_by_a_barrier)
{
    publish(1, 0, 0, 1, 0);
    rig_barrier(&r, 1);
    rig_load(&r, T(15), X);
    rig_expect_clean(&r);
}

Test(race_checker, atomics_on_the_scratchpad_need_no_fence_in_their_block)
{
    open_rig();
    rig_store(&r, T(0), SCRATCHPAD + 4, 1);
    rig_store(&r, T(0), X, 1);
    rig_atomic(&r, T(0), 0, SCRATCHPAD);
    rig_atomic(&r, T(5), 0, SCRATCHPAD);
    rig_load(&r, T(5), SCRATCHPAD + 4);
    rig_load(&r, T(5), X);
    rig_expect_clean(&r);
}

Test(race_checker, atomics_on_the_scratchpad_hand_on_what_others_have_done)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_atomic(&r, T(0), 0, SCRATCHPAD);
    rig_atomic(&r, T(5), 0, SCRATCHPAD);
    rig_atomic(&r, T(5), 0, SCRATCHPAD + 4);
    rig_atomic(&r, T(2), 0, SCRATCHPAD + 4);
    rig_load(&r, T(2), X);
    rig_expect_clean(&r);
}

Test(race_checker, atomics_race_with_plain_accesses_only)
{
    open_rig();
    rig_atomic(&r, T(0), 0, X);
    rig_atomic(&r, T(8), 0, X);
    rig_load_cg(&r, T(9), X);
    rig_access(&r, T(10), HD_ACCESS_LOAD, HD_ACCESS_RELAXED, X, 4, 0, 500);
    rig_expect_clean(&r);
    open_rig();
    rig_atomic(&r, T(0), 0, X);
    rig_load(&r, T(8), X);
    EXPECT_RACE("atomic and load");
    open_rig();
    rig_store(&r, T(8), X, 1);
    rig_access(&r, T(0), HD_ACCESS_ATOMIC, HD_ACCESS_READS, X, 4, 0, 1);
    EXPECT_RACE("store and atomic");
    open_rig();
    rig_load(&r, T(8), X);
    rig_access(&r, T(0), HD_ACCESS_ATOMIC, HD_ACCESS_READS, X, 4, 0, 1);
    rig_expect_clean(&r);
}

/* As compilers release a lock. */
Test(race_checker, the_first_store_behind_a_fence_meets_atomics)
{
    for (uint32_t second = 0; second < 2; second++) {
        open_rig();
        rig_fence(&r, T(0), HD_ACCESS_ACQUIRE);
        if (second)
            rig_store(&r, T(0), X, 3);
        rig_store(&r, T(0), FLAG, 0);
        rig_atomic(&r, T(8), 0, FLAG);
        if (second)
            EXPECT_RACE("store and atomic");
        else
            rig_expect_clean(&r);
    }
}

Test(race_checker, stores_of_one_value_are_no_race)
{
    open_rig();
    rig_store(&r, T(0), X, 5);
    rig_store(&r, T(8), X, 5);
    rig_access(&r, T(9), HD_ACCESS_STORE, 0, X, 1, 5, 1);
    rig_expect_clean(&r);
    open_rig();
    rig_store(&r, T(0), X, 0x105);
    rig_access(&r, T(9), HD_ACCESS_STORE, 0, X + 1, 1, 0, 1);
    EXPECT_RACE("store and store");
}

Test(race_checker, bytes_of_a_word_are_apart)
{
    open_rig();
    rig_access(&r, T(0), HD_ACCESS_STORE, 0, X, 1, 1, 1);
    rig_access(&r, T(1), HD_ACCESS_STORE, 0, X + 1, 1, 2, 1);
    rig_access(&r, T(2), HD_ACCESS_STORE, 0, X + 2, 2, 3, 1);
    rig_expect_clean(&r);
    open_rig();
    rig_access(&r, T(0), HD_ACCESS_STORE, 0, X + 2, 2, 1, 1);
    rig_access(&r, T(1), HD_ACCESS_LOAD, 0, X + 3, 1, 0, 1);
    EXPECT_RACE("store and load of 0x10000043");
}

Test(race_checker, a_later_store_to_a_part_of_the_word_leaves_the_rest)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_access(&r, T(0), HD_ACCESS_STORE, 0, X, 1, 1, 1);
    rig_access(&r, T(8), HD_ACCESS_LOAD, 0, X + 1, 1, 0, 1);
    EXPECT_RACE("store and load of 0x10000041");
}

/* ---- Transactions ------------------------------------------------------------------------------------------------------- */

static void transactional(uint32_t number, uint32_t kind, uint32_t address, uint32_t end)
{
    rig_access(&r, T(number), kind, HD_ACCESS_TRANSACTIONAL, address, 4, number, 1);
    rig_lane(&r, T(number), end);
}

Test(race_checker, transactions_are_isolated_and_order)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    transactional(0, HD_ACCESS_STORE, FLAG, HD_ACCESS_COMMIT);
    transactional(8, HD_ACCESS_STORE, FLAG, HD_ACCESS_COMMIT);
    rig_load(&r, T(8), X);
    rig_load(&r, T(8), FLAG);
    rig_expect_clean(&r);
}

Test(race_checker, transactions_are_not_isolated_from_plain_accesses)
{
    open_rig();
    transactional(0, HD_ACCESS_STORE, X, HD_ACCESS_COMMIT);
    rig_load(&r, T(8), X);
    EXPECT_RACE("transactional store and load", "one is outside of transactions, which are not isolated from it");
}

/* Also if it goes past the L1. */
Test(race_checker, a_transactional_load_that_is_uncached_is_one_all_the_same)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_access(&r, T(8), HD_ACCESS_LOAD, HD_ACCESS_TRANSACTIONAL | HD_ACCESS_UNCACHED, X, 4, 0, 1);
    rig_lane(&r, T(8), HD_ACCESS_COMMIT);
    EXPECT_RACE("store and transactional load");
}

Test(race_checker, an_aborted_attempt_has_done_nothing)
{
    open_rig();
    transactional(0, HD_ACCESS_STORE, X, HD_ACCESS_ABORT);
    rig_store(&r, T(8), X, 1);
    rig_expect_clean(&r);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------------------ */

Test(race_checker, a_kernel_comes_after_the_one_that_has_ended)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_end_launch(&r, 0, RIG_GRID);
    rig_begin_launch(&r, 1, 1);
    rig_store(&r, (rig_thread){1, 0}, X, 2);
    rig_expect_clean(&r);
}

Test(race_checker, nothing_is_kept_beyond_the_last_kernel_that_runs)
{
    open_rig();
    rig_end_launch(&r, 0, RIG_GRID);
    rig_begin_launch(&r, 1, 1);
    rig_drain(&r);
    cr_expect_eq(r.blocks.count, 1);
    cr_expect_eq(r.blocks.threads, RIG_BLOCK);
    rig_expect_clean(&r);
}

Test(race_checker, kernels_side_by_side_are_not_ordered)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_begin_launch(&r, 1, 1);
    rig_store(&r, (rig_thread){1, 0}, X, 2);
    EXPECT_RACE("in different blocks");
}

/* Beside one that runs all the time. */
Test(race_checker, kernels_one_after_the_other_beside_a_third)
{
    open_rig();
    rig_begin_launch(&r, 1, 1);
    rig_store(&r, (rig_thread){1, 0}, X, 2);
    rig_end_launch(&r, 1, 1);
    rig_begin_launch(&r, 2, 1);
    rig_store(&r, (rig_thread){2, 0}, X, 3);
    rig_expect_clean(&r);
}
