/* SPDX-License-Identifier: MIT */
#ifndef SCRIPTED_STATE_H
#define SCRIPTED_STATE_H

#include "hd_extension.h"
#include "hd_getm.h"
#include "hd_message.h"
#include "kit_outbox.h"
#include "scripted_core.h"

enum {
    PARAMETER_WARPS,
    PARAMETER_LANES,
    PARAMETER_WORDS,
    PARAMETER_OPERATIONS,
    PARAMETER_TRANSACTIONS,
    PARAMETER_STRIDE,
    PARAMETER_GRANULE,
    PARAMETER_DELAY,
    PARAMETER_WARP_BITS,
    PARAMETER_STORES_WAIT,
    PARAMETER_TIES,
    PARAMETER_COUNTS,
    PARAMETER_DRAINS,
    PARAMETER_PLAIN,
    PARAMETER_INTRA_WARP,
    PARAMETER_COUNT
};
enum { REQUESTS = 2 * SCRIPTED_LANES * SCRIPTED_OPERATIONS };
enum { PHASE_RUN, PHASE_BACK_OFF, PHASE_ROLLOVER, PHASE_DONE };

typedef struct operation {
    uint32_t is_store;
    uint32_t word;
} operation;

typedef struct log_entry {
    uint32_t word;
    uint32_t value;
    uint32_t reserved; /* stores approved */
} log_entry;

typedef struct lane {
    operation program[SCRIPTED_OPERATIONS];
    uint32_t length;
    log_entry reads[SCRIPTED_OPERATIONS];
    log_entry writes[SCRIPTED_OPERATIONS];
    uint32_t read_count, write_count;
} lane;

typedef struct request {
    uint32_t lanes; /* bits */
    uint32_t is_store;
    uint32_t is_open;
    uint32_t words[SCRIPTED_LANES];
} request;

typedef struct warp {
    uint32_t number; /* of all cores */
    uint32_t phase;
    uint64_t clock;
    uint64_t timestamp;
    uint64_t attempt; /* since reset */
    uint64_t valid;   /* first attempt since the last rollover */
    uint64_t cause;   /* latest, + 1; 0 = none */
    uint64_t wake;    /* edge at which it goes on */
    uint32_t transactions;
    uint32_t failures;
    uint32_t todo, live; /* lanes, as bits: of this transaction; of this attempt, not aborted */
    uint32_t step;
    uint32_t outstanding, loads_outstanding;
    uint32_t logs;
    uint32_t request_count;
    request requests[REQUESTS];
    lane lanes[SCRIPTED_LANES];
} warp;

typedef struct core {
    const hd_services *services;
    const hd_address_map *map;
    hd_cursor cursor;
    uint32_t load, store, store_ok, abort, log, log_ack, load_reply, rollover, rolled_over, rollover_end, atomic,
        atomic_reply;
    uint32_t warp_count, lane_count, word_count, operation_count, transaction_count, delay, warp_bits;
    uint64_t stride, granule;
    uint32_t stores_wait, has_ties, counts_requests, drains, intra_warp, plain;
    hd_link *out, *in;
    warp warps[SCRIPTED_WARPS];
    kit_outbox outbox;
    uint64_t era;
    uint32_t is_rolling; /* 1: logs are to drain; 2: until the end */
    uint16_t roller;
    uint32_t next_value;
    scripted_commit *commits;
    uint32_t commit_count, commit_capacity;
    uint64_t counters[3]; /* commits, aborts, rollovers */
} core;

static inline uint64_t word_address(const core *self, uint32_t word)
{
    return UINT64_C(0x10000000) + word * self->stride;
}

static inline uint32_t draw(const core *self, uint32_t below)
{
    return (uint32_t)(self->services->random(self->services->context) % below);
}

/* scripted_core.c: leaves at some edge from n on. */
void scripted_send(core *self, hd_packet *packet, uint64_t address, uint32_t unit, uint32_t destination, uint64_t n);
hd_packet *scripted_packet(core *self, uint32_t message, uint32_t body_bytes);

/* scripted_attempt.c */
void scripted_begin_transaction(core *self, warp *warp);
void scripted_begin_attempt(core *self, warp *warp, uint64_t n);
/* Goes on with what the warp can do at edge n. */
void scripted_step(core *self, warp *warp, uint64_t n, hd_time t);
void scripted_take_answer(core *self, const hd_packet *packet, uint64_t n, hd_time t);
/* scripted_commit.c */
void scripted_end_attempt(core *self, warp *warp, uint64_t n, hd_time t);

#endif
