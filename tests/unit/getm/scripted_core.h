/* SPDX-License-Identifier: MIT */
/*
 * A core that runs nothing but transactions, drawn at random: warps of a few lanes, each with a few loads and stores of a few
 * words. It is the other end of hd_getm.h, simple where a core is not: operations of a warp go in step, logs cost nothing, and
 * each packet leaves after a random time, so that any may overtake any. What its lanes commit is kept for an oracle.
 */
#ifndef SCRIPTED_CORE_H
#define SCRIPTED_CORE_H

#include "hd_block.h"

enum { SCRIPTED_LANES = 8, SCRIPTED_OPERATIONS = 8, SCRIPTED_WARPS = 8 };
enum { SCRIPTED_REQUEST, SCRIPTED_REPLY };

typedef struct scripted_word {
    uint64_t address;
    uint32_t value; /* of writes: each is another */
} scripted_word;

/* A lane's commit. */
typedef struct scripted_commit {
    uint64_t era, timestamp, attempt;
    uint32_t warp, lane;
    uint32_t read_count, write_count;
    scripted_word reads[SCRIPTED_OPERATIONS]; /* of what it had not written itself */
    scripted_word writes[SCRIPTED_OPERATIONS];
} scripted_commit;

/* Offered by the core: what has been committed since reset, and what there is at the moment of a granule (address / size):
 * reservations in logs that have not left yet, and stores that have not been answered. Both in stores of lanes. */
#define SCRIPTED_EXTENSION_HISTORY "test.history/1"
typedef struct scripted_history {
    const scripted_commit *(*commits)(hd_block *block, uint32_t *count);
    uint32_t (*logged)(hd_block *block, uint64_t granule);
    uint32_t (*asked)(hd_block *block, uint64_t granule);
} scripted_history;

extern const hd_block_class scripted_core;

#endif
