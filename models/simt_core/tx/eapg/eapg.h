/* SPDX-License-Identifier: MIT */
/*
 * Early abort and pause-and-go on WarpTM: commit units tell all cores which words are being committed. A lane that has used one of
 * them in a way that conflicts aborts at its commit, before anything of it is sent (early abort). A lane that is about to use one
 * stands aside, while the others of its warp go on and commit first; then it goes on (pause); or the whole warp waits. What the core
 * knows of such words are hints: they never decide a commit, and may be late, or missing. All else is Kilo TM. Source: Ren & Lis 2018 §VI (EAPG);
 * Chen & Peng 2016; messages: hd_kilo.h.
 */
#ifndef SIMT_CORE_TX_EAPG_H
#define SIMT_CORE_TX_EAPG_H

#include "hd_word_map.h"
#include "tx/kilo/kilo.h"

/* Its own parameters and statistics, behind those of Kilo TM: declaration.c */
enum eapg_parameter {
    EAPG_EARLY_ABORT = KILO_PARAMETERS,
    EAPG_PAUSE,
    EAPG_PAUSE_REPEATS,
    EAPG_PAUSE_IN_BRANCH,
    EAPG_PAUSE_TIME_OUT,
    EAPG_STORE_HITS,
    EAPG_TABLE,
    EAPG_TABLE_ENTRIES,
    EAPG_TABLE_COST,
    EAPG_TEST_REPRIEVE,
    EAPG_TEST_LOGS,
    EAPG_TEST_ORDER,
    EAPG_TEST_WAIT,
    EAPG_PARAMETERS
};
enum { PAUSE_STACK, PAUSE_WAIT, PAUSE_OFF };
enum { TABLE_WORDS, TABLE_SIGNATURES };
enum { TABLE_COST_NOTHING, TABLE_COST_BLOCKS };
enum { STORE_HITS_ANY, STORE_HITS_READ };
enum { REPRIEVE_YES, REPRIEVE_NO };
enum { LOGS_KEEP, LOGS_LOSE };
enum { ORDER_KEEP, ORDER_LOSE };
enum { WAIT_WARP, WAIT_PIPE };
enum eapg_reason { EAPG_ABORTS_EARLY = KILO_REASONS, EAPG_REASONS };
#define EAPG_EARLY (TX_OWN_REASONS + (uint32_t)EAPG_ABORTS_EARLY)
enum eapg_statistic {
    EAPG_REPRIEVES = KILO_STATISTICS,
    EAPG_PAUSES,
    EAPG_PAUSED_LANES,
    EAPG_PAUSED_TRANSACTIONS,
    EAPG_TABLE_MAXIMUM,
    EAPG_TABLE_DROPS,
    EAPG_WAITS,
    EAPG_WAIT_CYCLES,
    EAPG_TIME_OUTS,
    EAPG_LOOK_UP_CYCLES,
    EAPG_STATISTICS
};
enum eapg_event { EAPG_EVENT_PAUSE = KILO_SHARED_EVENTS, EAPG_EVENT_EARLY, EAPG_EVENTS };

/* What is known of a word. */
#define EAPG_READ 1u    /* is read by a transaction that is being committed */
#define EAPG_WRITTEN 2u /* is written by one */

typedef struct eapg_warp {
    uint64_t about_to_pause; /* lanes, as soon as nothing of their attempt is in flight */
    uint64_t ever;           /* lanes that have paused in this transaction */
    uint64_t looked_up;      /* edge at which the look-up for the next access ends; 0: it has not begun */
    uint64_t waits_since;    /* edge; 0: the next access does not wait */
} eapg_warp;

#define EAPG_SETS 2u /* words that are read, and that are written */

/* Test: a message that says that words are being committed, and has not been taken in. */
typedef struct eapg_late {
    uint32_t addresses[HD_KILO_ADDRESSES];
    uint32_t count, flag;
} eapg_late;

typedef struct eapg {
    kilo kilo; /* first: functions of Kilo TM take one for the other */
    eapg_warp *warps;
    hd_word_map table; /* conflict address table: EAPG_* of each word */
    uint64_t (
        *signatures)[EAPG_SETS]; /* of each partition, in the place of the table; NULL: it is words that are known */
    uint32_t aborts_early, reprieves;
    uint32_t pauses, repeats, in_branch, loses_logs;
    uint32_t waits, keeps_pipe;
    uint64_t time_out; /* cycles; 0: none */
    uint32_t store_hits, costs;
    uint32_t has_withheld; /* test: something of other warps should have left */
    eapg_late *late;       /* test; NULL: messages are taken in as they come */
    uint32_t message_enter, message_leave, message_signature;
} eapg;

static inline uint64_t *eapg_counter(const eapg *e, enum eapg_statistic statistic)
{
    return &e->kilo.counters[statistic];
}

extern const tx_unit tx_eapg;

/* checkpoint.c: tx_unit.transfer */
void eapg_transfer(tx *unit, const hd_state_stream *stream);

/* table.c */
/* Words are being committed, or not any more, or those with these signatures are. */
void eapg_enter(eapg *e, const hd_packet *packet);
void eapg_leave(eapg *e, const hd_packet *packet);
void eapg_take_signature(eapg *e, const hd_packet *packet);
/* Whether there is no word of which anything is known. */
uint32_t eapg_knows_nothing(const eapg *e);
/* Whether loading, or storing to, the word at this address conflicts with what is being committed, as far as is known. */
uint32_t eapg_hits(const eapg *e, uint32_t address, uint32_t is_store);

/* early_abort.c: tx_unit.resolved */
void eapg_resolved(tx *unit, uint32_t warp, uint64_t lanes);

/* look_up.c: an access, before it issues */
/* Whether it is one that is looked up: a load or store where lanes of the attempt may wait. */
uint32_t eapg_is_looked_up(const eapg *e, uint32_t path, const isa_instruction *instruction);
/* Its lanes that conflict with what is being committed. Precondition: it is looked up. */
uint64_t eapg_hits_of(const eapg *e, uint32_t path, const isa_instruction *instruction);
/* Whether that takes more time yet. */
uint32_t eapg_is_looking_up(const eapg *e, uint32_t path, const isa_instruction *instruction);
/* tx_unit.resolving_walks */
uint32_t eapg_resolving_walks(const tx *unit);

/* wait.c */
/* Whether the warp waits before this access until its words are not being committed any more. */
uint32_t eapg_is_waiting(const eapg *e, uint32_t path, const isa_instruction *instruction);
/* The access that was looked up, and may have waited, is made, or will not be. */
void eapg_goes_on(eapg *e, uint32_t warp);
/* More is known: who could access may have to wait. */
void eapg_recheck_ready(const eapg *e);
/* Less is known: who waits may go on. */
void eapg_recheck_waiting(const eapg *e);
/* tx_unit.describe_hold, next_packet, work */
const char *eapg_describe_hold(const tx *unit, uint32_t warp);
hd_packet *eapg_offered(tx *unit);
void eapg_work(tx *unit);

/* pause.c: tx_unit.holds, before_issue, drained */
uint32_t eapg_holds(const tx *unit, uint32_t path, const isa_instruction *instruction);
void eapg_before_issue(tx *unit, uint32_t path, const isa_instruction *instruction);
void eapg_drained(tx *unit, uint32_t warp);

#endif
