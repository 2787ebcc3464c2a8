/* SPDX-License-Identifier: MIT */
/*
 * The last-writer history: the commit ID of the youngest transaction that has passed hazard detection here and writes a word, or a
 * younger one; never an older one (Fung 2015 §4.2.5, Fig. 4.11). A set-associative table of recent writers, and a recency filter of
 * those that it had to evict. Writers are noted in the order of their IDs.
 */
#ifndef COMMIT_UNIT_KILO_HISTORY_H
#define COMMIT_UNIT_KILO_HISTORY_H

#include "history/exact.h"
#include "history/recency.h"
#include "parameters.h"

typedef struct history_parameters {
    uint32_t kind; /* HISTORY_*, not HISTORY_BFARRAY */
    uint32_t entries, ways;
    uint32_t filter, subarrays;
    uint64_t seed;
    uint32_t overwrites;    /* 1: FILTER_OVERWRITE */
    uint32_t drops_retired; /* 1: RETIRED_DROP */
} history_parameters;

typedef struct history_entry {
    uint64_t word;
    uint64_t writer; /* 0: free */
} history_entry;

typedef struct history {
    history_parameters parameters;
    uint32_t sets;
    history_entry *table; /* set by set; NULL: HISTORY_PERFECT */
    hd_h3 set_hash;
    recency filter;
    exact exact; /* HISTORY_PERFECT, and for invariants */
    kilo_counters *counters;
} history;

/* Sizes of HISTORY_LWH5K and HISTORY_LWH512 are known here. 0: out of memory; history_destroy must be called even then. */
uint32_t history_create(history *history, const history_parameters *parameters, kilo_counters *counters);
void history_destroy(history *history);
void history_reset(history *history);

/* 0: nobody writes it. Look-ups by the unit itself are counted, others leave no trace. */
uint64_t history_look_up(history *history, uint64_t address);
uint64_t history_peek(const history *history, uint64_t address);
/* retired: all older IDs have. */
void history_note(history *history, uint64_t address, uint64_t writer, uint64_t retired);

#endif
