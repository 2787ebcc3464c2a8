/* SPDX-License-Identifier: MIT */
/* Blocks that have to leave, by their levels, and those that wait to go on: each rule by itself (Beaumont 2019 §3.4, §3.5). */
#include "policy_usage_rig.h"

/* Three blocks on a core, of which two leave. */
static void two_leave(void)
{
    for (uint32_t slot = 0; slot < 4; slot++) {
        number_of[slot] = slot;
        launch_on(slot, slot / 3);
    }
    level(3, 4, 0, 0);
    level(0, 6, 0, 0);
    level(1, 3, 0, 0);
    leave(1);
    level(2, 5, 0, 0);
    leave(2);
}

/* The newest goes on first; one that does not fit lets the next one go. */
Test(policy_usage, the_newest_that_fits_goes_on)
{
    begin(&thread_block_policy_rut);
    create();
    two_leave();
    cr_expect_eq(saved(0), NO_BLOCK, "nothing has become less");
    level(0, 5, 0, 0);
    cr_expect_eq(saved(0), 1, "5 + 5 are too many, 5 + 3 are not");
    cr_expect_eq(saved(1), NO_BLOCK);
    level(3, 3, 0, 0);
    cr_expect_eq(saved(0), 2);
    cr_expect_eq(saved(1), 1);
    go_on(2, 1);
    go_on(1, 0);
    end();
}

/* Where a block has left, nothing goes on before something ends or becomes less, unless all are looked through. */
Test(policy_usage, goes_on_where_something_has_eased)
{
    for (uint32_t scan = 0; scan < 2; scan++) {
        begin(&thread_block_policy_rut);
        values[SCAN].u = scan;
        create();
        two_leave();
        level(3, 5, 0, 0);
        level(3, 4, 0, 0); /* has eased, but it would be 9 with block 2 and 7 with block 1 */
        go_on(1, 1);
        level(1, 6, 0, 0);
        leave(1);
        cr_expect_eq(saved(0), NO_BLOCK);
        level(1, 3, 0, 1);
        end();
    }
    begin(&thread_block_policy_rut);
    values[SCAN].u = 1;
    create();
    two_leave();
    cr_expect_eq(saved(0), 1, "4 + 3 on the other core");
    end();
}

Test(policy_usage, a_full_queue_lets_all_stay)
{
    begin(&thread_block_policy_rut);
    values[VICTIMS].u = 1;
    create();
    for (uint32_t slot = 0; slot < 4; slot++)
        number_of[slot] = slot, launch_on(slot, 0);
    level(0, 6, 0, 0);
    level(1, 3, 0, 0);
    level(2, 4, 0, 0);
    cr_expect_eq(counters[VICTIMS_FULL], 1);
    leave(1);
    cr_expect_eq(victim(), NO_BLOCK);
    level(2, 5, 0, 0);
    cr_expect_eq(counters[VICTIMS_FULL], 2);
    cr_expect_eq(victim(), NO_BLOCK);
    go_on(1, 1);
    level(2, 6, 0, 0);
    cr_expect_eq(victim(), 2);
    tell(THREAD_BLOCK_ENDED, 2); /* its place is free again */
    level(3, 4, 0, 0);
    leave(3);
    cr_expect_eq(counters[VICTIMS_MAXIMUM], 1);
    cr_expect_eq(counters[VICTIMS_FULL], 2);
    end();
}

/* Those that are on their way are not asked for; the one that left last goes on first, whichever was told first. */
Test(policy_usage, the_last_to_leave_is_the_first_to_go_on)
{
    begin(&thread_block_policy_rut);
    create();
    for (uint32_t slot = 0; slot < 4; slot++)
        number_of[slot] = slot, launch_on(slot, 0);
    level(0, 6, 0, 0);
    level(1, 3, 0, 0);
    level(2, 3, 0, 0);
    cr_assert_eq(victim(), 1, "in the order in which they have risen");
    tell(THREAD_BLOCK_STOPPING, 1);
    cr_assert_eq(victim(), 2);
    tell(THREAD_BLOCK_STOPPING, 2);
    tell(THREAD_BLOCK_SAVED, 2);
    tell(THREAD_BLOCK_SAVED, 1);
    cr_expect_eq(saved(0), 1);
    cr_expect_eq(saved(1), 2);
    cr_expect_eq(core_for(1, 0), 1, "that one is empty");
    core_of[1] = 1;
    tell(THREAD_BLOCK_ENTERING, 1);
    cr_expect_eq(saved(0), NO_BLOCK, "3 and 3 would fit, but nothing there has become less");
    cr_expect_eq(counters[UPDATES], 3);
    end();
}

