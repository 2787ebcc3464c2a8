/* SPDX-License-Identifier: MIT */
/*
 * May a transaction at this time load from, or store to, this granule? The rules of eager conflict detection (Ren & Lis 2018
 * §IV-A, Fig. 6), and nothing else: no packets, no time of the machine.
 */
#ifndef VALIDATION_UNIT_VERDICT_H
#define VALIDATION_UNIT_VERDICT_H

#include "metadata/entry.h"

typedef struct verdict_rules {
    uint32_t last_reader;   /* a store at the time of another warp's last read is refused */
    uint32_t written_at;    /* test only: a write counts as of its writer's time, not one later */
    uint32_t owned_by_warp; /* test only: whatever the attempt */
} verdict_rules;

typedef struct verdict_request {
    uint64_t timestamp;
    uint32_t warp;
    uint32_t epoch;
    uint32_t is_store;
    uint32_t count; /* of a store: what it adds to the reservation */
    uint32_t pc;
} verdict_request;

#define VERDICT_APPROVED 0u
#define VERDICT_REFUSED 1u
#define VERDICT_WAIT 2u /* an earlier transaction has reserved the granule */
typedef struct verdict {
    uint32_t what;
    uint32_t reason; /* why refused: HD_GETM_LOAD_WRITTEN, ... */
    uint64_t cause;  /* refused: the granule's time that is too late */
    uint32_t winner; /* refused or to wait: for whom, HD_GETM_NOBODY = not known */
    uint32_t winner_pc;
    uint32_t is_owner;
} verdict;

verdict verdict_of(const verdict_rules *rules, const metadata_entry *entry, const verdict_request *request);
/* What an approved request leaves behind. */
void verdict_apply(const verdict_rules *rules, metadata_entry *entry, const verdict_request *request);

#endif
