/* SPDX-License-Identifier: MIT */
/*
 * The interface of a protocol of transactions (a unit of kind `tx`): the state of a warp's transaction that all protocols share, the
 * functions that a protocol has (tx_unit), and what it may ask of the shared part (tx_calls), of the core (tx_core) and of the
 * memory pipe (memory_calls). A protocol includes this header, those of its messages and no other of the core's; it calls nothing but
 * what it has been given, so that it can be compiled in or come with a plug-in.
 *
 * A change of anything that this header shows, and those that it includes, is another version of TX_INTERFACE.
 *
 * A path of a warp begins a transaction on global memory or on the scratchpad, with the protocol that has those, and its lanes execute it
 * together. Other paths of the warp, where it has some, run on outside, and wait at a tx.begin of theirs: a warp is in one transaction
 * at most. Logs record their reads and writes of global memory. Lanes abort one by one or together. When the remaining lanes have
 * reached tx.commit, and nothing of the attempt is in flight, conflicts between them are resolved, and the protocol commits the
 * survivors. Lanes that have aborted start again behind tx.begin, with the registers and private memory that they had there.
 * Source: Fung 2015 §4.2, §6.3; Ren & Lis 2018 §V-A.
 */
#ifndef SIMT_CORE_TX_PROTOCOL_H
#define SIMT_CORE_TX_PROTOCOL_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bits.h"
#include "hd_transactions.h"
#include "log.h"
#include "tx_core.h"

#define TX_FAULT_BYTES 256u /* of a text, at most */

typedef struct tx tx; /* a unit's own type, cast */

enum tx_state {
    TX_OUTSIDE,
    TX_TOKEN,      /* tx.begin waits for a token */
    TX_CHECKPOINT, /* registers are being saved */
    TX_RUN,
    TX_DRAIN,   /* all lanes have aborted, but accesses of the attempt are in flight */
    TX_QUEUE,   /* waits for an ownership table */
    TX_RESOLVE, /* conflicts within the warp are being resolved */
    TX_WALK,    /* the log is being read, to be sent */
    TX_COMMIT,  /* the protocol is committing: until it has decided every lane */
    TX_RETRY    /* backs off, and private memory is restored */
};

/* Reasons of aborts. Those of all protocols, in the order of TX_REASONS; from TX_OWN_REASONS on, the protocol's own: its first
 * statistics, hd_unit.profiled_count of them. */
enum tx_reason { TX_INTRA_WARP, TX_PROGRAM /* tx.abort */, TX_WATCHDOG, TX_PREEMPTED, TX_OWN_REASONS };
#define TX_NO_REASON UINT32_MAX /* of no lanes */

/* The cause of an abort, for profiles and traces. */
typedef struct tx_cause {
    uint32_t reason;    /* enum tx_reason, or TX_OWN_REASONS + number of a statistic of the protocol */
    uint32_t pc;        /* at which the lanes abort */
    uint32_t winner;    /* number in the machine of the conflicting warp, TX_NOBODY = not known, or none */
    uint32_t winner_pc; /* of the conflicting access */
    uint32_t refused;   /* 1: a reply refused the packet with this tag */
    uint64_t tag;
} tx_cause;
#define TX_NOBODY UINT32_MAX

/* What happens to lanes that are doomed, because they have read what no serial order of transactions gives; or to others. */
enum tx_trouble {
    TX_READ_LOG_FULL,
    TX_WRITE_LOG_FULL,
    TX_RUNS_TOO_LONG, /* for tx.watchdog cycles */
    TX_MISTAKE        /* that ends a run: an address, an instruction, a jump */
};
typedef struct tx_mishap {
    uint32_t trouble; /* enum tx_trouble */
    uint32_t pc;
    const char *text; /* that the run would end with: what lanes at pc have done; NULL: TX_RUNS_TOO_LONG */
} tx_mishap;

