/* SPDX-License-Identifier: MIT */
/*
 * Requests that wait until an earlier transaction gives its reservation back (Ren & Lis 2018 §V-B2, Fig. 9): a line for each
 * granule, of a few requests. Times are edges.
 */
#ifndef VALIDATION_UNIT_STALL_BUFFER_H
#define VALIDATION_UNIT_STALL_BUFFER_H

#include "hd_getm.h"
#include "hd_packet.h"
#include "parameters.h"

#define STALL_LINES_MAX 64u

typedef struct stall_waiter {
    hd_packet *request; /* owned */
    uint64_t since;
} stall_waiter;

typedef struct stall_line {
    uint64_t granule;
    uint64_t since;    /* that it is in use */
    uint32_t count;    /* waiters; 0 = free */
    uint32_t returned; /* loads that were woken and are on their way to the slice */
    stall_waiter *waiters;
} stall_line;

typedef struct stall_buffer {
    stall_line *lines;
    stall_waiter *waiters;
    uint32_t line_count;
    uint32_t capacity; /* of a line */
    uint32_t requests; /* waiting */
    uint32_t used;     /* lines */
    uint64_t marked;   /* lines, as bits, of whose granules something has changed */
    validation_counters *counters;
} stall_buffer;

/* 0: out of memory. */
uint32_t stall_create(stall_buffer *buffer, uint32_t lines, uint32_t entries, validation_counters *counters);
void stall_destroy(stall_buffer *buffer);
/* Free: gives the requests back one by one; NULL when there are none left. */
hd_packet *stall_take_any(stall_buffer *buffer);
void stall_reset(stall_buffer *buffer);

stall_line *stall_find(stall_buffer *buffer, uint64_t granule); /* or NULL: nobody waits */
/* 0: there is no room. */
uint32_t stall_push(stall_buffer *buffer, uint64_t granule, hd_packet *request, uint64_t edge);
void stall_mark(stall_buffer *buffer, uint64_t granule);
/* The waiter of the earliest time, and of the lowest warp of those; never NULL. */
stall_waiter *stall_oldest(const stall_line *line);
hd_packet *stall_take(stall_buffer *buffer, stall_line *line, stall_waiter *waiter, uint64_t edge);

#endif
