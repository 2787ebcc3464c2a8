/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"

int hd_usage_error(const char *word, const char *const *known, size_t known_count, const char *format, ...)
{
    diagnostics log = {.out = stderr};
    candidates list = {.names = (const char **)known, .count = (uint32_t)known_count};
    va_list arguments;
    fputs("error: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    if (word)
        candidates_suggest(&log, word, &list);
    return HD_EXIT_USAGE;
}

static const hd_option_use *find(const char *word, size_t length, const hd_option_use *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && !strncmp(options[i].name, word, length))
            return &options[i];
    return NULL;
}

static int unknown_option(const hd_command *command, const char *word, size_t length, const hd_option_use *options,
                          size_t count)
{
    const char **names = calloc(count + 1, sizeof *names);
    char *name = strndup(word, length);
    if (!names || !name)
        abort();
    for (size_t i = 0; i < count; i++)
        names[i] = options[i].name;
    hd_usage_error(name, names, count, "'heddle %s' has no option '%s'", command->name, name);
    free(name);
    free(names);
    return -1;
}

static void store(const hd_option_use *option, const char *value)
{
    if (option->value) {
        *option->value = value;
        return;
    }
    *option->all = realloc(*option->all, (*option->count + 1) * sizeof **option->all);
    if (!*option->all)
        abort();
    (*option->all)[(*option->count)++] = value;
}

/* Returns how many words it used, or -1. */
static int take_option(const hd_command *command, int left, char **words, const hd_option_use *options, size_t count)
{
    size_t length = strcspn(words[0], "=");
    const char *value = words[0][length] ? words[0] + length + 1 : NULL;
    const hd_option_use *option = find(words[0], length, options, count);
    if (!option)
        return unknown_option(command, words[0], length, options, count);
    if (!option->takes_value && value) {
        hd_usage_error(NULL, NULL, 0, "option %s takes no value", option->name);
        return -1;
    }
    if (!option->takes_value || value) {
        store(option, value ? value : "");
        return 1;
    }
    if (left < 2) {
        hd_usage_error(NULL, NULL, 0, "option %s needs a value", option->name);
        return -1;
    }
    store(option, words[1]);
    return 2;
}

int hd_arguments(const hd_command *command, int count, char **words, const hd_option_use *options, size_t option_count,
                 const char **others, int minimum, int maximum)
{
    int found = 0, options_end = 0;
    for (int i = 0; i < count;) {
        if (!options_end && !strcmp(words[i], "--")) {
            options_end = 1;
            i++;
        } else if (!options_end && words[i][0] == '-' && words[i][1]) {
            int used = take_option(command, count - i, words + i, options, option_count);
            if (used < 0)
                return -1;
            i += used;
        } else if (found < maximum) {
            others[found++] = words[i++];
        } else {
            hd_usage_error(NULL, NULL, 0, "'%s' is one argument too many\nusage: heddle %s %s", words[i], command->name,
                           command->usage);
            return -1;
        }
    }
    if (found >= minimum)
        return found;
    hd_usage_error(NULL, NULL, 0, "too few arguments\nusage: heddle %s %s", command->name, command->usage);
    return -1;
}
