/* SPDX-License-Identifier: MIT */
#include "opencl_run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "opencl_environment.h"
#include "shipped_files.h"
#include "temporary_file.h"
#include "text.h"

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

/* Names of files are meant from here, wherever the program is when it asks for a device. */
static void set_folder(void)
{
    char *here = realpath(".", NULL);
    setenv(OPENCL_VARIABLE_FOLDER, here ? here : ".", 1);
    free(here);
}

static void set_environment(const opencl_run *run)
{
    char *checks = hd_text_format("%s %s", run->checks_memory ? "memory" : "", run->checks_races ? "races" : "");
    set_folder();
    setenv(OPENCL_VARIABLE_MACHINE, run->machine_name, 1);
    set_list(OPENCL_VARIABLE_SET, run->machine->sets, run->machine->set_count);
    set_list(OPENCL_VARIABLE_PLUGINS, run->machine->paths, run->machine->path_count);
    setenv(OPENCL_VARIABLE_SEED, run->seed ? run->seed : "", 1);
    setenv(OPENCL_VARIABLE_THREADS, run->threads ? run->threads : "", 1);
    setenv(OPENCL_VARIABLE_CHECK, checks, 1);
    set_path(OPENCL_VARIABLE_STATS, run->results);
    free(checks);
}

/* ---- The program -------------------------------------------------------------------------------------------------------- */

int opencl_run_program(opencl_run *run)
{
    if (set_loader())
        return HD_EXIT_USAGE;
    const int file = temporary_file_create(run->stats ? run->stats : "/tmp/results", &run->results);
    if (file < 0)
        return hd_usage_error(NULL, NULL, 0, "no file for results can be made: %s", strerror(errno));
    close(file);
    set_environment(run);
    if (opencl_process_run(&run->process))
        return HD_EXIT_PASS;
    hd_usage_error(NULL, NULL, 0, "%s cannot be started: %s", run->process.words[0], strerror(errno));
    temporary_file_remove(run->results);
    return HD_EXIT_USAGE;
}

void opencl_run_print_ending(const opencl_run *run)
{
    const int signal = run->process.signal;
    if (interrupt_is_requested())
        fputs("interrupted\n", stderr);
    else if (run->process.is_late)
        fprintf(stderr, "error: %s has not ended after %u s\n", run->process.words[0], run->process.timeout);
    else if (signal)
        fprintf(stderr, "error: %s was ended by signal %d (%s)\n", run->process.words[0], signal, strsignal(signal));
}
