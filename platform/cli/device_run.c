/* SPDX-License-Identifier: MIT */
#include "device_run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment.h"
#include "interrupt.h"
#include "temporary_file.h"
#include "text.h"

/* ---- The environment -------------------------------------------------------------------------------------------------- */

static void set_list(const char *prefix, const char *variable, const char *const *texts, size_t count)
{
    char *all = hd_text_format("%s", "");
    for (size_t i = 0; i < count; i++) {
        char *longer = hd_text_format("%s%s\n", all, texts[i]);
        free(all);
        all = longer;
    }
    environment_set(prefix, variable, all);
    free(all);
}

static void set_path(const char *prefix, const char *variable, const char *path)
{
    char *whole = realpath(path, NULL);
    environment_set(prefix, variable, whole ? whole : path);
    free(whole);
}

/* Names of files are meant from here, wherever the program is when it asks for a device. */
static void set_folder(const char *prefix)
{
    char *here = realpath(".", NULL);
    environment_set(prefix, ENVIRONMENT_FOLDER, here ? here : ".");
    free(here);
}

static void set_environment(const device_run *run)
{
    const char *prefix = run->prefix;
    char *checks = hd_text_format("%s %s", run->checks_memory ? "memory" : "", run->checks_races ? "races" : "");
    set_folder(prefix);
    environment_set(prefix, ENVIRONMENT_MACHINE, run->machine_name);
    set_list(prefix, ENVIRONMENT_SET, run->machine->sets, run->machine->set_count);
    set_list(prefix, ENVIRONMENT_PLUGINS, run->machine->paths, run->machine->path_count);
    environment_set(prefix, ENVIRONMENT_SEED, run->seed ? run->seed : "");
    environment_set(prefix, ENVIRONMENT_THREADS, run->threads ? run->threads : "");
    environment_set(prefix, ENVIRONMENT_CHECK, checks);
    environment_set(prefix, ENVIRONMENT_PROFILE, run->profile ? "1" : "");
    set_path(prefix, ENVIRONMENT_STATS, run->results);
    free(checks);
}

/* ---- The program -------------------------------------------------------------------------------------------------------- */

/* The program's results replace what is there, which is nothing to do to a device, a pipe or a link. */
static int check_stats(const char *path)
{
    struct stat there;
    if (!path || lstat(path, &there) || S_ISREG(there.st_mode))
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--stats %s: it is there and no regular file", path);
}

int device_run_program(device_run *run)
{
    if (check_stats(run->stats))
        return HD_EXIT_USAGE;
    const int file = temporary_file_create(run->stats ? run->stats : "/tmp/results", &run->results);
    if (file < 0)
        return hd_usage_error(NULL, NULL, 0, "no file for results can be made: %s", strerror(errno));
    close(file);
    set_environment(run);
    if (device_process_run(&run->process))
        return HD_EXIT_PASS;
    hd_usage_error(NULL, NULL, 0, "%s cannot be started: %s", run->process.words[0], strerror(errno));
    temporary_file_remove(run->results);
    return HD_EXIT_USAGE;
}

void device_run_print_ending(const device_run *run)
{
    const int signal = run->process.signal;
    if (interrupt_is_requested())
        fputs("interrupted\n", stderr);
    else if (run->process.is_late)
        fprintf(stderr, "error: %s has not ended after %u s\n", run->process.words[0], run->process.timeout);
    else if (signal)
        fprintf(stderr, "error: %s was ended by signal %d (%s)\n", run->process.words[0], signal, strsignal(signal));
}
