/* SPDX-License-Identifier: MIT */
/*
 * Loads of transactions before a block that knows what each has read (hd_ideal.h): they are registered, sent when that is done, and
 * given what is committed and not in memory yet. For protocols that have such a block.
 */
#ifndef SIMT_CORE_TX_IDEAL_REGISTRATION_H
#define SIMT_CORE_TX_IDEAL_REGISTRATION_H

#include "hd_ideal.h"
#include "tx/protocol.h"

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

typedef struct ideal_registration {
    const transactions *t;
    uint32_t *heard;    /* [warp]: epoch of the latest message to the block; 0: none */
    ideal_word *words;  /* [ticket][lane] */
    ideal_load *loads;  /* ring */
    hd_packet **asking; /* ring: registrations that wait for a credit */
    uint32_t load_first, load_count, asking_first, asking_count;
    uint32_t capacity; /* of each: every group of every access */

    uint32_t message_read, message_words, message_load;
} ideal_registration;

/* 0, or -1: out of memory. */
int ideal_registration_create(ideal_registration *r, const transactions *t);
void ideal_registration_destroy(ideal_registration *r);
void ideal_registration_reset(ideal_registration *r);
void ideal_registration_transfer(ideal_registration *r, const hd_state_stream *stream);
/* An attempt begins: it is given an epoch that the block does not take for another's. */
void ideal_registration_begin(ideal_registration *r, uint32_t warp);

/* These lanes of a load are about to read (tx_unit.request): its packet is offered when the block has answered. */
void ideal_register(ideal_registration *r, const memory_access *access, uint64_t lanes, uint64_t address,
                    uint32_t bytes, uint64_t tag);
/* Registrations that wait leave, as many as there are credits for; the rest at a later edge. */
void ideal_register_waiting(ideal_registration *r);
/* The block has answered. */
void ideal_registered(ideal_registration *r, const hd_packet *packet);
/* NULL: there is none (tx_unit.next_packet). */
hd_packet *ideal_next_load(ideal_registration *r);
/* What the block has said goes over what has come from memory (tx_unit.loaded). */
uint64_t ideal_loaded(const ideal_registration *r, memory_access *access, uint64_t lanes, const hd_packet *reply);

/* The port for transactions. The packet is of the attempt that runs. */
hd_packet *ideal_packet(ideal_registration *r, uint32_t warp, uint32_t message, uint32_t body_bytes);
static inline uint32_t ideal_has_credit(const transactions *t)
{
    return t->core.port->can_send(t->core.context);
}
static inline void ideal_send(const transactions *t, hd_packet *packet)
{
    t->core.port->send(t->core.context, packet);
}

/* How far a write log has been collected: lane by lane. */
typedef struct ideal_log_cursor {
    uint32_t lane, entry;
} ideal_log_cursor;

/* The next words of these lanes, a packet full at most. Returns how many; cursor->lane is beyond the last lane when all are there. */
uint32_t ideal_collect(const tx_log *log, uint64_t lanes, ideal_log_cursor *cursor, hd_ideal_write *writes);

#endif
