/* SPDX-License-Identifier: MIT */
#ifndef VALIDATION_UNIT_STATE_H
#define VALIDATION_UNIT_STATE_H

#include "hd_extension.h"
#include "hd_getm.h"
#include "hd_message.h"
#include "hd_ring.h"
#include "hd_state.h"
#include "hd_tap.h"
#include "hd_trace.h"
#include "hd_work.h"
#include "metadata/metadata.h"
#include "stall_buffer.h"
#include "verdict.h"

enum {
    PORT_REQUEST,
    PORT_REPLY,
    PORT_LOAD,
    PORT_RELEASE,
    PORT_RELEASED,
    PORT_NEXT,
    PORT_PREVIOUS,
    PORT_TAP,
    PORT_COUNT
};

/* Trace events. */
enum { EVENT_RESERVED, EVENT_REFUSED, EVENT_CONFLICT, EVENT_REFUSAL, EVENT_WAITING, EVENT_ROLLOVER, EVENT_COUNT };

enum { WAIT_NONE, WAIT_REPLY, WAIT_SLICE };

struct pending_reply {
    hd_packet *packet;
    uint64_t ready; /* edge */
};

/* Phases of a rollover (rollover.c). */
enum {
    ROLLOVER_NONE,
    ROLLOVER_BEGIN,    /* it has seen a late clock, but has not sent its message yet */
    ROLLOVER_BEGUN,    /* its message is circulating in the ring */
    ROLLOVER_STOPPED,  /* stopped by another unit's message */
    ROLLOVER_TELL,     /* all units have stopped: messages to all cores */
    ROLLOVER_COLLECT,  /* waits for their answers */
    ROLLOVER_GO,       /* its tables are empty; the next message has not been sent yet */
    ROLLOVER_GOING,    /* that message is circulating in the ring */
    ROLLOVER_TELL_END, /* all tables are empty: messages to all cores */
};

typedef struct rollover {
    uint32_t phase;
    uint32_t core;    /* cores from this endpoint on have not been sent the message */
    uint32_t awaited; /* cores that have not answered */
    uint32_t waits;   /* for a credit of the ring */
    uint64_t since;   /* edge at which it stopped */
} rollover;

typedef struct validation {
    const hd_services *services;
    const hd_receivers *receivers;
    const hd_trace *trace;
    hd_cursor cursor; /* next edge to be processed */
    struct {
        uint32_t load, store, store_ok, abort, release, released, rollover, rolled_over, rollover_end, ring_stop,
            ring_go;
        uint32_t global_load, global_store, global_atomic;
    } message;

    uint32_t granule_shift;
    verdict_rules rules;
    uint32_t cause;
    uint32_t wakes;   /* WAKE_ALL, ... */
    uint32_t verdict; /* VERDICT_SAMPLE, ... */
    uint32_t latency;
    uint32_t reply_limit;
    uint32_t load_limit;
    uint32_t warp_bits;
    uint64_t clock_end;  /* first clock value that does not fit */
    uint64_t late_clock; /* first clock value that begins a rollover */

    hd_link *requests, *reply, *load, *release, *released, *next, *previous;

    metadata metadata;
    stall_buffer stall;
    uint32_t reserved_granules;
    uint64_t latest; /* latest timestamp in the partition */
    uint32_t era;

    hd_packet *current; /* request being looked up, or blocked after the look-up; NULL = none */
    uint64_t done;      /* edge at which the look-up ends */
    uint32_t is_woken;  /* it came from the stall buffer */
    uint32_t loads_under_way;
    uint32_t wait; /* WAIT_*: why no request is accepted although there are some */
    uint64_t wait_since;

    struct pending_reply *replies;
    hd_ring reply_ring;
    uint32_t reply_waits, load_waits, released_waits; /* for a credit */

    rollover rollover;
    validation_counters counters;
} validation;

/* Invariants, checked in builds without NDEBUG (Ren & Lis 2018 §IV-B; tests refer to the numbers). */
#ifdef NDEBUG
#define INVARIANT(self, t, holds, ...) ((void)(t))
#else
#define INVARIANT(self, t, holds, ...)                                                                                 \
    ((holds) ? (void)0 : (self)->services->fault((self)->services->context, t, __VA_ARGS__))
#endif

static inline uint64_t granule_of(const validation *self, uint64_t address)
{
    return address >> self->granule_shift;
}

/* The first edge at or after t. */
static inline uint64_t validation_edge(const validation *self, hd_time t)
{
    return hd_cursor_index_of(&self->cursor, t);
}

/* trace.c */
extern const hd_trace_event validation_trace_events[EVENT_COUNT];
void validation_trace_reserved(validation *self, const verdict_request *request, uint64_t granule, hd_time t);
void validation_trace_refused(validation *self, const hd_packet *request, const verdict *verdict, hd_time t);

/* access.c: at most one request enters the tables per edge, and at most one leaves them. */
void validation_access(validation *self, uint64_t n, hd_time t);
/* Adds the next work of validation_access. */
void validation_access_work(const validation *self, hd_work *work);
/* The entry has changed in a way that waiting requests may be waiting for. The entry may be gone afterwards. */
void validation_touched(validation *self, metadata_entry *entry);
/* Executes a verdict: replies to the request or stalls it. Takes ownership of the request. */
void validation_resolve(validation *self, metadata_entry *entry, hd_packet *request, const verdict *verdict, hd_time t);
verdict_request validation_request_of(const hd_packet *request, uint32_t is_store);
/* Updates the entry for an approved request. */
void validation_approve(validation *self, metadata_entry *entry, const verdict_request *request, const verdict *verdict,
                        hd_time t);

/* release.c */
void validation_release(validation *self, uint64_t address, const hd_getm_release *release, uint32_t warp,
                        uint32_t epoch, hd_time t);
void validation_take_releases(validation *self, hd_time t);

/* reply.c */
void validation_answer(validation *self, hd_packet *request, uint32_t message, uint64_t n);
void validation_refuse(validation *self, hd_packet *request, const verdict *verdict, uint64_t n);
/* Sends a message to this endpoint. */
void validation_send_to_core(validation *self, uint32_t message, uint32_t endpoint, uint64_t n);
void validation_send_replies(validation *self, uint64_t n, hd_time t);

/* rollover.c */
void rollover_see_clock(validation *self, uint64_t timestamp, hd_time t);
uint32_t rollover_is_stopped(const validation *self);
void rollover_take_answer(validation *self);
void rollover_step(validation *self, uint64_t n, hd_time t);
void rollover_add_work(const validation *self, hd_work *work);

/* tap.c */
extern const hd_tap validation_tap;

/* checkpoint.c */
extern const hd_state validation_state;

/* extension.c */
const void *validation_extension(hd_block *block, const char *id);

/* create.c */
uint32_t validation_check(const hd_value *values, hd_clock clock, hd_conflict *conflict);
hd_block *validation_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void validation_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void validation_reset(hd_block *block);
void validation_destroy(hd_block *block);
/* Resets tables, stall buffer and timestamps; waiting requests are dropped. */
void validation_forget(validation *self);

/* advance.c */
hd_time validation_advance(hd_block *block, hd_time now, hd_time horizon);

#endif
