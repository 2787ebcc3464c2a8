/* SPDX-License-Identifier: MIT */
/*
 * WarpTM with eager conflict detection at no cost ("eager-lazy"): what the validation of WarpTM would find at the end is found at each
 * access, at once. One block for all cores tells of each word that an attempt has read what it is when another commits it; the core
 * compares. What remains of a commit is its second half: write logs go to the commit units, which write them in the order of commit
 * IDs and say so; the warp waits for that. No such machine can be built: it is the upper bound of eager detection.
 * Source: Ren & Lis 2018 §III; messages: hd_ideal.h, hd_kilo.h.
 */
#ifndef SIMT_CORE_TX_WARPTM_EL_H
#define SIMT_CORE_TX_WARPTM_EL_H

#include "tx/ideal/registration.h"
#include "tx/kilo/logs.h"

/* Its own parameters and statistics: declaration.c */
enum warptm_el_parameter { WARPTM_EL_COMPARE, WARPTM_EL_TEST_LAST, WARPTM_EL_PARAMETERS };
enum { COMPARE_ACCESSES, COMPARE_END };
enum { LAST_COMMIT, LAST_ACCESS };
enum warptm_el_statistic {
    WARPTM_EL_ABORTS_ACCESS, /* reasons come first */
    WARPTM_EL_ABORTS_OUTDATED,
    WARPTM_EL_ABORTS_MISTAKE,
    WARPTM_EL_REASONS,
    WARPTM_EL_CHANGED_WORDS = WARPTM_EL_REASONS,
    WARPTM_EL_SILENT_COMMITS,
    WARPTM_EL_LATE_COMMITS,
    WARPTM_EL_DECISION_CYCLES,
    WARPTM_EL_SEND_CYCLES,
    WARPTM_EL_WRITE_CYCLES,
    WARPTM_EL_STATISTICS
};
#define WARPTM_EL_ACCESS (TX_OWN_REASONS + (uint32_t)WARPTM_EL_ABORTS_ACCESS)
#define WARPTM_EL_OUTDATED (TX_OWN_REASONS + (uint32_t)WARPTM_EL_ABORTS_OUTDATED)
#define WARPTM_EL_MISTAKE (TX_OWN_REASONS + (uint32_t)WARPTM_EL_ABORTS_MISTAKE)

/* What a warp that commits waits for. */
enum warptm_el_phase {
    WARPTM_EL_RUNS,     /* nothing: it does not commit */
    WARPTM_EL_DECISION, /* of the block */
    WARPTM_EL_LOGS,     /* its logs are being sent */
    WARPTM_EL_WRITES,   /* its words are being written */
    WARPTM_EL_TELLS     /* they are, and the block has to hear of it */
};

/* Of a warp, at one partition: lanes. */
typedef struct warptm_el_place {
    uint64_t written; /* write there */
    uint64_t awaited; /* of these, whose last write has not been told */
} warptm_el_place;

typedef struct warptm_el_warp {
    uint32_t phase;      /* enum warptm_el_phase */
    uint64_t since;      /* edge at which it began */
    uint64_t lanes;      /* that commit, or want to */
    hd_kilo_group group; /* once it is decided */
    kilo_log_walk walk;
    uint32_t closing;        /* partitions below have been sent the end of the log */
    warptm_el_place *places; /* [partition] */

    /* Of the attempt that runs */
    hd_ideal_write *changed; /* words that have been committed since it has registered them, as they are now */
    uint32_t changed_count, changed_capacity;
    uint32_t changes;  /* messages about them; */
    uint32_t compared; /* of these, those that the lanes that want to commit have been compared with */
} warptm_el_warp;

typedef struct warptm_el {
    transactions *t;
    const hd_unit_share *share;
    ideal_registration registration;
    warptm_el_warp *warps;
    uint32_t partitions;
    uint32_t compares_accesses, compares_commits;

    tx_queue
        telling; /* warps with something to tell the block: what they commit, or that it is written; of the first: */
    ideal_log_cursor cursor; /* what comes next */
    tx_queue sending;        /* warps whose logs leave in turn, a packet each */

    uint32_t message_commit, message_verdict, message_changed, message_written;
    uint32_t message_write_set, message_done_skip, message_committed;
} warptm_el;

static inline uint64_t *warptm_el_counter(const warptm_el *u, enum warptm_el_statistic statistic)
{
    return &u->share->counters[statistic];
}

/* checkpoint.c: tx_unit.transfer */
void warptm_el_transfer(tx *unit, const hd_state_stream *stream);

/* compare.c */
/* Lanes of these that have read a word that has another value by now. */
uint64_t warptm_el_outdated(const warptm_el *u, uint32_t warp, uint64_t lanes);
/* Another has committed what the attempt has registered. */
void warptm_el_changed(warptm_el *u, uint32_t warp, const hd_packet *packet);
/* tx_unit.before_access, doomed */
void warptm_el_before_access(tx *unit, const memory_access *access, uint64_t lanes);
uint64_t warptm_el_doomed(tx *unit, uint32_t warp, uint64_t lanes, const tx_mishap *mishap, uint32_t *reason);

/* commit.c */
/* tx_unit.at_commit, commit */
uint64_t warptm_el_at_commit(tx *unit, uint32_t warp, uint64_t lanes);
void warptm_el_commit(tx *unit, uint32_t warp, uint64_t lanes);
void warptm_el_decided(warptm_el *u, uint32_t warp, const hd_ideal_verdict *verdict);
/* All of the warp's logs has left. */
void warptm_el_sent(warptm_el *u, uint32_t warp);
void warptm_el_written(warptm_el *u, uint32_t warp, uint32_t partition, const hd_kilo_lanes *said);
/* Packets to the block, as many as there are credits for; the rest at a later edge. */
void warptm_el_tell(warptm_el *u);

/* packets.c */
/* Of the warp's group, which commits. */
void warptm_el_send_logs(warptm_el *u, uint32_t warp);
/* NULL: there is none. */
hd_packet *warptm_el_next_log(warptm_el *u);

#endif
