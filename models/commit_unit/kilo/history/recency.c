/* SPDX-License-Identifier: MIT */
#include "history/recency.h"

#include <stdlib.h>
#include <string.h>

uint32_t recency_create(recency *filter, uint32_t entries, uint32_t subarrays, uint64_t *seed)
{
    filter->subarrays = subarrays;
    filter->size = entries < subarrays ? 1 : entries / subarrays;
    filter->slots = calloc((size_t)filter->size * subarrays, sizeof *filter->slots);
    filter->hashes = calloc(subarrays, sizeof *filter->hashes);
    if (!filter->slots || !filter->hashes)
        return 0;
    for (uint32_t i = 0; i < subarrays; i++)
        hd_h3_draw(&filter->hashes[i], seed);
    return 1;
}

void recency_destroy(recency *filter)
{
    free(filter->slots);
    free(filter->hashes);
}

void recency_reset(recency *filter)
{
    memset(filter->slots, 0, (size_t)filter->size * filter->subarrays * sizeof *filter->slots);
}

static uint64_t *slot_of(const recency *filter, uint64_t key, uint32_t subarray)
{
    return &filter->slots[subarray * filter->size + hd_h3_hash(&filter->hashes[subarray], key) % filter->size];
}

uint64_t recency_of(const recency *filter, uint64_t key)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < filter->subarrays; i++) {
        const uint64_t number = *slot_of(filter, key, i);
        least = number < least ? number : least;
    }
    return least;
}

/* Evictions from several sets of a table do not come in the order of their numbers: the latest stays. */
void recency_note(recency *filter, uint64_t key, uint64_t number)
{
    for (uint32_t i = 0; i < filter->subarrays; i++) {
        uint64_t *slot = slot_of(filter, key, i);
        *slot = number > *slot || filter->overwrites ? number : *slot;
    }
}
