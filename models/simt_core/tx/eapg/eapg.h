/* SPDX-License-Identifier: MIT */
/*
 * Early abort and pause-and-go on WarpTM: commit units tell all cores which words are being committed. A lane that has used one of
 * them in a way that conflicts aborts at its commit, before anything of it is sent (early abort). A lane that is about to use one
 * stands aside, while the others of its warp go on and commit first; then it goes on (pause). What the core knows of such words are
 * hints: they never decide a commit, and may be late, or missing. All else is Kilo TM. Source: Ren & Lis 2018 §VI (EAPG);
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
    EAPG_STORE_HITS,
    EAPG_TABLE_ENTRIES,
    EAPG_TEST_REPRIEVE,
    EAPG_TEST_LOGS,
    EAPG_PARAMETERS
};
enum { PAUSE_STACK, PAUSE_OFF };
enum { STORE_HITS_ANY, STORE_HITS_READ };
enum { REPRIEVE_YES, REPRIEVE_NO };
enum { LOGS_KEEP, LOGS_LOSE };
enum eapg_reason { EAPG_ABORTS_EARLY = KILO_REASONS, EAPG_REASONS };
#define EAPG_EARLY (TX_OWN_REASONS + (uint32_t)EAPG_ABORTS_EARLY)
enum eapg_statistic {
    EAPG_REPRIEVES = KILO_STATISTICS,
    EAPG_PAUSES,
    EAPG_PAUSED_LANES,
    EAPG_PAUSED_TRANSACTIONS,
    EAPG_TABLE_MAXIMUM,
    EAPG_TABLE_DROPS,
    EAPG_STATISTICS
};
enum eapg_event { EAPG_EVENT_PAUSE = KILO_SHARED_EVENTS, EAPG_EVENT_EARLY, EAPG_EVENTS };

/* What is known of a word. */
#define EAPG_READ 1u    /* is read by a transaction that is being committed */
#define EAPG_WRITTEN 2u /* is written by one */

typedef struct eapg_warp {
    uint64_t about_to_pause; /* lanes, as soon as nothing of their attempt is in flight */
    uint64_t ever;           /* lanes that have paused in this transaction */
} eapg_warp;

typedef struct eapg {
    kilo kilo; /* first: functions of Kilo TM take one for the other */
    eapg_warp *warps;
    hd_word_map table; /* conflict address table: EAPG_* of each word */
    uint32_t aborts_early, reprieves;
    uint32_t pauses, repeats, in_branch, loses_logs;
    uint32_t store_hits;
    uint32_t message_enter, message_leave;
} eapg;

static inline uint64_t *eapg_counter(const eapg *e, enum eapg_statistic statistic)
{
    return &e->kilo.counters[statistic];
}

extern const tx_unit tx_eapg;

/* table.c */
/* Words are being committed, or not any more. */
void eapg_enter(eapg *e, const hd_packet *packet);
void eapg_leave(eapg *e, const hd_packet *packet);
/* Whether loading, or storing to, the word at this address conflicts with what is being committed, as far as is known. */
uint32_t eapg_hits(const eapg *e, uint32_t address, uint32_t is_store);

/* early_abort.c: tx_unit.resolved */
void eapg_resolved(tx *unit, uint32_t warp, uint64_t lanes);

/* pause.c: tx_unit.holds, before_issue, drained */
uint32_t eapg_holds(const tx *unit, uint32_t path, const isa_instruction *instruction);
void eapg_before_issue(tx *unit, uint32_t path, const isa_instruction *instruction);
void eapg_drained(tx *unit, uint32_t warp);

#endif
