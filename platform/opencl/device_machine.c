/* SPDX-License-Identifier: MIT */
/* The machine that the environment names: opened, asked, and its results at the end. */
#include "device_machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl_environment.h"

#define GRAIN 100000u /* ps: what a step lets pass */
#define LINE_BYTES 128u
#define STANDARD_MACHINE "gtx480"

/* ---- Errors ------------------------------------------------------------------------------------------------------------ */

device_error device_error_from(device *of, heddle_error error)
{
    static const device_error errors[] = {
        [HEDDLE_OK] = DEVICE_OK,
        [HEDDLE_ERROR_MEMORY] = DEVICE_NO_MEMORY,
        [HEDDLE_ERROR_HOST_MEMORY] = DEVICE_NO_HOST_MEMORY,
        [HEDDLE_ERROR_DEVICE] = DEVICE_STOPPED,
        [HEDDLE_ERROR_FAULT] = DEVICE_STOPPED,
        [HEDDLE_ERROR_DEADLOCK] = DEVICE_STOPPED,
        [HEDDLE_ERROR_LIVELOCK] = DEVICE_STOPPED,
        [HEDDLE_ERROR_LIMIT] = DEVICE_STOPPED,
    };
    if (!error)
        return DEVICE_OK;
    free(of->message);
    of->message = strdup(heddle_message());
    const device_error result = error < sizeof errors / sizeof *errors ? errors[error] : DEVICE_OK;
    return result ? result : DEVICE_REFUSED;
}

const char *device_message(device *of)
{
    return of->message ? of->message : "";
}

/* ---- Opening ----------------------------------------------------------------------------------------------------------- */

static void print(void *context, const char *line)
{
    (void)context;
    puts(line);
}

static heddle_error open_machine(const opencl_environment *asked, heddle_machine **machine)
{
    const heddle_settings settings = {.struct_bytes = sizeof settings,
                                      .netlist = asked->machine,
                                      .overrides = asked->sets.texts,
                                      .override_count = asked->sets.count,
                                      .plugins = asked->plugins.texts,
                                      .plugin_count = asked->plugins.count,
                                      .name = asked->program,
                                      .seed = asked->seed,
                                      .threads = asked->threads,
                                      .checks = (asked->checks_memory ? HEDDLE_CHECK_MEMORY : 0) |
                                                (asked->checks_races ? HEDDLE_CHECK_RACES : 0),
                                      .grain = GRAIN,
                                      .callbacks = {.print = print}};
    return heddle_open(&settings, machine);
}

/* Names of files are meant from where the program was started. */
static heddle_error open_in_folder(const opencl_environment *asked, heddle_machine **machine)
{
    const int here = asked->folder ? open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const int is_moved = here >= 0 && !chdir(asked->folder);
    const heddle_error error = open_machine(asked, machine);
    if (is_moved && fchdir(here))
        fputs("heddle: the working directory is lost\n", stderr);
    if (here >= 0)
        close(here);
    return error;
}

/* "configs/machines/gtx480.yaml" -> "Heddle gtx480" */
static char *name_of(const char *machine)
{
    const char *slash = strrchr(machine, '/'), *base = slash ? slash + 1 : machine;
    const char *dot = strrchr(base, '.');
    const size_t length = dot ? (size_t)(dot - base) : strlen(base);
    char *name = malloc(sizeof "Heddle " + length);
    if (name)
        sprintf(name, "Heddle %.*s", (int)length, base);
    return name;
}

device_error device_open(device **opened)
{
    opencl_environment asked;
    device *made = calloc(1, sizeof *made);
    if (!made)
        return DEVICE_NO_HOST_MEMORY;
    environment_read(&asked, STANDARD_MACHINE);
    made->name = name_of(asked.machine);
    const heddle_error error = open_in_folder(&asked, &made->machine);
    environment_free(&asked);
    if (!error && made->name) {
        *opened = made;
        return DEVICE_OK;
    }
    if (error)
        fprintf(stderr, "heddle: the OpenCL device cannot be opened:\n%s\n", heddle_message());
    free(made->name);
    free(made);
    return error && error != HEDDLE_ERROR_HOST_MEMORY ? DEVICE_NO_MACHINE : DEVICE_NO_HOST_MEMORY;
}

