/* SPDX-License-Identifier: MIT */
#include "run_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output_file.h"
#include "results.h"
#include "sample_option.h"
#include "text.h"

typedef struct run_words {
    const char *others[2]; /* netlist, app */
    const char **sets;
    size_t set_count;
    const char **with;
    size_t with_count;
    const char *seed;
    const char **firmware;
    size_t firmware_count;
    const char *out;
    const char *stats;
    const char *tlm;
    const char *threads;
    const char *gdb;
    const char *quiet;
    const char *check_transactions;
    const char *check_memory;
    const char *check_races;
    const char *profile;
    const char *series;
    run_checkpoint_words checkpoint;
    const char *sample;
    const char **statistics;
    size_t statistic_count;
} run_words;

static int read_words(run_words *read, run_setup *setup, const hd_command *command, int count, char **words)
{
    const hd_option_use options[] = {
        {.name = "--set", .takes_value = 1, .all = &read->sets, .count = &read->set_count},
        {.name = "--with", .takes_value = 1, .all = &read->with, .count = &read->with_count},
        MACHINE_FILE_PLUGIN_OPTION(&setup->file),
        {.name = "--seed", .takes_value = 1, .value = &read->seed},
        {.name = "--firmware", .takes_value = 1, .all = &read->firmware, .count = &read->firmware_count},
        {.name = "--out", .takes_value = 1, .value = &read->out},
        {.name = "--stats", .takes_value = 1, .value = &read->stats},
        {.name = "--tlm", .takes_value = 1, .value = &read->tlm},
        {.name = "--threads", .takes_value = 1, .value = &read->threads},
        {.name = "--gdb", .takes_value = 1, .value = &read->gdb},
        {.name = "--quiet", .value = &read->quiet},
        {.name = "--check-tx", .value = &read->check_transactions},
        {.name = "--check-memory", .value = &read->check_memory},
        {.name = "--check-races", .value = &read->check_races},
        {.name = "--profile", .value = &read->profile},
        {.name = "--sample", .takes_value = 1, .value = &read->sample},
        {.name = "--series", .takes_value = 1, .value = &read->series},
        {.name = "--statistic", .takes_value = 1, .all = &read->statistics, .count = &read->statistic_count},
        RUN_CHECKPOINT_OPTIONS(&read->checkpoint),
        TRACE_OPTION_USES(&setup->trace),
    };
    int found = hd_arguments(command, count, words, options, sizeof options / sizeof *options, read->others, 0, 2);
    if (found < 0)
        return HD_EXIT_USAGE;
    if (!found && !read->checkpoint.resume)
        return hd_usage_error(NULL, NULL, 0, "too few arguments\nusage: heddle %s %s", command->name, command->usage);
    return HD_EXIT_PASS;
}

/* One CPU runs one file: of two, which one is meant cannot be known. */
static int read_firmware(const run_words *words, run_setup *setup)
{
    if (words->firmware_count > 1)
        return hd_usage_error(NULL, NULL, 0, "--firmware is given twice: %s and %s", words->firmware[0],
                              words->firmware[1]);
    setup->machine.firmware = words->firmware_count ? words->firmware[0] : NULL;
    return HD_EXIT_PASS;
}

static int read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && !errno)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--seed %s: it must be a number below 2^64", text);
}

static int read_tlm(const char *text, hd_tlm_options *tlm)
{
    static const char *const choices[] = {"auto", "always", "checked"};
    tlm->checked = !strcmp(text, "checked");
    tlm->always = tlm->checked || !strcmp(text, "always");
    if (tlm->always || !strcmp(text, "auto"))
        return HD_EXIT_PASS;
    return hd_usage_error(text, choices, 3, "--tlm must be 'auto', 'always' or 'checked', not '%s'", text);
}

static int read_threads(const char *text, hd_tlm_options *tlm)
{
    char *end;
    errno = 0;
    const unsigned long threads = strtoul(text, &end, 10);
    tlm->threads = (uint32_t)threads;
    if (*text >= '0' && *text <= '9' && !*end && !errno && threads >= 1 && threads <= HD_THREADS_MAX)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--threads %s: it must be a number from 1 to %u", text, HD_THREADS_MAX);
}

