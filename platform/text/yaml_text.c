/* SPDX-License-Identifier: MIT */
#include "yaml_text.h"

#include <stdint.h>
#include <string.h>

/* Words that begin with a letter and hold nothing that YAML looks at; the loader reads them as they are. */
static int is_plain(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./()+ ";
    size_t length = strlen(text);
    if (!length || !((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z')))
        return 0;
    return strspn(text, plain) == length && text[length - 1] != ' ' && strcmp(text, "null") != 0;
}

/* The code point that starts here, and how many bytes it has. The text is UTF-8 (the loader has seen to it). */
static uint32_t code_point(const unsigned char *at, size_t *bytes)
{
    *bytes = at[0] < 0x80 ? 1 : at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    uint32_t value = *bytes == 1 ? at[0] : at[0] & (0x7Fu >> *bytes);
    for (size_t i = 1; i < *bytes; i++)
        value = value << 6 | (at[i] & 0x3Fu);
    return value;
}

/* Controls, and what YAML takes for a line break or a byte order mark. */
static int is_escaped(uint32_t value)
{
    return value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0x2028 || value == 0x2029 || value == 0xFEFF ||
           value == 0xFFFE || value == 0xFFFF;
}

void yaml_write_text(const char *text, FILE *out)
{
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    size_t bytes;
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at; at += bytes) {
        uint32_t value = code_point(at, &bytes);
        if (value == '"' || value == '\\')
            fprintf(out, "\\%c", (int)value);
        else if (is_escaped(value))
            fprintf(out, "\\U%08X", value);
        else
            fwrite(at, 1, bytes, out);
    }
    fputc('"', out);
}
