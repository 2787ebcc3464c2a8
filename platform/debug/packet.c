/* SPDX-License-Identifier: MIT */
#include "packet.h"

#include <stdlib.h>
#include <string.h>

enum { STATE_BETWEEN, STATE_INSIDE, STATE_FIRST_DIGIT, STATE_SECOND_DIGIT };

#define CTRL_C 3
#define ESCAPED 0x20
#define NO_DIGIT UINT8_MAX

static const char digit_of[] = "0123456789abcdef";

int packet_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

uint32_t packet_number(const char **text, uint64_t *value)
{
    const char *begin = *text;
    uint64_t number = 0;
    while (packet_digit(**text) >= 0) {
        if (number >> 60)
            return 0;
        number = number << 4 | (uint64_t)packet_digit(*(*text)++);
    }
    *value = number;
    return *text != begin;
}

uint32_t packet_bytes(const char *digits, void *bytes, size_t count)
{
    uint8_t *to = bytes;
    for (size_t i = 0; i < count; i++, digits += 2) {
        const int high = packet_digit(digits[0]), low = high < 0 ? -1 : packet_digit(digits[1]);
        if (low < 0)
            return 0;
        to[i] = (uint8_t)(high << 4 | low);
    }
    return 1;
}

void packet_digits(const void *bytes, size_t count, char *digits)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < count; i++) {
        *digits++ = digit_of[from[i] >> 4];
        *digits++ = digit_of[from[i] & 15];
    }
    *digits = '\0';
}

/* ---- In ------------------------------------------------------------------------------------------------------------ */

static enum packet_event take_between(packet_reader *reader, uint8_t byte)
{
    if (byte == '$') {
        reader->state = STATE_INSIDE;
        reader->is_escaped = reader->sum = 0;
        reader->count = 0;
    }
    return byte == CTRL_C ? PACKET_INTERRUPT : byte == '-' ? PACKET_REPEAT : PACKET_NOTHING;
}

/* One byte more than there is room for is counted, so that it is known that there were too many. */
static void take_inside(packet_reader *reader, uint8_t byte)
{
    if (byte == '#') {
        reader->state = STATE_FIRST_DIGIT;
        return;
    }
    reader->sum += byte;
    if (byte == '}' && !reader->is_escaped) {
        reader->is_escaped = 1;
        return;
    }
    if (reader->count < PACKET_BYTES_MAX)
        reader->bytes[reader->count] = (char)(reader->is_escaped ? byte ^ ESCAPED : byte);
    reader->count += reader->count <= PACKET_BYTES_MAX;
    reader->is_escaped = 0;
}

static enum packet_event end(packet_reader *reader, int low)
{
    const uint32_t is_good = low >= 0 && reader->told != NO_DIGIT && (reader->told << 4 | low) == reader->sum;
    reader->state = STATE_BETWEEN;
    if (!is_good)
        return PACKET_DAMAGED;
    if (reader->count > PACKET_BYTES_MAX)
        return PACKET_TOO_LONG;
    reader->bytes[reader->count] = '\0';
    return PACKET_COMPLETE;
}

enum packet_event packet_take(packet_reader *reader, uint8_t byte)
{
    const int digit = packet_digit((char)byte);
    switch (reader->state) {
    case STATE_INSIDE: take_inside(reader, byte); return PACKET_NOTHING;
    case STATE_FIRST_DIGIT:
        reader->told = digit < 0 ? NO_DIGIT : (uint8_t)digit;
        reader->state = STATE_SECOND_DIGIT;
        return PACKET_NOTHING;
    case STATE_SECOND_DIGIT: return end(reader, digit);
    default: return take_between(reader, byte);
    }
}

/* ---- Out ----------------------------------------------------------------------------------------------------------- */

void packet_output_add(packet_output *output, const void *bytes, size_t count)
{
    if (output->count + count > output->capacity) {
        output->capacity = 2 * (output->count + count);
        output->bytes = realloc(output->bytes, output->capacity);
        if (!output->bytes)
            abort();
    }
    if (count)
        memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
}

void packet_output_take_away(packet_output *output, size_t count)
{
    output->count -= count;
    if (output->count)
        memmove(output->bytes, output->bytes + count, output->count);
}

void packet_output_free(packet_output *output)
{
    free(output->bytes);
    *output = (packet_output){0};
}

void packet_output_frame(packet_output *output, const void *bytes, size_t count)
{
    const char *from = bytes;
    uint8_t sum = 0;
    packet_output_add(output, "$", 1);
    for (size_t i = 0; i < count; i++) {
        const uint32_t escapes = from[i] == '}' || from[i] == '#' || from[i] == '$' || from[i] == '*';
        const char pair[2] = {'}', (char)(from[i] ^ ESCAPED)};
        packet_output_add(output, escapes ? pair : &from[i], escapes ? 2 : 1);
        sum = (uint8_t)(sum + (escapes ? (uint8_t)pair[0] + (uint8_t)pair[1] : (uint8_t)from[i]));
    }
    const char end[3] = {'#', digit_of[sum >> 4], digit_of[sum & 15]};
    packet_output_add(output, end, sizeof end);
}
