/* SPDX-License-Identifier: MIT */
#include "page.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

#define PAGE HEDDLE_DOCUMENTS "/cards.md"

static char *find(char *text, const char *name, char **end)
{
    char mark[96];
    snprintf(mark, sizeof mark, "<!-- measured: %s -->\n", name);
    char *begin = strstr(text, mark);
    cr_assert_not_null(begin, "%s has no %s", PAGE, mark);
    begin += strlen(mark);
    *end = strstr(begin, "<!-- end of measured -->");
    cr_assert_not_null(*end, "%s: the part '%s' has no end", PAGE, name);
    return begin;
}

char *page_part(const char *name)
{
    char *text = file_read(PAGE, NULL), *end;
    cr_assert(text, PAGE);
    const char *begin = find(text, name, &end);
    char *part = strndup(begin, (size_t)(end - begin));
    free(text);
    return part;
}

char *page_joined(const char *first, const char *second, const char *third)
{
    char *all = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&all, &bytes);
    cr_assert_not_null(stream);
    fprintf(stream, "%s%s%s", first, second, third);
    cr_assert_eq(fclose(stream), 0);
    return all;
}

void page_write(const char *name, const char *text)
{
    char *old = file_read(PAGE, NULL), *end;
    cr_assert(old, PAGE);
    char *begin = find(old, name, &end);
    char *tail = strdup(end);
    *begin = '\0';
    char *page = page_joined(old, text, tail);
    file_write(PAGE, page, strlen(page));
    free(page);
    free(tail);
    free(old);
}
