/* SPDX-License-Identifier: MIT */
/*
 * Simulated time and clock edges.
 *
 * Time is an unsigned number of picoseconds. Edge n of a clock of f hertz is at floor(n * 10^12 / f) ps, exactly: no
 * rounded period is accumulated, so 1400 MHz and 700 MHz never drift apart. hd_clock_* use 128-bit divisions. A block that
 * steps from edge to edge uses hd_cursor, which only adds, and uses 64-bit divisions for short distances.
 */
#ifndef HD_TIME_H
#define HD_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t hd_time; /* picoseconds since the start of the run */

#define HD_NEVER UINT64_MAX
#define HD_PS_PER_SECOND UINT64_C(1000000000000)

__extension__ typedef unsigned __int128 hd_u128;

typedef struct hd_clock {
    uint64_t hz; /* 1 .. 10^12 */
} hd_clock;

static inline hd_time hd_earlier(hd_time a, hd_time b)
{
    return a < b ? a : b;
}

/* Time of edge n. */
static inline hd_time hd_clock_edge(hd_clock clock, uint64_t n)
{
    return (hd_time)((hd_u128)n * HD_PS_PER_SECOND / clock.hz);
}

/* Smallest n whose edge is at or after t. */
static inline uint64_t hd_clock_index_at_or_after(hd_clock clock, hd_time t)
{
    return (uint64_t)(((hd_u128)t * clock.hz + HD_PS_PER_SECOND - 1) / HD_PS_PER_SECOND);
}

/* Length of n cycles, rounded down: an edge plus this is never after the edge n cycles later. */
static inline hd_time hd_clock_cycles(hd_clock clock, uint64_t n)
{
    return hd_clock_edge(clock, n);
}

/* A clock edge with its exact remainder, so that the next edge can be computed exactly without a division. */
typedef struct hd_cursor {
    hd_clock clock;
    uint64_t n;         /* index of this edge */
    hd_time t;          /* its time */
    uint64_t remainder; /* n * 10^12 mod hz */
    uint64_t step;      /* 10^12 div hz */
    uint64_t step_remainder;
} hd_cursor;

/* Within this many picoseconds of a cursor, clocks below 4 GHz need no 128-bit division. */
#define HD_CURSOR_NEAR (UINT64_C(1) << 31)

static inline int hd_cursor_is_near(const hd_cursor *cursor, hd_time span)
{
    return span < HD_CURSOR_NEAR && cursor->clock.hz < UINT64_C(1) << 32;
}

/* Index of the first edge at or after t; t may be before the cursor. */
static inline uint64_t hd_cursor_index_of(const hd_cursor *cursor, hd_time t)
{
    uint64_t scaled;
    if (!hd_cursor_is_near(cursor, t < cursor->t ? cursor->t - t : t - cursor->t))
        return hd_clock_index_at_or_after(cursor->clock, t);
    if (t < cursor->t)
        return cursor->n - ((cursor->t - t) * cursor->clock.hz + cursor->remainder) / HD_PS_PER_SECOND;
    scaled = (t - cursor->t) * cursor->clock.hz;
    if (scaled <= cursor->remainder)
        return cursor->n;
    return cursor->n + (scaled - cursor->remainder + HD_PS_PER_SECOND - 1) / HD_PS_PER_SECOND;
}

/* Time of edge n, which is not before the cursor. */
static inline hd_time hd_cursor_time_of(const hd_cursor *cursor, uint64_t n)
{
    const uint64_t edges = n - cursor->n;
    if (edges >= HD_CURSOR_NEAR || cursor->clock.hz >= UINT64_C(1) << 32)
        return hd_clock_edge(cursor->clock, n);
    return cursor->t + edges * cursor->step + (cursor->remainder + edges * cursor->step_remainder) / cursor->clock.hz;
}

/* Moves the cursor to the first edge at or after t. */
static inline void hd_cursor_seek(hd_cursor *cursor, hd_time t)
{
    if (t >= cursor->t && hd_cursor_is_near(cursor, t - cursor->t)) {
        const uint64_t edges = hd_cursor_index_of(cursor, t) - cursor->n;
        const uint64_t rest = cursor->remainder + edges * cursor->step_remainder;
        cursor->n += edges;
        cursor->t += edges * cursor->step + rest / cursor->clock.hz;
        cursor->remainder = rest % cursor->clock.hz;
        return;
    }
    cursor->n = hd_clock_index_at_or_after(cursor->clock, t);
    hd_u128 scaled = (hd_u128)cursor->n * HD_PS_PER_SECOND;
    cursor->t = (hd_time)(scaled / cursor->clock.hz);
    cursor->remainder = (uint64_t)(scaled % cursor->clock.hz);
}

/* Sets the cursor to edge 0. */
static inline void hd_cursor_init(hd_cursor *cursor, hd_clock clock)
{
    cursor->clock = clock;
    cursor->step = HD_PS_PER_SECOND / clock.hz;
    cursor->step_remainder = HD_PS_PER_SECOND % clock.hz;
    cursor->n = cursor->t = cursor->remainder = 0;
}

/* Moves the cursor to the next edge. */
static inline void hd_cursor_next(hd_cursor *cursor)
{
    /* Neither a jump, which cannot be foretold, nor what a compiler would turn into vectors that wait for stores of parts of them. */
    const uint64_t remainder = cursor->remainder + cursor->step_remainder;
    const uint64_t carry = remainder >= cursor->clock.hz;
    cursor->n++;
    cursor->t += cursor->step + carry;
    cursor->remainder = carry ? remainder - cursor->clock.hz : remainder;
}

/* Moves the cursor to edge n, which is not before it. The next edge costs no division. */
static inline void hd_cursor_move(hd_cursor *cursor, uint64_t n)
{
    uint64_t rest;
    const uint64_t edges = n - cursor->n;
    if (edges <= 1) {
        if (edges)
            hd_cursor_next(cursor);
        return;
    }
    if (edges >= HD_CURSOR_NEAR || cursor->clock.hz >= UINT64_C(1) << 32) {
        hd_cursor_seek(cursor, hd_clock_edge(cursor->clock, n));
        return;
    }
    rest = cursor->remainder + edges * cursor->step_remainder;
    cursor->n = n;
    cursor->t += edges * cursor->step + rest / cursor->clock.hz;
    cursor->remainder = rest % cursor->clock.hz;
}

#ifdef __cplusplus
}
#endif

#endif
