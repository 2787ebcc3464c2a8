/* SPDX-License-Identifier: MIT */
/* Other people's programs on a machine that is their OpenCL device. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "machine_file.h"
#include "opencl_environment.h"
#include "opencl_results.h"
#include "other_program.h"
#include "output_file.h"
#include "shipped_files.h"
#include "standard_streams.h"
#include "temporary_file.h"
#include "text.h"

#define LOOK_NS 10000000 /* how often it is looked whether the program has ended */

typedef struct opencl_words {
    const char *machine_name;
    machine_file machine;
    const char *stats, *seed, *threads, *checks_memory, *checks_races, *quiet;
    char **program; /* NULL at the end */
} opencl_words;

/* ---- The command line ------------------------------------------------------------------------------------------------ */

/* Options and the machine come before --, the program and its arguments behind it. */
static int read_words(opencl_words *read, const hd_command *command, int count, char **words)
{
    int before = 0;
    while (before < count && strcmp(words[before], "--"))
        before++;
    const hd_option_use options[] = {
        MACHINE_FILE_OPTIONS(&read->machine),
        {.name = "--stats", .takes_value = 1, .value = &read->stats},
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
    read->program = words + before + 1;
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
static int check_words(opencl_words *read)
{
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

/* ---- The environment -------------------------------------------------------------------------------------------------- */

static void set_list(const char *variable, const char *const *texts, size_t count)
{
    char *all = hd_text_format("%s", "");
    for (size_t i = 0; i < count; i++) {
        char *longer = hd_text_format("%s%s\n", all, texts[i]);
        free(all);
        all = longer;
    }
    setenv(variable, all, 1);
    free(all);
}

/* The program may change its working directory before it asks for a device. */
static void set_path(const char *variable, const char *path)
{
    char *whole = realpath(path, NULL);
    setenv(variable, whole ? whole : path, 1);
    free(whole);
}

/* The library lies beside libheddle.so. Both kinds of loaders are told that there is no other implementation. */
static int set_loader(void)
{
    arena memory = {0};
    const char *folder = netlist_shipped_folder(&memory, (const char *const[]){".", NULL});
    char *library = hd_text_format("%s/libheddle_opencl.so", folder ? folder : ".");
    const int is_there = !access(library, R_OK);
    if (is_there) {
        setenv("OCL_ICD_VENDORS", library, 1);
        setenv("OCL_ICD_FILENAMES", library, 1);
    }
    free(library);
    arena_free(&memory);
    return is_there ? HD_EXIT_PASS
                    : hd_usage_error(NULL, NULL, 0, "this Heddle was built without OpenCL: opencl-headers was missing");
}

static void set_environment(const opencl_words *read, const char *results)
{
    char *checks = hd_text_format("%s %s", read->checks_memory ? "memory" : "", read->checks_races ? "races" : "");
    set_path(OPENCL_VARIABLE_MACHINE, read->machine_name);
    set_list(OPENCL_VARIABLE_SET, read->machine.sets, read->machine.set_count);
    set_list(OPENCL_VARIABLE_PLUGINS, read->machine.paths, read->machine.path_count);
    setenv(OPENCL_VARIABLE_SEED, read->seed ? read->seed : "", 1);
    setenv(OPENCL_VARIABLE_THREADS, read->threads ? read->threads : "", 1);
    setenv(OPENCL_VARIABLE_CHECK, checks, 1);
    set_path(OPENCL_VARIABLE_STATS, results);
    free(checks);
}

/* ---- The program -------------------------------------------------------------------------------------------------------- */

/* Ctrl-C reaches the program by the terminal; what else ends this command ends the program too. */
static int wait_for(pid_t child)
{
    int is_told = 0;
    siginfo_t ended = {0};
    while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) || !ended.si_pid) {
        if (interrupt_is_requested() && !is_told++)
            kill(child, interrupt_exit_code() - 128);
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return program_wait(child);
}

static int run_program(const opencl_words *read)
{
    pid_t child;
    interrupt_catch();
    standard_streams_flush();
    if (!program_start((const char *const *)read->program, (const int[]){0, 1, 2}, &child))
        return hd_usage_error(NULL, NULL, 0, "%s cannot be started: %s", read->program[0], strerror(errno));
    const int code = wait_for(child);
    return interrupt_is_requested() ? interrupt_exit_code() : code;
}

/* ---- Together ----------------------------------------------------------------------------------------------------------- */

/* The program's code, unless the machine has stopped and the program did not mind. */
static int conclude(const opencl_words *read, char *results, int code)
{
    const int is_good = opencl_results_show(results, read->quiet ? NULL : stdout);
    if (interrupt_is_requested())
        fputs("interrupted\n", stderr);
    if (!read->stats || !opencl_results_are_there(results))
        temporary_file_remove(results);
    else if (!temporary_file_rename(results, read->stats))
        return hd_usage_error(NULL, NULL, 0, "--stats %s: %s", read->stats, output_file_reason(errno));
    return is_good || code ? code : HD_EXIT_FAIL;
}

static int run_with_results(const opencl_words *read)
{
    char *results;
    const int file = temporary_file_create(read->stats ? read->stats : "/tmp/results", &results);
    if (file < 0)
        return hd_usage_error(NULL, NULL, 0, "no file for results can be made: %s", strerror(errno));
    close(file);
    set_environment(read, results);
    return conclude(read, results, run_program(read));
}

static int run(const hd_command *command, int count, char **words)
{
    opencl_words read = {0};
    int code = read_words(&read, command, count, words);
    if (!code)
        code = check_words(&read);
    if (!code)
        code = set_loader();
    if (!code)
        code = run_with_results(&read);
    machine_file_close(&read.machine);
    return code;
}

const hd_command hd_command_opencl = {
    .name = "opencl",
    .usage = "MACHINE " MACHINE_FILE_USAGE " [--stats FILE] [--seed N] [--threads N] [--check-memory] [--check-races] "
             "[--quiet] -- PROGRAM [ARGUMENT]...",
    .doc = "run a program whose OpenCL device is a machine",
    .help = "  PROGRAM           any program that uses OpenCL, unmodified: it finds one platform with one "
            "device\n" MACHINE_FILE_HELP "  --stats FILE      write the results to FILE\n"
            "  --seed N          seed of the blocks' random streams (default 1)\n"
            "  --threads N       simulate with N threads (default 1); the results are the same\n"
            "  --check-memory    check that kernels stay within buffers and read what was written\n"
            "  --check-races     check that something orders accesses of different work-items\n"
            "  --quiet           no table of kernels\n"
            "\n"
            "Exit code: that of the program; 1 if the machine stopped with an error and the program did not notice; 2 "
            "bad usage\n"
            "or configuration; 130 interrupted.\n",
    .run = run,
};
