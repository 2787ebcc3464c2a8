/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "result_store.h"

static int say(char *text)
{
    fputs(text, stderr);
    free(text);
    return HD_EXIT_USAGE;
}

static int print_results(const char *path, const store_view *view, int failures)
{
    char *error;
    store *opened = store_open(path, STORE_READ, &error);
    if (!opened)
        return say(error);
    int good =
        failures ? store_write_failures(opened, view, stdout, &error) : store_write_csv(opened, view, stdout, &error);
    store_close(opened);
    return good ? HD_EXIT_PASS : say(error);
}

static int run_results(const hd_command *command, int count, char **words)
{
    const char *path, *failed = NULL, *host = NULL, *runs = NULL;
    store_view view = {0};
    const char **statistics = NULL;
    const hd_option_use options[] = {
        {.name = "--experiment", .takes_value = 1, .value = &view.experiment},
        {.name = "--statistic", .takes_value = 1, .all = &statistics, .count = &view.statistic_count},
        {.name = "--host", .value = &host},
        {.name = "--runs", .value = &runs},
        {.name = "--failed", .value = &failed},
    };
    int code = HD_EXIT_USAGE;
    if (hd_arguments(command, count, words, options, sizeof options / sizeof *options, &path, 1, 1) >= 0) {
        view.statistics = statistics;
        view.with_host = host != NULL;
        view.with_runs = runs != NULL;
        code = print_results(path, &view, failed != NULL);
    }
    free(statistics);
    return code;
}

const hd_command hd_command_results = {
    .name = "results",
    .usage = "DB [--experiment NAME] [--statistic PATTERN]... [--runs] [--host] [--failed]",
    .doc = "print the results of a sweep",
    .help = "  DB                a store written by 'heddle sweep', which may still be running\n"
            "  --experiment NAME  experiment, if there are several\n"
            "  --statistic PATTERN  a column for each matching statistic, with *, ? and [...], or for a quotient\n"
            "                    of two, 'A / B' (default: those of the experiment)\n"
            "  --runs            a row per run, where repetitions differ in chance\n"
            "  --host            a row per run with columns for host time, host name and date\n"
            "  --failed          failed runs with their logs instead\n"
            "\n"
            "Comma-separated values, a row per point and repetition. Without --host they depend only on the inputs.\n"
            "Where repetitions differ in chance (repeat), a row per point: the number of its runs that passed, and of "
            "each\n"
            "statistic the mean, and as NAME.ci95 half of the interval of 95 % (Student's t).\n",

    .run = run_results,
};
