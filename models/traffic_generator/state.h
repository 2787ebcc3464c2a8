/* SPDX-License-Identifier: MIT */
#ifndef TRAFFIC_GENERATOR_STATE_H
#define TRAFFIC_GENERATOR_STATE_H

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"
#include "parameters.h"
#include "trace.h"

enum { MESSAGE_LOAD, MESSAGE_STORE, MESSAGE_ATOMIC, MESSAGE_CAPACITY, MESSAGE_COUNT };

enum { EVENT_LOAD, EVENT_STORE, EVENT_ATOMIC, EVENT_OUTSTANDING, EVENT_COUNT };

#define NOT_YET UINT64_MAX /* no edge */

/* A request, from its generation to its answer. */
typedef struct request {
    uint64_t generated; /* edge; NOT_YET: closed loop, and no room so far */
    uint64_t sent;      /* edge */
    uint64_t address;
    uint32_t bytes;
    uint32_t operation; /* OPERATION_* */
    uint32_t version;   /* of the bytes when it was sent (data.c) */
} request;

typedef struct generator {
    const hd_services *services;
    const hd_address_map *map;
    const hd_trace *events; /* NULL: the run is not traced */
    uint32_t request_tracks;
    uint32_t shown_outstanding; /* the level that was recorded last */
    hd_value values[PARAMETER_COUNT];
    hd_link *request_out, *reply_in, *dispatch_in, *event_out;
    uint32_t messages[MESSAGE_COUNT];
    hd_cursor cursor;   /* next edge */
    uint64_t accounted; /* edges before this one are in the statistics */

    /* What comes next. */
    request next;
    uint32_t has_next;
    uint64_t made;   /* requests so far, `next` included */
    uint64_t period; /* with a rate: edge before which the next is not generated */
    uint64_t credit; /* periodic arrivals: rest of the division by the rate */
    trace trace;

    /* Addresses. The generator's footprint begins at `base`. */
    uint64_t base;
    uint64_t walk;       /* stride: offset of the next request */
    uint64_t *positions; /* by partition: offset of the next request there */

    /* Under way. */
    request *requests; /* by tag */
    uint32_t *free_tags;
    uint32_t outstanding;
    uint32_t *versions; /* by place of `bytes` in one's own footprint; NULL: every byte has one value */

    uint64_t free_from; /* edge after that of the last request that left */
    uint32_t waits_for_credit;
    uint32_t capacity_sent;
    uint32_t stopped; /* after a fault */
    uint64_t counters[STATISTIC_COUNT];
} generator;

static inline uint64_t parameter_of(const generator *self, uint32_t parameter)
{
    return self->values[parameter].u;
}

/* ---- create.c --------------------------------------------------------------------------------------------------------- */
uint32_t generator_check(const hd_value *values, hd_clock clock, hd_conflict *conflict);
hd_block *generator_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void generator_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void generator_reset(hd_block *block);
void generator_destroy(hd_block *block);

/* ---- address.c -------------------------------------------------------------------------------------------------------- */
/* Sets the places from which patterns start. Returns 0 if a partition has no line in the footprint, and which. */
int address_reset(generator *self, uint32_t *partition);
/* The place of the next request. */
uint64_t address_next(generator *self);

/* ---- generate.c ------------------------------------------------------------------------------------------------------- */
/* Makes the next request, or none: has_next. `edge` is that of the sending of the one before. */
void generate_next(generator *self);
/* First edge after what is measured. */
uint64_t generate_end(const generator *self);

/* ---- data.c ----------------------------------------------------------------------------------------------------------- */
/* The version that a request is sent with; a store begins a new one. */
uint32_t data_version(generator *self, const request *of);
/* The bytes that a store writes. */
void data_write(const request *of, uint8_t *bytes);
/* Compares what came back. Returns how many bytes are right; the first that is not, if it is less than all. */
uint32_t data_compare(const generator *self, const request *of, const uint8_t *bytes, uint32_t count,
                      uint8_t *expected);

/* ---- checkpoint.c ----------------------------------------------------------------------------------------------------- */
extern const hd_state generator_state;

/* ---- work.c, extension.c ---------------------------------------------------------------------------------------------- */
hd_time generator_advance(hd_block *block, hd_time now, hd_time horizon);
const void *generator_extension(hd_block *block, const char *id);

#endif
