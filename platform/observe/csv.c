/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

static int is_formula(const char *text)
{
    char *end;
    if (!*text || !strchr("=+-@\t\r", *text))
        return 0;
    (void)strtod(text, &end);
    return end == text || *end;
}

void csv_put_field(FILE *out, const char *text)
{
    const char *before = is_formula(text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(out, "%s%s", before, text);
        return;
    }
    fprintf(out, "\"%s", before);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void csv_put_next(FILE *out, const char *text)
{
    fputc(',', out);
    csv_put_field(out, text);
}
