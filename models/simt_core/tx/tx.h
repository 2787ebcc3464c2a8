/* SPDX-License-Identifier: MIT */
/*
 * Transactions in the core: what is the same for every protocol, and what a protocol is to the core.
 *
 * A warp begins, and its lanes run together; what they read and write of global memory is in its logs; lanes abort one by one
 * or all at once. When those that still run have reached tx.commit, and nothing of the attempt is in flight, conflicts between
 * them are resolved, and the protocol commits the survivors. If any lane has aborted, it starts again behind tx.begin, with
 * the registers and private memory that it had there. Source: Fung 2015 §4.2, §6.3; Ren & Lis 2018 §V-A.
 */
#ifndef SIMT_CORE_TX_H
#define SIMT_CORE_TX_H

#include "core.h"
#include "hd_transactions.h"
#include "intra_warp.h"
#include "log.h"

/* Accesses that a warp needs to get to the end of its transaction: a store with its word for the undo log. Whoever waits at a
 * partition for another warp's commit must not hold what that needs. */
#define TX_ACCESSES 2u

/* Units of the values of the parameter tx, in the same order; NULL: none. */
typedef struct tx tx; /* a unit's own type, cast */
extern const struct tx_unit *const tx_units[];

enum tx_state {
    TX_OUTSIDE,
    TX_TOKEN,      /* tx.begin waits for its turn */
    TX_CHECKPOINT, /* registers are saved */
    TX_RUN,
    TX_DRAIN,   /* every lane has aborted, and something of the attempt is in flight */
    TX_QUEUE,   /* waits for an ownership table */
    TX_RESOLVE, /* conflicts within the warp */
    TX_WALK,    /* what is to be sent is read from the log */
    TX_COMMIT,  /* the protocol's: until it has said what became of every lane */
    TX_RETRY    /* backs off, and private memory is restored */
};

/* Why a lane's attempt is given up, in the order of the statistics from tx_aborts_load_written on. */
enum tx_reason {
    TX_LOAD_WRITTEN, /* a later transaction has written what it loads, */
    TX_STORE_WRITTEN,
    TX_STORE_READ, /* or read what it stores to */
    TX_STALL_FULL, /* no room to wait at a partition */
    TX_INTRA_WARP,
    TX_PROGRAM, /* tx.abort */
    TX_WATCHDOG,
    TX_ROLLOVER,
    TX_REASON_COUNT
};

/* What is known of an abort, for profiles and traces. */
typedef struct tx_cause {
    enum tx_reason reason;
    uint32_t pc;        /* at which the lanes give up */
    uint32_t winner;    /* warp of the machine whose access was in the way, TX_NOBODY = not known, or none */
    uint32_t winner_pc; /* of that access */
    uint32_t refused;   /* 1: by a reply, to a packet with this */
    uint64_t tag;
} tx_cause;
#define TX_NOBODY UINT32_MAX

/* Words of private memory that this attempt has overwritten, and what they were. */
typedef struct tx_undo {
    uint32_t *address; /* [lane][word] */
    uint32_t *value;
    uint32_t *count;                  /* [lane] */
    uint32_t pending;                 /* loads of old values in flight: one at most */
    uint64_t restoring;               /* lanes */
    uint32_t restored;                /* words of each that have been written back */
    uint32_t pending_lane[MAX_LANES]; /* of that load: which of the lane's words */
} tx_undo;

typedef struct tx_warp {
    uint32_t state;
    uint32_t holds_token;
    uint32_t epoch;    /* 1..255, of the attempt: what its packets have */
    uint64_t attempt;  /* of the warp, since reset */
    uint64_t lanes;    /* that began this attempt */
    uint32_t failures; /* attempts of this transaction that have not committed every lane */
    uint32_t begin_pc; /* of the outermost tx.begin, its tx.commit, and their depth of calls */
    uint32_t commit_pc;
    uint32_t begin_depth;
    uint32_t stores;   /* transactional stores in flight */
    uint32_t polls;    /* 1: has something for the memory pipe, which had no room */
    uint32_t queued;   /* to retry */
    uint32_t to_walk;  /* through the log in private memory, before conflicts are resolved */
    uint64_t since;    /* edge from which it is in this state */
    uint64_t due;      /* edge at which it may be in another; 0: that has come, UINT64_MAX: something else decides */
    uint64_t watchdog; /* edge */
    hd_time begun;     /* this attempt */
    uint64_t era;      /* for hd_transactions: set by the protocol */
    uint64_t order;
    tx_log reads, writes;
    tx_undo undo;
    uint32_t *attempts;   /* [lane]: of the transaction that runs */
    uint32_t *checkpoint; /* [64][lane] */
    uint8_t *fcsr;        /* [lane] */
} tx_warp;