/* Two ports, this one and the next; 0: any two. */
static int read_gdb(const char *text, run_setup *setup)
{
    char *end;
    errno = 0;
    const unsigned long port = strtoul(text, &end, 10);
    setup->has_gdb = 1;
    setup->gdb_port = (uint32_t)port;
    if (*text < '0' || *text > '9' || *end || errno || port > 65534)
        return hd_usage_error(NULL, NULL, 0, "--gdb %s: it must be a port from 1 to 65534, or 0 for any that is free",
                              text);
    if (setup->machine.tlm.threads > 1)
        return hd_usage_error(NULL, NULL, 0, "--gdb and --threads %u: a run under gdb has one thread",
                              setup->machine.tlm.threads);
    return HD_EXIT_PASS;
}

/* "FILE.json" has its series in FILE.series.csv, DIR/stats.json in DIR/series.csv. */
static void place_results(run_setup *setup, const run_words *words)
{
    const char *file = words->out ? words->out : words->stats;
    if (!file)
        return;
    const size_t length = strlen(file), bare = length > 5 && !strcmp(file + length - 5, ".json") ? length - 5 : length;
    setup->stats_path = hd_text_format(words->out ? "%s/stats.json" : "%s", file);
    if (words->series)
        setup->series_path =
            words->out ? hd_text_format("%s/series.csv", file) : hd_text_format("%.*s.series.csv", (int)bare, file);
}

/* What is observed goes with the results. */
static int check_observed(const run_words *words)
{
    const char *observed = words->profile ? "--profile" : words->series ? "--series" : NULL;
    if (words->out && words->stats)
        return hd_usage_error(NULL, NULL, 0, "--out and --stats both say where the results go; one will do");
    if (observed && !words->out && !words->stats)
        return hd_usage_error(NULL, NULL, 0, "%s needs --out or --stats: it is written with the results", observed);
    if (words->statistic_count && !words->series)
        return hd_usage_error(NULL, NULL, 0, "--statistic %s: it needs --series", words->statistics[0]);
    return HD_EXIT_PASS;
}

static void request_observed(run_setup *setup, const run_words *words)
{
    setup->machine.profile = words->profile != NULL;
    setup->series = (hd_series_setup){
        .interval = words->series, .patterns = words->statistics, .pattern_count = words->statistic_count};
    setup->statistics = words->statistics;
    setup->machine.series = words->series ? &setup->series : NULL;
}

/* A run that goes on from a checkpoint is the one that the checkpoint says. */
static int read_checkpoint(run_setup *setup, run_words *words)
{
    run_checkpoint *checkpoint = &setup->checkpoint;
    const char *given = words->seed               ? "--seed"
                        : setup->machine.firmware ? "--firmware"
                        : words->with_count       ? "--with"
                                                  : NULL;
    if (run_checkpoint_read(checkpoint, &words->checkpoint))
        return HD_EXIT_USAGE;
    if (words->sample && (checkpoint->path || checkpoint->resume))
        return hd_usage_error(NULL, NULL, 0, "--sample: a sampled run makes no checkpoints and goes on from none");
    if (words->gdb && (checkpoint->path || checkpoint->resume))
        return hd_usage_error(NULL, NULL, 0, "--gdb: a run under gdb makes no checkpoints and goes on from none");
    if (checkpoint->resume && given)
        return hd_usage_error(NULL, NULL, 0, "--resume %s and %s: the checkpoint says it", checkpoint->resume, given);
    if (run_checkpoint_take_run(checkpoint, words->others, words->sets, words->set_count))
        return HD_EXIT_USAGE;
    if (!checkpoint->resume)
        return HD_EXIT_PASS;
    setup->machine.seed = checkpoint->from.run.seed;
    setup->machine.firmware = *checkpoint->from.run.firmware ? checkpoint->from.run.firmware : NULL;
    return HD_EXIT_PASS;
}

