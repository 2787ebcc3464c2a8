/* SPDX-License-Identifier: MIT */
/*
 * Time of a block's next work: an edge of its own clock, or the arrival of a packet. These functions step through clock
 * edges and need divisions only for long gaps.
 */
#ifndef HD_WORK_H
#define HD_WORK_H

#include "hd_time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_work {
    uint64_t edge; /* earliest edge index with work; UINT64_MAX = none */
    hd_time time;  /* earliest awaited arrival: there is work at the first edge at or after it; HD_NEVER = none */
} hd_work;

static inline hd_work hd_work_none(void)
{
    hd_work work;
    work.edge = UINT64_MAX;
    work.time = HD_NEVER;
    return work;
}

static inline void hd_work_at_edge(hd_work *work, uint64_t edge)
{
    work->edge = edge < work->edge ? edge : work->edge;
}

static inline void hd_work_at_time(hd_work *work, hd_time time)
{
    work->time = time < work->time ? time : work->time;
}

/* Moves the cursor forward to the first edge at or after t; never moves it back. */
static inline void hd_cursor_catch_up(hd_cursor *cursor, hd_time t)
{
    if (cursor->t < t)
        hd_cursor_seek(cursor, t);
}

/* Moves the cursor forward to the first edge with work. Returns 0, cursor unchanged, if there is none. */
static inline int hd_work_seek(const hd_work *work, hd_cursor *cursor)
{
    uint64_t edge = work->edge;
    if (edge <= cursor->n || work->time <= cursor->t)
        return 1;
    if (work->time != HD_NEVER) {
        const uint64_t arrival = hd_cursor_index_of(cursor, work->time);
        edge = arrival < edge ? arrival : edge;
    }
    if (edge == UINT64_MAX)
        return 0;
    hd_cursor_move(cursor, edge);
    return 1;
}

/* Moves the cursor forward to the first edge with work, if that is before the horizon. Returns its time, of a later one too; HD_NEVER:
 * there is none. Is the time before the horizon, the cursor is there, else it is where it was. */
static inline hd_time hd_work_seek_before(const hd_work *work, hd_cursor *cursor, hd_time horizon)
{
    const uint64_t n = cursor->n, remainder = cursor->remainder;
    const hd_time t = cursor->t;
    hd_time next;
    if (!hd_work_seek(work, cursor))
        return HD_NEVER;
    next = cursor->t;
    if (next >= horizon) {
        cursor->n = n;
        cursor->t = t;
        cursor->remainder = remainder;
    }
    return next;
}

/* First edge at or after both t and the cursor; HD_NEVER if t is HD_NEVER. */
static inline hd_time hd_cursor_edge_from(const hd_cursor *cursor, hd_time t)
{
    if (t == HD_NEVER || t <= cursor->t)
        return t == HD_NEVER ? HD_NEVER : cursor->t;
    return hd_cursor_time_of(cursor, hd_cursor_index_of(cursor, t));
}

/* Functions with which hd_walk_span advances a block whose cursor is on its next edge. */
typedef struct hd_walk {
    void (*account_until)(void *block,
                          uint64_t edge); /* counts statistics of all edges before this one; NULL: there are none */
    void (*work)(void *block, hd_time t); /* does all work of the edge at t */
    hd_time (*next)(const void *block);   /* next edge with work, HD_NEVER if there is none */
} hd_walk;

/* For account_until: returns the number of edges before this one that have not been accounted, and marks them so. */
static inline uint64_t hd_walk_account(uint64_t *accounted, uint64_t edge)
{
    const uint64_t cycles = edge > *accounted ? edge - *accounted : 0;
    *accounted += cycles;
    return cycles;
}

/* Implements advance. The first edge is always processed: an awaited credit may have arrived. */
static inline hd_time hd_walk_span(const hd_walk *walk, void *block, hd_cursor *cursor, hd_time now, hd_time horizon)
{
    hd_time next = now;
    while (next < horizon) {
        if (next > cursor->t)
            hd_cursor_seek(cursor, next);
        if (cursor->t >= horizon)
            break;
        if (walk->account_until)
            walk->account_until(block, cursor->n);
        walk->work(block, cursor->t);
        hd_cursor_next(cursor);
        next = walk->next(block);
    }
    if (walk->account_until && horizon != HD_NEVER)
        walk->account_until(block, hd_cursor_index_of(cursor, horizon));
    return walk->next(block);
}

#ifdef __cplusplus
}
#endif

#endif
