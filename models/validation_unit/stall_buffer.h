/* SPDX-License-Identifier: MIT */
/*
 * Requests that wait until an earlier transaction releases its reservation (Ren & Lis 2018 §V-B2, Fig. 9): one line per
 * granule, with a few requests each. Times are edges.
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
    uint64_t since;    /* in use since */
    uint32_t count;    /* waiters; 0 = free */
    uint32_t returned; /* loads that were woken and are in flight to the slice */
    stall_waiter *waiters;
} stall_line;

typedef struct stall_buffer {
    stall_line *lines;
    stall_waiter *waiters;
    uint32_t line_count;
    uint32_t capacity; /* of a line */
    uint32_t requests; /* waiting */
    uint32_t used;     /* lines */
    uint64_t marked;   /* bit mask of lines whose granule has changed */
    validation_counters *counters;
} stall_buffer;

/* 0: out of memory. */
uint32_t stall_create(stall_buffer *buffer, uint32_t lines, uint32_t entries, validation_counters *counters);
void stall_destroy(stall_buffer *buffer);
/* Removes and returns the requests one by one; NULL when there are none left. */
hd_packet *stall_take_any(stall_buffer *buffer);
void stall_reset(stall_buffer *buffer);

stall_line *stall_find(stall_buffer *buffer, uint64_t granule); /* NULL: no request waits */
/* 0: full. */
uint32_t stall_push(stall_buffer *buffer, uint64_t granule, hd_packet *request, uint64_t edge);
void stall_mark(stall_buffer *buffer, uint64_t granule);
/* The waiter with the earliest timestamp, and of several the lowest warp; never NULL. */
stall_waiter *stall_oldest(const stall_line *line);
hd_packet *stall_take(stall_buffer *buffer, stall_line *line, stall_waiter *waiter, uint64_t edge);

#endif
