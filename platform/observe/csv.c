/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include <string.h>

void csv_put_field(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
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
