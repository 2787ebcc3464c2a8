/* SPDX-License-Identifier: MIT */
/* Whole programs, in cycles of 1400 MHz, for machines that stand for a simulator with published or recorded cycles. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "known.h"

/* All launches of an app of firmware/apps, or of micro_..., as they stand. */
static double cycles_of(const card *of, const char *app, const char *change, const hd_host_option *options)
{
    const char *const changes[] = {change, NULL};
    hd_machine *machine = card_run(of, app, changes, options);
    const double cycles = card_launch_cycles(machine) * 1.4e9 / card_hertz(of, "core");
    hd_machine_close(machine);
    return cycles;
}

/* "matmul", or "bfs bypass": with L1 or without. Inputs are those that the app has by default. */
static double program_measured(const card *of, const char *argument)
{
    static const hd_host_option none[] = {{NULL, NULL}};
    const size_t length = strcspn(argument, " ");
    char path[256], l1[48];
    snprintf(path, sizeof path, "%s/%.*s", HEDDLE_APPS, (int)length, argument);
    snprintf(l1, sizeof l1, "core.l1.global=%s", argument[length] ? argument + length + 1 : "");
    return cycles_of(of, path, argument[length] ? l1 : NULL, none);
}

/* 61,440 additions to one word, or in order to each of 8,192. */
static double atomics_measured(const card *of, const char *argument)
{
    static const hd_host_option word[] = {{"rounds", "1"}, {"blocks", "60"}, {"block", "256"}, {NULL, NULL}};
    static const hd_host_option words[] = {{"rounds", "1"},      {"blocks", "60"},  {"block", "256"},
                                           {"lane_stride", "4"}, {"places", "256"}, {"place_stride", "128"},
                                           {NULL, NULL}};
    return cycles_of(of, MICRO_APPS "/micro_atomics", NULL, strcmp(argument, "one word") ? words : word);
}

const known known_programs[] = {
    {"P1", "%s", "cycles of 1400 MHz", program_measured, NULL, 0, 0, 1},
    {"P2", "61,440 atomics: %s", "cycles of 1400 MHz", atomics_measured, NULL, 0, 0, 1},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
