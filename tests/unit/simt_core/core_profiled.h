/* SPDX-License-Identifier: MIT */
/* The counts by place in the program of a core under test, and what has to hold of them. */
#ifndef TEST_CORE_PROFILED_H
#define TEST_CORE_PROFILED_H

#include "core_rig.h"

typedef struct core_conflict {
    uint32_t row, winner;
    uint64_t lanes;
} core_conflict;

typedef struct core_profiled {
    core_rig *rig;
    uint64_t *counts;
    core_conflict *conflict; /* the places of the latest, the lanes of all */
    uint32_t words;          /* of the program, which ends with the first 0 */
} core_profiled;

/* Before anything is launched. End it before the rig is destroyed. */
core_profiled profiled_begin(core_rig *rig, const uint32_t *words);
void profiled_end(core_profiled *profiled);

/* Of word `word` of the program; of `words`, what has no place in it. The test fails if there is no such column. */
uint64_t profiled_at(const core_profiled *profiled, uint32_t word, const char *column);
uint64_t profiled_sum(const core_profiled *profiled, const char *column);
/* One number for all of it. */
uint64_t profiled_fingerprint(const core_profiled *profiled);

/* Columns add up to the statistics of their names, every issued instruction has a place, and lanes are whole. */
void profiled_expect_identities(const core_profiled *profiled, const char *what);

#endif
