/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "recorder_internal.h"

/* The first `length` characters of the text. */
static uint32_t matches(const char *pattern, const char *text, size_t length)
{
    const char *star = NULL, *from = NULL, *end = text + length;
    while (text < end) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return 0;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

uint32_t trace_matches(const char *pattern, const char *text)
{
    return matches(pattern, text, strlen(text));
}

static uint32_t selects(const char *pattern, const char *path)
{
    for (size_t i = 1; i <= strlen(path); i++)
        if ((path[i] == '\0' || path[i] == '/' || path[i] == '[') && matches(pattern, path, i))
            return 1;
    return 0;
}

uint32_t trace_selects_path(const char *const *patterns, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (selects(patterns[i], path))
            return 1;
    return !count;
}

uint32_t trace_selects_kernel(const char *const *patterns, size_t count, uint32_t launch, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        char *end;
        const unsigned long number = strtoul(patterns[i], &end, 10);
        if (*patterns[i] && !*end ? number == launch : trace_matches(patterns[i], name))
            return 1;
    }
    return !count;
}