/* Words of private memory that this attempt has overwritten, with their old values. */
typedef struct tx_undo {
    uint32_t *address; /* [lane][word] */
    uint32_t *value;
    uint32_t *count;                  /* [lane] */
    uint32_t pending;                 /* loads of old values in flight: one at most */
    uint64_t restoring;               /* lanes */
    uint32_t restored;                /* words restored of each of them */
    uint32_t pending_lane[MAX_LANES]; /* of that load: which of the lane's words */
} tx_undo;

/* A load or store of a lane, for the checker. */
typedef struct tx_record {
    hd_transaction_access access;
    uint32_t lane;
    uint32_t entry; /* of the read log, which a load waits for; else TX_NO_ENTRY */
    const isa_instruction
        *awaits; /* whose values registers have yet to be given: a load of the scratchpad; else NULL */
} tx_record;

/* What is known of the block in a slot, for the checker. */
typedef struct tx_watched_block {
    uint32_t was_cleared; /* its scratchpad was all 0 when it began */
    uint32_t has_commits; /* on the scratchpad */
} tx_watched_block;

/* What of an attempt is kept of lanes that pause, until they run on. */
typedef struct tx_pause {
    uint64_t lanes;
    uint64_t began;         /* edge */
    uint64_t executed;      /* thread_time.executed */
    uint64_t watchdog;      /* tx_warp's */
    uint64_t instructions;  /* the same */
    uint64_t paused;        /* tx_warp's */
    uint32_t reads, writes; /* entries of the logs */
} tx_pause;

typedef struct tx_warp {
    uint32_t state;
    uint32_t path;   /* that is in the transaction, from tx.begin until it has ended */
    uint32_t domain; /* TX_GLOBAL or TX_SCRATCHPAD: of the path's transaction */
    uint32_t holds_token;
    uint32_t epoch;            /* 1..255, of the attempt and its packets */
    uint64_t attempt;          /* of the warp, since reset */
    uint64_t lanes;            /* that began this attempt */
    uint64_t entered;          /* that began this transaction, or wait to */
    uint32_t failures;         /* attempts of this transaction in which some lane aborted */
    uint32_t fruitless;        /* its latest attempts in which no lane has committed, that which runs included */
    uint32_t is_gated;         /* 1: the protocol does not let the attempt run yet */
    uint64_t began;            /* edge: this attempt */
    uint64_t fruitless_cycles; /* of those attempts, without that which runs */
    uint32_t begin_pc;         /* of the outermost tx.begin, its tx.commit, and their depth of calls */
    uint32_t commit_pc;
    uint32_t begin_depth;
    uint32_t stores;   /* transactional stores in flight */
    uint64_t accesses; /* of this attempt, and the most of an attempt since one of the warp has written */
    uint64_t furthest;
    uint32_t polls;    /* 1: has an access for the memory pipe, which had no room */
    uint32_t queued;   /* to retry */
    uint32_t to_walk;  /* times that the log in private memory is yet to be read */
    uint64_t since;    /* edge at which it entered this state */
    uint64_t due;      /* edge at which it may leave it; 0: that has passed, UINT64_MAX: it does not depend on time */
    uint64_t watchdog; /* edge */
    uint64_t instructions; /* of this attempt, and of those before it that the watchdog has ended */
    uint32_t goes_on;      /* 1: the watchdog has ended the latest: the next one counts on */
    uint64_t paused;       /* cycles of this attempt in which the lanes that run have paused */
    tx_pause *pauses;      /* lanes that pause; the last ones run on first */
    uint32_t pause_count;
    hd_time begun; /* this attempt */
    uint64_t era;  /* for hd_transactions: set by the protocol */
    uint64_t order;
    tx_log reads, writes;
    tx_undo undo;
    tx_record *records; /* of the attempt, in order; only while somebody checks */
    size_t record_count, record_capacity;
    uint32_t *attempts;   /* [lane]: of the transaction that runs */
    uint32_t *checkpoint; /* [64][lane] */
    uint8_t *fcsr;        /* [lane] */
} tx_warp;

