/* SPDX-License-Identifier: MIT */
/*
 * Memory that is given back all at once. Every pointer lives until arena_free.
 * Documents are bounded (yaml_tree.h), so an allocation that fails means a broken machine: the process ends.
 */
#ifndef TEXT_ARENA_H
#define TEXT_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct arena {
    struct arena_chunk *chunks; /* NULL = empty */
} arena;

/* Zeroed, aligned for any type. */
void *arena_alloc(arena *memory, size_t bytes);

/* items if it has room for one more than count, or a copy that has. */
void *arena_grow(arena *memory, void *items, uint32_t count, uint32_t *capacity, size_t item_bytes);

/* Copy of length bytes, with a terminating zero. */
char *arena_copy(arena *memory, const char *text, size_t length);

char *arena_format(arena *memory, const char *format, ...) __attribute__((format(printf, 2, 3)));

void arena_free(arena *memory);

#endif
