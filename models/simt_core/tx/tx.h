/* SPDX-License-Identifier: MIT */
/*
 * Transactions in the core: the part that all protocols share, and the interface of a protocol.
 *
 * A path of a warp begins a transaction on global memory or, with a protocol that can, on the scratchpad, and its lanes execute it
 * together. Other paths of the warp, where it has some, run on
 * outside, and wait at a tx.begin of theirs: a warp is in one transaction at most. Logs record their reads and writes of global memory. Lanes
 * abort one by one or together. When the remaining lanes have reached tx.commit, and nothing of the attempt is in flight,
 * conflicts between them are resolved, and the protocol commits the survivors. Lanes that have aborted start again behind
 * tx.begin, with the registers and private memory that they had there. Source: Fung 2015 §4.2, §6.3; Ren & Lis 2018 §V-A.
 */
#ifndef SIMT_CORE_TX_H
#define SIMT_CORE_TX_H

#include "bits.h"
#include "hd_transactions.h"
#include "intra_warp.h"
#include "log.h"
#include "tx_core.h"

/* Accesses in flight that a warp needs to complete its transaction: a store and the load of its old value for the undo log.
 * A warp that waits at a partition for another warp's commit must not occupy the entries that the other one needs. */
#define TX_ACCESSES 2u

typedef struct tx tx; /* a unit's own type, cast */

/* What a transaction is on: immediates of tx.begin, a bit each. */
#define TX_GLOBAL 1u
#define TX_SCRATCHPAD 2u

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
enum tx_reason { TX_INTRA_WARP, TX_PROGRAM /* tx.abort */, TX_WATCHDOG, TX_OWN_REASONS };
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
enum tx_trouble { TX_READ_LOG_FULL, TX_WRITE_LOG_FULL, TX_RUNS_TOO_LONG /* for tx.watchdog cycles */ };

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
} tx_record;