/* FIFO of warps; each is in it at most once. */
typedef struct tx_queue {
    uint32_t *warps;
    uint32_t head, count, capacity;
} tx_queue;

static inline void tx_queue_push(tx_queue *queue, uint32_t warp)
{
    queue->warps[(queue->head + queue->count++) % queue->capacity] = warp;
}
static inline uint32_t tx_queue_pop(tx_queue *queue)
{
    const uint32_t warp = queue->warps[queue->head];
    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
    return warp;
}
/* That at place `i`, 0 is the first; those behind it move up. */
static inline uint32_t tx_queue_at(const tx_queue *queue, uint32_t i)
{
    return queue->warps[(queue->head + i) % queue->capacity];
}
static inline void tx_queue_remove(tx_queue *queue, uint32_t i)
{
    for (queue->count--; i < queue->count; i++)
        queue->warps[(queue->head + i) % queue->capacity] = tx_queue_at(queue, i + 1);
}

static inline void tx_queue_transfer(tx_queue *queue, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, queue->head);
    HD_STATE_VALUE(stream, queue->count);
    for (uint32_t i = 0; i < queue->count; i++)
        HD_STATE_VALUE(stream, queue->warps[(queue->head + i) % queue->capacity]);
}

struct tx_calls;
/* A protocol that runs. */
typedef struct tx_protocol {
    const struct tx_unit *unit;
    tx *state;
    hd_unit_share share;
} tx_protocol;

typedef struct transactions {
    /* What protocols see of them. */
    const struct tx_calls *calls;
    tx_warp *warps;
    tx_core core;

    /* The rest is the shared part's alone. */
    tx_protocol protocols[TX_PROTOCOLS];
    uint32_t protocol_count;
    const tx_protocol *of[TX_DOMAINS]; /* those of TX_GLOBAL and TX_SCRATCHPAD, NULL: none; and of 0 the first */
    const hd_transactions *told;       /* the checker; NULL: none */
    tx_watched_block *blocks;          /* [slot], for it; NULL without one */
    hd_transaction_word *words;        /* scratch for it */
    hd_transaction_access *accesses;
    size_t access_capacity;
    struct thread_time *times; /* [warp] */
    uint64_t *timed;           /* a bit per warp: it polls, something is due, or its watchdog runs; or did */
    tx_queue waiting;          /* for a token */
    tx_queue resolving;        /* for an ownership table */
    uint32_t tables;           /* ownership tables in use */
    uint32_t tokens;           /* in use */
    uint8_t *ownership;        /* scratch */
    memory_transactions hooks;
    isa_instruction undo_load, undo_store, walk; /* descriptions of the unit's own accesses */
    uint64_t log_bytes;                          /* of both logs of a thread */
} transactions;

static inline uint32_t tx_next_epoch(const tx_warp *w)
{
    return w->epoch % 255 + 1;
}

/* Bytes of its word that the lane accesses. */
static inline uint32_t tx_access_bytes(const memory_access *access, uint32_t lane)
{
    return ((1u << access->instruction->access_bytes) - 1) << access->address[lane] % 4;
}

/* The lane's data at its place in the word. */
static inline uint32_t tx_access_value(const memory_access *access, uint32_t lane)
{
    return access->data[lane] << 8 * (access->address[lane] % 4);
}

/* ---- What a protocol is -------------------------------------------------------------------------------------------- */

#define TX_INTERFACE "heddle.tx/11" /* hd_unit.functions is a tx_unit */

/* What a protocol has transactions on (hd_unit.abilities): those on global memory go by that of the core's parameter `tx`, those on the
 * scratchpad by that of `tx.scratchpad`, or where there is none by that of `tx`. */
#define TX_GLOBAL_ABILITY "global"
#define TX_SCRATCHPAD_ABILITY "scratchpad"

