/* SPDX-License-Identifier: MIT */
/*
 * What one lane of a warp has compared last, hashed, and whether it repeats itself: compares of a normal loop change from one
 * iteration to the next, those of a loop that waits do not. The warp spins when two iterations in a row are alike.
 * Source: ElTantawy 2018 §6.3.1, Fig. 6.6.
 */
#ifndef SIMT_CORE_SPIN_HISTORY_H
#define SIMT_CORE_SPIN_HISTORY_H

#include <stdint.h>

#define HISTORY_LENGTH_MAX 32u

#define SPIN_HASHES "xor|modulo"
enum spin_hash { SPIN_XOR, SPIN_MODULO };

/* The bits of value in `bits`-bit pieces, of which the last is filled up with zeros: their exclusive or, or the lowest. */
uint32_t spin_hash_of(uint32_t hash, uint32_t value, uint32_t bits);

typedef struct history_entry {
    uint16_t path;     /* hash of the compare's place */
    uint16_t value[2]; /* and of its operands */
} history_entry;

enum history_state {
    HISTORY_EMPTY,
    HISTORY_SEARCH,  /* the anchor, an entry that may come again, is at `distance` */
    HISTORY_CONFIRM, /* it has come again: so must those that follow */
    HISTORY_SPIN
};

typedef struct history {
    history_entry entries[HISTORY_LENGTH_MAX]; /* the newest first */
    uint8_t state;
    uint8_t distance;  /* of the entry that the next one is compared with, in entries */
    uint8_t remaining; /* HISTORY_CONFIRM: entries that have yet to be alike */
} history;

void history_clear(history *h);
/* length: entries that there are; reach: the largest distance, below length. */
void history_insert(history *h, history_entry entry, uint32_t length, uint32_t reach);

#endif
