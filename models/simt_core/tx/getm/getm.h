/* SPDX-License-Identifier: MIT */
/*
 * GETM: each access is validated at its partition when it takes place, by logical timestamps; what has run to its end commits
 * without being asked again, and its log is applied while the warp goes on. Source: Ren & Lis 2018 §IV, §V; messages: hd_getm.h.
 */
#ifndef SIMT_CORE_TX_GETM_H
#define SIMT_CORE_TX_GETM_H

#include "hd_getm.h"
#include "tx/protocol.h"

/* Its own parameters and statistics: declaration.c */
enum getm_parameter {
    GETM_GRANULE,
    GETM_TIE_BREAK,
    GETM_CLOCK_SEED,
    GETM_CLOCK_START,
    GETM_ESCALATION,
    GETM_PARAMETERS
};
enum getm_statistic {
    GETM_ABORTS_LOAD_WRITTEN, /* reasons come first */
    GETM_ABORTS_STORE_WRITTEN,
    GETM_ABORTS_STORE_READ,
    GETM_ABORTS_STALL_FULL,
    GETM_ABORTS_ROLLOVER,
    GETM_REASONS,
    GETM_ESCALATIONS = GETM_REASONS,
    GETM_CLOCK_STEPS,
    GETM_ROLLOVERS,
    GETM_STATISTICS
};
#define GETM_ROLLOVER (TX_OWN_REASONS + (uint32_t)GETM_ABORTS_ROLLOVER)

#define TIE_BREAK_WARP 0u /* values of tie_break */

#define CLOCK_SEED_SLOT 0u /* of clock_seed */
#define CLOCK_SEED_CORE 1u
#define CLOCK_START_CORE 1u /* of clock_start */

#define EPOCHS_MAX 250u /* attempts of a warp that may not be applied yet: fewer than there are epochs */

typedef struct getm_warp {
    uint64_t clock;     /* count: without the number of the warp */
    uint64_t timestamp; /* of the attempt */
    uint64_t cause;     /* highest timestamp that refused something of this attempt, HD_GETM_NO_CAUSE = none */
    uint64_t settled;   /* tx_warp.attempt of the last one without logs in flight before it */
    uint32_t logs;      /* packets that are not acknowledged */
    uint32_t gate;      /* GATE_* */
    uint32_t no_logs;   /* a rollover: what this attempt has reserved is forgotten anyway */
    uint32_t escalated; /* 1: too many attempts of this transaction have been in vain */
    uint32_t touched;   /* entries of the write log below this may have approved stores */
    uint64_t *approved; /* [entry][lane] of the write log: approved stores to the word; a loop may make any number */
} getm_warp;

enum { GATE_NONE, GATE_WANTED, GATE_ASKED, GATE_HELD };
enum { ROLLS_NOT, ROLLS, ROLLS_TELLS, ROLLS_WAITS };

typedef struct getm {
    transactions *t;
    const hd_unit_share *share;
    getm_warp *warps;
    uint32_t warp_bits; /* of a timestamp that say whose it is */
    uint32_t granule;
    uint64_t latest; /* highest clock of any warp in this era */
    uint64_t era;

    tx_queue committing; /* warps whose logs are to be sent; the first of them has its in regions */
    hd_getm_region *regions;
    uint16_t *partitions; /* of each region */
    uint32_t *order;      /* in which regions leave: by partition, those with data first */
    uint32_t region_count, sent;
    uint32_t region_bytes;

    uint32_t rolls;         /* ROLLS_* */
    uint32_t rollover_unit; /* endpoint of the validation unit that asked */

    uint32_t message_load, message_store, message_store_ok, message_abort, message_log, message_log_ack;
    uint32_t message_rollover, message_rolled_over, message_rollover_end;
} getm;

static inline uint64_t getm_parameter_of(const getm *g, enum getm_parameter parameter)
{
    return g->share->values[parameter].u;
}

static inline uint64_t *getm_counter(const getm *g, enum getm_statistic statistic)
{
    return &g->share->counters[statistic];
}

extern const tx_unit tx_getm;

/* checkpoint.c: tx_unit.transfer */
void getm_transfer(tx *unit, const hd_state_stream *stream);

/* getm.c */
/* A request of the attempt to the validation unit. */
hd_packet *getm_access(const getm *g, uint32_t warp, uint32_t message, uint64_t address, uint32_t count, uint32_t pc);
/* Lanes of the warp abort at pc because of this answer. */
void getm_refused(getm *g, uint32_t warp, uint64_t lanes, const hd_packet *packet, uint32_t pc);

/* gate.c */
void getm_gate_begin(getm *g, uint32_t warp);
void getm_gate_forget(getm *g, uint32_t warp); /* with its reservation */
hd_packet *getm_next_gate(getm *g);            /* NULL: no attempt wants it */
uint32_t getm_is_of_gate(const getm *g, const hd_packet *packet);
void getm_gate_answered(getm *g, const hd_packet *packet);

/* logs.c */
/* The warp's attempt is over: survivors write, all give their reservations back. */
void getm_send_logs(getm *g, uint32_t warp, uint64_t survivors);
hd_packet *getm_next_log(getm *g);
void getm_acknowledged(getm *g, uint32_t warp);

/* rollover.c */
void getm_rollover(getm *g, uint32_t unit);
void getm_roll(getm *g);
hd_packet *getm_rolled_over(getm *g);
void getm_rollover_end(getm *g);
/* All clocks to 0, in another era. */
void getm_new_era(getm *g);

#endif
