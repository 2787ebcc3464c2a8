/* SPDX-License-Identifier: MIT */
/*
 * Events a bounded number of cycles ahead: a ring of cycles, each with a list. Adding and taking are O(1), and the next
 * cycle with an event is found by bits. Events of one cycle come out in the order in which they were added.
 */
#ifndef SIMT_CORE_TIMING_WHEEL_H
#define SIMT_CORE_TIMING_WHEEL_H

#include <stdint.h>

#include "hd_state.h"

#define WHEEL_CYCLES 2048u /* an event lies at most WHEEL_CYCLES - 1 ahead; the longest latency is 1024 + 64 + 64 */
#define WHEEL_WORDS 32u    /* of a bit for each cycle, which are as many as a word of words has bits */

enum wheel_event_kind { EVENT_WRITE_BACK, EVENT_RESOLVE, EVENT_BARRIER_RELEASE, EVENT_WARP_SYNC_RELEASE };

typedef struct wheel_event {
    uint64_t mask; /* lanes */
    uint32_t path; /* path */
    uint32_t
        owner; /* homes of the lanes (kept_homes), warp of warp.sync, block slot of a barrier; EVENT_RESOLVE: the path's
                     * sequence when it issued */
    uint32_t next;
    uint8_t kind;
    uint8_t number; /* register, or barrier */
} wheel_event;

typedef struct timing_wheel {
    wheel_event *events;
    uint32_t free;                                   /* the first of those that have been taken back */
    uint32_t used;                                   /* events from here on have never been added */
    uint32_t head[WHEEL_CYCLES], tail[WHEEL_CYCLES]; /* of cycles with events */
    uint64_t occupied[WHEEL_WORDS];                  /* those, a bit each */
    uint32_t words;                                  /* of occupied that are not 0, a bit each */
    uint64_t next;                                   /* first cycle with an event, UINT64_MAX if there is none */
} timing_wheel;

/* 0 on success; capacity is the most events that can be ahead at one time. */
int wheel_create(timing_wheel *wheel, uint32_t capacity);
void wheel_destroy(timing_wheel *wheel);
void wheel_reset(timing_wheel *wheel);
void wheel_transfer(timing_wheel *wheel, const hd_state_stream *stream);
/* Takes the next event of wheel->next, which must not be UINT64_MAX. Lent until the next wheel_add. */
const wheel_event *wheel_take(timing_wheel *wheel);

#define WHEEL_NONE UINT32_MAX

/* At most WHEEL_CYCLES - 1 after any event that has not been taken, and after the present. */
static inline void wheel_add(timing_wheel *wheel, uint64_t cycle, const wheel_event *event)
{
    uint32_t slot = cycle % WHEEL_CYCLES;
    uint32_t index = wheel->free;
    if (index == WHEEL_NONE)
        index = wheel->used++;
    else
        wheel->free = wheel->events[index].next;
    wheel->events[index] = *event;
    wheel->events[index].next = WHEEL_NONE;
    uint64_t *occupied = &wheel->occupied[slot / 64];
    if (*occupied >> slot % 64 & 1)
        wheel->events[wheel->tail[slot]].next = index;
    else
        wheel->head[slot] = index;
    wheel->tail[slot] = index;
    wheel->next = cycle < wheel->next ? cycle : wheel->next;
    *occupied |= UINT64_C(1) << slot % 64;
    wheel->words |= 1u << slot / 64;
}

#endif
