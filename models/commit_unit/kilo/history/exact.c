/* SPDX-License-Identifier: MIT */
#include "history/exact.h"

#include <stdlib.h>

#define uthash_fatal(message) abort()
#include <uthash.h>

struct exact_entry {
    uint64_t key, number;
    UT_hash_handle hh;
};

void exact_reset(exact *map)
{
    exact_entry *entry, *next;
    HASH_ITER(hh, map->entries, entry, next)
    {
        HASH_DEL(map->entries, entry);
        free(entry);
    }
}

static exact_entry *find(const exact *map, uint64_t key)
{
    exact_entry *entry;
    HASH_FIND(hh, map->entries, &key, sizeof key, entry);
    return entry;
}

uint64_t exact_of(const exact *map, uint64_t key)
{
    const exact_entry *entry = find(map, key);
    return entry ? entry->number : 0;
}

void exact_note(exact *map, uint64_t key, uint64_t number)
{
    exact_entry *entry = find(map, key);
    if (!entry) {
        entry = malloc(sizeof *entry);
        if (!entry)
            abort();
        entry->key = key;
        HASH_ADD(hh, map->entries, key, sizeof entry->key, entry);
    }
    entry->number = number;
}

void exact_transfer(exact *map, const hd_state_stream *stream)
{
    const exact_entry *at = stream->is_restored ? NULL : map->entries;
    const uint64_t count = hd_state_number(stream, HASH_COUNT(map->entries));
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t key = hd_state_number(stream, at ? at->key : 0);
        const uint64_t number = hd_state_number(stream, at ? at->number : 0);
        if (stream->is_restored)
            exact_note(map, key, number);
        else
            at = at->hh.next;
    }
}
