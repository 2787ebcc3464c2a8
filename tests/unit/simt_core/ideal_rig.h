/* SPDX-License-Identifier: MIT */
/*
 * A core with `tx: ideal` before a scripted block that decides on its transactions: lists without bounds, searched from one end to
 * the other. What commits is recorded, and replayed at the end.
 */
#ifndef TEST_IDEAL_RIG_H
#define TEST_IDEAL_RIG_H

#include "getm_rig.h"
#include "hd_ideal.h"

#define IDEAL_READERS 16384u
#define IDEAL_WRITES 16384u
#define IDEAL_WARPS 256u
#define IDEAL_STRANGER 700u /* a warp of no core here */

typedef struct ideal_reader {
    uint64_t address;
    uint64_t lanes;
    uint32_t warp;
    uint32_t pc;
} ideal_reader;

typedef struct ideal_pending {
    hd_ideal_write write;
    uint32_t warp, epoch;
    uint32_t wait; /* messages until it is in memory */
} ideal_pending;

typedef struct ideal_seen {
    uint32_t reads, commits, parts, dooms, settled;
} ideal_seen;

typedef struct ideal_rig {
    getm_rig record; /* of what commits */
    core_rig *rig;
    uint32_t hold;      /* messages that pass before what is committed is in memory */
    uint32_t delay;     /* cycles until an answer arrives */
    uint32_t mute;      /* reads are not answered, */
    uint32_t doom_at;   /* at the read with this number the stranger commits what it reads; 0: never */
    uint32_t doom_late; /* 1: the doom is of an attempt before */
    uint64_t order;
    ideal_reader readers[IDEAL_READERS];
    uint32_t reader_count;
    ideal_pending pending[IDEAL_WRITES];
    uint32_t pending_count;
    hd_ideal_write arrived[IDEAL_WRITES];
    uint32_t arrived_count;
    uint32_t epoch[IDEAL_WARPS];
    uint64_t doomed[IDEAL_WARPS];
    ideal_seen seen;
    hd_packet *held[64]; /* reads that are not answered */
    uint32_t held_count;
    hd_ideal_read last;  /* latest read */
    uint64_t last_lanes; /* of the latest commit */
} ideal_rig;

/* parameters: beside tx=ideal. */
ideal_rig *ideal_rig_create(const char *const *parameters, const uint32_t *words);
void ideal_rig_destroy(ideal_rig *g);
void ideal_rig_set(ideal_rig *g, uint64_t address, uint32_t value);
void ideal_rig_launch(ideal_rig *g, uint32_t threads);
/* A word that a stranger has committed, and that gets into memory when something is applied next. */
void ideal_rig_commit_word(ideal_rig *g, uint64_t address, uint32_t value, uint32_t byte_mask);
/* All that is committed gets into memory. */
void ideal_rig_apply(ideal_rig *g);
/* Answers the reads that are held. */
void ideal_rig_answer(ideal_rig *g);
/* Runs to the end; then nothing is registered or in flight, and what was committed replays. */
void ideal_rig_finish(ideal_rig *g);
/* Some time passes, in cycles. */
void ideal_rig_pass(ideal_rig *g, uint32_t cycles);
uint64_t ideal_rig_statistic(ideal_rig *g, const char *name);

#endif
