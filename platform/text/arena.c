/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most arenas are small: each chunk is twice the one before. */
#define CHUNK_LEAST 4096u
#define CHUNK_MOST 65536u

struct arena_chunk {
    struct arena_chunk *next;
    size_t used;
    size_t bytes;
    _Alignas(max_align_t) unsigned char data[];
};

static struct arena_chunk *add_chunk(arena *memory, size_t bytes)
{
    size_t room = memory->chunks ? 2 * memory->chunks->bytes : CHUNK_LEAST;
    if (room > CHUNK_MOST)
        room = CHUNK_MOST;
    if (room < bytes)
        room = bytes;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + room);
    if (!chunk)
        abort();
    chunk->bytes = room;
    chunk->next = memory->chunks;
    memory->chunks = chunk;
    return chunk;
}

void *arena_alloc(arena *memory, size_t bytes)
{
    size_t step = _Alignof(max_align_t);
    size_t rounded = (bytes + step - 1) / step * step;
    struct arena_chunk *chunk = memory->chunks;
    if (!chunk || chunk->bytes - chunk->used < rounded)
        chunk = add_chunk(memory, rounded);
    void *result = chunk->data + chunk->used;
    chunk->used += rounded;
    return result;
}

void *arena_grow(arena *memory, void *items, uint32_t count, uint32_t *capacity, size_t item_bytes)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 8;
    void *larger = arena_alloc(memory, *capacity * item_bytes);
    if (count)
        memcpy(larger, items, count * item_bytes);
    return larger;
}

char *arena_copy(arena *memory, const char *text, size_t length)
{
    char *copy = arena_alloc(memory, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_format(arena *memory, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_alloc(memory, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void arena_free(arena *memory)
{
    while (memory->chunks) {
        struct arena_chunk *next = memory->chunks->next;
        free(memory->chunks);
        memory->chunks = next;
    }
}
