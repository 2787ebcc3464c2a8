/* SPDX-License-Identifier: MIT */
/*
 * A number for each of up to `capacity` words of memory: tables that hardware looks up by content, whatever their size. A word whose
 * number is 0 is not in it.
 */
#ifndef HD_WORD_MAP_H
#define HD_WORD_MAP_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_word_map_slot {
    uint64_t number; /* 0: free */
    uint32_t address;
    uint32_t reserved;
} hd_word_map_slot;

typedef struct hd_word_map {
    hd_word_map_slot *slots; /* open addressing: a word is at its place, or behind it without a free one between */
    uint32_t mask;           /* number of slots - 1 */
    uint32_t capacity, count;
} hd_word_map;

/* 0, or -1: out of memory. capacity: below 2^30. */
static inline int hd_word_map_create(hd_word_map *map, uint32_t capacity)
{
    uint32_t slots = 2;
    while (slots < 2 * capacity)
        slots *= 2;
    map->slots = (hd_word_map_slot *)calloc(slots, sizeof *map->slots);
    map->mask = slots - 1;
    map->capacity = capacity;
    map->count = 0;
    return map->slots ? 0 : -1;
}

/* Of one that is all 0, too. */
static inline void hd_word_map_destroy(hd_word_map *map)
{
    free(map->slots);
}

static inline void hd_word_map_clear(hd_word_map *map)
{
    if (map->count)
        memset(map->slots, 0, ((size_t)map->mask + 1) * sizeof *map->slots);
    map->count = 0;
}

static inline uint32_t hd_word_map_home(const hd_word_map *map, uint32_t address)
{
    return (uint32_t)((address >> 2) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & map->mask;
}

/* Where the word is, or would be. */
static inline uint32_t hd_word_map_slot_of(const hd_word_map *map, uint32_t address)
{
    uint32_t slot = hd_word_map_home(map, address);
    while (map->slots[slot].number && map->slots[slot].address != address)
        slot = (slot + 1) & map->mask;
    return slot;
}

/* 0: the word is not in it. */
static inline uint64_t hd_word_map_get(const hd_word_map *map, uint32_t address)
{
    return map->count ? map->slots[hd_word_map_slot_of(map, address)].number : 0;
}

/* Those behind a slot that becomes free move up, where they may. */
static inline void hd_word_map_free(hd_word_map *map, uint32_t slot)
{
    uint32_t next = slot;
    for (;;) {
        next = (next + 1) & map->mask;
        if (!map->slots[next].number)
            break;
        if (((next - hd_word_map_home(map, map->slots[next].address)) & map->mask) < ((next - slot) & map->mask))
            continue;
        map->slots[slot] = map->slots[next];
        slot = next;
    }
    map->slots[slot].number = 0;
    map->count--;
}

/* 0: there is no room for another word. number 0: the word is in it no longer. */
static inline uint32_t hd_word_map_set(hd_word_map *map, uint32_t address, uint64_t number)
{
    const uint32_t slot = hd_word_map_slot_of(map, address);
    const uint32_t is_there = map->slots[slot].number != 0;
    if (!number) {
        if (is_there)
            hd_word_map_free(map, slot);
        return 1;
    }
    if (!is_there && map->count == map->capacity)
        return 0;
    map->count += !is_there;
    map->slots[slot].number = number;
    map->slots[slot].address = address;
    return 1;
}

#ifdef __cplusplus
}
#endif

#endif
