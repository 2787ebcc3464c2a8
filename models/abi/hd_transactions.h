/* SPDX-License-Identifier: MIT */
/*
 * Reports of committed transactions to the platform, which checks that they are serialisable.
 *
 * "heddle.transactions/6" is offered by the platform (hd_services.extension) while it checks, otherwise NULL; then nothing
 * is reported and there is no cost. The block that commits a lane's attempt reports what the lane has read and written, and
 * its position in the protocol's serial order (Ren & Lis 2018 §IV; Fung 2015 §5.1). Aborted attempts are not reported.
 *
 *   reads, writes  the protocol's view: what came from memory, and what goes there
 *   accesses       the program's view: every load and store in order, those that the lane's own stores served included
 *
 * A protocol that validates by value (Kilo TM, WarpTM) reads a word again before it commits. It is that reading, not the one while
 * the transaction ran, that has a place in the serial order: memory may have been another in between. So its transactions are
 * held against values alone (HD_SERIAL_BY_VALUE). Whoever reads again, such as a commit unit, may report it at once
 * (`validated`), whatever becomes of the attempt; with the other rule it must.
 *
 * Words of the scratchpad have addresses of their own (hd_scratchpad_word). Nobody sees them but their core, which also reports what is
 * stored there outside of transactions, with its place among their commits; and, in the place of slices, what the scratchpad holds
 * when transactions have committed (`holds`), and when a thread block ends (`ended`). There `accesses` are values that registers have
 * been given, and those that were in the scratchpad behind a store: the protocol has no hand in them.
 *
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

/* A lane's read of bytes that it had not written before, or its last write to a word. */
typedef struct hd_transaction_word {
    uint64_t address;   /* physical, a multiple of 4 */
    uint32_t value;     /* bytes not in byte_mask are undefined */
    uint32_t byte_mask; /* bits 0..3, not 0 */
    uint64_t sample;    /* read: number in the slice's order, HD_NO_SAMPLE = not known. Write: HD_NO_SAMPLE */
} hd_transaction_word;

/* Address here of a word in the scratchpad of a thread block: `block` is its number among those that the core has run. */
#define HD_SCRATCHPAD_WORDS (UINT64_C(1) << 63) /* addresses from here on */
static inline uint64_t hd_scratchpad_word(uint32_t endpoint, uint64_t block, uint32_t offset)
{
    return HD_SCRATCHPAD_WORDS | (uint64_t)(endpoint & 0xFFFF) << 47 | (block & 0x7FFFFF) << 24 | (offset & 0xFFFFFF);
}
/* Of such an address: the byte in the block's scratchpad. */
static inline uint32_t hd_scratchpad_offset(uint64_t address)
{
    return (uint32_t)(address & 0xFFFFFF);
}

/* The bits of a word that belong to the bytes of a mask. */
static inline uint32_t hd_bits_of_bytes(uint32_t byte_mask)
{
    return (byte_mask & 1 ? 0xFFu : 0) | (byte_mask & 2 ? 0xFF00u : 0) | (byte_mask & 4 ? 0xFF0000u : 0) |
           (byte_mask & 8 ? 0xFF000000u : 0);
}

/* What a load of the program has been given, or a store has stored, of a word. */
typedef struct hd_transaction_access {
    uint64_t address;  /* physical, a multiple of 4 */
    uint32_t value;    /* bytes not in byte_mask are undefined */
    uint8_t byte_mask; /* bits 0..3, not 0 */
    uint8_t is_store;
    uint16_t reserved;
} hd_transaction_access;

/* A word that was read again for a lane that wants to commit. */
typedef struct hd_transaction_validation {
    uint32_t warp; /* as of hd_transaction */
    uint32_t lane;
    uint32_t epoch;
    uint32_t reserved;
    hd_time t;                /* not before the attempt began, nor after it committed */
    hd_transaction_word word; /* with its sample; of several the last by sample counts */
} hd_transaction_validation;

/* A transaction that reads only, and of which the protocol does not say where it stands among others (a silent commit by
 * temporal conflict detection, Fung 2015 §6.4): the samples of its reads must say, or their values. */
#define HD_NO_ORDER UINT64_MAX

/* What a protocol promises of the transactions that it commits; one rule for all of an interval on global memory, and one for all on
 * scratchpads. */
enum hd_serial_rule {
    /* Its order explains all values, and so does the order in which the slices have carried out what was read and written. */
    HD_SERIAL_BY_ACCESS,
    /* Its order, such as that of commit IDs, explains all values (Fung 2015 §5.4); orders of different attempts differ. Those without
     * an order have a place between the others at which memory had all that they have read (§6.4). When words were read is of
     * no account, nor are samples needed. */
    HD_SERIAL_BY_VALUE
};

/* One lane's commit. The protocol's serial order is the order of (era, order, warp, attempt, lane). */
typedef struct hd_transaction {
    uint64_t era;     /* incremented when `order` restarts */
    uint64_t order;   /* logical timestamp or commit ID, or HD_NO_ORDER */
    uint64_t attempt; /* attempts of the warp since reset */
    uint32_t warp;    /* number of the warp in the machine, flow of its packets */
    uint32_t lane;
    uint32_t epoch; /* of its packets */
    uint32_t pc;    /* of tx.begin */
    uint32_t module;
    uint32_t read_count;
    uint32_t write_count;
    uint32_t access_count;     /* 0: the protocol does not know */
    uint32_t rule;             /* enum hd_serial_rule */
    uint32_t is_on_scratchpad; /* 1: as all its words are; its order is one among these alone */
    hd_time begun;             /* start of this attempt */
    hd_time committed;         /* before any of its data is written */
    const hd_transaction_word *reads;
    const hd_transaction_word *writes;
    const hd_transaction_access *accesses;
} hd_transaction;

/* What the scratchpad of a thread block holds. */
typedef struct hd_scratchpad_contents {
    uint64_t address; /* hd_scratchpad_word of the first word */
    uint32_t count;
    uint32_t was_cleared;  /* 1: all words were 0 when the block began here; 0: nobody knows what they were */
    const uint32_t *words; /* [count] */
} hd_scratchpad_contents;

#define HD_EXTENSION_TRANSACTIONS "heddle.transactions/6"
typedef struct hd_transactions {
    void *context;
    /* Everything that transaction points to is copied. endpoint: the caller's. */
    void (*committed)(void *context, uint32_t endpoint, const hd_transaction *transaction);
    /* Likewise. */
    void (*validated)(void *context, uint32_t endpoint, const hd_transaction_validation *validation);
    /* Bytes of a word of the scratchpad have been stored to outside of transactions, and are this now; order: in the serial order of
     * era 0, unlike that of any commit. interferes: a running transaction has accessed the word, so that it is not compared from there on. */
    void (*stored)(void *context, uint32_t endpoint, const hd_transaction_word *word, uint64_t order,
                   uint32_t interferes);
    /* A word of the scratchpad that commits of this order have written, as it is when their core takes them for done: after
     * `committed` of all of them, and before that of any other. */
    void (*holds)(void *context, uint32_t endpoint, const hd_transaction_word *word, uint64_t order);
    /* A thread block ends in which transactions on the scratchpad have committed. What it points to is copied. */
    void (*ended)(void *context, uint32_t endpoint, const hd_scratchpad_contents *contents);
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