/* A protocol. It deals only with running lanes, their logs, and packets. */
typedef struct tx_unit {
    uint32_t domains;             /* on which it has transactions, as its abilities say */
    uint32_t detects_within_warp; /* 1: it also detects conflicts within a warp; none are left to resolve */
    uint32_t sends_reads;         /* 1: commits include the read logs */
    uint32_t merges_writes;       /* 1: a second store to a word updates its log entry */
    uint32_t serial_rule;         /* enum hd_serial_rule: what a checker holds its commits against */
    uint32_t
        sends_at_once;  /* 1: it sends packets by the core's own links for transactions at the edge of their cause */
    uint32_t lets_pass; /* 1: warps that may not begin yet are passed by others that wait for a token */
    /* share: its part of the core; valid as long as t. */
    tx *(*create)(transactions *t, const hd_unit_share *share);
    void (*destroy)(tx *unit);
    void (*reset)(tx *unit);
    /* heddle.align/1: the core is idle. */
    void (*align)(tx *unit);
    /* Size of the chunks by which the lanes of an access are grouped. NULL: HD_LINE_BYTES. */
    uint32_t (*group_bytes)(const tx *unit);
    /* Which of these lanes, which want to, may begin an attempt now; the others wait until that is over. 0: it is called again
     * after tx_retry_begins. NULL: all may. */
    uint64_t (*may_begin)(const tx *unit, uint32_t warp, uint64_t lanes);
    /* These lanes begin one. */
    void (*begin)(tx *unit, uint32_t warp, uint64_t lanes);
    /* Makes the packet for these lanes of a load or store, all in one chunk (memory_transactions.request); none of them has
     * aborted. NULL: the load is one of the packets offered later, and has this tag. A unit that sends no packets for stores need
     * not do anything: they are in the log. */
    hd_packet *(*request)(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag);
    /* These lanes, all of which run, are about to load or store, before anything of it is in a log: the unit may abort some
     * (tx_abort_for). NULL: it never does. */
    void (*before_access)(tx *unit, const memory_access *access, uint64_t lanes);
    /* Whether stores send packets. */
    uint32_t asks_for_stores;
    /* A load's words have arrived with this reply and are in access.data. Returns the lanes for which the unit has put newer
     * data there; the slice's sample does not apply to them. NULL: it never does. */
    uint64_t (*loaded)(tx *unit, memory_access *access, uint64_t lanes, const hd_packet *reply);
    /* Any other packet, from the partitions or from the port for transactions. */
    void (*reply)(tx *unit, const hd_packet *packet);
    /* NULL: none of the packets that were offered has to be sent any more. */
    hd_packet *(*next_packet)(tx *unit);
    /* Running lanes are in trouble: which of them may be doomed? Those abort, for the reason that it sets. Others that run for too
     * long run on, and are asked for again after as long; all others end the run. With lanes that abort for a mistake, those that
     * execute the same instruction abort too, for it has not taken place. NULL: each lane is doomed that runs for too long, and
     * no other. */
    uint64_t (*doomed)(tx *unit, uint32_t warp, uint64_t lanes, const tx_mishap *mishap, uint32_t *reason);
    /* Whether the path's next instruction, one of a transaction whose operands are there, has to wait: asked when something of the
     * warp has changed. NULL: it never has to. */
    uint32_t (*holds)(const tx *unit, uint32_t path, const isa_instruction *instruction);
    /* Why it has to, as part of a sentence about the warp; NULL: not because of the unit. NULL: it never has to, or says nothing. */
    const char *(*describe_hold)(const tx *unit, uint32_t warp);
    /* The path issues this load or store now: the unit may have some of its lanes pause before (tx_pause_others), so that it is not
     * theirs. NULL: it never does. */
    void (*before_issue)(tx *unit, uint32_t path, const isa_instruction *instruction);
    /* Of the attempt, which runs, nothing is in flight any more. NULL: that is of no account. */
    void (*drained)(tx *unit, uint32_t warp);
    /* These lanes have just aborted. */
    void (*aborted)(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason);
    /* Lanes, not 0, have reached the end, and nothing of them is in flight; conflicts among them are not resolved yet. Returns
     * those that commit here and now, without being seen by the others (silent commits): the unit has told of them, and does
     * not hear of them again. NULL: none ever. */
    uint64_t (*at_commit)(tx *unit, uint32_t warp, uint64_t lanes);
    /* Lanes, not 0, have no conflicts among each other any more, and nothing of them has been sent: the unit may abort some. NULL: it
     * never does. */
    void (*resolved)(tx *unit, uint32_t warp, uint64_t lanes);
    /* How often addresses of the logs are read to resolve conflicts within the warp, at least once. NULL: once. */
    uint32_t (*resolving_walks)(const tx *unit);
    /* Commits lanes, possibly none, that have reached the end without conflicts among each other. The unit calls tx_decide
     * once or several times, now or later, until all are decided. At the last call nothing of the attempt may remain to be
     * sent. */
    void (*commit)(tx *unit, uint32_t warp, uint64_t lanes);
    /* Number of earlier commits that are not yet in memory. Plain accesses and the end of the block wait until it is 0; the
     * unit reports that with tx_settled. */
    uint32_t (*in_flight)(const tx *unit, uint32_t warp);
    /* The edge requested with tx_wake has been reached. */
    void (*work)(tx *unit);
    /* CSR: low word of the logical timestamp of the attempt. */
    uint32_t (*timestamp)(const tx *unit, uint32_t warp);
    /* A warp of a new block occupies this slot. */
    void (*new_warp)(tx *unit, uint32_t warp);

    /* Of a protocol with transactions on the scratchpad, each of them NULL if there is nothing to it. */
    /* Whether a warp in which a lane has aborted backs off (tx.back_off). NULL: it does. */
    uint32_t (*backs_off)(const tx *unit);
    /* What of the scratchpad a block takes with what the unit keeps of its words. NULL: what it asks for. */
    hd_scratchpad_rows (*scratchpad_rows)(const tx *unit);
    /* Registers that a thread takes, for each of its own. NULL: 1. */
    uint32_t (*register_copies)(const tx *unit);
    /* Running lanes of a load or store in a transaction on the scratchpad are at the banks: byte place[lane] of the core's. Returns those
     * that go on: their data move now. The others have aborted. *cycles, not 0: for which the banks are busy. NULL: all
     * do, as outside of transactions. */
    uint64_t (*at_banks)(tx *unit, const memory_access *access, uint64_t lanes, const uint32_t *place,
                         uint32_t *cycles);
    /* While somebody checks: lanes outside of transactions have just changed the scratchpad. */
    void (*changed_plainly)(tx *unit, const memory_access *access, uint64_t lanes, const uint32_t *place);
    /* How many words the lane, which commits, has read before it wrote them, and has written. NULL: what the logs say. */
    void (*words)(const tx *unit, uint32_t warp, uint32_t lane, uint32_t *reads, uint32_t *writes);
    /* What the lane, which commits, has read and written is not in the logs: puts both into *told, where they stay until the next call.
     * What it has stored must be in the scratchpad when the unit calls tx_decide. */
    void (*report)(tx *unit, uint32_t warp, uint32_t lane, hd_transaction *told);

    /* heddle.state/1: all that may have changed since reset, to the stream or from it, the shared part being there. NULL: a core with the
     * unit cannot be saved. */
    void (*transfer)(tx *unit, const hd_state_stream *stream);
} tx_unit;

