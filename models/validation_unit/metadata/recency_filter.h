/* SPDX-License-Identifier: MIT */
/*
 * The approximate table: timestamps of entries evicted from the precise table. Its timestamps may be too late, but never too
 * early (Ren & Lis 2018 §V-B1; the recency Bloom filter is that of Fung 2015 §6.4).
 */
#ifndef VALIDATION_UNIT_RECENCY_FILTER_H
#define VALIDATION_UNIT_RECENCY_FILTER_H

#include <stdint.h>

#include "hd_h3.h"

typedef struct recency_times {
    uint64_t written;
    uint64_t read;
} recency_times;

typedef struct recency_filter {
    recency_times *slots; /* way by way */
    hd_h3 *hashes;
    uint32_t sets; /* of one way */
    uint32_t ways; /* one set with one way: a register with the latest timestamps of all */
} recency_filter;

/* 0: out of memory. */
uint32_t recency_filter_create(recency_filter *filter, uint32_t sets, uint32_t ways, uint64_t *seed);
void recency_filter_destroy(recency_filter *filter);
void recency_filter_reset(recency_filter *filter);

/* The minimum over the granule's slots. */
recency_times recency_filter_read(const recency_filter *filter, uint64_t granule);
void recency_filter_merge(recency_filter *filter, uint64_t granule, recency_times times);

#endif
