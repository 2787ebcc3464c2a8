/* SPDX-License-Identifier: MIT */
#ifndef SCRIPTED_KILO_STATE_H
#define SCRIPTED_KILO_STATE_H

#include "hd_extension.h"
#include "hd_kilo.h"
#include "kit_outbox.h"
#include "scripted_kilo.h"

/* X(identifier, name, default, minimum, maximum, doc) */
#define SCRIPT_PARAMETERS(X)                                                                                           \
    X(WARPS, "warps", "4", 1, KILO_WARPS, "warps")                                                                     \
    X(LANES, "lanes", "4", 1, KILO_LANES, "lanes of each")                                                             \
    X(WORDS, "words", "24", 1, 65536, "words that they use")                                                           \
    X(OPERATIONS, "operations", "4", 1, KILO_OPERATIONS, "of a transaction, at most")                                  \
    X(TRANSACTIONS, "transactions", "3", 1, 1000000, "of a warp, one after the other")                                 \
    X(STRIDE, "stride", "4", 4, 65536, "bytes from word to word")                                                      \
    X(DELAY, "delay", "1", 1, 100000, "cycles that a packet may wait to leave")                                        \
    X(READERS, "readers", "20", 0, 100, "percent of lanes that store nothing")                                         \
    X(PLAIN, "plain", "0", 0, 100, "percent of attempts that begin with an atomic of no effect")                       \
    X(VALUES, "values", "0", 0, 1000, "that stores choose from; 0: each has another")                                  \
    X(AGGREGATE, "aggregate", "0", 0, 1, "outcomes are told to all lanes of a warp together")                          \
    X(INTRA_WARP, "intra_warp", "1", 0, 1, "lanes of a warp are checked against each other")                           \
    X(SILENT, "silent", "0", 0, 1, "readers commit at once where the last-written times allow it")                     \
    X(PENDING, "pending", "1", 0, 1, "and where nothing is said to be pending")

enum {
#define SCRIPT_PARAMETER(identifier, ...) SCRIPT_##identifier,
    SCRIPT_PARAMETERS(SCRIPT_PARAMETER)
#undef SCRIPT_PARAMETER
        SCRIPT_PARAMETER_COUNT
};

enum { PARTITIONS = 32 };
enum { PHASE_RUN, PHASE_BACK_OFF, PHASE_IDS, PHASE_COMMIT, PHASE_DONE };
enum { COUNT_COMMITS, COUNT_ABORTS, COUNT_SILENT, COUNT_RESENT, COUNT_VERDICTS, COUNT_COMMITTED, COUNT_COUNT };

typedef struct operation {
    uint32_t is_store;
    uint32_t word;
} operation;

typedef struct log_entry {
    uint32_t word;
    uint32_t value;
} log_entry;

typedef struct lane {
    operation program[KILO_OPERATIONS];
    uint32_t length;
    log_entry reads[KILO_OPERATIONS], writes[KILO_OPERATIONS];
    uint32_t read_count, write_count;
    hd_time first; /* load has left; HD_NEVER: not yet */
    uint32_t conflicts;
    uint64_t id;
    uint64_t touched, written; /* partitions */
    uint64_t awaited;          /* partitions that have to say something */
    uint32_t fails;
    hd_time decided;
} lane;

typedef struct warp {
    uint32_t number; /* of all cores */
    uint32_t phase;
    uint32_t epoch;
    uint32_t attempts; /* since reset */
    hd_time begun;     /* this one */
    uint64_t wake;     /* edge at which it goes on */
    uint32_t transactions;
    uint32_t todo, live; /* lanes, as bits: of this transaction; of this attempt, not decided */
    uint32_t step;
    uint32_t outstanding; /* loads */
    hd_kilo_group group;
    lane lanes[KILO_LANES];
} warp;

typedef struct core {
    const hd_services *services;
    const hd_address_map *map;
    hd_cursor cursor;
    uint32_t parameters[SCRIPT_PARAMETER_COUNT];
    struct {
        uint32_t load, load_reply, atomic, atomic_reply, read_set, write_set, done_skip, verdict, outcome, committed,
            resend, resent, take_ids, ids;
    } message;
    hd_link *out, *in, *take, *taken;
    warp warps[KILO_WARPS];
    kit_outbox outbox;               /* to partitions */
    hd_packet *requests[KILO_WARPS]; /* for IDs */
    uint32_t request_count;
    uint64_t ready[PARTITIONS]; /* of the latest packet to that commit unit */
    uint32_t next_value;
    kilo_commit *commits;
    uint32_t commit_count, commit_capacity;
    uint64_t counters[COUNT_COUNT];
} core;

static inline uint32_t parameter(const core *self, uint32_t number)
{
    return self->parameters[number];
}
static inline uint64_t word_address(const core *self, uint32_t word)
{
    return UINT64_C(0x10000000) + (uint64_t)word * (parameter(self, SCRIPT_STRIDE) / 4 * 4);
}
static inline uint32_t partition_of(const core *self, uint32_t word)
{
    return hd_partition_of(self->map, word_address(self, word));
}
static inline uint32_t draw(const core *self, uint32_t below)
{
    return (uint32_t)(self->services->random(self->services->context) % below);
}

/* scripted_kilo.c: leaves for the partition at some edge from n on. */
void script_send(core *self, hd_packet *packet, uint32_t partition, uint32_t unit, uint64_t n);
hd_packet *script_packet(core *self, const warp *warp, uint32_t message, uint32_t body_bytes);

/* scripted_kilo_attempt.c */
void script_begin_transaction(core *self, warp *warp);
/* Goes on with what the warp can do at edge n. */
void script_step(core *self, warp *warp, uint64_t n);
void script_take_load(core *self, const hd_packet *packet, uint64_t n);
void script_note_first(core *self, const hd_packet *load, hd_time t);
void script_end_attempt(core *self, warp *warp, uint64_t n);
void script_keep_commit(core *self, const warp *warp, uint32_t lane, uint64_t id);

/* scripted_kilo_commit.c */
/* The lanes that are live have reached the end. */
void script_commit(core *self, warp *warp, uint64_t n);
void script_take_answer(core *self, const hd_packet *packet, uint64_t n);
void script_take_ids(core *self, const hd_packet *packet, uint64_t n);

#endif
