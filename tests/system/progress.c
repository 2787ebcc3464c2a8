/* SPDX-License-Identifier: MIT */
/* What is work is not taken for a hang, however long nothing of it shows; and what spins is found beside it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define MIMD SYSTEM_MACHINES "/mimd.yaml"
#define FUNCTIONAL SYSTEM_MACHINES "/functional.yaml"
#define GETM HEDDLE_MACHINES "/../variants/gtx480_getm.yaml"
#define LOCAL_TM HEDDLE_MACHINES "/../variants/southern_islands_cu_local_tm.yaml"
#define BUSY SYSTEM_APPS "/busy"

#define expect_pass(...)                                                                                               \
    do {                                                                                                               \
        finished run = heddle("run", __VA_ARGS__);                                                                     \
        expect_code(&run, 0);                                                                                          \
        expect_output(&run, "PASS");                                                                                   \
        finished_free(&run);                                                                                           \
    } while (0)

#define expect_livelock(...)                                                                                           \
    do {                                                                                                               \
        finished run = heddle("run", __VA_ARGS__);                                                                     \
        expect_code(&run, 1);                                                                                          \
        expect_error(&run, "error: livelock: no progress since ");                                                     \
        finished_free(&run);                                                                                           \
    } while (0)

#define KERNEL(name) "--set", "app.kernel=" name
#define TIMES(count) "--set", "app.times=" count
#define FAIR                                                                                                           \
    "--set", "core.scheduler=lrr" /* a watchdog that waits this shortly needs a scheduler that starves no lane */
#define WATCHDOG(time) "--set", "watchdog=" time

Test(progress, a_warp_that_only_computes)
{
    expect_pass(SMALL, BUSY, TIMES("400000"), "--tlm=auto");
    expect_pass(SMALL, BUSY, TIMES("20000"), WATCHDOG("20 us"));
    expect_pass(FUNCTIONAL, BUSY, TIMES("100000"), WATCHDOG("20 us"), "--set", "app.grid=4");
}

Test(progress, a_warp_that_computes_what_others_wait_for)
{
    expect_pass(SMALL, BUSY, KERNEL("computes_for_others"), TIMES("20000"), WATCHDOG("20 us"), "--set", "app.block=64",
                "--set", "app.first=0", "--set", "app.last=31");
    expect_pass(MIMD, BUSY, KERNEL("computes_for_pollers"), TIMES("20000"), WATCHDOG("200 us"), FAIR);
}

Test(progress, stores_of_one_transaction)
{
    expect_pass(GETM, BUSY, KERNEL("stores_in_a_transaction"), TIMES("2000"), WATCHDOG("20 us"), "--set", "app.last=0");
}

Test(progress, changes_in_the_scratchpad)
{
    expect_pass(SMALL, BUSY, KERNEL("counts_in_the_scratchpad"), TIMES("2000"), WATCHDOG("20 us"));
    expect_pass(SMALL, BUSY, KERNEL("adds_in_the_scratchpad"), TIMES("2000"), WATCHDOG("20 us"));
    expect_pass(FUNCTIONAL, BUSY, KERNEL("counts_in_the_scratchpad"), TIMES("20000"), WATCHDOG("20 us"));
    expect_pass(FUNCTIONAL, BUSY, KERNEL("adds_in_the_scratchpad"), TIMES("20000"), WATCHDOG("20 us"));
}

Test(progress, reads_of_what_was_not_read_before)
{
    expect_pass(SMALL, BUSY, KERNEL("reads_much"), TIMES("3000"), WATCHDOG("40 us"), "--set", "app.words=100000");
    expect_pass(FUNCTIONAL, BUSY, KERNEL("reads_much"), TIMES("40000"), WATCHDOG("20 us"), "--set",
                "app.words=2000000");
    expect_livelock(SMALL, BUSY, KERNEL("reads_much"), TIMES("3000"), WATCHDOG("40 us"), "--set", "app.words=32");
    expect_livelock(FUNCTIONAL, BUSY, KERNEL("reads_much"), TIMES("40000"), WATCHDOG("20 us"), "--set", "app.words=32");
}

/* A megabyte of ones, and back: the lines that it overwrites held ones. */
Test(progress, copies_of_the_host)
{
    expect_pass(SMALL, BUSY, TIMES("1"), WATCHDOG("5 us"), "--set", "app.words=250000");
}

Test(progress, a_second_is_a_cycle)
{
    expect_pass(SMALL, BUSY, TIMES("100"), "--set", "clocks.core=1 Hz");
    expect_livelock(SMALL, BUSY, KERNEL("polls"), "--set", "clocks.core=1 Hz", "--set", "watchdog=20000 cycles");
}

Test(progress, what_spins_is_found)
{
    static const char *const kernels[] = {"polls", "polls_and_counts", "polls_the_scratchpad", "polls_now_and_then",
                                          "never_gets_the_lock"};
    static const char *const machines[] = {SMALL, MIMD, FUNCTIONAL};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
            char kernel[64];
            snprintf(kernel, sizeof kernel, "app.kernel=%s", kernels[i]);
            expect_livelock(machines[m], BUSY, "--set", kernel, WATCHDOG("100 us"), "--set", "app.block=64",
                            m == 1 ? "--set" : NULL, "core.scheduler=lrr");
        }
}

#define NOT_ALONE "--set", "core.tx.local.in_block=false"

/* Commits of those that have written something are. */
Test(progress, transactions_that_only_read_or_abort_are_none)
{
    expect_pass(LOCAL_TM, BUSY, KERNEL("counts_in_transactions"), TIMES("100"), WATCHDOG("20 us"));
    expect_livelock(LOCAL_TM, BUSY, KERNEL("polls_the_scratchpad_in_transactions"), WATCHDOG("100 us"));
    expect_livelock(GETM, BUSY, KERNEL("polls_in_transactions"), WATCHDOG("100 us"));
    expect_livelock(LOCAL_TM, BUSY, KERNEL("stores_and_aborts"), WATCHDOG("100 us"), NOT_ALONE);
}

/* It is found after the computation, and counted from there. */
Test(progress, the_message_says_since_when_and_names_the_watchdog)
{
    finished run = heddle("run", SMALL, BUSY, KERNEL("computes_then_polls"), TIMES("20000"), WATCHDOG("20 us"));
    unsigned long since = 0;
    expect_code(&run, 1);
    expect_error(&run, " ns (watchdog: 20 us)\n");
    const char *at = strstr(run.err, "no progress since ");
    cr_assert(at && sscanf(at, "no progress since %lu ns", &since) == 1);
    cr_expect_geq(since, 100000, "%lu: 20,000 iterations take 200 us", since);
    finished_free(&run);
}
