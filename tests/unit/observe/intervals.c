/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "counting.h"

#define CORE 0u
#define L2 1u

static uint64_t of(const counting *rig, const hd_interval *interval, uint32_t block, uint32_t statistic)
{
    return hd_statistics_block(rig->statistics, interval, block)[statistic];
}

static void add(counting *rig, uint32_t endpoint, uint64_t events, uint64_t depth)
{
    uint64_t *values = counting_values(rig, endpoint);
    values[COUNTING_EVENTS] += events;
    if (depth > values[COUNTING_DEPTH])
        values[COUNTING_DEPTH] = depth;
}

Test(intervals, a_kernel_has_what_happened_between_its_begin_and_its_end)
{
    counting rig;
    counting_open(&rig);
    add(&rig, 0, 100, 9);
    hd_statistics_kernel_begin(rig.statistics, 7, 1000);
    add(&rig, 0, 5, 2);
    add(&rig, 1, 6, 3);
    add(&rig, 2, 1, 1);
    hd_statistics_kernel_end(rig.statistics, 7, 4000);
    add(&rig, 1, 50, 8);
    hd_statistics_finish(rig.statistics, 9000);

    cr_assert_eq(hd_statistics_kernel_count(rig.statistics), 1);
    const hd_interval *kernel = hd_statistics_kernel(rig.statistics, 0), *run = hd_statistics_run(rig.statistics);
    cr_expect_eq(kernel->launch, 7);
    cr_expect_eq(kernel->begin, 1000);
    cr_expect_eq(kernel->end, 4000);
    cr_expect_eq(kernel->is_cut, 0);
    cr_expect_eq(of(&rig, kernel, CORE, COUNTING_EVENTS), 11, "counts of instances are summed");
    cr_expect_eq(of(&rig, kernel, CORE, COUNTING_DEPTH), 3, "maxima are not, and begin anew");
    cr_expect_eq(of(&rig, kernel, L2, COUNTING_EVENTS), 1);
    cr_expect_eq(of(&rig, run, CORE, COUNTING_EVENTS), 161);
    cr_expect_eq(of(&rig, run, CORE, COUNTING_DEPTH), 9, "the run remembers what was before the mark");
    cr_expect_eq(run->end, 9000);
    cr_expect_eq(hd_statistics_instance(rig.statistics, CORE, 1)[COUNTING_EVENTS], 56);
    cr_expect_eq(hd_statistics_sum(rig.statistics, run, "simt_core", "warp_instructions"), 161);
    cr_expect_eq(hd_statistics_sum(rig.statistics, run, "simt_core", "no_such"), 0);
    counting_close(&rig);
}

Test(intervals, kernels_that_overlap_see_everything_in_their_time)
{
    counting rig;
    counting_open(&rig);
    hd_statistics_kernel_begin(rig.statistics, 0, 100);
    add(&rig, 0, 1, 7);
    hd_statistics_kernel_begin(rig.statistics, 1, 200);
    add(&rig, 0, 10, 4);
    hd_statistics_kernel_end(rig.statistics, 0, 300);
    add(&rig, 0, 100, 5);
    hd_statistics_kernel_end(rig.statistics, 1, 500);
    hd_statistics_finish(rig.statistics, 600);

    const hd_interval *first = hd_statistics_kernel(rig.statistics, 0),
                      *second = hd_statistics_kernel(rig.statistics, 1);
    cr_expect_eq(of(&rig, first, CORE, COUNTING_EVENTS), 11);
    cr_expect_eq(of(&rig, first, CORE, COUNTING_DEPTH), 7, "the mark of the second launch does not hide it");
    cr_expect_eq(of(&rig, second, CORE, COUNTING_EVENTS), 110);
    cr_expect_eq(of(&rig, second, CORE, COUNTING_DEPTH), 5);
    const hd_interval *busy = hd_statistics_busy(rig.statistics);
    cr_expect_eq(busy->end - busy->begin, 400, "time in which both run counts once");
    cr_expect_eq(of(&rig, busy, CORE, COUNTING_EVENTS), 111);
    cr_expect_eq(of(&rig, busy, CORE, COUNTING_DEPTH), 7);
    counting_close(&rig);
}

Test(intervals, idle_time_between_kernels_is_in_none)
{
    counting rig;
    counting_open(&rig);
    for (uint32_t launch = 0; launch < 5; launch++) {
        hd_statistics_kernel_begin(rig.statistics, launch, 1000 * launch);
        add(&rig, 2, launch, launch);
        hd_statistics_kernel_end(rig.statistics, launch, 1000 * launch + 10);
        add(&rig, 2, 1000, 99);
    }
    hd_statistics_finish(rig.statistics, 5000);
    for (uint32_t launch = 0; launch < 5; launch++)
        cr_expect_eq(of(&rig, hd_statistics_kernel(rig.statistics, launch), L2, COUNTING_EVENTS), launch);
    cr_expect_eq(of(&rig, hd_statistics_busy(rig.statistics), L2, COUNTING_EVENTS), 10);
    cr_expect_eq(of(&rig, hd_statistics_busy(rig.statistics), L2, COUNTING_DEPTH), 4);
    cr_expect_eq(hd_statistics_busy(rig.statistics)->end, 50);
    counting_close(&rig);
}

Test(intervals, a_kernel_that_still_runs_is_cut_at_the_end_of_the_run)
{
    counting rig;
    counting_open(&rig);
    hd_statistics_kernel_begin(rig.statistics, 0, 100);
    add(&rig, 1, 4, 1);
    hd_statistics_finish(rig.statistics, 250);
    cr_assert_eq(hd_statistics_kernel_count(rig.statistics), 1);
    const hd_interval *kernel = hd_statistics_kernel(rig.statistics, 0);
    cr_expect_eq(kernel->is_cut, 1);
    cr_expect_eq(kernel->end, 250);
    cr_expect_eq(of(&rig, kernel, CORE, COUNTING_EVENTS), 4);
    cr_expect_eq(hd_statistics_busy(rig.statistics)->end, 150);
    counting_close(&rig);
}

Test(intervals, the_end_of_an_unknown_launch_changes_nothing)
{
    counting rig;
    counting_open(&rig);
    hd_statistics_kernel_end(rig.statistics, 3, 100);
    cr_expect_eq(hd_statistics_kernel_count(rig.statistics), 0);
    counting_close(&rig);
}

Test(intervals, a_foreign_instance_has_no_values)
{
    counting rig;
    counting_open(&rig);
    rig.endpoints[1] = HD_FOREIGN;
    add(&rig, 0, 3, 1);
    add(&rig, 1, 5, 1);
    hd_statistics_finish(rig.statistics, 10);
    cr_expect_null(hd_statistics_instance(rig.statistics, CORE, 1));
    cr_expect_eq(of(&rig, hd_statistics_run(rig.statistics), CORE, COUNTING_EVENTS), 3);
    counting_close(&rig);
}
