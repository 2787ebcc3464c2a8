/* SPDX-License-Identifier: MIT */
/*
 * Table of backward branches at which warps have been seen to spin (SIB-PT), shared by all warps of a core. A branch is known
 * once spinning warps have taken it so much more often than others as `threshold` says, and stays so until the table is cleared.
 * Source: ElTantawy 2018 §6.3.1, Table 6.2.
 */
#ifndef SIMT_CORE_SPIN_PREDICTION_H
#define SIMT_CORE_SPIN_PREDICTION_H

#include "spin.h"

#define PREDICTION_ENTRIES_MAX 256u

typedef struct prediction_entry {
    uint32_t pc;
    uint8_t confidence; /* at most the threshold */
    uint8_t known;
} prediction_entry;

typedef struct prediction {
    prediction_entry entries[PREDICTION_ENTRIES_MAX]; /* the first `count` are in use */
    uint32_t count;
    uint32_t capacity; /* 1 .. PREDICTION_ENTRIES_MAX */
    uint32_t threshold;
    uint64_t dropped; /* branches that found no room: all entries are of known ones */
} prediction;

void prediction_clear(prediction *p);
/* A warp, which spins or does not, takes the backward branch. */
enum spin_verdict prediction_take(prediction *p, uint32_t pc, uint32_t spins);
void prediction_transfer(prediction *p, const hd_state_stream *stream);

#endif
