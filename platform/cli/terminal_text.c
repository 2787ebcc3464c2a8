/* SPDX-License-Identifier: MIT */
#include "terminal_text.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

static size_t put_bytes(const char *bytes, size_t count, char *shown)
{
    for (size_t i = 0; i < count; i++)
        sprintf(shown + 4 * i, "\\x%02x", (unsigned)(unsigned char)bytes[i]);
    return 4 * count;
}

/* Bytes of the character that begins so; 1 where none does. */
static size_t length_of(char first)
{
    const unsigned char byte = (unsigned char)first;
    return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
}

static int is_control(const char *character, size_t bytes)
{
    const unsigned char first = (unsigned char)character[0];
    if (bytes == 1)
        return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
    return first == 0xC2 && (unsigned char)character[1] < 0xA0;
}

/* Of what has begun: 0 while it is not whole. */
static size_t put_begun(terminal_text *state, char *shown)
{
    const size_t count = state->count;
    const int is_text = utf8_fault(state->begun, count) == count;
    if (!is_text && count < length_of(state->begun[0]))
        return 0;
    state->count = 0;
    if (!is_text || is_control(state->begun, count))
        return put_bytes(state->begun, count, shown);
    memcpy(shown, state->begun, count);
    return count;
}

size_t terminal_text_put(terminal_text *state, const char *part, size_t bytes, char *shown)
{
    size_t used = 0;
    for (size_t i = 0; i < bytes; i++) {
        /* A character that does not go on is over. */
        if (state->count && ((unsigned char)part[i] & 0xC0) != 0x80) {
            used += put_bytes(state->begun, state->count, shown + used);
            state->count = 0;
        }
        state->begun[state->count++] = part[i];
        used += put_begun(state, shown + used);
    }
    return used;
}
