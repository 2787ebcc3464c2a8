/* SPDX-License-Identifier: MIT */
/*
 * Ideal transactions: one block for all cores is told of what each lane reads, before it is read, and decides on commits at once.
 * Stores go to the log and nowhere else. Source: Fung 2015 §4.1; messages: hd_ideal.h.
 */
#ifndef SIMT_CORE_TX_IDEAL_H
#define SIMT_CORE_TX_IDEAL_H

#include "hd_ideal.h"
#include "tx/protocol.h"

#define IDEAL_EPOCHS 250u /* attempts of a warp whose stores may be under way: fewer than there are epochs */

/* Bytes of a lane's word that are committed and not in memory, of a load in flight. */
typedef struct ideal_word {
    uint32_t value;
    uint32_t byte_mask; /* 0..15 */
} ideal_word;

/* A load that is registered and may leave. */
typedef struct ideal_load {
    uint64_t tag;
    uint64_t address;
    uint32_t bytes;
    uint32_t reserved;
} ideal_load;

typedef struct ideal_warp {
    uint64_t settled; /* tx_warp.attempt of the last one before stores were under way */
    uint32_t is_in_flight;
    uint32_t heard; /* epoch of the latest message to the block; 0: none */
} ideal_warp;

typedef struct ideal {
    transactions *t;
    ideal_warp *warps;
    ideal_word *words; /* [ticket][lane] */

    ideal_load *loads;  /* ring */
    hd_packet **asking; /* ring: registrations that wait for a credit */
    uint32_t load_first, load_count, asking_first, asking_count;
    uint32_t capacity; /* of each: every group of every access */

    tx_queue committing; /* warps; of the first of them, what comes next: */
    uint32_t lane, entry;

    uint32_t message_read, message_words, message_commit, message_verdict, message_doom, message_settled, message_load;
} ideal;

/* Its own statistics, which are reasons. */
enum { IDEAL_ABORTS_READ_COMMITTED, IDEAL_STATISTICS };
#define IDEAL_READ_COMMITTED (TX_OWN_REASONS + (uint32_t)IDEAL_ABORTS_READ_COMMITTED)

/* commits.c */
/* Packets of commits, as many as there are credits for. */
void ideal_send_commits(ideal *g);

/* ideal.c */
hd_packet *ideal_packet(const ideal *g, uint32_t warp, uint32_t message, uint32_t body_bytes);
uint32_t ideal_has_credit(const ideal *g);
void ideal_send(ideal *g, hd_packet *packet);

#endif
