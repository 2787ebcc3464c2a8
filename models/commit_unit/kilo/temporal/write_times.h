/* SPDX-License-Identifier: MIT */
/*
 * The last-written table of temporal conflict detection (Fung 2015 §6.4): when transactions have last written each piece of the
 * partition, or later. It is looked up and updated in the events in which the slice accepts loads and writes (hd_tap.h).
 */
#ifndef COMMIT_UNIT_KILO_WRITE_TIMES_H
#define COMMIT_UNIT_KILO_WRITE_TIMES_H

#include "hd_time.h"
#include "history/exact.h"
#include "history/recency.h"

typedef struct write_times {
    recency filter;
    exact exact; /* for the invariant I-20 */
    uint32_t granularity;
} write_times;

/* Bytes of a line, by the line's address: those of a load, or of a write. */
typedef struct write_range {
    uint64_t first, end;
} write_range;

/* granularity: a power of two. 0: out of memory; write_times_destroy must be called even then. */
uint32_t write_times_create(write_times *times, uint32_t entries, uint32_t subarrays, uint32_t granularity,
                            uint64_t seed);
void write_times_destroy(write_times *times);
void write_times_reset(write_times *times);

/* The latest of all pieces that have bytes in the range; 0: none has been written. */
hd_time write_times_of(const write_times *times, write_range range);
void write_times_note(write_times *times, write_range range, hd_time t);

#endif
