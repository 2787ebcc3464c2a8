/* SPDX-License-Identifier: MIT */
/* Counts by place in the program (hd_profile.h), which cost one test each while nobody asks for them. */
#ifndef SIMT_CORE_PROFILE_H
#define SIMT_CORE_PROFILE_H

#include "hd_profile.h"
#include "parameters.h"

/*
 * Columns: X(identifier, unit, kind, doc), as statistics; the slots come last. One that a unit of the core counts at its own
 * events is a row here, and a call of profile_count at these.
 */
#define CORE_PROFILE(X)                                                                                                \
    X(warp_instructions, "instructions", COUNT, "instructions issued, one per warp or path")                           \
    X(thread_instructions, "instructions", COUNT, "instructions issued, times active lanes")                           \
    X(lost_lanes, "lanes", COUNT, "lanes of the warp that took no part in instructions issued")                        \
    X(divergent_branches, "branches", COUNT, "control transfers whose lanes parted")                                   \
    X(wait_cycles, "cycles", COUNT, "cycles that paths stood here until their instruction issued, summed over paths")  \
    X(tx_attempts, "attempts", COUNT, "attempts of lanes, at their tx.begin")                                          \
    X(tx_commits, "transactions", COUNT, "transactions of lanes that committed, at their tx.begin")                    \
    X(tx_aborts, "attempts", COUNT, "attempts of lanes given up: at the access that was refused, or where they stood") \
    TX_REASONS(X)                                                                                                      \
    CORE_SLOTS(X)

enum core_profile_column {
#define CORE_PROFILE_COLUMN(name, unit, kind, doc) PROFILE_##name,
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
    hd_profile_table table;          /* counts NULL: nobody asks */
    profile_place *places;           /* [path] */
    uint32_t issued[MAX_SCHEDULERS]; /* by port: row of the latest instruction */
    profile_charge charges[MAX_SCHEDULERS][CORE_SLOT_COUNT];
} core_profile;

extern const hd_profile core_profile_ability;

#endif
