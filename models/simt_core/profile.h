/* SPDX-License-Identifier: MIT */
/* Counts by place in the program (hd_profile.h), which cost one test each while nobody asks for them. */
#ifndef SIMT_CORE_PROFILE_H
#define SIMT_CORE_PROFILE_H

#include "entities.h"
#include "parameters.h"
#include "places.h"

typedef struct simt_core simt_core;

/*
 * Columns: X(identifier, unit, kind, doc), as statistics; the slots come last. Behind them follow those of the core's units
 * (hd_unit.profiled_count), of those that have not been chosen too: cores with different units share one table.
 */
#define CORE_PROFILE(X)                                                                                                \
    PLACES_INSTRUCTIONS(X)                                                                                             \
    X(lost_lanes_before, "lanes", COUNT,                                                                               \
      "lanes that would have been lost here in the warps of the launch, where threads of several are compacted")       \
    X(wait_cycles, "cycles", COUNT, "cycles that paths stood here until their instruction issued, summed over paths")  \
    X(dual_issues, "instructions", COUNT, "instructions that issued in the slot of the one before them")               \
    X(spin_branches, "instructions", COUNT, "backward branches taken that are known to sustain spinning")              \
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

/* Only while somebody asks: */
void profile_count_path(simt_core *core, uint32_t path, enum core_profile_column column, uint64_t count);
/* At this pc of the warp's program. */
void profile_count_at(simt_core *core, uint32_t warp, uint32_t pc, uint32_t column, uint64_t count);
/* Lanes at pc have given up for what was done at winner_pc; 0: that is not known. */
void profile_conflict(simt_core *core, uint32_t warp, uint32_t pc, uint32_t winner_pc, uint64_t count);
void profile_status(simt_core *core, uint32_t path); /* is about to change */
void profile_issue(simt_core *core, uint32_t path);
void profile_slots(simt_core *core, uint32_t port, enum core_slot slot, uint64_t cycles);
void profile_settle(simt_core *core, uint64_t edge); /* what is below it is in the table */
/* Nobody asks. */
int profile_create(simt_core *core); /* nonzero: out of memory */
void profile_destroy(simt_core *core);
void profile_reset(simt_core *core);
/* Of a statistic of the unit in this slot, one of hd_unit.profiled_count. */
uint32_t profile_column(const simt_core *core, enum core_unit slot, uint32_t statistic);

#endif
