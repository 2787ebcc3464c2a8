/* SPDX-License-Identifier: MIT */
#include "library_machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"

#define STANDARD_MACHINE "gtx480"

/* ---- Opening ----------------------------------------------------------------------------------------------------------- */

static void print(void *context, const char *line)
{
    (void)context;
    puts(line);
}

static heddle_error open_asked(const device_environment *asked, uint64_t grain, heddle_machine **machine)
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
                                      .grain = grain,
                                      .callbacks = {.print = print},
                                      .profile = (uint32_t)asked->profile};
    return heddle_open(&settings, machine);
}

/* Names of files are meant from where the program was started. */
static heddle_error open_in_folder(const device_environment *asked, uint64_t grain, heddle_machine **machine)
{
    const int here = asked->folder ? open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const int is_moved = here >= 0 && !chdir(asked->folder);
    const heddle_error error = open_asked(asked, grain, machine);
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

heddle_error library_machine_open(const char *prefix, uint64_t grain, heddle_machine **machine, char **name)
{
    device_environment asked;
    environment_read(&asked, prefix, STANDARD_MACHINE);
    *name = name_of(asked.machine);
    const heddle_error error = *name ? open_in_folder(&asked, grain, machine) : HEDDLE_ERROR_HOST_MEMORY;
    environment_free(&asked);
    if (!error)
        return HEDDLE_OK;
    if (*name)
        fprintf(stderr, "heddle: the device cannot be opened:\n%s\n", heddle_message());
    free(*name);
    return error;
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

void library_machine_finish(const char *prefix, heddle_machine *machine)
{
    const char *path = environment_results(prefix), *text;
    if (!path)
        return;
    if (heddle_results(machine, &text))
        fprintf(stderr, "heddle: no results: %s\n", heddle_message());
    else if (!write_file(path, text))
        fprintf(stderr, "heddle: results cannot be written to %s\n", path);
}
