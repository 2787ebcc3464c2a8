/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "opencl_environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* NULL: not set, or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* Empty lines do not count. */
static void read_lines(environment_list *list, const char *name)
{
    const char *text = variable(name);
    *list = (environment_list){0};
    if (!text)
        return;
    list->memory = strdup(text);
    list->texts = calloc(count_lines(text), sizeof *list->texts);
    if (!list->memory || !list->texts)
        return;
    char *rest = list->memory, *line;
    while ((line = strsep(&rest, "\n")))
        if (*line)
            list->texts[list->count++] = line;
}

static uint64_t read_number(const char *name)
{
    const char *text = variable(name);
    return text ? strtoull(text, NULL, 0) : 0;
}

void environment_read(opencl_environment *read, const char *standard_machine)
{
    const char *machine = variable(OPENCL_VARIABLE_MACHINE), *checks = variable(OPENCL_VARIABLE_CHECK);
    *read = (opencl_environment){.machine = machine ? machine : standard_machine,
                                 .program = program_invocation_short_name,
                                 .folder = variable(OPENCL_VARIABLE_FOLDER),
                                 .seed = read_number(OPENCL_VARIABLE_SEED),
                                 .threads = (uint32_t)read_number(OPENCL_VARIABLE_THREADS),
                                 .checks_memory = checks && strstr(checks, "memory"),
                                 .checks_races = checks && strstr(checks, "races")};
    read_lines(&read->sets, OPENCL_VARIABLE_SET);
    read_lines(&read->plugins, OPENCL_VARIABLE_PLUGINS);
}

static void free_list(environment_list *list)
{
    free((void *)list->texts);
    free(list->memory);
}

void environment_free(opencl_environment *gone)
{
    free_list(&gone->sets);
    free_list(&gone->plugins);
}

const char *environment_results(void)
{
    return variable(OPENCL_VARIABLE_STATS);
}
