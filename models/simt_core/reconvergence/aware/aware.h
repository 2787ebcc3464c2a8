/* SPDX-License-Identifier: MIT */
/*
 * AWARE, adaptive warp reconvergence: lanes of a warp that have parted take turns on its one path, so that none is kept from
 * running for ever (ElTantawy 2018 §5).
 *
 * The splits of a warp stand in a queue. The one in front runs until it rotates: at branches, as `rotate` says, where its lanes part
 * or meet others, and at barriers, at which a split is blocked until they open. Lanes go to the back of the queue where they part and
 * where they have met. The unit knows three ways to meet later than at the post-dominator: the table of `delayed`, `timeout`, and
 * both.
 */
#ifndef SIMT_CORE_AWARE_H
#define SIMT_CORE_AWARE_H

#include "reconvergence_units.h"
#include "splits/splits.h"

enum aware_parameter {
    AWARE_FIRST,
    AWARE_ROTATE,
    AWARE_DELAYED,
    AWARE_TIMEOUT,
    AWARE_SPLITS,
    AWARE_MEETINGS,
    AWARE_PARAMETERS
};
enum aware_rotation { AWARE_ROTATE_BACK, AWARE_ROTATE_ALL, AWARE_ROTATE_DIVERGENT };
enum aware_statistic {
    AWARE_ROTATIONS,
    AWARE_TIMEOUTS,
    AWARE_BARRIER_BLOCKS,
    AWARE_MAXIMUM_SPLITS,
    AWARE_MAXIMUM_MEETINGS,
    AWARE_SPLIT_SPILLS,
    AWARE_SPLIT_FILLS,
    AWARE_MEETING_SPILLS,
    AWARE_MEETING_FILLS,
    AWARE_STATISTICS
};

#define NO_SPLIT UINT32_MAX
#define NOT_BLOCKED UINT32_C(0xFFFFFFFE) /* no barrier has this number, nor is it BARRIER_OF_WARP */

enum aware_table { TABLE_SPLITS, TABLE_MEETINGS, AWARE_TABLES };

/* Where entries of one table of a warp are, a bit each. */
typedef struct aware_residency {
    uint64_t present; /* in the table */
    uint64_t spills;  /* on their way out, in buffers */
    uint64_t fills;   /* asked for, in buffers, and */
    uint64_t awaited; /* at the memory, and */
    uint64_t arrived; /* here: they enter the table when the warp's path changes next */
} aware_residency;

typedef struct aware {
    splits splits; /* first: unit.c of that folder */
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint32_t warps, lanes;
    path *paths;       /* [warp] */
    uint32_t *running; /* [warp]: split that its path is, or NO_SPLIT; of this the path has the pc */
    uint32_t *queue;   /* [warp][lane]: splits, the next one first */
    uint32_t *queued;  /* [warp]: how many */
    uint32_t *barrier; /* [split]: at which it is blocked, or NOT_BLOCKED */
    aware_residency (*residency)[AWARE_TABLES]; /* [warp] */
    uint64_t *used;                             /* [entry]: when, by number */
    uint64_t uses;
} aware;

static inline uint64_t aware_value(const aware *u, enum aware_parameter parameter)
{
    return u->parameters.share.values[parameter].u;
}

static inline void aware_count(aware *u, enum aware_statistic statistic, uint64_t more)
{
    u->parameters.share.counters[statistic] += more;
}

/* ---- queue.c ---------------------------------------------------------------------------------------------------------------- */

void queue_add(aware *u, uint32_t split);
void queue_remove(aware *u, uint32_t split);
/* The split in front goes to the back. */
void queue_rotate(aware *u, uint32_t warp);
/* Splits with any of these lanes go to the front. */
void queue_bring(aware *u, uint32_t warp, uint64_t lanes);
/* The pc of the split that runs is where the path has come to. */
void queue_take_pc(aware *u, uint32_t warp);
/* The first split that is not blocked, those before it having gone to the back, becomes the path, which is told: in a call that is
 * about it. */
void queue_show(aware *u, uint32_t warp);
/* The same in other calls: only if no split runs. */
void queue_wake(aware *u, uint32_t warp);

/* ---- tables.c --------------------------------------------------------------------------------------------------------------- */

/* A split or an entry is new, or is no more. */
void tables_enter(aware *u, enum aware_table table, uint32_t index);
void tables_leave(aware *u, enum aware_table table, uint32_t index);
/* Lanes come to the entry, or leave it. */
void tables_use(aware *u, uint32_t entry);
/* What has arrived enters the warp's tables, and what has no room leaves them. */
void tables_settle(aware *u, uint32_t warp);
/* Must the warp wait, for an entry that its last instruction needs or for room in the buffers of what is spilled? */
uint32_t tables_hold(const aware *u, uint32_t warp);
/* Is the split in its table? If not, it is fetched, unless another one is. */
uint32_t tables_have(aware *u, uint32_t warp, uint32_t split);
/* Is something on its way to memory that can go as soon as this has room? */
uint32_t tables_wait(const aware *u);
void tables_send(aware *u);
void aware_accessed(reconvergence *unit, uint32_t warp, uint32_t tag);

/* ---- barriers.c ------------------------------------------------------------------------------------------------------------- */

uint32_t aware_wants(const reconvergence *unit);
void aware_told(reconvergence *unit, const path_event *event);
uint64_t aware_at_barrier(const reconvergence *unit, uint32_t warp, uint32_t barrier);
uint32_t aware_may_wait(const reconvergence *unit, uint32_t path);

/* ---- timeouts.c ------------------------------------------------------------------------------------------------------------- */

uint64_t aware_next(const reconvergence *unit, uint64_t cycle);
void aware_due(reconvergence *unit, uint64_t cycle);

/* ---- context.c -------------------------------------------------------------------------------------------------------------- */

void aware_save(reconvergence *unit, const block_warps *warps, byte_stream *stream);
uint32_t aware_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream);
void aware_drop(reconvergence *unit, const block_warps *warps);
void aware_transfer_state(reconvergence *unit, const hd_state_stream *stream);

#endif
