/* SPDX-License-Identifier: MIT */
#include "protobuf.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER 0u /* wire types */
#define FIXED64 1u
#define BYTES 2u

static void put(protobuf *to, const void *data, size_t bytes)
{
    if (to->count + bytes > to->capacity) {
        to->capacity = 2 * (to->count + bytes) + 64;
        to->bytes = realloc(to->bytes, to->capacity);
        if (!to->bytes)
            abort();
    }
    memcpy(to->bytes + to->count, data, bytes);
    to->count += bytes;
}

/* Seven bits a byte, least first; all but the last have the eighth bit. */
static void put_varint(protobuf *to, uint64_t value)
{
    uint8_t bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (uint8_t)(value | 0x80);
    bytes[count++] = (uint8_t)value;
    put(to, bytes, count);
}

static void put_key(protobuf *to, uint32_t field, uint32_t wire_type)
{
    put_varint(to, (uint64_t)field << 3 | wire_type);
}

static void put_bytes(protobuf *to, uint32_t field, const void *data, size_t bytes)
{
    put_key(to, field, BYTES);
    put_varint(to, bytes);
    put(to, data, bytes);
}

void protobuf_clear(protobuf *to)
{
    to->count = 0;
}

void protobuf_free(protobuf *of)
{
    free(of->bytes);
    *of = (protobuf){0};
}

void protobuf_number(protobuf *to, uint32_t field, uint64_t value)
{
    put_key(to, field, NUMBER);
    put_varint(to, value);
}

void protobuf_fixed64(protobuf *to, uint32_t field, uint64_t value)
{
    uint8_t bytes[8];
    for (uint32_t i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    put_key(to, field, FIXED64);
    put(to, bytes, sizeof bytes);
}

void protobuf_text(protobuf *to, uint32_t field, const char *text)
{
    put_bytes(to, field, text, strlen(text));
}

void protobuf_message(protobuf *to, uint32_t field, const protobuf *message)
{
    if (message->count)
        put_bytes(to, field, message->bytes, message->count);
    else
        put_bytes(to, field, "", 0);
}
