/* SPDX-License-Identifier: MIT */
/*
 * A core with `tx: warptm_el` before a scripted block that knows what all have read and scripted commit units: lists, searched from
 * one end to the other. Each packet is held against the protocol (hd_ideal.h, hd_kilo.h). What commits is recorded, and replayed.
 */
#ifndef TEST_PROTOCOL_WARPTM_EL_RIG_H
#define TEST_PROTOCOL_WARPTM_EL_RIG_H

#include "getm_rig.h"
#include "hd_ideal.h"
#include "hd_kilo.h"

#define EL_PARTITIONS 4u
#define EL_WARPS 128u
#define EL_READS 16384u
#define EL_WORDS 8192u
#define EL_GROUPS 4096u

/* A warp has registered a word. */
typedef struct el_read {
    uint64_t address;
    uint32_t warp;
} el_read;

/* What somebody has committed, as long as nobody has said that it is in memory. */
typedef struct el_word {
    hd_ideal_write write;
    uint32_t warp; /* or EL_STRANGER */
} el_word;
#define EL_STRANGER UINT32_MAX

typedef struct el_group {
    hd_kilo_group ids;
    uint32_t warp, epoch;
    uint64_t writers[EL_PARTITIONS]; /* lanes that have sent words there */
    uint32_t ended;                  /* partitions that have been sent the end of the log, bits */
    uint32_t written;                /* partitions that have written, bits */
    hd_kilo_word *words[EL_PARTITIONS];
    uint32_t count[EL_PARTITIONS];
    uint32_t waits[EL_PARTITIONS]; /* packets that pass before it is written there */
    hd_time said;                  /* when the last unit has said so */
} el_group;

typedef struct el_seen {
    uint32_t reads, parts, commits, late, changes, written, write_sets, done_skips, committed;
} el_seen;

typedef struct el_rig {
    getm_rig record; /* of what commits */
    core_rig *rig;
    uint32_t hold;      /* packets that pass before what is complete is written */
    uint32_t delay;     /* cycles until an answer of the block arrives */
    uint32_t mute;      /* 1: nobody writes */
    uint32_t per_lane;  /* 1: units say of each lane by itself that it is written, one after the other */
    uint32_t parts;     /* words in a message about changes, at most; 0: as many as there is room for */
    uint32_t change_at; /* at the read with this number a stranger commits 100 at DATA; 0: at none */
    /* The read with the number seen.reads, or a commit's last packet, has come, and has not been answered. NULL: nothing is done. */
    void (*at_read)(struct el_rig *g, const hd_packet *packet);
    void (*at_commit)(struct el_rig *g, const hd_packet *packet);
    uint32_t count[8]; /* for them */

    uint64_t order; /* lanes that have commit IDs, strangers included */
    uint64_t strangers;
    el_read reads[EL_READS];
    uint32_t read_count;
    el_word words[EL_WORDS];
    uint32_t word_count;
    hd_ideal_write arrived[EL_WORDS];
    uint32_t arrived_count;
    uint32_t epoch[EL_WARPS], changes[EL_WARPS];
    el_group *groups;
    uint32_t group_count;
    el_seen seen;
    uint32_t turns; /* packets to units that are of another warp than the one before */
    uint32_t latest_warp;
    uint32_t silent;     /* of what commits, without an ID */
    uint64_t last_lanes; /* of the latest commit */
    hd_ideal_commit last_commit;
} el_rig;

/* parameters: beside tx=warptm_el. */
el_rig *el_rig_create(const char *const *parameters, const uint32_t *words);
void el_rig_destroy(el_rig *g);
void el_rig_set(el_rig *g, uint64_t address, uint32_t value);
void el_rig_launch(el_rig *g, uint32_t threads);
/* Everything as at the start, in the middle of whatever is going on. */
void el_rig_reset(el_rig *g);
/* A stranger commits these, and they are written at once. */
void el_rig_strange(el_rig *g, const hd_ideal_write *writes, uint32_t count);
/* A word of it; is_held: until el_rig_finish, loads find in memory what was there before. */
void el_rig_strange_word(el_rig *g, uint64_t address, uint32_t value, uint32_t byte_mask, uint32_t is_held);
/* Some time passes, in cycles. */
void el_rig_pass(el_rig *g, uint32_t cycles);
/* Runs to the end; then nothing is in flight, and what was committed replays. */
void el_rig_finish(el_rig *g);
uint64_t el_rig_statistic(el_rig *g, const char *name);

/* ---- Between the files of the rig --------------------------------------------------------------------------------- */

static inline uint32_t el_merge(uint32_t value, uint32_t other, uint32_t byte_mask)
{
    const uint32_t bits = hd_bits_of_bytes(byte_mask);
    return (value & ~bits) | (other & bits);
}

/* These lanes have got commit IDs: their logs will come. */
void el_units_expect(el_rig *g, const hd_packet *packet, uint64_t first, uint64_t lanes);
void el_units_take(el_rig *g, const hd_packet *packet);
/* A packet has passed: what is due is written. */
void el_units_go_on(el_rig *g);
/* All that the warp has sent, and it has been told so. */
uint32_t el_units_have_written(const el_rig *g, uint32_t warp);
/* Something is not written yet. */
uint32_t el_units_wait(const el_rig *g);
void el_units_forget(el_rig *g);

#endif
