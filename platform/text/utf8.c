/* SPDX-License-Identifier: MIT */
#include "utf8.h"

/* Bytes of the character that starts here, or 0 if it is not UTF-8 (surrogates and overlong forms are not). */
static size_t character_bytes(const unsigned char *text, size_t length)
{
    if (text[0] < 0x80)
        return 1;
    size_t bytes = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    if (text[0] < 0xC2 || text[0] > 0xF4 || bytes > length)
        return 0;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    }
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F))
        return 0;
    return bytes;
}

size_t utf8_fault(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        size_t bytes = character_bytes((const unsigned char *)text + at, length - at);
        if (!bytes)
            return at;
        at += bytes;
    }
    return length;
}

uint32_t utf8_columns(const char *text, size_t length)
{
    uint32_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}
