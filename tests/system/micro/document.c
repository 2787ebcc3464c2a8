/* SPDX-License-Identifier: MIT */
#include "document.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

#define DOCUMENT HEDDLE_DOCUMENTS "/machines.md"

static void cut(document_row *row)
{
    row->count = 0;
    for (char *at = row->text; (at = strchr(at, '|'));) {
        *at++ = '\0';
        at += strspn(at, " ");
        char *end = strchr(at, '|');
        if (!end)
            return;
        cr_assert_lt(row->count, DOCUMENT_CELLS);
        row->cells[row->count++] = at;
        while (end > at && end[-1] == ' ')
            *--end = '\0';
        at = end + (*end == '\0');
        at += strspn(at, " ");
    }
}

/* The table begins with a line of names and one of dashes. */
int document_read(const char *heading, uint32_t index, document_row *row)
{
    char *text = file_read(DOCUMENT, NULL);
    cr_assert(text, DOCUMENT);
    const char *at = strstr(text, heading);
    cr_assert(at && (at == text || at[-1] == '\n'), "%s has no %s", DOCUMENT, heading);
    const char *end = strstr(at + 1, "\n## ");
    at = strstr(at, "\n|");
    cr_assert(at && (!end || at < end), "%s has no table under %s", DOCUMENT, heading);
    at++;
    for (uint32_t line = 0; line < index + 2 && *at == '|'; line++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    const size_t length = strcspn(at, "\n");
    const int is_there = *at == '|';
    cr_assert_lt(length, sizeof row->text);
    memcpy(row->text, at, length);
    row->text[length] = '\0';
    free(text);
    if (is_there)
        cut(row);
    return is_there;
}

int document_find(const char *heading, const char *name, document_row *row)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "`%s`", name);
    for (uint32_t i = 0; document_read(heading, i, row); i++)
        if (row->count && !strcmp(row->cells[0], wanted))
            return 1;
    return 0;
}
