/* SPDX-License-Identifier: MIT */
/*
 * The entries of a SIMT stack, and a look at them for tests. Bottom is entry 0; only the top entry's lanes run.
 *
 * An entry is either lanes that have yet to run, or, below entries that point at its pc as their reconvergence point,
 * the lanes that will go on together from there. Its pc is then that point; ISA_RECONVERGE_AT_RETURN as pc means that
 * the lanes bring the pc with them when they return.
 *
 * Bound: a warp of n lanes needs at most 2n - 1 entries, whatever it calls, loops over or recurses into. Only lanes
 * that part make entries. Each waiting entry on the way to the top stands for one parting, which sent at least one
 * lane elsewhere than to the entry that was on top of it; those lanes are different for every such entry and not on
 * top, so there are at most n - 1 of them. The entries that have yet to run, with the top, are disjoint and not empty,
 * so there are at most n of them. TAIL-MERGE is what gives a loop, or a recursion at its end, one parting instead of
 * one per iteration where no lane leaves.
 *
 * A transaction is two entries more (Fung 2015 §4.2.1): ENTRY_RETRY has the lanes that have aborted, and the pc at which they
 * start again; above it ENTRY_TRANSACTION has the lanes of this attempt, those that have parted above it included. The bound
 * holds for what is above as for a warp of these lanes, so that with a transaction it is 2n + 1.
 *
 * Lanes of it that pause keep their entries; those that go on have left them for an ENTRY_TRANSACTION of their own, on top of an
 * ENTRY_PAUSE, which has no lanes. When these are done, the two are dropped. Each group of k lanes has 2k - 1 entries at most, and
 * there is an ENTRY_PAUSE less than groups, so that the bound is the same. Source: Ren & Lis 2018 §VI.
 *
 * Likely-convergence points (Fung 2015 §3.4): at a branch that has one, an entry without lanes is pushed first, at that pc. Lanes that
 * come there before their own stop point go to it from their entries, and run when it is on top. The entries that a TAIL-MERGE
 * pushes inherit the point of the one that they replace, and no others do: else lanes would be below the point too, and run twice.
 * Each such entry that waits stands for a parting on the way to the top, so there are n - 1 at most, and the bound is 3n - 2, or
 * 3n with a transaction.
 */
#ifndef SIMT_CORE_STACK_H
#define SIMT_CORE_STACK_H

#include "reconvergence.h"

enum { STACK_FIRST, STACK_LIKELY_POINTS, STACK_BRANCH_PROFILE, STACK_PARAMETERS }; /* its own */

#define FIRST_TAKEN 0u /* of STACK_FIRST: side of a divergent branch that runs first */
#define FIRST_NOT_TAKEN 1u
#define FIRST_FEWER 2u /* the side with fewer lanes; a tie is FIRST_TAKEN */

#define ENTRY_NORMAL 0u
#define ENTRY_RETRY 1u
#define ENTRY_TRANSACTION 2u
#define ENTRY_PAUSE 3u

typedef struct stack_entry {
    uint64_t mask;
    uint32_t pc;
    uint32_t depth; /* calls that have not returned */
    uint32_t stop_pc;
    uint32_t stop_depth;
    uint32_t type;      /* ENTRY_* */
    uint32_t likely_pc; /* at stop_depth: lanes that come there go to the entry likely_at; 0: to none */
    uint32_t likely_at;
    uint32_t paused; /* ENTRY_PAUSE: index of the ENTRY_TRANSACTION of those that pause */
} stack_entry;

/* Entries of the warp's stack; 0 when it has no live lane. */
uint32_t stack_size(const reconvergence *unit, uint32_t warp);

/* Entry `index`, below stack_size; the top one with the pc its path has now. */
stack_entry stack_entry_at(const reconvergence *unit, uint32_t warp, uint32_t index);

#endif
