/* SPDX-License-Identifier: MIT */
/*
 * A warp's read or write log: one entry per instruction, with a word for each lane that takes part (Fung 2015 §4.2.3). Lanes
 * append together, so that entry k of all lanes is one line of addresses and one of values in private memory.
 */
#ifndef SIMT_CORE_TX_LOG_H
#define SIMT_CORE_TX_LOG_H

#include <stddef.h>

#include "hd_state.h"
#include "hd_transactions.h"

#define TX_NO_ENTRY UINT32_MAX

typedef struct tx_log {
    uint32_t lanes;    /* of a warp */
    uint32_t capacity; /* entries */
    uint32_t length;
    uint32_t reserved;
    uint64_t *mask;    /* [entry]: lanes that take part */
    uint32_t *address; /* [entry][lane], of the word */
    uint32_t *value;   /* [entry][lane] */
    uint8_t *bytes;    /* [entry][lane]: valid bytes of the word, bit i: byte i */
    uint64_t *sample;  /* [entry][lane]: sample number of a read, hd_transactions.h */
} tx_log;

static inline size_t tx_log_at(const tx_log *log, uint32_t entry, uint32_t lane)
{
    return (size_t)entry * log->lanes + lane;
}

/* The lane's newest entry for the word, or TX_NO_ENTRY. */
static inline uint32_t tx_log_find(const tx_log *log, uint32_t lane, uint32_t address)
{
    for (uint32_t entry = log->length; entry-- > 0;)
        if (log->mask[entry] >> lane & 1 && log->address[tx_log_at(log, entry, lane)] == address)
            return entry;
    return TX_NO_ENTRY;
}

/* The bytes of the word that the lane has written: returns their mask, and their newest values in *value. */
static inline uint32_t tx_log_bytes(const tx_log *log, uint32_t lane, uint32_t address, uint32_t *value)
{
    uint32_t found = 0;
    *value = 0;
    for (uint32_t entry = log->length; entry-- > 0 && found != 0xF;) {
        const size_t at = tx_log_at(log, entry, lane);
        if (!(log->mask[entry] >> lane & 1) || log->address[at] != address)
            continue;
        *value |= log->value[at] & hd_bits_of_bytes(log->bytes[at] & ~found);
        found |= log->bytes[at];
    }
    return found;
}

/* Lanes that have an entry. */
static inline uint64_t tx_log_users(const tx_log *log)
{
    uint64_t users = 0;
    for (uint32_t entry = 0; entry < log->length; entry++)
        users |= log->mask[entry];
    return users;
}

/* Lanes that have a word of which some bytes count. */
static inline uint64_t tx_log_readers(const tx_log *log)
{
    uint64_t readers = 0;
    for (uint32_t entry = 0; entry < log->length; entry++)
        for (uint64_t left = log->mask[entry] & ~readers; left; left &= left - 1)
            readers |= log->bytes[tx_log_at(log, entry, (uint32_t)__builtin_ctzll(left))] ? left & -left : 0;
    return readers;
}

/* Number of words in the lane's log. */
static inline uint32_t tx_log_words(const tx_log *log, uint32_t lane)
{
    uint32_t words = 0;
    for (uint32_t entry = 0; entry < log->length; entry++)
        words += log->mask[entry] >> lane & 1;
    return words;
}

/* Of the shared part alone: */
/* 0, or -1: out of memory. Entries are not cleared: unused entries occupy no physical memory. */
int tx_log_create(tx_log *log, uint32_t lanes, uint32_t capacity);
void tx_log_destroy(tx_log *log);
void tx_log_transfer(tx_log *log, const hd_state_stream *stream);
/* Appends an entry for these lanes; the caller fills in the words. TX_NO_ENTRY: the log is full. */
uint32_t tx_log_append(tx_log *log, uint64_t lanes);

#endif
