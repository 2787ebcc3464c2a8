/* SPDX-License-Identifier: MIT */
#include "digest_map.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u

/* The slot of the key, or the free one where it belongs. */
static digest_slot *slot_of(const digest_map *map, const digest *key)
{
    char head[9];
    memcpy(head, key->text, 8);
    head[8] = '\0';
    for (uint32_t at = (uint32_t)strtoul(head, NULL, 16);; at++) {
        digest_slot *slot = &map->slots[at % map->capacity];
        if (!slot->value || !strcmp(slot->key.text, key->text))
            return slot;
    }
}

void *digest_map_find(const digest_map *map, const digest *key)
{
    return map->capacity ? slot_of(map, key)->value : NULL;
}

static void grow(arena *memory, digest_map *map)
{
    digest_map larger = {.capacity = map->capacity ? map->capacity * 2 : FIRST_CAPACITY, .count = map->count};
    larger.slots = arena_alloc(memory, larger.capacity * sizeof *larger.slots);
    for (uint32_t i = 0; i < map->capacity; i++)
        if (map->slots[i].value)
            *slot_of(&larger, &map->slots[i].key) = map->slots[i];
    *map = larger;
}

void digest_map_add(arena *memory, digest_map *map, const digest *key, void *value)
{
    if (2 * (map->count + 1) > map->capacity)
        grow(memory, map);
    *slot_of(map, key) = (digest_slot){*key, value};
    map->count++;
}
