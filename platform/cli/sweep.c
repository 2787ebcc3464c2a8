/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "machine_file.h"
#include "standard_streams.h"
#include "sweep_execute.h"
#include "sweep_world.h"
#include "text.h"

typedef struct sweep_words {
    const char *file;
    const char *store;
    const char *jobs;
    const char *repeat;
    const char *engine;
    const char **slurm_options;
    size_t slurm_option_count;
    const char *retry;
    const char *list;
    const char *quiet;
    machine_file machines; /* plug-ins only */
} sweep_words;

static int say(char *text)
{
    fputs(text, stderr);
    free(text);
    return HD_EXIT_USAGE;
}

static int read_jobs(const char *text, size_t *jobs)
{
    char *end;
    errno = 0;
    unsigned long count = strtoul(text, &end, 10);
    *jobs = count;
    if (*text >= '0' && *text <= '9' && !*end && !errno && count >= 1 && count <= 65536)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--jobs %s: it must be a number from 1 to 65536", text);
}

static int read_orders(const sweep_words *words, sweep_orders *orders)
{
    static const char *const engines[] = {"local", "slurm"};
    *orders = (sweep_orders){.retry_failed = words->retry != NULL,
                             .use_slurm = words->engine && !strcmp(words->engine, "slurm"),
                             .slurm_options = words->slurm_options,
                             .slurm_option_count = words->slurm_option_count,
                             .progress = words->quiet ? NULL : standard_streams_progress(),
                             .is_interrupted = interrupt_is_requested};
    if (words->engine && !orders->use_slurm && strcmp(words->engine, "local") != 0)
        return hd_usage_error(words->engine, engines, 2, "--engine must be 'local' or 'slurm', not '%s'",
                              words->engine);
    if (words->slurm_option_count && !orders->use_slurm)
        return hd_usage_error(NULL, NULL, 0, "--sbatch says how to submit to Slurm; it needs --engine=slurm");
    return words->jobs ? read_jobs(words->jobs, &orders->jobs) : HD_EXIT_PASS;
}

static int list(const sweep *of, const resolution *points)
{
    for (uint32_t p = 0; p < of->point_count; p++) {
        char *text = sweep_point_text(of, p);
        printf("%u  %s%s%s on %s\n", p + 1, text, *text ? ": " : "", points->points[p].app_names,
               points->points[p].machine->name);
        free(text);
    }
    printf("%s: sweep %s is in order: %u points, %u runs each\n", of->path, of->name, of->point_count, of->repeat);
    return HD_EXIT_PASS;
}

/* What was done, what is left, and how to go on. */
static void conclude(const sweep *of, const sweep_orders *orders, const sweep_account *account, enum sweep_end end,
                     int quiet)
{
    size_t failed = account->failed + account->had_failed, left = account->runs - account->had - account->done;
    if (!quiet)
        printf("%s: %zu runs: %zu there before, %zu done now, %zu left; %zu failed; store %s\n", of->name,
               account->runs, account->had, account->done, left, failed, orders->store);
    standard_streams_flush();
    if (end == SWEEP_INTERRUPTED)
        fputs("interrupted; the same command goes on from here\n", stderr);
    else if (failed)
        fprintf(
            stderr,
            "error: %zu of %zu runs failed; 'heddle results %s --failed' says why, --retry-failed tries them again\n",
            failed, account->runs, orders->store);
}

static int execute(const sweep *of, const resolution *points, sweep_orders *orders, const char *path, int quiet)
{
    char *error, *standard = hd_text_format("%s.db", of->name);
    sweep_account account;
    orders->store = path ? path : standard;
    interrupt_catch();
    enum sweep_end end = sweep_execute(points, orders, &account, &error);
    int code = account.failed + account.had_failed ? HD_EXIT_FAIL : HD_EXIT_PASS;
    if (error)
        code = say(error);
    if (account.runs)
        conclude(of, orders, &account, end, quiet);
    if (end == SWEEP_INTERRUPTED)
        code = interrupt_exit_code();
    free(standard);
    return code;
}

