/* SPDX-License-Identifier: MIT */
#include "pattern_cache.h"

#include <stdlib.h>
#include <string.h>

#define REGISTERS 64u

uint32_t pattern_cache_capacity(uint64_t bytes)
{
    return (uint32_t)(8 * bytes / PATTERN_ENTRY_BITS);
}

int pattern_cache_create(pattern_cache *cache, uint64_t bytes, uint32_t rows)
{
    cache->capacity = pattern_cache_capacity(bytes);
    cache->entries = calloc((size_t)cache->capacity + 1, sizeof *cache->entries);
    cache->entry_of = calloc((size_t)rows * REGISTERS, sizeof *cache->entry_of);
    if (!cache->entries || !cache->entry_of)
        return -1;
    pattern_cache_reset(cache);
    return 0;
}

void pattern_cache_destroy(pattern_cache *cache)
{
    free(cache->entries);
    free(cache->entry_of);
}

static void unlink_entry(pattern_cache *cache, uint32_t entry)
{
    const pattern_entry *e = &cache->entries[entry];
    cache->entries[e->newer].older = e->older;
    cache->entries[e->older].newer = e->newer;
}

/* As the newest one. */
static void link_entry(pattern_cache *cache, uint32_t entry)
{
    const uint32_t end = cache->capacity;
    pattern_entry *e = &cache->entries[entry];
    e->newer = end;
    e->older = cache->entries[end].older;
    cache->entries[e->older].newer = entry;
    cache->entries[end].older = entry;
}

/* As the oldest one, of no register: it is taken next. */
static void link_free(pattern_cache *cache, uint32_t entry)
{
    const uint32_t end = cache->capacity;
    pattern_entry *e = &cache->entries[entry];
    e->value.pattern = PATTERN_NONE;
    e->older = end;
    e->newer = cache->entries[end].newer;
    cache->entries[e->newer].older = entry;
    cache->entries[end].newer = entry;
}

static void forget_all(pattern_cache *cache)
{
    for (uint32_t entry = 0; entry < cache->capacity; entry++)
        if (cache->entries[entry].value.pattern != PATTERN_NONE)
            cache->entry_of[cache->entries[entry].of] = 0;
}

void pattern_cache_reset(pattern_cache *cache)
{
    forget_all(cache);
    cache->entries[cache->capacity] = (pattern_entry){.newer = cache->capacity, .older = cache->capacity};
    for (uint32_t entry = 0; entry < cache->capacity; entry++)
        link_free(cache, entry);
    cache->writes = cache->evictions = 0;
}

static uint32_t take_oldest(pattern_cache *cache, uint32_t of)
{
    const uint32_t entry = cache->entries[cache->capacity].newer;
    pattern_entry *e = &cache->entries[entry];
    if (e->value.pattern != PATTERN_NONE) {
        cache->entry_of[e->of] = 0;
        cache->evictions++;
    }
    e->of = of;
    cache->entry_of[of] = entry + 1;
    return entry;
}

void pattern_cache_write(pattern_cache *cache, uint32_t row, uint32_t number, const compressed_register *value)
{
    const uint32_t of = row * REGISTERS + number;
    uint32_t entry = cache->entry_of[of];
    if (value->pattern == PATTERN_NONE) {
        cache->entry_of[of] = 0;
        if (entry) {
            unlink_entry(cache, entry - 1);
            link_free(cache, entry - 1);
        }
        return;
    }
    if (!cache->capacity)
        return;
    entry = entry ? entry - 1 : take_oldest(cache, of);
    cache->entries[entry].value = *value;
    cache->writes++;
    unlink_entry(cache, entry);
    link_entry(cache, entry);
}

const compressed_register *pattern_cache_find(const pattern_cache *cache, uint32_t row, uint32_t number)
{
    const uint32_t entry = cache->entry_of[row * REGISTERS + number];
    return entry ? &cache->entries[entry - 1].value : NULL;
}

void pattern_cache_transfer(pattern_cache *cache, uint32_t rows, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "entries of the cache of register patterns", cache->capacity);
    if (!cache->entries)
        return;
    HD_STATE_ARRAY(stream, cache->entries, (size_t)cache->capacity + 1);
    HD_STATE_ARRAY(stream, cache->entry_of, (size_t)rows * REGISTERS);
    HD_STATE_VALUE(stream, cache->used);
    HD_STATE_VALUE(stream, cache->writes);
    HD_STATE_VALUE(stream, cache->evictions);
}