/* FIFO of warps, each in it once at most. */
typedef struct tx_queue {
    uint32_t *warps;
    uint32_t head, count, capacity;
} tx_queue;

typedef struct transactions {
    simt_core *core;
    const struct tx_unit *unit;
    tx *protocol;
    const hd_transactions *told; /* NULL: nobody checks */
    hd_transaction_word *words;  /* scratch for it */
    tx_warp *warps;
    tx_queue waiting;   /* for a token */
    tx_queue resolving; /* for an ownership table */
    uint32_t tables;    /* ownership tables in use */
    uint32_t tokens;    /* in use */
    uint8_t *ownership; /* scratch */
    memory_transactions hooks;
    isa_instruction undo_load, undo_store, walk; /* what accesses of the unit itself are described as */
    uint64_t log_bytes;                          /* of both logs of a thread */
} transactions;

/* A protocol. It speaks of nothing but lanes that run, their logs, and packets. */
typedef struct tx_unit {
    const char *name; /* value of the parameter `tx` */
    const char *source;
    uint32_t detects_within_warp; /* 1: lanes of one warp too; nothing is left to resolve */
    uint32_t sends_reads;         /* 1: read logs are part of a commit */
    uint32_t merges_writes;       /* 1: a second store to a word changes its entry of the log */
    tx *(*create)(transactions *t);
    void (*destroy)(tx *unit);
    void (*reset)(tx *unit);
    /* heddle.align/1: the core is idle. */
    void (*align)(tx *unit);
    /* Bytes of the chunks that lanes of an access are grouped by. */
    uint32_t (*group_bytes)(const tx *unit);
    /* May an attempt begin now? 0: it is asked again after tx_look_again. */
    uint32_t (*may_begin)(const tx *unit, uint32_t warp);
    void (*begin)(tx *unit, uint32_t warp);
    /* The packet for these lanes of a load or store, all in one chunk (memory_transactions.request); none of them has aborted. A
     * unit that sends none for stores need not do anything: they are in the log. */
    hd_packet *(*request)(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes);
    /* Do stores send anything? */
    uint32_t asks_for_stores;
    /* A load's words have come, with this reply. They are in the read log already. */
    void (*loaded)(tx *unit, const memory_access *access, uint64_t lanes, const hd_packet *reply);
    void (*reply)(tx *unit, const hd_packet *packet);
    hd_packet *(*next_packet)(tx *unit);
    /* These lanes have aborted just now. */
    void (*aborted)(tx *unit, uint32_t warp, uint64_t lanes, enum tx_reason reason);
    /* Lanes that have run to their end without conflict among each other, maybe none: the unit calls tx_decide, once or more,
     * until all are decided, now or later; after the last of it with nothing of the attempt to be sent. */
    void (*commit)(tx *unit, uint32_t warp, uint64_t lanes);
    /* What was committed before and is not yet in memory: plain accesses and the end of the block wait until 0, which is told
     * by tx_settled. */
    uint32_t (*in_flight)(const tx *unit, uint32_t warp);
    /* The edge is here that the unit has asked for by tx_wake. */
    void (*work)(tx *unit);
    /* CSR: low word of the logical timestamp of the attempt. */
    uint32_t (*timestamp)(const tx *unit, uint32_t warp);
    /* A new block's warp is in this place. */
    void (*new_warp)(tx *unit, uint32_t warp);
} tx_unit;

/* ---- For the core ------------------------------------------------------------------------------------------------- */

int tx_create(simt_core *core);
void tx_destroy(simt_core *core);
void tx_reset(simt_core *core);
void tx_align(simt_core *core);
static inline uint32_t tx_is_inside(const simt_core *core, uint32_t warp)
{
    return core->tx && core->tx->warps[warp].state > TX_TOKEN;
}
/* The path's next instruction has to wait for what its transactions have in flight. */
uint32_t tx_holds(const simt_core *core, uint32_t path);
/* tx.begin, tx.commit, tx.abort. */
void tx_execute(simt_core *core, uint32_t path);
/* Why the path's instruction may not be in a transaction, as a sentence part; NULL: it may, or is in none. */
const char *tx_forbids(const simt_core *core, uint32_t path);
/* The path is about to submit its access; what has to be done before it is done. Nonzero: it is refused, with a fault. */
int tx_before_access(simt_core *core, uint32_t path);
/* The access is submitted. */
void tx_submitted(simt_core *core, const memory_access *access, ticket_state *ticket);
/* An access of the warp has given values to lanes `mask`; last: it is complete. */
void tx_access_done(simt_core *core, const ticket_state *ticket, uint64_t mask, const uint32_t *value, uint32_t last);
/* Edge core->tx_next is here. */
void tx_work(simt_core *core);
/* The warp's block must not end, or stop. */
uint32_t tx_is_busy(const simt_core *core, uint32_t warp);
uint32_t tx_csr(const simt_core *core, uint32_t warp, uint32_t lane, uint32_t csr);
/* What the warp waits for; NULL: nothing of transactions. */
const char *tx_describe(const simt_core *core, uint32_t warp);
void tx_new_warp(simt_core *core, uint32_t warp);

