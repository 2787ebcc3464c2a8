/* SPDX-License-Identifier: MIT */
#include "store_errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

char *store_error_text(enum store_error error, const char *format, ...)
{
    char *text;
    size_t bytes;
    va_list arguments;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    fprintf(out, "error[R%02u]: ", (unsigned)error);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fputc('\n', out);
    fclose(out);
    return text;
}

const char *store_error_meaning(uint32_t number)
{
    static const char *const meanings[] = {
#define STORE_ERROR(number, name, meaning) [number] = meaning,
#include "store_errors.def"
#undef STORE_ERROR
    };
    return number < sizeof meanings / sizeof *meanings ? meanings[number] : NULL;
}
