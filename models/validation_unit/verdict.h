/* SPDX-License-Identifier: MIT */
/*
 * Whether a transaction with this timestamp may load from or store to this granule: the rules of eager conflict detection
 * (Ren & Lis 2018 §IV-A, Fig. 6), without packets or simulated time.
 */
#ifndef VALIDATION_UNIT_VERDICT_H
#define VALIDATION_UNIT_VERDICT_H

#include "metadata/entry.h"

typedef struct verdict_rules {
    uint32_t last_reader;   /* refuse a store with the timestamp of the last read, by another warp */
    uint32_t written_at;    /* test only: a write has its writer's timestamp, not one later */
    uint32_t owned_by_warp; /* test only: a reservation belongs to a warp, whatever the attempt */
} verdict_rules;

typedef struct verdict_request {
    uint64_t timestamp;
    uint32_t warp;
    uint32_t epoch;
    uint32_t is_store;
    uint32_t count; /* store: increment of the reservation */
    uint32_t pc;
} verdict_request;

#define VERDICT_APPROVED 0u
#define VERDICT_REFUSED 1u
#define VERDICT_WAIT 2u /* an earlier transaction has reserved the granule */
typedef struct verdict {
    uint32_t what;
    uint32_t reason; /* why refused: HD_GETM_LOAD_WRITTEN, ... */
    uint64_t cause;  /* refused: the granule's timestamp that is too late */
    uint32_t winner; /* refused or waiting: the other warp, HD_GETM_NOBODY = not known */
    uint32_t winner_pc;
    uint32_t is_owner;
} verdict;

verdict verdict_of(const verdict_rules *rules, const metadata_entry *entry, const verdict_request *request);
/* Updates the entry for an approved request. */
void verdict_apply(const verdict_rules *rules, metadata_entry *entry, const verdict_request *request);

#endif
