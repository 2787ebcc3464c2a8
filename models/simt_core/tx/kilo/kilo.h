/* SPDX-License-Identifier: MIT */
/*
 * Kilo TM: an attempt runs undisturbed, its stores go to the log and nowhere else. At its end the lanes take commit IDs, the
 * partitions' commit units compare by value what was read, and write what was written, in the order of the IDs. WarpTM does that
 * for all lanes of a warp together; temporal conflict detection (TCD) lets readers commit without it. Source: Fung 2015 §4.2, §6.2,
 * §6.4; messages: hd_kilo.h.
 */
#ifndef SIMT_CORE_TX_KILO_H
#define SIMT_CORE_TX_KILO_H

#include "hd_kilo.h"
#include "hd_ring.h"
#include "tx/kilo/logs.h"
#include "tx/protocol.h"

/*
 * Its own parameters and statistics (declaration.c). A protocol that is Kilo TM and more has a kilo as the first member of what it is,
 * and the same tables at the beginning of its own (tables.h); its reasons follow these, and its statistics those of kilo_statistic.
 */
enum kilo_parameter { KILO_AGGREGATE, KILO_TCD, KILO_PARAMETERS };
enum kilo_reason { KILO_ABORTS_VALIDATION, KILO_ABORTS_DOOMED, KILO_REASONS };
enum kilo_statistic { /* behind all reasons */
                      KILO_SLICE_LOADS,
                      KILO_COMMIT_IDS,
                      KILO_SILENT_COMMITS,
                      KILO_SECOND_CHANCES,
                      KILO_RESENT_WORDS,
                      KILO_ID_CYCLES,
                      KILO_SEND_CYCLES,
                      KILO_VERDICT_CYCLES,
                      KILO_WRITE_CYCLES,
                      KILO_STATISTICS
};
#define KILO_VALIDATION (TX_OWN_REASONS + (uint32_t)KILO_ABORTS_VALIDATION)
#define KILO_DOOMED (TX_OWN_REASONS + (uint32_t)KILO_ABORTS_DOOMED)

/* Its own trace events, the first of whoever is built upon it */
enum kilo_event {
    KILO_EVENT_IDS,
    KILO_EVENT_SEND,
    KILO_EVENT_VERDICTS,
    KILO_EVENT_WRITE,
    KILO_EVENT_VERDICT,
    KILO_EVENT_OUTCOME,
    KILO_EVENT_SILENT,
    KILO_EVENT_SUSPECTS,
    KILO_SHARED_EVENTS,
    KILO_EVENT_FAILURE = KILO_SHARED_EVENTS, /* no other unit may have an event of this name, either */
    KILO_EVENTS
};

#define KILO_CUT_SHORT_MAX 20u /* doublings of the time that an attempt may run */

/* What a warp that commits waits for. */
enum kilo_phase {
    KILO_RUNS, /* nothing: it does not commit */
    KILO_IDS,
    KILO_LOGS, /* its logs are being sent */
    KILO_VERDICTS,
    KILO_WRITES /* all lanes have an outcome, and it has been sent */
};

/* Of a warp, at one partition: lanes. */
typedef struct kilo_place {
    uint64_t touched; /* have words there */
    uint64_t written; /* of these, who writes there */
    uint64_t awaited; /* whose verdict, or whose last write, has not been told */
    uint64_t to_tell; /* have an outcome that the unit does not know */
} kilo_place;

/* What of the logs has been sent. */
typedef struct kilo_walk {
    uint32_t is_write_set;
    kilo_log_walk log;
} kilo_walk;

typedef struct kilo_warp {
    uint32_t phase;     /* enum kilo_phase */
    uint32_t is_listed; /* in kilo.sending */
    uint64_t since;     /* edge at which the phase began */
    hd_kilo_group group;
    uint64_t open;   /* lanes of the group without an outcome */
    uint64_t failed; /* of the group: a unit has not let them pass */
    kilo_walk walk;
    uint32_t closing;   /* partitions below have been sent the end of the logs */
    kilo_place *places; /* [partition] */

    uint32_t cut_short; /* attempts of this transaction that have run for too long */

    /* Of the attempt that runs */
    uint64_t suspects;   /* lanes that have aborted in trouble, and may not have been doomed */
    uint64_t has_loaded; /* lanes */
    uint64_t conflicts;  /* lanes whose loads may not have seen one state of memory */
    hd_time *first;      /* [lane]: time of the first load of those that have loaded */
} kilo_warp;

/* What lanes have done, and the run would have ended with. */
typedef struct kilo_mishap {
    uint32_t warp;
    uint32_t pc;
    uint64_t lanes;
    char text[TX_FAULT_BYTES];
} kilo_mishap;