/* What has eased before a block has left is no reason to go on: it may have left for another reason. */
Test(policy_usage, leaving_ends_what_has_eased)
{
    begin(&thread_block_policy_rut);
    create();
    for (uint32_t slot = 0; slot < 4; slot++)
        number_of[slot] = slot, launch_on(slot, slot == 3);
    level(0, 6, 0, 0);
    level(0, 5, 0, 0);
    level(3, 7, 0, 0);
    level(1, 4, 0, 0);
    leave(1);
    level(1, 1, 0, 1);
    cr_expect_eq(saved(0), NO_BLOCK);
    tell(THREAD_BLOCK_ENDED, 2);
    cr_expect_eq(saved(0), NO_BLOCK, "5 + 4");
    tell(THREAD_BLOCK_ENDED, 0);
    cr_expect_eq(saved(0), 1);
    end();
}

/* A block that ends, marked or not, gives back what it had, and no more. */
Test(policy_usage, blocks_that_end)
{
    begin(&thread_block_policy_rut);
    values[VICTIMS].u = 1;
    create();
    for (uint32_t slot = 0; slot < 5; slot++)
        number_of[slot] = slot, launch_on(slot, slot == 4);
    level(4, 7, 0, 0);
    level(0, 6, 0, 0);
    level(1, 3, 0, 0);
    cr_expect_eq(victim(), 1);
    cr_expect_eq(unit->next(policy, &(thread_block_demand){.cycle = 7}), 7);
    tell(THREAD_BLOCK_ENDED, 1);
    cr_expect_eq(victim(), NO_BLOCK);
    cr_expect_eq(unit->next(policy, &(thread_block_demand){.cycle = 7}), UINT64_MAX);
    level(2, 3, 0, 0);
    leave(2);
    tell(THREAD_BLOCK_ENDED, 3);
    cr_expect_eq(saved(0), NO_BLOCK, "6 + 3");
    launch_on(3, 0);
    level(3, 3, 0, 0);
    cr_expect_eq(counters[VICTIMS_FULL], 1, "the place of block 2 is still taken");
    level(0, 5, 0, 0);
    cr_expect_eq(saved(0), NO_BLOCK, "5 + 3 + 3");
    tell(THREAD_BLOCK_ENDED, 3);
    go_on(2, 0);
    end();
}

/* A block that is alone on its core stays, and so does one that becomes lighter where there is too much. */
Test(policy_usage, only_those_that_rise_beside_others_leave)
{
    begin(&thread_block_policy_rut);
    values[LIMIT].u = 50;
    create();
    for (uint32_t slot = 0; slot < 3; slot++)
        number_of[slot] = slot;
    launch_on(0, 0);
    level(0, 7, 0, 0);
    cr_expect_eq(victim(), NO_BLOCK);
    launch_on(1, 0);
    level(0, 6, 0, 0);
    level(0, 6, 1, 0); /* of floats there are few */
    cr_expect_eq(victim(), NO_BLOCK);
    level(1, 1, 0, 1); /* it ends in a moment */
    cr_expect_eq(victim(), NO_BLOCK);
    level(1, 1, 0, 0);
    cr_expect_eq(victim(), 1);
    end();
}

