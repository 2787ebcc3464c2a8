/* SPDX-License-Identifier: MIT */
/*
 * What the threads of a core spend their cycles on (Fung 2015 §4.4.2, Fig. 4.9). Each thread is in one class from its launch to its
 * end; statistics thread_cycles_* are the times in them, and add up to thread_cycles, which is counted apart from them. Whether an
 * attempt was useful is known when the lane commits or aborts: until then its cycles are in no statistic.
 */
#ifndef SIMT_CORE_TX_THREAD_TIME_H
#define SIMT_CORE_TX_THREAD_TIME_H

#include <stdint.h>

#include "bits.h"
#include "parameters.h"
#include "reconvergence.h"

/* Those that have a statistic, in the order of TX_THREAD_CYCLES; and, behind them, the one that has none yet. */
enum thread_class {
    THREADS_THROTTLED,
    THREADS_COMMITTING,
    THREADS_COMMITTED,
    THREADS_ABORTED,
    THREADS_USEFUL, /* nobody is in it: what has been executed comes here at the commit */
    THREADS_ATOMIC,
    THREADS_BARRIER,
    THREADS_OTHER,
    THREADS_EXECUTING,
    THREAD_CLASSES
};
_Static_assert(sizeof((tx_counters *)NULL)->thread_cycles_in == THREADS_EXECUTING * sizeof(uint64_t),
               "a counter per class");

/* Of a warp. Times are edges. */
typedef struct thread_time {
    uint64_t entered;
    uint64_t since;                 /* up to here everything is counted */
    uint64_t executed;              /* of the attempt that runs: cycles of each lane that is in it still */
    uint64_t lanes[THREAD_CLASSES]; /* by class; in none: no thread, or it has ended */
    uint16_t atomics[MAX_LANES];    /* of the lane, in flight */
} thread_time;

/* Everything up to `now` is counted as it was. Lanes enter and end once; those that are moved are in the warp. */
void thread_time_enter(thread_time *time, uint64_t lanes, uint64_t now);
void thread_time_end(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now);
void thread_time_move(thread_time *time, tx_counters *counters, uint64_t lanes, enum thread_class to, uint64_t now);
/* These lanes commit, or abort: what they have executed of the attempt was useful, or not. */
void thread_time_decide(thread_time *time, tx_counters *counters, uint64_t lanes, uint32_t is_useful, uint64_t now);
/* These lanes of the attempt that runs pause. Returns what they have executed of it, to be given back when they, and no others, go on. */
uint64_t thread_time_pause(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now);
void thread_time_resume(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t executed, uint64_t now);
/* An attempt of these lanes begins; no other runs. */
void thread_time_attempt(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now);
/* Those of the lanes that have waited at a barrier go on. */
void thread_time_go_on(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now);
/* Atomics of these lanes are sent, or have been answered. */
void thread_time_begin_atomic(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now);
void thread_time_end_atomic(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now);

#endif