/* Words that a commit unit has asked for again. */
typedef struct kilo_resend {
    hd_kilo_resend asked;
    uint32_t warp;
    uint32_t partition;
    uint32_t entry; /* of the log: goes on there, */
    uint32_t skip;  /* after so many words of the lane there */
} kilo_resend;

typedef struct kilo {
    transactions *t;
    const hd_unit_share *share;
    uint64_t *counters; /* [kilo_statistic] */
    kilo_warp *warps;
    uint32_t partitions;
    uint32_t aggregates, has_times;
    uint32_t shows_failures; /* KILO_EVENT_FAILURE is one of its events */
    tx_queue asking;         /* warps that want commit IDs, and wait for a credit */
    tx_queue sending;        /* warps in turn, a packet each */
    kilo_resend *resends;    /* they go first: a unit may wait for them with all that is younger */
    hd_ring resend_ring;     /* their places */
    kilo_mishap *mishaps;    /* of attempts that run, or are being validated */
    uint32_t mishap_count, mishap_capacity;

    uint32_t message_load, message_read_set, message_write_set, message_done_skip, message_verdict, message_outcome,
        message_committed, message_resend, message_resent, message_take_ids, message_ids;
} kilo;

static inline uint64_t *kilo_counter(const kilo *k, enum kilo_statistic statistic)
{
    return &k->counters[statistic];
}

/* kilo.c: what tx_unit has, for whoever begins with a kilo */
/* Of one that is all 0. reasons: of the whole protocol. Nonzero: out of memory; it has to be released all the same. */
int kilo_create(kilo *k, transactions *t, const hd_unit_share *share, uint32_t reasons);
void kilo_release(kilo *k);
void kilo_reset(tx *unit);
void kilo_align(tx *unit);
void kilo_begin(tx *unit, uint32_t warp, uint64_t lanes);
hd_packet *kilo_request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                        uint64_t tag);
uint64_t kilo_loaded(tx *unit, memory_access *access, uint64_t lanes, const hd_packet *reply);
void kilo_reply(tx *unit, const hd_packet *packet);
hd_packet *kilo_offered(tx *unit);
void kilo_aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason);
uint64_t kilo_at_commit(tx *unit, uint32_t warp, uint64_t lanes);
void kilo_commit(tx *unit, uint32_t warp, uint64_t lanes);
uint32_t kilo_in_flight(const tx *unit, uint32_t warp);
void kilo_work(tx *unit);
uint32_t kilo_timestamp(const tx *unit, uint32_t warp);
void kilo_new_warp(tx *unit, uint32_t warp);

/* commit.c */
/* These lanes are to be validated and committed, and suspects to be validated; there are some. */
void kilo_take_ids(kilo *k, uint32_t warp, uint64_t lanes);
/* Asks for commit IDs as long as there are credits. */
void kilo_ask(kilo *k);
void kilo_got_ids(kilo *k, uint32_t warp, uint64_t first);
void kilo_judged(kilo *k, uint32_t warp, const hd_packet *packet);
void kilo_written(kilo *k, uint32_t warp, uint32_t partition, const hd_kilo_lanes *said);
/* All that the warp had to send has left. */
void kilo_sent(kilo *k, uint32_t warp);

/* mishaps.c */
/* tx_unit.doomed */
uint64_t kilo_doomed(tx *unit, uint32_t warp, uint64_t lanes, const tx_mishap *mishap, uint32_t *reason);
/* What they had read has been validated, or there is another attempt. */
void kilo_forget_mishaps(kilo *k, uint32_t warp);
/* What these suspects have read was in memory together: the run ends. */
void kilo_blame(const kilo *k, uint32_t warp, uint64_t lanes);

/* packets.c */
/* Of the warp's group, which has commit IDs now. */
void kilo_send_logs(kilo *k, uint32_t warp);
/* The warp has something to send. */
void kilo_send(kilo *k, uint32_t warp);
/* Words of it again. */
void kilo_send_again(kilo *k, uint32_t warp, uint32_t partition, const hd_kilo_resend *asked);
/* Room for twice as many of them. */
void kilo_double_resends(kilo *k);

/* checkpoint.c: tx_unit.transfer */
void kilo_transfer(tx *unit, const hd_state_stream *stream);
hd_packet *kilo_next_packet(kilo *k);

/* trace.c; nothing if the run is not traced */
void kilo_trace_phase(const kilo *k, uint32_t warp, enum kilo_phase before, enum kilo_phase now);
void kilo_trace_verdict(const kilo *k, uint32_t warp, const hd_packet *packet);
void kilo_trace_outcome(const kilo *k, uint32_t warp, uint64_t committed, uint64_t failed);
/* Lanes that commit silently, and readers that do not. */
void kilo_trace_silent(const kilo *k, uint32_t warp, uint64_t silent, uint64_t in_doubt);
void kilo_trace_suspects(const kilo *k, uint32_t warp, uint32_t pc, uint64_t lanes);

#endif
