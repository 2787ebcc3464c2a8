/* SPDX-License-Identifier: MIT */
/* A few entries, searched in parallel, for which the cuckoo table had no room. */
#ifndef VALIDATION_UNIT_STASH_H
#define VALIDATION_UNIT_STASH_H

#include "entry.h"

typedef struct stash {
    metadata_entry *entries;
    uint32_t capacity;
    uint32_t used;
} stash;

/* 0: out of memory. */
uint32_t stash_create(stash *stash, uint32_t capacity);
void stash_destroy(stash *stash);
void stash_reset(stash *stash);

metadata_entry *stash_find(const stash *stash, uint64_t granule); /* or NULL; NO_GRANULE finds a free entry */

#endif
