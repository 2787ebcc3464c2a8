/* SPDX-License-Identifier: MIT */
/* The precise table: each way has its own hash function, which determines the granule's slot in that way. */
#ifndef VALIDATION_UNIT_CUCKOO_H
#define VALIDATION_UNIT_CUCKOO_H

#include "entry.h"
#include "hd_h3.h"

#define CUCKOO_WAYS_MAX 8u

typedef struct cuckoo {
    metadata_entry *slots; /* way by way */
    hd_h3 *hashes;
    uint32_t sets; /* of one way */
    uint32_t ways;
    uint32_t used; /* slots */
} cuckoo;

/* 0: out of memory. */
uint32_t cuckoo_create(cuckoo *table, uint32_t sets, uint32_t ways, uint64_t *seed);
void cuckoo_destroy(cuckoo *table);
void cuckoo_reset(cuckoo *table);

/* The granule's slot in that way. */
metadata_entry *cuckoo_slot(const cuckoo *table, uint64_t granule, uint32_t way);
metadata_entry *cuckoo_find(const cuckoo *table, uint64_t granule); /* or NULL */
/* A free slot for the granule, or NULL. */
metadata_entry *cuckoo_free_slot(const cuckoo *table, uint64_t granule);

#endif
