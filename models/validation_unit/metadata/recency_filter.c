/* SPDX-License-Identifier: MIT */
#include "recency_filter.h"

#include <stdlib.h>
#include <string.h>

uint32_t recency_filter_create(recency_filter *filter, uint32_t sets, uint32_t ways, uint64_t *seed)
{
    filter->sets = sets;
    filter->ways = ways;
    filter->slots = calloc((size_t)sets * ways, sizeof *filter->slots);
    filter->hashes = calloc(ways, sizeof *filter->hashes);
    if (!filter->slots || !filter->hashes)
        return 0;
    for (uint32_t way = 0; way < ways; way++)
        hd_h3_draw(&filter->hashes[way], seed);
    return 1;
}

void recency_filter_destroy(recency_filter *filter)
{
    free(filter->slots);
    free(filter->hashes);
}

void recency_filter_reset(recency_filter *filter)
{
    memset(filter->slots, 0, (size_t)filter->sets * filter->ways * sizeof *filter->slots);
}

static recency_times *slot_of(const recency_filter *filter, uint64_t granule, uint32_t way)
{
    return &filter->slots[way * filter->sets + hd_h3_hash(&filter->hashes[way], granule) % filter->sets];
}

recency_times recency_filter_read(const recency_filter *filter, uint64_t granule)
{
    recency_times least = *slot_of(filter, granule, 0);
    for (uint32_t way = 1; way < filter->ways; way++) {
        const recency_times *slot = slot_of(filter, granule, way);
        least.written = slot->written < least.written ? slot->written : least.written;
        least.read = slot->read < least.read ? slot->read : least.read;
    }
    return least;
}

void recency_filter_merge(recency_filter *filter, uint64_t granule, recency_times times)
{
    for (uint32_t way = 0; way < filter->ways; way++) {
        recency_times *slot = slot_of(filter, granule, way);
        slot->written = slot->written > times.written ? slot->written : times.written;
        slot->read = slot->read > times.read ? slot->read : times.read;
    }
}