static uint32_t megahertz(uint64_t period)
{
    return period ? (uint32_t)((1000000 + period / 2) / period) : 0;
}

void device_limits_of(device *of, device_limits *limits)
{
    heddle_limits all = {.struct_bytes = sizeof all};
    device_error_from(of, heddle_limits_get(of->machine, &all));
    *limits = (device_limits){.name = of->name,
                              .cores = all.cores,
                              .lanes = all.lanes ? all.lanes : 1,
                              .clock_mhz = megahertz(all.clock_period),
                              .group_threads = all.threads_per_block ? all.threads_per_block : 1,
                              .local_bytes = all.scratchpad_bytes,
                              .line_bytes = LINE_BYTES,
                              .cache_bytes = all.cache_bytes,
                              .memory_bytes = all.memory_bytes,
                              .largest_allocation = all.free_bytes};
}

/* ---- Memory and programs --------------------------------------------------------------------------------------------------- */

device_error device_allocate(device *of, uint64_t bytes, uint32_t *address)
{
    return device_error_from(of, heddle_allocate(of->machine, bytes, address));
}

void device_free(device *of, uint32_t address)
{
    device_error_from(of, heddle_free(of->machine, address));
}

struct device_program {
    device *owner;
    heddle_program *program;
};

device_error device_load(device *of, const void *image, size_t bytes, device_program **loaded)
{
    device_program *made = malloc(sizeof *made);
    if (!made)
        return DEVICE_NO_HOST_MEMORY;
    made->owner = of;
    const device_error error = device_error_from(of, heddle_program_load(of->machine, image, bytes, &made->program));
    if (error) {
        free(made);
        return error;
    }
    *loaded = made;
    return DEVICE_OK;
}

void device_unload(device *of, device_program *gone)
{
    device_error_from(of, heddle_program_unload(gone->program));
    free(gone);
}

/* The library's handles are pointers that need no memory. */
device_error device_kernel_named(device_program *of, const char *name, device_kernel **kernel)
{
    heddle_kernel *found;
    const device_error error = device_error_from(of->owner, heddle_program_kernel(of->program, name, &found));
    if (!error)
        *kernel = (device_kernel *)found;
    return error;
}

/* ---- Time ------------------------------------------------------------------------------------------------------------------- */

uint64_t device_time(device *of)
{
    uint64_t time = 0;
    device_error_from(of, heddle_time(of->machine, &time));
    return time;
}

device_error device_step(device *of)
{
    const uint64_t next = (device_time(of) / GRAIN + 1) * GRAIN;
    return device_error_from(of, heddle_advance_until(of->machine, next));
}

/* ---- Results ---------------------------------------------------------------------------------------------------------------- */

/* Whole or not at all. */
static int write_file(const char *path, const char *text)
{
    char *temporary = malloc(strlen(path) + sizeof ".part");
    if (!temporary)
        return 0;
    sprintf(temporary, "%s.part", path);
    FILE *file = fopen(temporary, "w");
    int is_good = file && fputs(text, file) >= 0;
    if (file)
        is_good &= !fclose(file);
    is_good = is_good && !rename(temporary, path);
    if (!is_good)
        remove(temporary);
    free(temporary);
    return is_good;
}

void device_finish(device *of)
{
    const char *path = environment_results(), *text;
    if (!path)
        return;
    if (heddle_results(of->machine, &text))
        fprintf(stderr, "heddle: no results: %s\n", heddle_message());
    else if (!write_file(path, text))
        fprintf(stderr, "heddle: results cannot be written to %s\n", path);
}
