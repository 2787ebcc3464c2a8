/* SPDX-License-Identifier: MIT */
#include "state_bytes.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 4096u

void state_bytes_release(state_bytes *bytes)
{
    free(bytes->data);
    *bytes = (state_bytes){0};
}

static void make_room(state_bytes *bytes, size_t count)
{
    if (bytes->capacity - bytes->count >= count)
        return;
    size_t capacity = bytes->capacity ? 2 * bytes->capacity : FIRST_CAPACITY;
    while (capacity - bytes->count < count)
        capacity *= 2;
    bytes->data = realloc(bytes->data, capacity);
    if (!bytes->data)
        abort();
    bytes->capacity = capacity;
}

void state_bytes_add(state_bytes *bytes, const void *data, size_t count)
{
    if (!count)
        return;
    make_room(bytes, count);
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
}

const uint8_t *state_bytes_skip(state_bytes *bytes, size_t count)
{
    if (bytes->count - bytes->at < count) {
        bytes->is_short = 1;
        return NULL;
    }
    bytes->at += count;
    return bytes->data + bytes->at - count;
}

void state_bytes_take(state_bytes *bytes, void *data, size_t count)
{
    if (!count)
        return;
    const uint8_t *from = state_bytes_skip(bytes, count);
    if (from)
        memcpy(data, from, count);
    else
        memset(data, 0, count);
}

void state_bytes_add_number(state_bytes *bytes, uint64_t number)
{
    state_bytes_add(bytes, &number, sizeof number);
}

uint64_t state_bytes_take_number(state_bytes *bytes)
{
    uint64_t number;
    state_bytes_take(bytes, &number, sizeof number);
    return number;
}

void state_bytes_add_text(state_bytes *bytes, const char *text)
{
    state_bytes_add(bytes, text, strlen(text) + 1);
}

const char *state_bytes_take_text(state_bytes *bytes)
{
    const size_t left = bytes->count - bytes->at;
    const void *end = left ? memchr(bytes->data + bytes->at, 0, left) : NULL;
    if (!end) {
        bytes->is_short = 1;
        return "";
    }
    const char *text = (const char *)bytes->data + bytes->at;
    bytes->at += strlen(text) + 1;
    return text;
}

static void save(void *context, void *data, size_t count)
{
    state_bytes_add(context, data, count);
}

static void restore(void *context, void *data, size_t count)
{
    state_bytes_take(context, data, count);
}

static void no_packet(void *context, hd_packet **packet)
{
    (void)context, (void)packet;
    abort(); /* only blocks have packets */
}

static void any_shape(void *context, const char *what, uint64_t value)
{
    (void)context, (void)what, (void)value;
}

hd_state_stream state_bytes_saved_by(state_bytes *bytes)
{
    return (hd_state_stream){.context = bytes, .bytes = save, .packet = no_packet, .shape = any_shape};
}

hd_state_stream state_bytes_restored_from(state_bytes *bytes)
{
    return (hd_state_stream){
        .context = bytes, .is_restored = 1, .bytes = restore, .packet = no_packet, .shape = any_shape};
}
