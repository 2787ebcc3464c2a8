/* SPDX-License-Identifier: MIT */
/*
 * Reports of committed transactions to the platform, which checks that they are serialisable.
 *
 * "heddle.transactions/1" is offered by the platform (hd_services.extension) while it checks, otherwise NULL; then nothing
 * is reported and there is no cost. The block that commits a lane's attempt reports what the lane has read and written, and
 * its position in the protocol's serial order (Ren & Lis 2018 §IV; Fung 2015 §5.1). Aborted attempts are not reported.
 * Packets that access the L2 slices on behalf of transactions must be marked:
 *   epoch   the attempt, not 0;
 *   flow    the warp, in stores (which may come from a commit unit).
 * While the platform checks, a slice's reply to a load with an epoch has HD_SAMPLE_BYTES more in its body than argument
 * says: the sample number of the read (hd_transaction_sample). It is not on the wires.
 */
#ifndef HD_TRANSACTIONS_H
#define HD_TRANSACTIONS_H

#include <string.h>

#include "hd_packet.h"
#include "hd_time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_NO_SAMPLE UINT64_MAX
#define HD_SAMPLE_BYTES 8u

/* A lane's read of a word that it had not written before, or its last write to a word. */
typedef struct hd_transaction_word {
    uint64_t address;   /* physical, a multiple of 4 */
    uint32_t value;     /* bytes not in byte_mask are undefined */
    uint32_t byte_mask; /* bits 0..3, not 0 */
    uint64_t sample;    /* read: number in the slice's order, HD_NO_SAMPLE = not known. Write: HD_NO_SAMPLE */
} hd_transaction_word;

/* The bits of a word that belong to the bytes of a mask. */
static inline uint32_t hd_bits_of_bytes(uint32_t byte_mask)
{
    return (byte_mask & 1 ? 0xFFu : 0) | (byte_mask & 2 ? 0xFF00u : 0) | (byte_mask & 4 ? 0xFF0000u : 0) |
           (byte_mask & 8 ? 0xFF000000u : 0);
}

/* One lane's commit. The protocol's serial order is the order of (era, order, warp, attempt, lane). */
typedef struct hd_transaction {
    uint64_t era;     /* incremented when `order` restarts */
    uint64_t order;   /* logical timestamp or commit ID */
    uint64_t attempt; /* attempts of the warp since reset */
    uint32_t warp;    /* number of the warp in the machine, flow of its packets */
    uint32_t lane;
    uint32_t epoch; /* of its packets */
    uint32_t pc;    /* of tx.begin */
    uint32_t module;
    uint32_t read_count;
    uint32_t write_count;
    uint32_t reserved;
    hd_time begun;     /* start of this attempt */
    hd_time committed; /* before any of its data is written */
    const hd_transaction_word *reads;
    const hd_transaction_word *writes;
} hd_transaction;

#define HD_EXTENSION_TRANSACTIONS "heddle.transactions/1"
typedef struct hd_transactions {
    void *context;
    /* Everything that transaction points to is copied. endpoint: the caller's. */
    void (*committed)(void *context, uint32_t endpoint, const hd_transaction *transaction);
} hd_transactions;

/* The sample number in a load's reply. */
static inline uint64_t hd_transaction_sample(const hd_packet *reply)
{
    uint64_t sample;
    if (reply->body_bytes < reply->argument + HD_SAMPLE_BYTES)
        return HD_NO_SAMPLE;
    memcpy(&sample, (const uint8_t *)hd_body_const(reply) + reply->body_bytes - HD_SAMPLE_BYTES, sizeof sample);
    return sample;
}

#ifdef __cplusplus
}
#endif

#endif
