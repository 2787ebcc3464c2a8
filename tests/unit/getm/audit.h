/* SPDX-License-Identifier: MIT */
/*
 * Are all reservations accounted for (I1)? At any moment what a validation unit has reserved of a granule is what logs say that
 * have not been applied, in cores, on the way or in commit units, and approvals that are on their way. What is sent and given back is
 * watched; approvals on their way are known by their bounds: at least none, at most what cores have asked for.
 */
#ifndef GETM_AUDIT_H
#define GETM_AUDIT_H

#include "hd_extension.h"
#include "hd_getm.h"
#include "hd_tap.h"
#include "kit_internal.h"

enum { AUDIT_GRANULES = 4096, AUDIT_RELEASES = 256 };

typedef struct audit_release {
    hd_getm_release release;
    uint64_t address;
    uint64_t tag;
    uint32_t partition;
} audit_release;

typedef struct audit {
    hd_engine *engine;
    const hd_address_map *map;
    const uint32_t *validations, *commits; /* blocks, by partition */
    uint32_t cores, core_count;            /* blocks: first, and how many */
    uint64_t granule, first;               /* bytes, and number of the first granule */
    uint32_t granules;
    int64_t sent[AUDIT_GRANULES];       /* in logs that have left, */
    int64_t given_back[AUDIT_GRANULES]; /* and of these what has been applied; in stores of lanes */
    audit_release releases[AUDIT_RELEASES];
    uint32_t release_count;
    uint32_t log, release, released;
    uint64_t checks;
    hd_observer observer;
} audit;

/* The rest is filled in by the caller. */
void audit_begin(audit *audit);
/* The slice of a partition has accepted a store. */
void audit_note_store(audit *audit, const hd_packet *request);
/* 1, or 0 and what is wrong. */
uint32_t audit_check(audit *audit, char *wrong, uint32_t bytes);

#endif
