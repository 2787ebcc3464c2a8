/* SPDX-License-Identifier: MIT */
/*
 * A core that runs nothing but transactions of Kilo TM, drawn at random: warps of a few lanes, each with a few loads and stores of a
 * few words. It is the other end of hd_kilo.h, simple where a core is not: operations of a warp go in step, logs cost nothing, and
 * each packet leaves after a random time, so that any may overtake any but those for the same commit unit. What its lanes commit
 * is kept for an oracle.
 */
#ifndef SCRIPTED_KILO_H
#define SCRIPTED_KILO_H

#include "hd_block.h"

enum { KILO_LANES = 8, KILO_OPERATIONS = 24, KILO_WARPS = 8 };
enum { KILO_REQUEST, KILO_REPLY, KILO_TAKE, KILO_TAKEN };

typedef struct kilo_word {
    uint64_t address;
    uint32_t value;
} kilo_word;

/* A lane's commit. */
typedef struct kilo_commit {
    uint64_t id;   /* 0: silent */
    hd_time first; /* of a silent one: its first load left then */
    uint32_t warp, lane;
    uint32_t epoch;
    uint32_t attempt;       /* of the warp, since reset */
    hd_time begun, decided; /* the attempt; decided before any of it is written */
    uint32_t read_count, write_count;
    kilo_word reads[KILO_OPERATIONS]; /* of what it had not written itself */
    kilo_word writes[KILO_OPERATIONS];
} kilo_commit;

/* Offered by the core: what has been committed since reset. */
#define KILO_EXTENSION_HISTORY "test.kilo_history/1"
typedef struct kilo_history {
    const kilo_commit *(*commits)(hd_block *block, uint32_t *count);
} kilo_history;

extern const hd_block_class scripted_kilo;

#endif
