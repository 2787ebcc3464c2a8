/* SPDX-License-Identifier: MIT */
/*
 * The checker of races: two accesses of different threads to the same bytes, at least one of them a write, that nothing
 * orders. What orders is that of docs/memory-model.md; whatever order a run happened to take counts for nothing.
 *
 *   A barrier orders all that the block's threads did before it before all that they do after it; warp.sync likewise for
 *   the lanes of a warp. Lanes of a warp are not ordered otherwise, whatever runs them in lock-step.
 *   A fence in front of an atomic or a store, and one behind an atomic or lw.cg that may have seen it, order what lies before
 *   the one before what lies behind the other; .rl and .aq stand for the fences. Between the threads of a block, an atomic
 *   on the scratchpad needs no fence. A barrier hands on what others' fences have made visible.
 *   Transactions are ordered as they commit. A kernel comes after those that had ended when it began.
 *
 * No race: two atomics; lw.cg with anything; two plain stores of the same value; the first store behind a fence with an atomic;
 * two transactions. Source: happens-before by vector clocks, with only the accesses kept that can still be part of a new race
 * (Flanagan & Freund 2009, FastTrack); release and acquire by fences as in C11 (5.1.2.4, 7.17.4).
 *
 * It keeps, for each word that was accessed, up to MARKS_MAX accesses, and for each thread the latest CLOCK_ENTRIES threads that
 * it knows of; what is older counts as known. So memory is bounded, and races can be missed but are not invented.
 */
#ifndef HD_RACE_CHECKER_H
#define HD_RACE_CHECKER_H

#include "access_allocations.h"
#include "access_blocks.h"
#include "hd_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_race_checker hd_race_checker;

/* Never NULL. places is copied. blocks: those of the interval; the caller's, who keeps it up to date: BEGIN is taken by it first,
 * END last. */
hd_race_checker *hd_race_checker_create(const hd_access_places *places, hd_access_blocks *blocks);
void hd_race_checker_destroy(hd_race_checker *checker); /* NULL is allowed */

/* For texts; borrowed until the next call. */
void hd_race_checker_allocations(hd_race_checker *checker, const hd_allocations *allocations);
/* number: of the report, ascending from 1. */
void hd_race_checker_take(hd_race_checker *checker, const hd_access_record *record, uint64_t number);
/* An interval is over: all that is known is forgotten. */
void hd_race_checker_forget(hd_race_checker *checker);
/* What has been found since the last call, several lines each. Returns how many. */
uint32_t hd_race_checker_print(hd_race_checker *checker, const hd_text_sink *sink);

typedef struct hd_race_checks {
    uint64_t accesses; /* of lanes, to global memory and scratchpads */
    uint64_t orders;   /* barriers, warp.sync, fences, atomics of lanes, commits of lanes */
    uint64_t races;
} hd_race_checks;
hd_race_checks hd_race_checker_counts(const hd_race_checker *checker);

#ifdef __cplusplus
}
#endif

#endif
