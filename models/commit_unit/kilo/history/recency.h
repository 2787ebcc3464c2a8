/* SPDX-License-Identifier: MIT */
/*
 * A recency Bloom filter: the latest number that each of many keys has been given, or a later one; never an earlier one. Numbers
 * of a key do not decrease. Sub-arrays have a hash function each (Fung 2015 §4.2.5, §6.4).
 */
#ifndef COMMIT_UNIT_KILO_RECENCY_H
#define COMMIT_UNIT_KILO_RECENCY_H

#include <stdint.h>

#include "hd_h3.h"

typedef struct recency {
    uint64_t *slots; /* sub-array by sub-array */
    hd_h3 *hashes;
    uint32_t subarrays;
    uint32_t size;       /* of a sub-array */
    uint32_t overwrites; /* 1: in tests, an earlier number may replace a later one */
} recency;

/* entries: of all sub-arrays together; each has at least one. 0: out of memory; recency_destroy must be called even then. */
uint32_t recency_create(recency *filter, uint32_t entries, uint32_t subarrays, uint64_t *seed);
void recency_destroy(recency *filter);
void recency_reset(recency *filter);

/* 0: it has never been given one. */
uint64_t recency_of(const recency *filter, uint64_t key);
void recency_note(recency *filter, uint64_t key, uint64_t number);

#endif