/* Those that must be there. */
#define TX_FUNCTIONS                                                                                                   \
    HD_UNIT_FUNCTION(tx_unit, create), HD_UNIT_FUNCTION(tx_unit, destroy), HD_UNIT_FUNCTION(tx_unit, reset),           \
        HD_UNIT_FUNCTION(tx_unit, align), HD_UNIT_FUNCTION(tx_unit, begin), HD_UNIT_FUNCTION(tx_unit, request),        \
        HD_UNIT_FUNCTION(tx_unit, reply), HD_UNIT_FUNCTION(tx_unit, next_packet), HD_UNIT_FUNCTION(tx_unit, aborted),  \
        HD_UNIT_FUNCTION(tx_unit, commit), HD_UNIT_FUNCTION(tx_unit, in_flight), HD_UNIT_FUNCTION(tx_unit, work),      \
        HD_UNIT_FUNCTION(tx_unit, timestamp), HD_UNIT_FUNCTION(tx_unit, new_warp)

/* ---- What a protocol may ask ---------------------------------------------------------------------------------------- */

/* Of the shared part: transactions.calls. The functions below give them their names. */
typedef struct tx_calls {
    /* Lanes of this attempt that are running, and those of the transaction that have aborted, or have not begun yet. */
    uint64_t (*running)(const transactions *t, uint32_t warp);
    uint64_t (*aborted)(const transactions *t, uint32_t warp);
    /* Aborts those of the lanes that are running. This is the only place where lanes abort. */
    void (*abort_for)(transactions *t, uint32_t warp, uint64_t lanes, const tx_cause *cause);
    /* The same at the warp's current pc, without a winner. */
    void (*abort)(transactions *t, uint32_t warp, uint64_t lanes, uint32_t reason);
    /* The result of lanes in TX_COMMIT: the protocol calls this, once or several times, until none runs. */
    void (*decide)(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, uint32_t reason);
    /* Nothing of the attempt is in flight. `going`, not 0, of the lanes at the path's pc go on from there, to their commit, as if they
     * were alone; then the other running lanes, not 0 and none of them running in between, go on where they are, with the logs as
     * they were, and so on. Only with a reconvergence unit that has the ability "pauses". */
    void (*pause)(transactions *t, uint32_t warp, uint64_t going);
    /* Tells checkers that these lanes commit, or have committed at `committed`: of all that do, once, before any of their data is
     * written. */
    void (*report_commits)(transactions *t, uint32_t warp, uint64_t lanes, hd_time committed);
    /* A packet of this attempt with this header. */
    hd_packet *(*packet)(const transactions *t, uint32_t warp, uint32_t message, uint64_t address, uint32_t body_bytes);
    /* The run ends: these lanes at pc have done what the text says. */
    void (*fault)(const transactions *t, uint32_t warp, uint32_t pc, uint64_t lanes, const char *text);
    /* The result of may_begin may have changed. */
    void (*retry_begins)(transactions *t);
    /* in_flight of the warp has become 0. */
    void (*settled)(transactions *t, uint32_t warp);
    /* Advances the warp's state as far as possible: the gate of an attempt of which no lane runs has opened. */
    void (*step)(transactions *t, uint32_t warp);
} tx_calls;

