/* SPDX-License-Identifier: MIT */
/*
 * Metadata of the granules of a partition: the precise tables and the approximate one (Ren & Lis 2018 §V-B1, Fig. 8). A
 * granule is in exactly one place: cuckoo table, stash, overflow list, or only in the filter. Entries that are reserved or
 * pinned stay precise.
 */
#ifndef VALIDATION_UNIT_METADATA_H
#define VALIDATION_UNIT_METADATA_H

#include "cuckoo.h"
#include "overflow.h"
#include "parameters.h"
#include "recency_filter.h"
#include "stash.h"

typedef struct metadata_parameters {
    uint32_t sets, ways; /* of the cuckoo table */
    uint32_t stash;
    uint32_t max_kicks;
    uint32_t eviction;        /* EVICTION_EAGER, ... */
    uint32_t overflow_cycles; /* of an access to it */
    uint32_t overflow_lists, overflow_line;
    uint32_t approximate; /* APPROXIMATE_NONE, ... */
    uint32_t filter_sets, filter_ways;
    uint64_t seed;
    uint32_t keeps_new; /* an entry is not evicted during its own insertion; 0 only in tests */
} metadata_parameters;

typedef struct metadata {
    metadata_parameters parameters;
    cuckoo table;
    stash stash;
    overflow overflow;
    recency_filter filter;
    uint32_t turn; /* way of the next kick */
    validation_counters *counters;
} metadata;

/* 0: out of memory. metadata_destroy must be called even then. */
uint32_t metadata_create(metadata *metadata, const metadata_parameters *parameters, validation_counters *counters);
void metadata_destroy(metadata *metadata);
void metadata_reset(metadata *metadata);

/* The precise entry, or NULL. Valid until the next look-up. */
metadata_entry *metadata_find(const metadata *metadata, uint64_t granule);
/* The same; inserts it with timestamps from the filter if it is missing. Takes *cycles >= 1. NULL only in tests (keeps_new). */
metadata_entry *metadata_look_up(metadata *metadata, uint64_t granule, uint32_t *cycles);
/* To be called when the entry may no longer need to be precise. The entry may be gone afterwards. */
void metadata_settle(metadata *metadata, metadata_entry *entry);
/* Number of places that hold the granule: 1, or 0. */
uint32_t metadata_places(const metadata *metadata, uint64_t granule);
/* A granule that is reserved or pinned, or NO_GRANULE. */
uint64_t metadata_find_kept(const metadata *metadata);

#endif
