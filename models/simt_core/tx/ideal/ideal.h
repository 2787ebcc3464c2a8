/* SPDX-License-Identifier: MIT */
/*
 * Ideal transactions: one block for all cores is told of what each lane reads, before it is read, and decides on commits at once.
 * Stores go to the log and nowhere else. Source: Fung 2015 §4.1; messages: hd_ideal.h.
 */
#ifndef SIMT_CORE_TX_IDEAL_H
#define SIMT_CORE_TX_IDEAL_H

#include "tx/ideal/registration.h"

#define IDEAL_EPOCHS 250u /* attempts of a warp whose stores may be under way: fewer than there are epochs */

typedef struct ideal_warp {
    uint64_t settled; /* tx_warp.attempt of the last one before stores were under way */
    uint32_t is_in_flight;
} ideal_warp;

typedef struct ideal {
    transactions *t;
    ideal_registration registration;
    ideal_warp *warps;

    tx_queue committing; /* warps; of the first of them, what comes next: */
    ideal_log_cursor cursor;

    uint32_t message_commit, message_verdict, message_doom, message_settled;
} ideal;

/* Its own statistics, which are reasons. */
enum { IDEAL_ABORTS_READ_COMMITTED, IDEAL_STATISTICS };
#define IDEAL_READ_COMMITTED (TX_OWN_REASONS + (uint32_t)IDEAL_ABORTS_READ_COMMITTED)

/* checkpoint.c: tx_unit.transfer */
void ideal_transfer(tx *unit, const hd_state_stream *stream);

/* commits.c */
/* Packets of commits, as many as there are credits for. */
void ideal_send_commits(ideal *g);

#endif
