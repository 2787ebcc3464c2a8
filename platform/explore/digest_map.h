/* SPDX-License-Identifier: MIT */
/* What is known by its digest. Zeroed is empty; its memory lies in an arena. */
#ifndef EXPLORE_DIGEST_MAP_H
#define EXPLORE_DIGEST_MAP_H

#include "arena.h"
#include "sha256.h"

typedef struct digest_slot {
    digest key;
    void *value; /* NULL: free */
} digest_slot;

typedef struct digest_map {
    digest_slot *slots;
    uint32_t capacity;
    uint32_t count;
} digest_map;

/* NULL if it is not there. */
void *digest_map_find(const digest_map *map, const digest *key);
/* The key is not there yet; the value is not NULL. */
void digest_map_add(arena *memory, digest_map *map, const digest *key, void *value);

#endif
