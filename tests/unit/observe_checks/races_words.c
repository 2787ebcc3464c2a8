/* SPDX-License-Identifier: MIT */
/* Words of blocks in front of memory, as registers of barriers: whom they order. */
#include <criterion/criterion.h>

#include "rig.h"

#define X (GLOBAL + 0x40)

static rig r;

static void open_rig(void)
{
    rig_open(&r);
    rig_begin(&r);
}

static void expect_race(void)
{
    rig_finish(&r);
    cr_expect_gt(r.found, 0);
    rig_expect_texts(&r, (const char *const[]){"in different blocks: no release and acquire orders them", NULL});
}

static void meet(rig_thread by, uint32_t number)
{
    rig_fence(&r, by, HD_ACCESS_ACQUIRE);
    rig_access(&r, by, HD_ACCESS_LOAD, HD_ACCESS_UNCACHED, MEET, 4, 0, number);
}

static void go_on(rig_thread by)
{
    rig_sample(&r, by);
    rig_fence(&r, by, HD_ACCESS_ACQUIRE);
}

Test(race_checker, who_meets_at_a_word_is_ordered)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    meet(T(8), 1);
    meet(T(0), 2);
    go_on(T(8));
    go_on(T(0));
    rig_store(&r, T(8), X, 2);
    rig_expect_clean(&r);
}

Test(race_checker, who_has_not_come_to_the_word_is_not)
{
    open_rig();
    meet(T(8), 1);
    go_on(T(8));
    rig_store(&r, T(0), X, 1);
    meet(T(0), 2);
    rig_store(&r, T(8), X, 2);
    expect_race();
}

Test(race_checker, what_is_handed_on_is_ordered_for_who_takes_it)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_fence(&r, T(0), 0);
    rig_store(&r, T(0), HAND, 5);
    rig_load_cg(&r, T(8), TAKE);
    rig_fence(&r, T(8), HD_ACCESS_ACQUIRE);
    rig_load(&r, T(8), X);
    rig_expect_clean(&r);
}

Test(race_checker, nothing_is_handed_on_without_a_fence)
{
    open_rig();
    rig_store(&r, T(0), X, 1);
    rig_store(&r, T(0), HAND, 5);
    rig_load_cg(&r, T(8), TAKE);
    rig_fence(&r, T(8), HD_ACCESS_ACQUIRE);
    rig_load(&r, T(8), X);
    expect_race();
}

Test(race_checker, other_words_are_no_memory)
{
    open_rig();
    rig_store(&r, T(0), OTHER, 1);
    rig_store(&r, T(8), OTHER, 2);
    rig_expect_clean(&r);
}
