/* SPDX-License-Identifier: MIT */
/* Kernels that do nothing: micro_launch. */
#include <stdio.h>
#include <string.h>

#include "known.h"
#include "micro_barrier/args.h"
#include "statistics.h"

/* Microseconds from the begin of a launch to that of the next, which the host makes when the first has ended. */
static double launch_measured(const card *of, const char *argument)
{
    (void)argument;
    const hd_host_option options[] = {{"launches", "3"}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_launch", NULL, options);
    const hd_statistics *statistics = hd_machine_statistics(machine);
    const hd_time first = hd_statistics_kernel(statistics, 1)->begin, next = hd_statistics_kernel(statistics, 2)->begin;
    hd_machine_close(machine);
    return (double)(next - first) / 1e6;
}

/* Cycles in which blocks of one warp are handed out, so many for each core. */
static double dispatch_cycles(const card *of, double each)
{
    char blocks[16], threads[16];
    snprintf(blocks, sizeof blocks, "%.0f", each * card_count(of, "core"));
    snprintf(threads, sizeof threads, "%.0f", card_value(of, "core", "lanes"));
    const hd_host_option options[] = {{"block", threads}, {"blocks", blocks}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_launch", NULL, options);
    const double cycles = (double)hd_machine_count(machine, "tb_scheduler", "dispatch_cycles");
    hd_machine_close(machine);
    return cycles;
}

static double dispatch_measured(const card *of, const char *argument)
{
    (void)argument;
    const double all = card_value(of, "core", "blocks");
    return (all - 1) * card_count(of, "core") / (dispatch_cycles(of, all) - dispatch_cycles(of, 1));
}

static double dispatch_formula(const card *of, const char *argument)
{
    (void)argument;
    const double interval = card_value(of, "tb_scheduler", "per_core");
    return interval > 0 ? card_count(of, "core") / interval : card_value(of, "tb_scheduler", "dispatches");
}

/* Cycles of a barrier of so many blocks of so many threads, which one SM has. */
static double barrier_cycles(const card *of, double blocks, double threads)
{
    static const char *const changes[] = {"core.count=1", NULL};
    char block_text[16], thread_text[16];
    snprintf(block_text, sizeof block_text, "%.0f", blocks);
    snprintf(thread_text, sizeof thread_text, "%.0f", threads);
    const hd_host_option options[] = {{"blocks", block_text}, {"block", thread_text}, {NULL, NULL}};
    return card_more_cycles(of, "micro_barrier", changes, options, "rounds", "2", "4") / (2 * MICRO_BARRIERS);
}

static double barriers_measured(const card *of, const char *argument)
{
    (void)argument;
    const double blocks = card_threads(of) / 256;
    return blocks * 256 / barrier_cycles(of, blocks, 256);
}

static double barrier_measured(const card *of, const char *argument)
{
    (void)argument;
    return barrier_cycles(of, 1, card_value(of, "core", "lanes"));
}

const known known_launches[] = {
    {"K34", "a kernel that does nothing, one after the other", "µs each", launch_measured, NULL, 0, 0, 0},
    {"K35", "blocks of one warp, until the SMs are full", "blocks a core cycle", dispatch_measured, dispatch_formula, 0.01, 0, 0},
    {"K39", "a barrier of one warp", "core cycles", barrier_measured, NULL, 0, 0, 0},
    {"K40", "barriers of blocks of 256 threads", "lanes a core cycle, per SM", barriers_measured, NULL, 0, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
