/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 64u

/* NULL: not set, or empty. */
static const char *variable(const char *prefix, const char *name)
{
    char whole[NAME_BYTES];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    const char *value = getenv(whole);
    return value && *value ? value : NULL;
}

void environment_set(const char *prefix, const char *name, const char *value)
{
    char whole[NAME_BYTES];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    setenv(whole, value, 1);
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* Empty lines do not count. */
static void read_lines(environment_list *list, const char *prefix, const char *name)
{
    const char *text = variable(prefix, name);
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

static uint64_t read_number(const char *prefix, const char *name)
{
    const char *text = variable(prefix, name);
    return text ? strtoull(text, NULL, 0) : 0;
}

void environment_read(device_environment *read, const char *prefix, const char *standard_machine)
{
    const char *machine = variable(prefix, ENVIRONMENT_MACHINE), *checks = variable(prefix, ENVIRONMENT_CHECK);
    *read = (device_environment){.machine = machine ? machine : standard_machine,
                                 .program = program_invocation_short_name,
                                 .folder = variable(prefix, ENVIRONMENT_FOLDER),
                                 .seed = read_number(prefix, ENVIRONMENT_SEED),
                                 .threads = (uint32_t)read_number(prefix, ENVIRONMENT_THREADS),
                                 .checks_memory = checks && strstr(checks, "memory"),
                                 .checks_races = checks && strstr(checks, "races"),
                                 .profile = variable(prefix, ENVIRONMENT_PROFILE) != NULL};
    read_lines(&read->sets, prefix, ENVIRONMENT_SET);
    read_lines(&read->plugins, prefix, ENVIRONMENT_PLUGINS);
}

static void free_list(environment_list *list)
{
    free((void *)list->texts);
    free(list->memory);
}

void environment_free(device_environment *gone)
{
    free_list(&gone->sets);
    free_list(&gone->plugins);
}

const char *environment_results(const char *prefix)
{
    return variable(prefix, ENVIRONMENT_STATS);
}
