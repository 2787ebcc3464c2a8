/* SPDX-License-Identifier: MIT */
/* Whole programs, in cycles of 1400 MHz and in warp instructions, for machines that stand for a simulator with published or recorded
 * figures. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "known.h"
#include "statistics.h"

static double cycles_in(const card *of, const hd_machine *machine)
{
    return card_launch_cycles(machine) * 1.4e9 / card_hertz(of, "core");
}

/* A run of "vecadd"; of "matmul rolled": not unrolled; of "bfs bypass" or "bfs cache": with L1 or without. Inputs are those that
 * the app has by default. Close it. */
static hd_machine *program_run(const card *of, const char *argument)
{
    static const hd_host_option none[] = {{NULL, NULL}}, rolled[] = {{"unroll", "0"}, {NULL, NULL}};
    const size_t length = strcspn(argument, " ");
    const char *rest = argument[length] ? argument + length + 1 : "";
    const int is_rolled = !strcmp(rest, "rolled");
    char path[256], l1[48];
    snprintf(path, sizeof path, "%s/%.*s", HEDDLE_APPS, (int)length, argument);
    snprintf(l1, sizeof l1, "core.l1.global=%s", rest);
    const char *const changes[] = {*rest && !is_rolled ? l1 : NULL, NULL};
    return card_run(of, path, changes, is_rolled ? rolled : none);
}

static double program_measured(const card *of, const char *argument)
{
    hd_machine *machine = program_run(of, argument);
    const double cycles = cycles_in(of, machine);
    hd_machine_close(machine);
    return cycles;
}

static double instructions_measured(const card *of, const char *argument)
{
    hd_machine *machine = program_run(of, argument);
    const hd_statistics *statistics = hd_machine_statistics(machine);
    const uint64_t instructions =
        hd_statistics_sum(statistics, hd_statistics_busy(statistics), "simt_core", "warp_instructions");
    hd_machine_close(machine);
    return (double)instructions;
}

/* 61,440 additions to one word, or in order to each of 8,192. */
static double atomics_measured(const card *of, const char *argument)
{
    static const hd_host_option word[] = {{"rounds", "1"}, {"blocks", "60"}, {"block", "256"}, {NULL, NULL}};
    static const hd_host_option words[] = {{"rounds", "1"},      {"blocks", "60"},  {"block", "256"},
                                           {"lane_stride", "4"}, {"places", "256"}, {"place_stride", "128"},
                                           {NULL, NULL}};
    static const char *const changes[] = {NULL};
    hd_machine *machine =
        card_run(of, MICRO_APPS "/micro_atomics", changes, strcmp(argument, "one word") ? words : word);
    const double cycles = cycles_in(of, machine);
    hd_machine_close(machine);
    return cycles;
}

const known known_programs[] = {
    {"P1", "%s", "cycles of 1400 MHz", program_measured, NULL, 0, 0, 1},
    {"P2", "61,440 atomics: %s", "cycles of 1400 MHz", atomics_measured, NULL, 0, 0, 1},
    {"P3", "%s", "warp instructions", instructions_measured, NULL, 0, 0, 1},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
