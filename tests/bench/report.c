/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <stdio.h>

#include "host_description.h"

static double rate(uint64_t count, double seconds)
{
    return (double)count / seconds;
}

static double floor_rate(const bench_floor *floor)
{
    return rate(floor->result.warp_instructions, floor->result.seconds);
}

double bench_share_of_floor(const bench_figure *figure)
{
    return rate(figure->run.warp_instructions, figure->run.seconds) / floor_rate(&figure->floor);
}

const char *bench_label(const bench_case *which, char *text, uint32_t bytes)
{
    size_t length = (size_t)snprintf(text, bytes, "%s", which->label ? which->label : which->app);
    for (uint32_t i = 0; !which->label && i < BENCH_OPTIONS && which->options[i].name; i++)
        length +=
            (size_t)snprintf(text + length, bytes - length, " %s=%s", which->options[i].name, which->options[i].value);
    return text;
}

void bench_print_head(const bench_report *report)
{
    printf("heddle %s, %s build, %s\n%s\n\n", report->settings->revision, *BENCH_BUILD ? BENCH_BUILD : "plain",
           HOST_COMPILER, host_processor());
}

void bench_print_floor(const bench_floor *floor)
{
    char text[128];
    printf("floor of %-21s %10.0f k warp instr./s  %10.1f M thread instr./s\n",
           bench_label(&floor->which, text, sizeof text), floor_rate(floor) / 1e3,
           rate(floor->result.thread_instructions, floor->result.seconds) / 1e6);
}

void bench_print_titles(void)
{
    printf("\n%-21s %-10s %5s %4s %9s %12s %14s %10s %10s %8s\n", "kernels of", "type", "cores", "runs", "seconds",
           "k warp i./s", "M thread i./s", "k L2 t./s", "k cycles/s", "of floor");
}

void bench_print_figure(const bench_figure *figure)
{
    char text[128], share[32] = "-";
    const bench_run *run = &figure->run;
    if (figure->has_floor)
        snprintf(share, sizeof share, "%.1f%%", 100 * bench_share_of_floor(figure));
    printf("%-21s %-10s %5u %4u %9.4f %12.1f %14.2f %10.1f %10.1f %8s\n",
           bench_label(&figure->which, text, sizeof text), figure->which.type, figure->which.cores, figure->repetitions,
           run->seconds, rate(run->warp_instructions, run->seconds) / 1e3,
           rate(run->thread_instructions, run->seconds) / 1e6, rate(run->l2_transactions, run->seconds) / 1e3,
           rate(run->cycles, run->seconds) / 1e3, share);
    fflush(stdout);
}

void bench_print_extras(const bench_extras *extras)
{
    const bench_run *busy = extras->one_busy, *threads = extras->threads;
    printf("\n1 busy core of 15      %.3f times the time of a machine with 1 core\n",
           busy[0].seconds / busy[1].seconds);
    printf("idle                   %.3f ms for a simulated second with nothing launched, %.3f ms while the host "
           "computes\n",
           1e3 * extras->idle[0], 1e3 * extras->idle[1]);
    printf("2 threads, xorshift    %.2f times as fast (%.3f s, %.3f s), %.2f times the processor time\n",
           threads[1].wall / threads[0].wall, threads[1].wall, threads[0].wall,
           threads[0].seconds / threads[1].seconds);
    printf("\n%-21s %5s %20s\n", "xorshift", "cores", "ns for a warp instr.");
    for (uint32_t i = 0; i < BENCH_SCALES; i++)
        printf("%-21s %5u %20.1f\n", "", bench_scales[i],
               1e9 * extras->scales[i].seconds / (double)extras->scales[i].warp_instructions);
}