static int fill(run_setup *setup, run_words *words)
{
    request_observed(setup, words);
    if (check_observed(words))
        return HD_EXIT_USAGE;
    if (words->seed && read_seed(words->seed, &setup->machine.seed))
        return HD_EXIT_USAGE;
    if (words->tlm && read_tlm(words->tlm, &setup->machine.tlm))
        return HD_EXIT_USAGE;
    if (words->threads && read_threads(words->threads, &setup->machine.tlm))
        return HD_EXIT_USAGE;
    if (words->gdb && read_gdb(words->gdb, setup))
        return HD_EXIT_USAGE;
    if (words->sample && sample_option_read(words->sample, &setup->sampling))
        return HD_EXIT_USAGE;
    setup->machine.sampling = words->sample ? &setup->sampling : NULL;
    if (words->sample && setup->has_gdb)
        return hd_usage_error(NULL, NULL, 0, "a sampled run (--sample) cannot be debugged (--gdb)");
    if (read_firmware(words, setup) || read_checkpoint(setup, words))
        return HD_EXIT_USAGE;
    const run_checkpoint *checkpoint = &setup->checkpoint;
    setup->overrides = calloc(checkpoint->set_count + 1, sizeof *setup->overrides);
    if (!setup->overrides)
        abort();
    if (run_apps_share(&setup->apps, checkpoint->sets, checkpoint->set_count, setup->overrides,
                       &setup->machine.override_count) ||
        run_apps_find(&setup->apps, words->others[1], words->with, words->with_count))
        return HD_EXIT_USAGE;
    place_results(setup, words);
    setup->quiet = words->quiet != NULL;
    setup->machine.check_transactions = words->check_transactions != NULL;
    setup->machine.check_memory = words->check_memory != NULL;
    setup->machine.check_races = words->check_races != NULL;
    machine_file_request(&setup->file);
    setup->machine.plugins = setup->file.requests;
    setup->machine.plugin_count = setup->file.request_count;
    setup->machine.netlist = words->others[0];
    setup->machine.overrides = setup->overrides;
    return HD_EXIT_PASS;
}

int results_folder_make(const char *path)
{
    if (!mkdir(path, 0777) || errno == EEXIST)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "results cannot be written to %s: %s", path, strerror(errno));
}

/* What can go wrong with the results file should not do so after a long run. */
static int check_results(const run_setup *setup, const char *out)
{
    char *error;
    if (out && results_folder_make(out))
        return HD_EXIT_USAGE;
    if ((!setup->stats_path || hd_results_file_check(setup->stats_path, &error)) &&
        (!setup->series_path || hd_results_file_check(setup->series_path, &error)))
        return HD_EXIT_PASS;
    fputs(error, stderr);
    free(error);
    return HD_EXIT_USAGE;
}

int run_setup_check_outputs(const run_setup *setup)
{
    char *error;
    const output_name names[] = {{"--stats", setup->stats_path},
                                 {"--series", setup->series_path},
                                 {"--checkpoint", setup->checkpoint.path},
                                 {"--trace", setup->trace.recorder.perfetto},
                                 {"--vcd", setup->trace.recorder.vcd}};
    if (output_names_check(names, sizeof names / sizeof *names, &error))
        return HD_EXIT_PASS;
    fputs(error, stderr);
    free(error);
    return HD_EXIT_USAGE;
}

int run_setup_read(run_setup *setup, const hd_command *command, int count, char **words)
{
    run_words read = {0};
    *setup = (run_setup){.machine = {.seed = 1}};
    int result = read_words(&read, setup, command, count, words);
    if (result == HD_EXIT_PASS)
        result = fill(setup, &read);
    else
        free(read.statistics);
    if (result == HD_EXIT_PASS)
        result = run_apps_read(&setup->apps, &setup->machine);
    if (result == HD_EXIT_PASS)
        result = run_checkpoint_prepare(&setup->checkpoint, &setup->machine, &setup->file);
    if (result == HD_EXIT_PASS)
        result = trace_options_fill(&setup->trace, read.others[0]);
    if (result == HD_EXIT_PASS)
        result = check_results(setup, read.out);
    if (result == HD_EXIT_PASS)
        result = run_setup_check_outputs(setup);
    free(read.sets);
    free(read.with);
    if (result != HD_EXIT_PASS)
        run_setup_free(setup);
    return result;
}

void run_setup_free(run_setup *setup)
{
    machine_file_close(&setup->file);
    run_apps_free(&setup->apps);
    run_checkpoint_free(&setup->checkpoint);
    trace_options_free(&setup->trace);
    free(setup->stats_path);
    free(setup->series_path);
    free(setup->statistics);
    free(setup->overrides);
    *setup = (run_setup){0};
}
