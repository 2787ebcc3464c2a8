/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "transcript.h"

#include <criterion/criterion.h>
#include <string.h>

static int is_alike(const char *line, size_t length, const char *pattern, size_t pattern_length)
{
    const char *dots = memmem(pattern, pattern_length, "...", 3);
    if (!dots)
        return length == pattern_length && !memcmp(line, pattern, length);
    const size_t before = (size_t)(dots - pattern), rest = pattern_length - before - 3;
    if (length < before || memcmp(line, pattern, before) != 0)
        return 0;
    for (size_t skipped = before; skipped <= length; skipped++)
        if (is_alike(line + skipped, length - skipped, dots + 3, rest))
            return 1;
    return 0;
}

void expect_alike(const char *transcript, const char *golden)
{
    const char *line = transcript, *pattern = golden;
    while (*line || *pattern) {
        const size_t length = strcspn(line, "\n"), pattern_length = strcspn(pattern, "\n");
        cr_assert(is_alike(line, length, pattern, pattern_length), "'%.*s' instead of '%.*s' in\n%s", (int)length, line,
                  (int)pattern_length, pattern, transcript);
        line += length + (line[length] != 0);
        pattern += pattern_length + (pattern[pattern_length] != 0);
    }
}