static inline tx_warp *tx_warp_of(const transactions *t, uint32_t warp)
{
    return &t->warps[warp];
}
/* Whether the warp's transaction, in this state or a later one, is on this domain: another protocol may have that of the others. */
static inline uint32_t tx_is_in(const transactions *t, uint32_t warp, uint32_t domain, enum tx_state state)
{
    return t->warps[warp].state >= state && t->warps[warp].domain == domain;
}
/* Whether the path of the warp's transaction has nothing in flight in the memory pipe. */
static inline uint32_t tx_is_drained(const transactions *t, uint32_t warp)
{
    return !t->core.port->accesses_in_flight(t->core.context, t->warps[warp].path) && !t->warps[warp].is_gated;
}
/* Cycles for which the lanes that run have been in this attempt. */
static inline uint64_t tx_age(const transactions *t, uint32_t warp)
{
    return t->core.now->n - t->warps[warp].began - t->warps[warp].paused;
}
static inline uint64_t tx_parameter(const transactions *t, enum tx_parameter_number parameter)
{
    return t->core.parameters[parameter].u;
}
/* Number of the warp in the machine. */
static inline uint32_t tx_global_warp(const transactions *t, uint32_t warp)
{
    return t->core.services->index * t->core.warp_count + warp;
}
/* The protocol's `work` is called at that edge, or an earlier one. */
static inline void tx_wake(const transactions *t, uint64_t edge)
{
    t->core.port->wake(t->core.context, edge);
}