typedef struct tx_warp {
    uint32_t state;
    uint32_t path;   /* that is in the transaction, from tx.begin until it has ended */
    uint32_t domain; /* TX_GLOBAL or TX_SCRATCHPAD: of the path's transaction */
    uint32_t holds_token;
    uint32_t epoch;            /* 1..255, of the attempt and its packets */
    uint64_t attempt;          /* of the warp, since reset */
    uint64_t lanes;            /* that began this attempt */
    uint32_t failures;         /* attempts of this transaction in which some lane aborted */
    uint32_t fruitless;        /* its latest attempts in which no lane has committed, that which runs included */
    uint32_t is_gated;         /* 1: the protocol does not let the attempt run yet */
    uint64_t began;            /* edge: this attempt */
    uint64_t fruitless_cycles; /* of those attempts, without that which runs */
    uint32_t begin_pc;         /* of the outermost tx.begin, its tx.commit, and their depth of calls */
    uint32_t commit_pc;
    uint32_t begin_depth;
    uint32_t stores;   /* transactional stores in flight */
    uint64_t accesses; /* of this attempt, and the most of an attempt of this transaction */
    uint64_t furthest;
    uint32_t polls;    /* 1: has an access for the memory pipe, which had no room */
    uint32_t queued;   /* to retry */
    uint32_t to_walk;  /* entries of the log in private memory to be read before conflicts are resolved */
    uint64_t since;    /* edge at which it entered this state */
    uint64_t due;      /* edge at which it may leave it; 0: that has passed, UINT64_MAX: it does not depend on time */
    uint64_t watchdog; /* edge */
    hd_time begun;     /* this attempt */
    uint64_t era;      /* for hd_transactions: set by the protocol */
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

typedef struct transactions {
    tx_core core;
    const struct tx_unit *unit;
    tx *protocol;
    const hd_transactions *told; /* the checker; NULL: none */
    hd_transaction_word *words;  /* scratch for it */
    hd_transaction_access *accesses;
    size_t access_capacity;
    tx_warp *warps;
    uint64_t *timed;    /* a bit per warp: it polls, something is due, or its watchdog runs; or did */
    tx_queue waiting;   /* for a token */
    tx_queue resolving; /* for an ownership table */
    uint32_t tables;    /* ownership tables in use */
    uint32_t tokens;    /* in use */
    uint8_t *ownership; /* scratch */
    memory_transactions hooks;
    isa_instruction undo_load, undo_store, walk; /* descriptions of the unit's own accesses */
    uint64_t log_bytes;                          /* of both logs of a thread */
} transactions;

#define TX_INTERFACE "heddle.tx/1" /* hd_unit.functions is a tx_unit */

/* A protocol. It deals only with running lanes, their logs, and packets. */
typedef struct tx_unit {
    uint32_t domains;             /* on which it has transactions; tx.begin of others is refused */
    uint32_t detects_within_warp; /* 1: it also detects conflicts within a warp; none are left to resolve */
    uint32_t sends_reads;         /* 1: commits include the read logs */
    uint32_t merges_writes;       /* 1: a second store to a word updates its log entry */
    uint32_t serial_rule;         /* enum hd_serial_rule: what a checker holds its commits against */
    uint32_t
        sends_at_once; /* 1: it sends packets by the core's own links for transactions at the edge of their cause */
    tx *(*create)(transactions *t);
    void (*destroy)(tx *unit);
    void (*reset)(tx *unit);
    /* heddle.align/1: the core is idle. */
    void (*align)(tx *unit);
    /* Size of the chunks by which the lanes of an access are grouped. */
    uint32_t (*group_bytes)(const tx *unit);
    /* Which of these lanes, which want to, may begin an attempt now; the others wait until that is over. 0: it is called again
     * after tx_retry_begins. */
    uint64_t (*may_begin)(const tx *unit, uint32_t warp, uint64_t lanes);
    /* These lanes begin one. */
    void (*begin)(tx *unit, uint32_t warp, uint64_t lanes);
    /* Makes the packet for these lanes of a load or store, all in one chunk (memory_transactions.request); none of them has
     * aborted. NULL: the load is one of the packets offered later, and has this tag. A unit that sends no packets for stores need
     * not do anything: they are in the log. */
    hd_packet *(*request)(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag);
    /* Whether stores send packets. */
    uint32_t asks_for_stores;
    /* A load's words have arrived with this reply and are in access.data. Returns the lanes for which the unit has put newer
     * data there; the slice's sample does not apply to them. NULL: it never does. */
    uint64_t (*loaded)(tx *unit, memory_access *access, uint64_t lanes, const hd_packet *reply);
    /* Any other packet, from the partitions or from the port for transactions. */
    void (*reply)(tx *unit, const hd_packet *packet);
    /* NULL: none of the packets that were offered has to be sent any more. */
    hd_packet *(*next_packet)(tx *unit);
    /* Running lanes are in trouble: which of them are doomed? Those abort, for the reason that it sets. Of the others, those
     * whose log is full end the run; those that run for too long run on, and are asked for again after as long. NULL: no lane is
     * doomed whose log is full, and each that runs for too long. */
    uint64_t (*doomed)(tx *unit, uint32_t warp, uint64_t lanes, enum tx_trouble trouble, uint32_t *reason);
    /* These lanes have just aborted. */
    void (*aborted)(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason);
    /* Lanes, not 0, have reached the end, and nothing of them is in flight; conflicts among them are not resolved yet. Returns
     * those that commit here and now, without being seen by the others (silent commits): the unit has told of them, and does
     * not hear of them again. NULL: none ever. */
    uint64_t (*at_commit)(tx *unit, uint32_t warp, uint64_t lanes);
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
} tx_unit;

/* ---- For the core ------------------------------------------------------------------------------------------------- */

/* The core's memory pipe has been told of them. NULL: out of memory. */
transactions *tx_create(const tx_core *core);
void tx_destroy(transactions *t); /* or NULL */
void tx_reset(transactions *t);   /* or NULL */
void tx_align(transactions *t);   /* or NULL */
/* `t` may be NULL. */
static inline uint32_t tx_is_inside(const transactions *t, uint32_t path)
{
    if (!t)
        return 0;
    const tx_warp *w = &t->warps[t->core.paths[path].warp];
    return w->state > TX_TOKEN && w->path == path;
}
/* Whether what the path accesses of global memory is part of its transaction. `t` may be NULL. */
static inline uint32_t tx_is_on_global(const transactions *t, uint32_t path)
{
    return tx_is_inside(t, path) && t->warps[t->core.paths[path].warp].domain == TX_GLOBAL;
}
/* Whether the path's next instruction, this one, must wait: for commits in flight, or for another path's transaction. */
uint32_t tx_holds(const transactions *t, uint32_t path, const isa_instruction *instruction);
/* Executes tx.begin, tx.commit, tx.abort. */
void tx_execute(transactions *t, uint32_t path, const isa_instruction *instruction);
/* Why the path's instruction is not allowed in a transaction, as part of a sentence; NULL: it is allowed, or not in one. */
const char *tx_forbids(const transactions *t, uint32_t path, const isa_instruction *instruction);
/* Prepares an access that the path is about to submit. Nonzero: the access is refused with a fault. */
int tx_before_access(transactions *t, uint32_t path, const isa_instruction *instruction);
/* The access has been submitted. Returns whether it is a store of the transaction (ticket_state.transactional_store). */
uint32_t tx_submitted(transactions *t, const memory_access *access);
/* An access of the warp has returned values to lanes `mask`; last: it is complete. */
void tx_access_done(transactions *t, const ticket_state *ticket, uint64_t mask, const uint32_t *value, uint32_t last);
/* The edge asked for by wake, or by the last call, has been reached. Returns the next one at which a warp has something to do,
 * UINT64_MAX if there is none. */
uint64_t tx_work(transactions *t);
/* A packet has come by the core's own links for transactions. Lent. */
void tx_receive(transactions *t, const hd_packet *packet);
/* Whether the warp's block must not end or stop yet, because of the warp's transactions. t may be NULL. */
uint32_t tx_is_busy(const transactions *t, uint32_t warp);
/* t may be NULL: 0. */
uint32_t tx_csr(const transactions *t, uint32_t path, uint32_t lane, uint32_t csr);
/* Describes what the warp waits for; NULL: it does not wait because of transactions. t may be NULL. */
const char *tx_describe(const transactions *t, uint32_t warp);
/* How often the warp's transaction has been retried; 0 outside. t may be NULL. */
uint32_t tx_retries(const transactions *t, uint32_t warp);
/* Another thread block's warp is in its place. t may be NULL. */
void tx_new_warp(transactions *t, uint32_t warp);

static inline uint32_t tx_next_epoch(const tx_warp *w)
{
    return w->epoch % 255 + 1;
}

/* Bytes of its word that the lane accesses. */
static inline uint32_t tx_access_bytes(const memory_access *access, uint32_t lane)
{
    return ((1u << access->instruction->access_bytes) - 1) << access->address[lane] % 4;
}

/* ---- For protocols ------------------------------------------------------------------------------------------------ */

static inline tx_warp *tx_warp_of(const transactions *t, uint32_t warp)
{
    return &t->warps[warp];
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
/* Lanes of this attempt that are running, and those of the transaction that have aborted, or have not begun yet. */
uint64_t tx_running(const transactions *t, uint32_t warp);
uint64_t tx_aborted(const transactions *t, uint32_t warp);
/* Aborts those of the lanes that are running. This is the only place where lanes abort. */
void tx_abort_for(transactions *t, uint32_t warp, uint64_t lanes, const tx_cause *cause);
/* The same at the warp's current pc, without a winner. */
void tx_abort(transactions *t, uint32_t warp, uint64_t lanes, uint32_t reason);
/* The result of lanes in TX_COMMIT: the protocol calls this, once or several times, until none runs. */
void tx_decide(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, uint32_t reason);
/* Reports to the checker that these lanes commit, or have committed at `committed`; called before any of their data is
 * written. */
void tx_report_commits(transactions *t, uint32_t warp, uint64_t lanes, hd_time committed);
/* A packet of this attempt with this header. */
hd_packet *tx_packet(const transactions *t, uint32_t warp, uint32_t message, uint64_t address, uint32_t body_bytes);
/* The protocol's `work` is called at that edge, or an earlier one. */
static inline void tx_wake(const transactions *t, uint64_t edge)
{
    t->core.port->wake(t->core.context, edge);
}
/* The run ends: these lanes at pc have done what the text says. */
void tx_fault(const transactions *t, uint32_t warp, uint32_t pc, uint64_t lanes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The result of may_begin may have changed. */
void tx_retry_begins(transactions *t);
/* in_flight of the warp has become 0. */
void tx_settled(transactions *t, uint32_t warp);

/* ---- Between the files of this folder ----------------------------------------------------------------------------- */

/* transactions.c */
void tx_set_state(transactions *t, uint32_t warp, enum tx_state state);
void tx_set_due(transactions *t, uint32_t warp, uint64_t edge);
void tx_set_watchdog(transactions *t, uint32_t warp, uint64_t edge);
/* The path, in a transaction, stands at the tx.commit that ends it; those of nested transactions do nothing. Lanes that are in
 * a nested one part from others, and abort, so that only the place tells. */
uint32_t tx_is_last_commit(const transactions *t, uint32_t path);
/* Calls tx_step for the warp at the next edge. */
void tx_poll(transactions *t, uint32_t warp);
void tx_queue_push(tx_queue *queue, uint32_t warp);
uint32_t tx_queue_pop(tx_queue *queue);
/* Advances the warp's state as far as possible. */
void tx_step(transactions *t, uint32_t warp);
/* Whether the path of the warp's transaction has nothing in flight in the memory pipe. */
uint32_t tx_is_drained(const transactions *t, uint32_t warp);

/* attempt.c */
/* Aborts those of the running lanes that are doomed, and returns the others. */
uint64_t tx_abort_doomed(transactions *t, uint32_t warp, uint64_t lanes, uint32_t pc, enum tx_trouble trouble);
void tx_attempt_begin(transactions *t, uint32_t warp, uint64_t lanes);
void tx_attempt_over(transactions *t, uint32_t warp);
void tx_attempt_restart(transactions *t, uint32_t warp);
void tx_release_token(transactions *t, uint32_t warp);
/* Lanes that have reached the end commit, or fail. */
void tx_lanes_done(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, uint32_t reason);

/* commit.c */
void tx_commit_start(transactions *t, uint32_t warp);
void tx_commit_step(transactions *t, uint32_t warp);

/* report.c: for the checker; nothing without one */
/* Lanes of the access, which load or store. entry: of the read log, for loads that have no values yet; else TX_NO_ENTRY. */
void tx_record_access(transactions *t, const memory_access *access, uint64_t lanes, uint32_t entry);
/* They have them. */
void tx_record_values(void *context, const memory_access *access, uint64_t lanes);

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
