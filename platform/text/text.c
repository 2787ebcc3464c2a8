/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(hd_text *text, size_t more)
{
    if (text->bytes + more + 1 <= text->capacity)
        return;
    text->capacity = 2 * (text->bytes + more) + 64;
    text->text = realloc(text->text, text->capacity);
    if (!text->text)
        abort();
}

static void add(hd_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return;
    reserve(text, (size_t)length);
    vsnprintf(text->text + text->bytes, text->capacity - text->bytes, format, arguments);
    text->bytes += (size_t)length;
}

void hd_text_add(hd_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(text, format, arguments);
    va_end(arguments);
}

static void add_line(void *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(context, format, arguments);
    va_end(arguments);
    hd_text_add(context, "\n");
}

hd_text_sink hd_text_lines(hd_text *text)
{
    return (hd_text_sink){.context = text, .line = add_line};
}

char *hd_text_take(hd_text *text)
{
    reserve(text, 0);
    text->text[text->bytes] = '\0';
    char *taken = text->text;
    memset(text, 0, sizeof *text);
    return taken;
}

const char *hd_text_time(char *text, hd_time t)
{
    snprintf(text, HD_TEXT_TIME_BYTES, "%llu.%03llu ns", (unsigned long long)(t / 1000),
             (unsigned long long)(t % 1000));
    return text;
}

char *hd_text_format(const char *format, ...)
{
    hd_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    add(&text, format, arguments);
    va_end(arguments);
    return hd_text_take(&text);
}