static inline uint64_t tx_running(const transactions *t, uint32_t warp)
{
    return t->calls->running(t, warp);
}
static inline uint64_t tx_aborted(const transactions *t, uint32_t warp)
{
    return t->calls->aborted(t, warp);
}
static inline void tx_abort_for(transactions *t, uint32_t warp, uint64_t lanes, const tx_cause *cause)
{
    t->calls->abort_for(t, warp, lanes, cause);
}
static inline void tx_abort(transactions *t, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    t->calls->abort(t, warp, lanes, reason);
}
static inline void tx_decide(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, uint32_t reason)
{
    t->calls->decide(t, warp, committed, failed, reason);
}
static inline void tx_pause_others(transactions *t, uint32_t warp, uint64_t going)
{
    t->calls->pause(t, warp, going);
}
static inline void tx_report_commits(transactions *t, uint32_t warp, uint64_t lanes, hd_time committed)
{
    t->calls->report_commits(t, warp, lanes, committed);
}
static inline hd_packet *tx_packet(const transactions *t, uint32_t warp, uint32_t message, uint64_t address,
                                   uint32_t body_bytes)
{
    return t->calls->packet(t, warp, message, address, body_bytes);
}
static inline void tx_retry_begins(transactions *t)
{
    t->calls->retry_begins(t);
}
static inline void tx_settled(transactions *t, uint32_t warp)
{
    t->calls->settled(t, warp);
}
static inline void tx_step(transactions *t, uint32_t warp)
{
    t->calls->step(t, warp);
}
/* printf's format. */
static __attribute__((format(printf, 5, 6), unused)) void tx_fault(const transactions *t, uint32_t warp, uint32_t pc,
                                                                   uint64_t lanes, const char *format, ...)
{
    char text[TX_FAULT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    t->calls->fault(t, warp, pc, lanes, text);
}

/* Of the memory pipe: tx_core.memory. */
static inline const memory_calls *memory_calls_of(const memory *m)
{
    return ((const memory_head *)m)->calls;
}
static inline void memory_offer_packets(memory *m, uint32_t count)
{
    memory_calls_of(m)->offer_packets(m, count);
}
static inline const hd_address_map *memory_map(const memory *m)
{
    return memory_calls_of(m)->map(m);
}
static inline hd_packet *memory_packet(memory *m, uint32_t message, uint32_t traffic_class, uint64_t address,
                                       uint32_t body_bytes)
{
    return memory_calls_of(m)->packet(m, message, traffic_class, address, body_bytes);
}
static inline uint32_t memory_free_accesses(const memory *m)
{
    return memory_calls_of(m)->free_accesses(m);
}
static inline const memory_access *memory_find_access(memory *m, uint64_t tag, uint64_t *lanes)
{
    return memory_calls_of(m)->find_access(m, tag, lanes);
}
static inline const memory_access *memory_awaiting(const memory *m, uint64_t tag, uint64_t *lanes)
{
    return memory_calls_of(m)->awaiting(m, tag, lanes);
}
static inline void memory_count_load(memory *m, const hd_packet *packet)
{
    memory_calls_of(m)->count_load(m, packet);
}
static inline void memory_count_log(memory *m, uint32_t bytes)
{
    memory_calls_of(m)->count_log(m, bytes);
}
static inline void memory_complete(memory *m, uint64_t tag)
{
    memory_calls_of(m)->complete(m, tag);
}
static inline void memory_give_up(memory *m, uint32_t path)
{
    memory_calls_of(m)->give_up(m, path);
}
static inline uint8_t *memory_scratchpad(memory *m)
{
    return memory_calls_of(m)->scratchpad(m);
}
static inline uint32_t memory_scratchpad_word(memory *m, uint32_t place)
{
    uint32_t value;
    memcpy(&value, memory_scratchpad(m) + (place & ~3u), sizeof value);
    return value;
}

#endif