/* 7000 bytes out and in at 7 per cycle: 2000 cycles. */
Test(policy_usage, none_waits_for_ever)
{
    begin(&thread_block_policy_rut);
    values[WATCHDOG].u = 3;
    create();
    now = 1000;
    two_leave();
    const thread_block_demand demand = {.cycle = now};
    cr_expect_eq(unit->next(policy, &demand), 7000);
    now = 6999;
    cr_expect_eq(saved(0), NO_BLOCK);
    now = 7000;
    cr_expect_eq(saved(0), 1, "the one that has waited for longest");
    cr_expect_eq(saved(1), 2);
    cr_expect_eq(saved(2), NO_BLOCK, "each is named once");
    cr_expect_eq(unit->next(policy, &(thread_block_demand){.cycle = now}), now, "at the edge that comes next");
    cr_expect_eq(unit->next(policy, &(thread_block_demand){.cycle = now + 1}), UINT64_MAX, "both may go on already");
    go_on(1, 0);
    cr_expect_eq(saved(0), 2);
    cr_expect_eq(saved(1), NO_BLOCK);
    cr_expect_eq(counters[OVERDUE], 1);
    end();
    begin(&thread_block_policy_rut);
    values[WATCHDOG].u = 0;
    create();
    two_leave();
    cr_expect_eq(unit->next(policy, &demand), UINT64_MAX);
    end();
}

/* What is about to leave a core is no load of it: as many leave as have to, whatever rises until they have left, and one stays. */
Test(policy_usage, no_more_leave_than_have_to)
{
    static const struct {
        uint32_t levels[2], staying;
    } rows[] = {{{1, 1}, 6}, {{2, 2}, 4}, {{2, 4}, 2}, {{3, 5}, 2}, {{3, 7}, 1}, {{7, 7}, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&thread_block_policy_kernel_profile);
        create();
        for (uint32_t slot = 0; slot < 6; slot++)
            number_of[slot] = slot, pc_of[slot] = 0, launch_on(slot, 0);
        level(0, rows[i].levels[0], 0, 0); /* the mean of all six */
        level(1, rows[i].levels[1], 0, 0); /* now that of both windows */
        for (uint32_t slot = 6; slot-- > rows[i].staying;)
            leave(slot);
        cr_expect_eq(victim(), NO_BLOCK, "row %zu", i);
        end();
    }
}

Test(policy_usage, what_is_about_to_leave_is_no_load)
{
    begin(&thread_block_policy_rut);
    create();
    for (uint32_t slot = 0; slot < 3; slot++) {
        number_of[slot] = slot, launch_on(slot, 0);
        level(slot, 3, 0, 0);
    }
    cr_assert_eq(victim(), 2, "9");
    level(1, 4, 0, 0); /* 7 without block 2 */
    tell(THREAD_BLOCK_STOPPING, 2);
    cr_expect_eq(victim(), NO_BLOCK);
    level(0, 5, 0, 0);
    cr_assert_eq(victim(), 0, "9 without it");
    level(1, 7, 7, 0);
    tell(THREAD_BLOCK_STOPPING, 0);
    cr_expect_eq(victim(), NO_BLOCK, "it is the last one");
    end();
}

/* A new block is taken for the mean of its kernel, one that runs for what it reports. */
Test(policy_usage, predicts_by_kernels_and_preempts_by_blocks)
{
    begin(&thread_block_policy_rut_preempt_only);
    create();
    number_of[0] = number_of[1] = number_of[2] = 0;
    launch_on(0, 0);
    level(0, 6, 0, 0);
    launch_on(1, 1); /* 6 */
    cr_expect_eq(core_for(2, NO_CORE), NO_CORE);
    level(1, 0, 0, 0); /* the mean is 3 */
    cr_expect_eq(core_for(2, NO_CORE), 1);
    launch_on(2, 1);
    level(2, 7, 0, 0);
    cr_expect_eq(victim(), NO_BLOCK, "7 and 0");
    level(1, 2, 0, 0);
    cr_expect_eq(victim(), 1);
    end();
}

Test(policy_usage, resets)
{
    begin(&thread_block_policy_rut);
    create();
    two_leave();
    unit->reset(policy);
    cr_expect_eq(saved(0), NO_BLOCK);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        launch_on(slot, 0);
        cr_expect_eq(core_for(slot, NO_CORE), 1, "the table knows nothing");
    }
    end();
}
