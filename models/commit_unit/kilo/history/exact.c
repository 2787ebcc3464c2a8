/* SPDX-License-Identifier: MIT */
#include "history/exact.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 256u

void exact_destroy(exact *map)
{
    free(map->slots);
}

void exact_reset(exact *map)
{
    if (map->count)
        memset(map->slots, 0, map->capacity * sizeof *map->slots);
    map->count = 0;
}

/* The key's slot, or a free one. */
static exact_slot *find(const exact *map, uint64_t key)
{
    uint64_t at = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 20;
    while (map->slots[at & (map->capacity - 1)].number && map->slots[at & (map->capacity - 1)].key != key)
        at++;
    return &map->slots[at & (map->capacity - 1)];
}

static void grow(exact *map)
{
    const exact old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : CAPACITY_MIN;
    map->slots = calloc(map->capacity, sizeof *map->slots);
    if (!map->slots)
        abort();
    for (uint64_t i = 0; i < old.capacity; i++)
        if (old.slots[i].number)
            *find(map, old.slots[i].key) = old.slots[i];
    free(old.slots);
}

uint64_t exact_of(const exact *map, uint64_t key)
{
    return map->count ? find(map, key)->number : 0;
}

void exact_note(exact *map, uint64_t key, uint64_t number)
{
    if (2 * map->count >= map->capacity)
        grow(map);
    exact_slot *slot = find(map, key);
    map->count += !slot->number;
    *slot = (exact_slot){key, number};
}
