/* SPDX-License-Identifier: MIT */
/* Counts by place in the program (hd_profile.h), which cost one test each while nobody asks for them. */
#ifndef SIMT_CORE_PROFILE_H
#define SIMT_CORE_PROFILE_H

#include "parameters.h"
#include "places.h"

/*
 * Columns: X(identifier, unit, kind, doc), as statistics; the slots come last. Behind them follow those of the core's units
 * (hd_unit.profiled_count), of those that have not been chosen too: cores with different units share one table.
 */
#define CORE_PROFILE(X)                                                                                                \
    PLACES_INSTRUCTIONS(X)                                                                                             \
    X(wait_cycles, "cycles", COUNT, "cycles that paths stood here until their instruction issued, summed over paths")  \
    X(dual_issues, "instructions", COUNT, "instructions that issued in the slot of the one before them")               \
    PLACES_TRANSACTIONS(X)                                                                                             \
    TX_REASONS(X)                                                                                                      \
    CORE_SLOTS(X)

enum core_profile_column {
#define CORE_PROFILE_COLUMN(name, ...) PROFILE_##name,
    CORE_PROFILE(CORE_PROFILE_COLUMN)
#undef CORE_PROFILE_COLUMN
        PROFILE_COLUMN_COUNT
};

/* Where a path stands, and from which edge on. */
typedef struct profile_place {
    uint64_t since;   /* its status has not changed */
    uint64_t counted; /* edges below are in wait_cycles */
    uint32_t row;
    uint32_t reserved;
} profile_place;

/* Who had the slots of a port for a cause last. */
typedef struct profile_charge {
    uint64_t since;
    uint32_t path;
    uint32_t reserved;
} profile_charge;

typedef struct core_profile {
    hd_profile_table table; /* counts NULL: nobody asks */
    hd_profile ability;     /* with all columns, which are: */
    hd_statistic *columns;
    profile_place *places;           /* [path] */
    uint32_t issued[MAX_SCHEDULERS]; /* by port: row of the latest instruction */
    profile_charge charges[MAX_SCHEDULERS][CORE_SLOT_COUNT];
} core_profile;

#endif
