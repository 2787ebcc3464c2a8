/* SPDX-License-Identifier: MIT */
#include "stash.h"

#include <stdlib.h>

uint32_t stash_create(stash *stash, uint32_t capacity)
{
    stash->capacity = capacity;
    stash->entries = calloc(capacity + 1, sizeof *stash->entries);
    return stash->entries != NULL;
}

void stash_destroy(stash *stash)
{
    free(stash->entries);
}

void stash_reset(stash *stash)
{
    for (uint32_t i = 0; i < stash->capacity; i++)
        stash->entries[i].granule = NO_GRANULE;
    stash->used = 0;
}

metadata_entry *stash_find(const stash *stash, uint64_t granule)
{
    for (uint32_t i = 0; i < stash->capacity; i++)
        if (stash->entries[i].granule == granule)
            return &stash->entries[i];
    return NULL;
}
