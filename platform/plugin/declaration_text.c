/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "declaration_check.h"
#include "utf8.h"

void declaration_find(declaration_check *at, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    at->find(at->context, sentence);
    at->count++;
}

uint32_t declaration_is_text(const char *text)
{
    return text && text[0];
}

uint32_t declaration_is_line(const char *text)
{
    size_t length = strlen(text);
    if (utf8_fault(text, length) < length)
        return 0;
    for (const char *character = text; *character; character++)
        if ((unsigned char)*character < 0x20 || *character == 0x7F)
            return 0;
    return 1;
}

void declaration_check_line(declaration_check *at, const char *text, const char *what)
{
    if (text && !declaration_is_line(text))
        declaration_find(at, "%s is not one line of UTF-8 text", what);
}

size_t declaration_name_bytes(const char *text, const char *joint)
{
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    size_t length = strspn(text, characters);
    while (length && *joint && text[length] == *joint && strspn(text + length + 1, characters))
        length += 1 + strspn(text + length + 1, characters);
    return length;
}

uint32_t declaration_check_name(declaration_check *at, const char *text, const char *joint, const char *what,
                                uint32_t index)
{
    size_t length = declaration_name_bytes(text, joint);
    if (length && !text[length] && length <= HD_NAME_MAX)
        return 1;
    declaration_find(at, "the name of %s %u is not made of letters, digits%s and '_', %u at most", what, index,
                     *joint ? ", '.'" : "", HD_NAME_MAX);
    return 0;
}

void declaration_check_once(declaration_check *at, const void *table, size_t row_bytes, uint32_t index,
                            const char *what)
{
    const char *const *own = (const void *)((const char *)table + index * row_bytes);
    for (uint32_t i = 0; i < index; i++) {
        const char *const *other = (const void *)((const char *)table + i * row_bytes);
        if (*other && strcmp(*other, *own) == 0)
            declaration_find(at, "two %s are called %s", what, *own);
    }
}
