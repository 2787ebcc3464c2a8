/* SPDX-License-Identifier: MIT */
/* Pointer chase: one thread, every load needs the value of the one before. */
#ifndef MICRO_CHASE_H
#define MICRO_CHASE_H

#include "micro.h"

enum chase_kind { SCRATCHPAD, L1_HIT, L2_HIT, L2_MISS };

/* A chain through one place of the hierarchy. Misses begin cold, the others with a round that is not timed. */
typedef struct chase {
    enum chase_kind kind;
    const char *step;
    const char *length;
    const char *warm;
    const char *also; /* what it always changes; may be NULL */
} chase;

/* The run, without refresh; netlist and change may be NULL. Close it. */
hd_machine *chase_run(const char *netlist, const chase *chase, const char *change);
/* Core cycles between the two readings of the counter, by the formulas of path.h. */
uint64_t chase_expected(const chase *chase, const hd_machine *machine);
uint64_t chase_measured(const hd_machine *machine);

#endif