/* In place of what the file says. */
static int read_repeat(const char *text, uint32_t *repeat)
{
    char *end;
    errno = 0;
    const unsigned long count = text ? strtoul(text, &end, 10) : 0;
    if (text && (*text < '0' || *text > '9' || *end || errno || count < 1 || count > SWEEP_REPEAT_MAX))
        return hd_usage_error(NULL, NULL, 0, "--repeat %s: it must be a number from 1 to %u", text, SWEEP_REPEAT_MAX);
    if (text)
        *repeat = (uint32_t)count;
    return HD_EXIT_PASS;
}

static int run_words(const sweep_words *words, const machine_file *machines)
{
    sweep read;
    resolution points;
    sweep_orders orders;
    char *errors;
    if (read_orders(words, &orders))
        return HD_EXIT_USAGE;
    const sweep_world world = sweep_world_here(machines);
    if (!sweep_read(&read, words->file, &errors)) {
        sweep_free(&read);
        return say(errors);
    }
    int code = read_repeat(words->repeat, &read.repeat);
    if (code) {
        sweep_free(&read);
        return code;
    }
    code = HD_EXIT_USAGE;
    if (resolution_make(&points, &read, &world))
        code =
            words->list ? list(&read, &points) : execute(&read, &points, &orders, words->store, words->quiet != NULL);
    resolution_free(&points);
    sweep_free(&read);
    return code;
}

static int run_sweep(const hd_command *command, int count, char **words)
{
    sweep_words read = {0};
    const hd_option_use options[] = {
        {.name = "--store", .takes_value = 1, .value = &read.store},
        {.name = "--jobs", .takes_value = 1, .value = &read.jobs},
        {.name = "--repeat", .takes_value = 1, .value = &read.repeat},
        {.name = "--engine", .takes_value = 1, .value = &read.engine},
        {.name = "--sbatch", .takes_value = 1, .all = &read.slurm_options, .count = &read.slurm_option_count},
        {.name = "--retry-failed", .value = &read.retry},
        {.name = "--list", .value = &read.list},
        {.name = "--quiet", .value = &read.quiet},
    };
    int code = HD_EXIT_USAGE;
    if (hd_arguments(command, count, words, options, sizeof options / sizeof *options, &read.file, 1, 1) >= 0) {
        machine_file_request(&read.machines);
        code = run_words(&read, &read.machines);
    }
    machine_file_close(&read.machines);
    free(read.slurm_options);
    return code;
}

const hd_command hd_command_sweep = {
    .name = "sweep",
    .usage = "FILE [--store DB] [--repeat N] [--jobs N] [--engine=local|slurm] [--sbatch WORD]... [--retry-failed] "
             "[--list] [--quiet]",
    .doc = "run the points of an experiment",
    .help =
        "  FILE              a sweep: combinations of machines, apps, seeds and values\n"
        "  --store DB        store for the results (default NAME.db); runs that are in it are not repeated\n"
        "  --repeat N        runs of each point, as 'repeat' in the file: they differ in chance (perturb)\n"
        "  --jobs N          runs in parallel (default: number of processors;\n"
        "                    with Slurm: no limit)\n"
        "  --engine=slurm    run as Slurm job arrays; needs a file system shared by all nodes\n"
        "  --sbatch WORD     pass a word to sbatch: --sbatch=--partition=long\n"
        "  --retry-failed    repeat failed runs\n"
        "  --list            check and list all points without running any\n"
        "  --quiet           no summary and no progress line\n"
        "\n"
        "A sweep that was interrupted or killed continues with the same command.\n"
        "Exit code: 0 every run passes; 1 some failed; 2 bad usage or configuration, or the sweep could not continue;\n"
        "130 interrupted.\n",
    .run = run_sweep,
};
