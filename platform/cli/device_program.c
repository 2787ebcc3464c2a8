/* SPDX-License-Identifier: MIT */
#include "device_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_results.h"
#include "device_run.h"
#include "interrupt.h"
#include "machine_file.h"
#include "output_file.h"
#include "shipped_files.h"
#include "temporary_file.h"
#include "text.h"

typedef struct device_words {
    const device_kind *kind;
    const char *machine_name;
    machine_file machine;
    const char *stats, *profile, *seed, *threads, *checks_memory, *checks_races, *quiet;
    char **behind; /* words behind --, NULL at the end */
} device_words;

/* ---- The command line ------------------------------------------------------------------------------------------------ */

/* Options and the machine come before --, the program and its arguments behind it. */
static int read_words(device_words *read, const hd_command *command, int count, char **words)
{
    int before = 0;
    while (before < count && strcmp(words[before], "--"))
        before++;
    const hd_option_use options[] = {
        MACHINE_FILE_OPTIONS(&read->machine),
        {.name = "--stats", .takes_value = 1, .value = &read->stats},
        {.name = "--profile", .value = &read->profile},
        {.name = "--seed", .takes_value = 1, .value = &read->seed},
        {.name = "--threads", .takes_value = 1, .value = &read->threads},
        {.name = "--check-memory", .value = &read->checks_memory},
        {.name = "--check-races", .value = &read->checks_races},
        {.name = "--quiet", .value = &read->quiet},
    };
    if (hd_arguments(command, before, words, options, sizeof options / sizeof *options, &read->machine_name, 1, 1) < 0)
        return HD_EXIT_USAGE;
    if (before + 1 >= count)
        return hd_usage_error(NULL, NULL, 0, "no program is named\nusage: heddle %s %s", command->name, command->usage);
    read->behind = words + before + 1;
    return HD_EXIT_PASS;
}

static int check_number(const char *option, const char *text)
{
    char *end;
    if (!text)
        return HD_EXIT_PASS;
    errno = 0;
    strtoull(text, &end, 10);
    if (!errno && *text >= '0' && *text <= '9' && !*end)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "%s %s: it must be a number", option, text);
}

/* What is wrong with the machine is said here, and not by the program in the middle of its work. */
static int check_words(device_words *read)
{
    if (read->profile && !read->stats)
        return hd_usage_error(NULL, NULL, 0, "--profile: it is a part of the results, for which --stats names a file");
    if (check_number("--seed", read->seed) || check_number("--threads", read->threads) ||
        !machine_file_open(&read->machine, read->machine_name))
        return HD_EXIT_USAGE;
    char *error;
    const output_name names[] = {{"--stats", read->stats}};
    if (output_names_check(names, 1, &error)) {
        if (!read->stats || output_file_check(read->stats))
            return HD_EXIT_PASS;
        return hd_usage_error(NULL, NULL, 0, "--stats %s: %s", read->stats, output_file_reason(errno));
    }
    fputs(error, stderr);
    free(error);
    return HD_EXIT_USAGE;
}

char *device_library_path(const char *name)
{
    arena memory = {0};
    const char *folder = netlist_shipped_folder(&memory, (const char *const[]){".", NULL});
    char *library = hd_text_format("%s/%s", folder ? folder : ".", name);
    arena_free(&memory);
    if (!access(library, R_OK))
        return library;
    free(library);
    return NULL;
}

/* ---- Together ----------------------------------------------------------------------------------------------------------- */

/* The program's code, unless the machine has stopped and the program did not mind. */
static int conclude(device_run *run, int is_quiet)
{
    const int is_good = device_results_show(run->results, is_quiet ? NULL : stdout);
    device_run_print_ending(run);
    if (!run->stats || !device_results_are_there(run->results))
        temporary_file_remove(run->results);
    else if (!temporary_file_rename(run->results, run->stats))
        return hd_usage_error(NULL, NULL, 0, "--stats %s: %s", run->stats, output_file_reason(errno));
    if (interrupt_is_requested())
        return interrupt_exit_code();
    return is_good || run->process.code ? run->process.code : HD_EXIT_FAIL;
}

static int run_words(const device_words *read, char **program)
{
    device_run run = {.prefix = read->kind->prefix,
                      .machine_name = read->machine_name,
                      .machine = &read->machine,
                      .seed = read->seed,
                      .threads = read->threads,
                      .checks_memory = read->checks_memory != NULL,
                      .checks_races = read->checks_races != NULL,
                      .profile = read->profile != NULL,
                      .stats = read->stats,
                      .process = {.words = (const char *const *)program}};
    const int code = device_run_program(&run);
    return code ? code : conclude(&run, read->quiet != NULL);
}

int device_program_run(const hd_command *command, int count, char **words, const device_kind *kind)
{
    device_words read = {.kind = kind};
    device_program made = {0};
    int code = read_words(&read, command, count, words);
    if (!code)
        code = check_words(&read);
    if (!code)
        code = kind->make(read.behind, &made);
    if (!code)
        code = run_words(&read, made.words);
    if (made.words && kind->unmake)
        kind->unmake(&made);
    machine_file_close(&read.machine);
    return code;
}
