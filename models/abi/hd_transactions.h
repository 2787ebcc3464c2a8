/* SPDX-License-Identifier: MIT */
/*
 * What a transactional machine tells of its commits, for whoever checks that they are serialisable.
 *
 * "heddle.transactions/1" is offered by the platform while it checks (hd_services.extension), else NULL: then nothing is told
 * and nothing costs. Who ends an attempt of a lane with a commit says what that lane has read and written, and where it stands
 * in the protocol's own order (Ren & Lis 2018 §IV; Fung 2015 §5.1). Attempts that abort are not told. Whoever asks the
 * L2 slices on behalf of transactions makes their accesses known by the packets:
 *   epoch   the attempt, not 0. Of a store (a commit unit's, of whatever is written on behalf of a transaction) also
 *   flow    its warp.
 * While the platform checks, the reply of a slice to a load with an epoch has HD_SAMPLE_BYTES more in its body than argument
 * says: the sample, which goes with what is read from it (hd_transaction_sample). They are not on the wires.
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

/* What a lane has read of a word that it had not written before, or its last write to it. */
typedef struct hd_transaction_word {
    uint64_t address;   /* physical, a multiple of 4 */
    uint32_t value;     /* bytes not in byte_mask have no meaning */
    uint32_t byte_mask; /* bits 0..3, not 0 */
    uint64_t sample;    /* of a read: when the slice took it, HD_NO_SAMPLE = not known. Of a write: HD_NO_SAMPLE */
} hd_transaction_word;

/* One lane's commit. The order of the protocol is that of (era, order, warp, attempt, lane). */
typedef struct hd_transaction {
    uint64_t era;     /* goes up when orders begin anew */
    uint64_t order;   /* logical timestamp or commit ID */
    uint64_t attempt; /* of the warp, since reset */
    uint32_t warp;    /* of the machine: what its packets have as flow */
    uint32_t lane;
    uint32_t epoch; /* what its packets have as epoch */
    uint32_t pc;    /* of tx.begin */
    uint32_t module;
    uint32_t read_count;
    uint32_t write_count;
    uint32_t reserved;
    hd_time begun;     /* this attempt */
    hd_time committed; /* before anything of it is written */
    const hd_transaction_word *reads;
    const hd_transaction_word *writes;
} hd_transaction;

#define HD_EXTENSION_TRANSACTIONS "heddle.transactions/1"
typedef struct hd_transactions {
    void *context;
    /* What it points to is copied. endpoint: the caller's. */
    void (*committed)(void *context, uint32_t endpoint, const hd_transaction *transaction);
} hd_transactions;

/* That of a load's reply. */
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
