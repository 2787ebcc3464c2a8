/* SPDX-License-Identifier: MIT */
/* What is UTF-8, against the definition: the shortest form of a number up to 0x10FFFF that is no surrogate. */
#include <criterion/criterion.h>

#include "utf8.h"

/* Bytes of the character that `text` begins with, 0 if it is none. */
static size_t decoded(const unsigned char *text, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t bytes = text[0] < 0x80             ? 1
                         : (text[0] & 0xE0) == 0xC0 ? 2
                         : (text[0] & 0xF0) == 0xE0 ? 3
                         : (text[0] & 0xF8) == 0xF0 ? 4
                                                    : 0;
    if (!bytes || bytes > length)
        return 0;
    uint32_t number = bytes == 1 ? text[0] : text[0] & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        number = number << 6 | (text[i] & 0x3F);
    }
    return number >= least[bytes] && number <= 0x10FFFF && (number < 0xD800 || number > 0xDFFF) ? bytes : 0;
}

Test(text_utf8, all_beginnings_of_characters_are_told_from_what_is_none)
{
    static const unsigned char ends[] = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
    enum { ENDS = sizeof ends };
    for (uint32_t head = 0; head < 0x10000; head++)
        for (uint32_t tail = 0; tail < ENDS * ENDS; tail++) {
            const unsigned char text[] = {(unsigned char)(head >> 8), (unsigned char)head, ends[tail / ENDS],
                                          ends[tail % ENDS]};
            for (size_t length = 1; length <= sizeof text; length++) {
                size_t at = 0;
                for (size_t bytes; at < length && (bytes = decoded(text + at, length - at));)
                    at += bytes;
                const size_t found = utf8_fault((const char *)text, length);
                cr_assert_eq(found, at, "%02x %02x %02x %02x, of which %zu: %zu", text[0], text[1], text[2], text[3],
                             length, found);
            }
        }
}
