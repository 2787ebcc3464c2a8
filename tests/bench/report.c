/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static const char *cpu(void)
{
    static char line[256];
    FILE *in = fopen("/proc/cpuinfo", "r");
    while (in && fgets(line, sizeof line, in)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        fclose(in);
        return colon + 2;
    }
    if (in)
        fclose(in);
    return "unknown";
}

static double rate(uint64_t count, double seconds)
{
    return (double)count / seconds;
}

static double floor_rate(const bench_floor *floor)
{
    return rate(floor->result.warp_instructions, floor->result.seconds);
}

static double share_of_floor(const bench_figure *figure)
{
    return rate(figure->run.warp_instructions, figure->run.seconds) / floor_rate(figure->floor);
}

static void label(const bench_case *which, char *text, size_t bytes)
{
    size_t length = (size_t)snprintf(text, bytes, "%s", which->app);
    for (uint32_t i = 0; i < BENCH_OPTIONS && which->options[i].name; i++)
        length +=
            (size_t)snprintf(text + length, bytes - length, " %s=%s", which->options[i].name, which->options[i].value);
}

void bench_print_head(const bench_report *report)
{
    printf("heddle %s, %s build, %s\n%s\n\n", report->revision, *BENCH_BUILD ? BENCH_BUILD : "plain", COMPILER, cpu());
}

void bench_print_floor(const bench_floor *floor)
{
    printf("floor of %-9s %10.0f k warp instr./s  %10.1f M thread instr./s\n", floor->kernel, floor_rate(floor) / 1e3,
           rate(floor->result.thread_instructions, floor->result.seconds) / 1e6);
}

void bench_print_titles(void)
{
    printf("\n%-21s %-10s %5s %4s %9s %12s %14s %10s %10s %8s\n", "kernels of", "type", "cores", "runs", "seconds",
           "k warp i./s", "M thread i./s", "k L2 t./s", "k cycles/s", "of floor");
}

void bench_print_figure(const bench_figure *figure)
{
    char text[128];
    const bench_run *run = &figure->run;
    label(figure->which, text, sizeof text);
    printf("%-21s %-10s %5u %4u %9.4f %12.1f %14.2f %10.1f %10.1f %7.1f%%\n", text, figure->which->type,
           figure->which->cores, figure->repetitions, run->seconds, rate(run->warp_instructions, run->seconds) / 1e3,
           rate(run->thread_instructions, run->seconds) / 1e6, rate(run->l2_transactions, run->seconds) / 1e3,
           rate(run->cycles, run->seconds) / 1e3, 100 * share_of_floor(figure));
    fflush(stdout);
}

static json_t *json_of_floor(const bench_floor *floor)
{
    return json_pack("{s:s, s:I, s:I, s:f, s:f}", "kernel", floor->kernel, "warp_instructions",
                     (json_int_t)floor->result.warp_instructions, "thread_instructions",
                     (json_int_t)floor->result.thread_instructions, "seconds", floor->result.seconds,
                     "warp_instructions_per_second", floor_rate(floor));
}

static json_t *json_of_figure(const bench_figure *figure)
{
    const bench_run *run = &figure->run;
    json_t *options = json_object();
    for (uint32_t i = 0; i < BENCH_OPTIONS && figure->which->options[i].name; i++)
        json_object_set_new(options, figure->which->options[i].name, json_string(figure->which->options[i].value));
    return json_pack("{s:s, s:o, s:s, s:i, s:i, s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:s, s:f}",
                     "app", figure->which->app, "options", options, "type", figure->which->type, "cores",
                     (int)figure->which->cores, "repetitions", (int)figure->repetitions, "seconds", run->seconds,
                     "seconds_fastest", figure->fastest, "seconds_slowest", figure->slowest, "warp_instructions",
                     (json_int_t)run->warp_instructions, "thread_instructions", (json_int_t)run->thread_instructions,
                     "l2_transactions", (json_int_t)run->l2_transactions, "cycles", (json_int_t)run->cycles,
                     "warp_instructions_per_second", rate(run->warp_instructions, run->seconds),
                     "thread_instructions_per_second", rate(run->thread_instructions, run->seconds),
                     "l2_transactions_per_second", rate(run->l2_transactions, run->seconds), "cycles_per_second",
                     rate(run->cycles, run->seconds), "floor", figure->floor->kernel, "share_of_floor",
                     share_of_floor(figure));
}

void bench_write_json(const bench_report *report, const char *path)
{
    json_t *floors = json_array();
    json_t *cases = json_array();
    for (uint32_t i = 0; i < report->floor_count; i++)
        json_array_append_new(floors, json_of_floor(&report->floors[i]));
    for (uint32_t i = 0; i < report->figure_count; i++)
        json_array_append_new(cases, json_of_figure(&report->figures[i]));
    json_t *all = json_pack("{s:{s:s, s:i}, s:s, s:s, s:s, s:s, s:o, s:o}", "schema", "name", "heddle.bench", "version",
                            1, "revision", report->revision, "build", BENCH_BUILD, "compiler", COMPILER, "cpu", cpu(),
                            "floors", floors, "cases", cases);
    if (!all || json_dump_file(all, path, JSON_INDENT(2))) {
        fprintf(stderr, "%s: cannot be written\n", path);
        exit(1);
    }
    json_decref(all);
}