/* ---- For protocols ------------------------------------------------------------------------------------------------ */

static inline tx_warp *tx_warp_of(const transactions *t, uint32_t warp)
{
    return &t->warps[warp];
}
static inline uint64_t tx_parameter(const transactions *t, enum core_parameter parameter)
{
    return core_parameter_of(t->core, parameter);
}
/* Number of the warp in the machine. */
static inline uint32_t tx_global_warp(const transactions *t, uint32_t warp)
{
    return t->core->services->index * t->core->warp_count + warp;
}
/* Lanes of this attempt that run, and those that have aborted. */
uint64_t tx_running(const transactions *t, uint32_t warp);
uint64_t tx_aborted(const transactions *t, uint32_t warp);
/* Those of the lanes that run give this attempt up: the one place where that happens. */
void tx_abort_for(transactions *t, uint32_t warp, uint64_t lanes, const tx_cause *cause);
/* Where the warp stands, and because of no other. */
void tx_abort(transactions *t, uint32_t warp, uint64_t lanes, enum tx_reason reason);
/* What became of lanes in TX_COMMIT. */
void tx_decide(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, enum tx_reason reason);
/* To whoever checks: these lanes commit, before anything of it is written. */
void tx_tell(transactions *t, uint32_t warp, uint64_t lanes);
/* A packet with this header from this attempt. */
hd_packet *tx_packet(const transactions *t, uint32_t warp, uint32_t message, uint64_t address, uint32_t body_bytes);
void tx_wake(transactions *t, uint64_t edge);
/* What may_begin said may be otherwise now. */
void tx_look_again(transactions *t);
/* in_flight of the warp is 0 now. */
void tx_settled(transactions *t, uint32_t warp);

/* ---- Between the files of this folder ----------------------------------------------------------------------------- */

/* transactions.c */
void tx_set_state(transactions *t, uint32_t warp, enum tx_state state);
void tx_set_due(transactions *t, uint32_t warp, uint64_t edge);
/* The path, in a transaction, stands at the tx.commit that ends it; those of nested transactions do nothing. Lanes that are in
 * a nested one part from others, and abort, so that only the place tells. */
uint32_t tx_is_last_commit(const transactions *t, uint32_t path);
/* Looks again at the next edge. */
void tx_poll(transactions *t, uint32_t warp);
void tx_queue_push(tx_queue *queue, uint32_t warp);
uint32_t tx_queue_pop(tx_queue *queue);
/* The warp goes on as far as it can. */
void tx_look(transactions *t, uint32_t warp);
/* Nothing of the warp is in flight in the memory pipe. */
uint32_t tx_is_drained(const transactions *t, uint32_t warp);

/* attempt.c */
void tx_attempt_begin(transactions *t, uint32_t warp, uint64_t lanes);
void tx_attempt_over(transactions *t, uint32_t warp);
void tx_attempt_restart(transactions *t, uint32_t warp);
void tx_release_token(transactions *t, uint32_t warp);

/* commit.c */
void tx_commit_start(transactions *t, uint32_t warp);
void tx_commit_look(transactions *t, uint32_t warp);

/* access.c */
extern const memory_transactions tx_memory_hooks;
uint32_t tx_logs_fit(const transactions *t, uint32_t warp);
/* Lines of `count` entries of the log from `entry` on; `row` 0: addresses, 1: values. */
memory_log_run tx_log_run(const transactions *t, uint32_t warp, const tx_log *log, uint32_t entry, uint32_t row,
                          uint32_t count);

/* undo.c */
int tx_undo_create(tx_undo *undo, uint32_t lanes, uint32_t words);
void tx_undo_destroy(tx_undo *undo);
void tx_undo_forget(transactions *t, uint32_t warp, uint64_t lanes);
/* Loads what a store to private memory is about to overwrite. */
int tx_undo_save(transactions *t, uint32_t path, const uint32_t *addresses);
void tx_undo_saved(transactions *t, uint32_t warp, uint64_t mask, const uint32_t *value);
void tx_undo_restore(transactions *t, uint32_t warp, uint64_t lanes);
/* Submits what there is room for; 1: all of it is submitted. */
uint32_t tx_undo_go_on(transactions *t, uint32_t warp);

#endif
