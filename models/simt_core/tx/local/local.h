/* SPDX-License-Identifier: MIT */
/*
 * GPU-LocalTM: transactions on the scratchpad. Values are written in place; backups and owners of words are in shadow memory behind a
 * block's data, and conflicts are found by the banks at each access (ownership.h, bank_steps.h). Lanes that lose wait until the
 * others of the attempt have committed; those that lose again and again run one by one (serialisation.h).
 * Source: Villegas et al., GPU-LocalTM.
 */
#ifndef SIMT_CORE_TX_LOCAL_H
#define SIMT_CORE_TX_LOCAL_H

#include "bank_steps.h"
#include "serialisation.h"
#include "tx/protocol.h"

/* Own parameters, in the order of their table. */
enum {
    LOCAL_DETECTION,
    LOCAL_SHARED_RELEASE,
    LOCAL_LAYOUT,
    LOCAL_EQUAL_MASKS,
    LOCAL_SELECT,
    LOCAL_IN_WARP,
    LOCAL_IN_BLOCK,
    LOCAL_STRICT,
    LOCAL_COMMIT_CYCLES,
    LOCAL_STATE_CYCLES,
    LOCAL_BANK_CYCLES,
    LOCAL_RESTORE,
    LOCAL_CHECKPOINT,
    LOCAL_PATIENCE,
    LOCAL_BACK_OFF,
    LOCAL_PARAMETERS
};
#define LOCAL_LAYOUTS "per_bank|flat"
#define LOCAL_CHECKPOINTS "shadow|ideal"
enum { LOCAL_CHECKPOINT_SHADOW, LOCAL_CHECKPOINT_IDEAL };

/* Own statistics; the first are reasons, in the order of CONFLICT_*. */
#define LOCAL_BANKS 32u
enum {
    LOCAL_ABORTS_READ_READ,
    LOCAL_ABORTS_READ_AFTER_WRITE,
    LOCAL_ABORTS_WRITE_AFTER_READ,
    LOCAL_ABORTS_WRITE_AFTER_WRITE,
    LOCAL_ABORTS_GAVE_WAY,
    LOCAL_REASONS,
    LOCAL_ACCESSES = LOCAL_REASONS,
    LOCAL_DATA_CYCLES,
    LOCAL_DETECTION_CYCLES,
    LOCAL_RESTORE_CYCLES,
    LOCAL_BEGIN_CYCLES,
    LOCAL_BLOCK_WAIT_CYCLES,
    LOCAL_SERIAL_ATTEMPTS,
    LOCAL_ALONE_ATTEMPTS,
    LOCAL_SERIAL_COMMITS,
    LOCAL_ALONE_COMMITS,
    LOCAL_BANK_CONFLICTS,
    LOCAL_STATISTICS = LOCAL_BANK_CONFLICTS + LOCAL_BANKS
};

typedef struct local_warp {
    uint32_t group; /* slot of its block */
    uint32_t index; /* in the block */
    uint32_t is_inside;
    uint32_t is_running; /* an attempt is open */
    uint32_t gives_way;  /* of that attempt: another warp is alone now */
    uint32_t in_vain;    /* attempts in a row that it gave up by itself while it was alone */
    uint64_t ready;      /* edge: before that, banks still restore what it had */
    uint64_t finishes;   /* edge at which its commit is over; UINT64_MAX: it is not at it */
    uint64_t stands;     /* edge since which it waits for a warp that is alone; UINT64_MAX: it does not */
    warp_turn turn;
} local_warp;

/* Of a block. */
typedef struct local_group {
    uint64_t number;                 /* of the block that has been opened; UINT64_MAX: none */
    uint32_t fits;                   /* 0: it has more threads than an owner can name */
    uint32_t warps[OWNERSHIP_WARPS]; /* of the core */
    uint32_t warp_count;
    uint32_t offset; /* of its first byte */
    block_turn turn;
    ownership ownership;
} local_group;

/* Words that a lane has accessed. */
typedef struct local_words {
    uint32_t reads; /* loads of what it had not written */
    uint32_t writes;
} local_words;

/* What the banks have let a lane read and write, while somebody checks. */
typedef struct local_record {
    uint32_t lane, word; /* of the block */
    uint32_t value, byte_mask;
    uint32_t stores;
    uint32_t reserved;
} local_record;
typedef struct local_records {
    local_record *items;
    size_t count, capacity;
} local_records;

typedef struct local {
    transactions *t;
    const hd_unit_share *share;
    local_warp *warps;
    local_group *groups;
    ownership_words words;
    bank_timing timing;
    turn_rules rules;
    uint64_t next;          /* edge of the next thing to do, UINT64_MAX: nothing */
    uint64_t sequence;      /* of commits and plain stores, for the checker */
    local_words *used;      /* [warp][lane]: of the attempt */
    local_records *records; /* [warp] */
    hd_transaction_word *reads, *writes;
    size_t room; /* elements of each of them */
} local;

static inline uint64_t local_parameter(const local *l, uint32_t parameter)
{
    return l->share->values[parameter].u;
}
static inline uint64_t *local_counter(const local *l, uint32_t statistic)
{
    return &l->share->counters[statistic];
}
static inline local_group *local_group_of(const local *l, uint32_t warp)
{
    return &l->groups[l->warps[warp].group];
}
static inline uint32_t local_thread_of(const local *l, uint32_t warp, uint32_t lane)
{
    return l->warps[warp].index * l->t->core.lane_count + lane;
}

static inline local_words *local_used(const local *l, uint32_t warp, uint32_t lane)
{
    return &l->used[warp * l->t->core.lane_count + lane];
}

/* ---- structures.c: what it takes of a core's memories ---- */
#define LOCAL_STRUCTURES 6u
extern const hd_structure local_structures[LOCAL_STRUCTURES];

/* ---- group.c: blocks, and what it takes to be alone in one ---- */
hd_scratchpad_rows local_scratchpad_rows(const tx *unit);
void local_new_warp(tx *unit, uint32_t warp);
/* Nobody has words of the block, whose layout is known. */
void local_open_ownership(local *l, local_group *group);
/* The lanes, whatever becomes of them, hold no words any more; what they have written is taken back. */
void local_take_back(local *l, uint32_t warp, uint64_t lanes);
/* `work` is called at that edge. */
void local_wake(local *l, uint64_t edge);
/* Whoever is next is alone in the block; the other warps give way. */
void local_grant(local *l, local_group *group);

/* ---- checkpoint.c: tx_unit.transfer ---- */
void local_transfer(tx *unit, const hd_state_stream *stream);

/* ---- attempt.c ---- */
uint64_t local_may_begin(const tx *unit, uint32_t warp, uint64_t lanes);
void local_begin(tx *unit, uint32_t warp, uint64_t lanes);
void local_aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason);
void local_commit(tx *unit, uint32_t warp, uint64_t lanes);
void local_work(tx *unit);

/* ---- report.c: for the checker; nothing without one ---- */
void local_record_accesses(local *l, const memory_access *access, uint64_t lanes, const uint32_t *place);
void local_forget_records(local *l, uint32_t warp);
void local_records_transfer(local_records *records, const hd_state_stream *stream);
void local_report(tx *unit, uint32_t warp, uint32_t lane, hd_transaction *told);
void local_changed_plainly(tx *unit, const memory_access *access, uint64_t lanes, const uint32_t *place);
/* Number of the next commit or plain store: among all cores there is none like it. */
uint64_t local_next_order(local *l);

#endif
