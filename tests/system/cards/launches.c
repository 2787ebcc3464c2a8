/* SPDX-License-Identifier: MIT */
/* Kernels that do nothing: micro_launch. */
#include <stdio.h>
#include <string.h>

#include "known.h"
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

static double dispatch_measured(const card *of, const char *argument)
{
    (void)argument;
    char few[16], many[16], threads[16];
    const double cores = card_count(of, "core");
    snprintf(few, sizeof few, "%.0f", 5 * cores);
    snprintf(many, sizeof many, "%.0f", 10 * cores);
    snprintf(threads, sizeof threads, "%.0f", card_value(of, "core", "lanes"));
    const hd_host_option options[] = {{"block", threads}, {NULL, NULL}};
    return 5 * cores / card_more_cycles(of, "micro_launch", NULL, options, "blocks", few, many);
}

const known known_launches[] = {
    {"K34", "a kernel that does nothing, one after the other", "µs each", launch_measured, NULL, 0, 0, 0},
    {"K35", "blocks of one warp that does nothing", "blocks a core cycle", dispatch_measured, NULL, 0, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
