/* SPDX-License-Identifier: MIT */
#include "line_table.h"

#include <string.h>

line_reader read_part(line_reader *reader, uint64_t bytes)
{
    line_reader part = {.at = reader->at, .end = reader->end};
    if (bytes > (uint64_t)(reader->end - reader->at)) {
        reader->failed = part.failed = 1;
        reader->at = part.at = reader->end;
        return part;
    }
    reader->at = part.end = part.at + bytes;
    return part;
}

uint64_t read_number(line_reader *reader, uint32_t bytes)
{
    uint64_t value = 0;
    line_reader part = read_part(reader, bytes);
    for (uint32_t i = 0; i < bytes && !part.failed; i++)
        value |= (uint64_t)part.at[i] << 8 * i;
    return value;
}

/* Returns the value, and in *bits how many bits were given. */
static uint64_t read_leb128(line_reader *reader, uint32_t *bits)
{
    uint64_t value = 0, byte;
    *bits = 0;
    do {
        byte = read_number(reader, 1);
        if (*bits < 64)
            value |= (byte & 0x7F) << *bits;
        *bits += 7;
    } while (byte & 0x80);
    return value;
}

uint64_t read_unsigned(line_reader *reader)
{
    uint32_t bits;
    return read_leb128(reader, &bits);
}

int64_t read_signed(line_reader *reader)
{
    uint32_t bits;
    uint64_t value = read_leb128(reader, &bits);
    if (bits < 64 && value >> (bits - 1) & 1)
        value |= ~UINT64_C(0) << bits;
    return (int64_t)value;
}

const char *read_text(line_reader *reader)
{
    const uint8_t *end = reader->at < reader->end ? memchr(reader->at, 0, (size_t)(reader->end - reader->at)) : NULL;
    if (!end) {
        reader->failed = 1;
        return "";
    }
    const char *text = (const char *)reader->at;
    reader->at = end + 1;
    return text;
}
