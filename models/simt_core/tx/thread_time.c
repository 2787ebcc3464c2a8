/* SPDX-License-Identifier: MIT */
#include "thread_time.h"

#include <assert.h>

static void count(thread_time *time, tx_counters *counters, uint64_t now)
{
    const uint64_t cycles = now - time->since;
    time->since = now;
    if (!cycles)
        return;
    for (uint32_t class = 0; class < THREADS_EXECUTING; class ++)
        if (time->lanes[class])
            counters->thread_cycles_in[class] += cycles * bits_count(time->lanes[class]);
    if (time->lanes[THREADS_EXECUTING])
        time->executed += cycles;
}

static void take(thread_time *time, uint64_t lanes)
{
    for (uint32_t class = 0; class < THREAD_CLASSES; class ++)
        time->lanes[class] &= ~lanes;
}

void thread_time_enter(thread_time *time, uint64_t lanes, uint64_t now)
{
    *time = (thread_time){.entered = now, .since = now, .lanes = {[THREADS_OTHER] = lanes}};
}

/* Of a block that could not be restored, not all warps have come. */
void thread_time_end(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now)
{
    uint64_t present = 0;
    for (uint32_t class = 0; class < THREAD_CLASSES; class ++)
        present |= time->lanes[class];
    lanes &= present;
    count(time, counters, now);
    counters->thread_cycles += (now - time->entered) * bits_count(lanes);
    take(time, lanes);
}

void thread_time_move(thread_time *time, tx_counters *counters, uint64_t lanes, enum thread_class to, uint64_t now)
{
    count(time, counters, now);
    take(time, lanes);
    time->lanes[to] |= lanes;
}

void thread_time_decide(thread_time *time, tx_counters *counters, uint64_t lanes, uint32_t is_useful, uint64_t now)
{
    thread_time_move(time, counters, lanes, is_useful ? THREADS_COMMITTED : THREADS_ABORTED, now);
    counters->thread_cycles_in[is_useful ? THREADS_USEFUL : THREADS_ABORTED] += time->executed * bits_count(lanes);
}

uint64_t thread_time_pause(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now)
{
    thread_time_move(time, counters, lanes, THREADS_COMMITTED, now);
    return time->executed;
}

void thread_time_resume(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t executed, uint64_t now)
{
    assert(!time->lanes[THREADS_EXECUTING]);
    thread_time_move(time, counters, lanes, THREADS_EXECUTING, now);
    time->executed = executed;
}

void thread_time_attempt(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now)
{
    assert(!time->lanes[THREADS_EXECUTING]);
    thread_time_move(time, counters, lanes, THREADS_EXECUTING, now);
    time->executed = 0;
}

static uint64_t lanes_with_atomics(const thread_time *time, uint64_t lanes)
{
    uint64_t busy = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        busy |= time->atomics[__builtin_ctzll(left)] ? left & -left : 0;
    return busy;
}

void thread_time_go_on(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now)
{
    const uint64_t waited = lanes & time->lanes[THREADS_BARRIER], busy = lanes_with_atomics(time, waited);
    thread_time_move(time, counters, busy, THREADS_ATOMIC, now);
    thread_time_move(time, counters, waited & ~busy, THREADS_OTHER, now);
}

void thread_time_begin_atomic(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now)
{
    for (uint64_t left = lanes; left; left &= left - 1)
        time->atomics[__builtin_ctzll(left)]++;
    thread_time_move(time, counters, lanes & time->lanes[THREADS_OTHER], THREADS_ATOMIC, now);
}

/* A thread may have ended before. */
void thread_time_end_atomic(thread_time *time, tx_counters *counters, uint64_t lanes, uint64_t now)
{
    for (uint64_t left = lanes; left; left &= left - 1)
        time->atomics[__builtin_ctzll(left)]--;
    lanes &= time->lanes[THREADS_ATOMIC] & ~lanes_with_atomics(time, lanes);
    thread_time_move(time, counters, lanes, THREADS_OTHER, now);
}
