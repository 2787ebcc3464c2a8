/* SPDX-License-Identifier: MIT */
/*
 * Dynamic warp formation: the parts of the two units dwf and dwf_wb.
 *
 * A path is a warp of the pool. The pool of a block has one for each of its threads, so that it never runs out. Threads enter
 * it where control flow may part or meet: after each control transfer, and at each reconvergence point that some divergent
 * branch has named by then. Threads that enter join the youngest warp that stands at their pc and depth, in lanes that it has
 * free; threads whose lanes it has taken form a new warp, and the older one is closed. A warp that has issued has left the pool.
 * Only threads of one block join. Source: Fung 2015 §2.4, §3.2.1.
 */
#ifndef SIMT_CORE_DWF_H
#define SIMT_CORE_DWF_H

#include "point_set.h"
#include "reconvergence_units.h"

enum dwf_parameter { DWF_ENTRIES, DWF_WAYS, DWF_PARAMETERS };
enum dwf_statistic {
    DWF_MERGES,
    DWF_MERGE_CONFLICTS,
    DWF_FRAGMENTATIONS,
    DWF_LOOKUP_EVICTIONS,
    DWF_MAXIMUM_POOL,
    DWF_STATISTICS,
    DWF_WARP_BARRIERS = DWF_STATISTICS,
    DWF_WB_STATISTICS
};

/* What the lookup table knows of a pc: the youngest warp that threads with it may join. */
typedef struct dwf_entry {
    uint32_t pc, depth;
    uint32_t block;    /* its first slot */
    uint32_t path;     /* NO_PATH: the entry is free */
    uint64_t last_use; /* the least recently used one of a set makes room */
} dwf_entry;

/* Warp barrier: a static warp whose threads have parted is made again where they meet. */
typedef struct dwf_barrier {
    uint32_t active;
    uint32_t pc, depth;
    uint64_t expected, arrived; /* lanes */
} dwf_barrier;

typedef struct dwf {
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint32_t warps, lanes;
    uint32_t has_barriers; /* dwf_wb */
    path *paths;           /* lanes of them per slot */
    uint32_t *homes;       /* [path][lane] */
    uint64_t *live;        /* [warp] */
    uint64_t *used;        /* [warp]: its paths that exist, a bit each */
    uint32_t *block;       /* [warp][warps]: slots of its block, in the block's order */
    uint32_t *block_warps; /* [warp]: how many these are */
    dwf_barrier *barriers; /* [warp] */
    uint32_t *entered_pc;  /* [path]: at which it entered the pool last */
    uint64_t *entered;     /* [path]: when, by number; 0: nobody may join it */
    uint64_t number;       /* of the last one that entered */
    uint32_t pool;         /* paths that exist */
    uint64_t maximum_depth;
    uint32_t entries, ways; /* of the lookup table; 0: it knows every pc */
    dwf_entry *table;
    uint64_t uses;
    point_set points;
} dwf;

/* What a call makes of paths, reported when it has. */
typedef struct dwf_call {
    uint32_t called; /* path that the call is about: it may be used again, once; NO_PATH: none */
    uint32_t slot;   /* of the block */
    uint32_t reused;
    uint32_t count;
    uint32_t added[2 * MAX_LANES];
    uint32_t regrouped_count;
    uint32_t regrouped[MAX_LANES];
} dwf_call;

/* ---- pool.c ---------------------------------------------------------------------------------------------------------------- */

static inline const uint32_t *dwf_slots(const dwf *u, uint32_t warp)
{
    return u->block + (size_t)warp * u->warps;
}

static inline uint32_t *dwf_row(const dwf *u, uint32_t path)
{
    return u->homes + (size_t)path * u->lanes;
}

void dwf_enter_block(dwf *u, const block_warps *warps);
/* The lanes, of these homes, as a warp of its own that nobody may join. The path. */
uint32_t dwf_form(dwf *u, dwf_call *call, const path_group *group, const uint32_t *rows);
/* They enter the pool: they join others if they may. */
void dwf_insert(dwf *u, dwf_call *call, const path_group *group, const uint32_t *rows);
/* The path has gone from the pool, or has come into it, with all its lanes in place. */
void dwf_leave(dwf *u, uint32_t path);
void dwf_exist(dwf *u, uint32_t path);
/* The path's home and its next stop point, from its lanes and its pc. */
void dwf_settle(dwf *u, uint32_t path);
void dwf_report(dwf *u, const dwf_call *call);

/* ---- lookup.c --------------------------------------------------------------------------------------------------------------- */

/* The youngest warp of the block that threads at this pc may join; NO_PATH. Not the path `not`. */
uint32_t dwf_lookup(dwf *u, uint32_t slot, uint32_t pc, uint32_t depth, uint32_t not );
/* The path, which has entered, is now that warp. */
void dwf_register(dwf *u, uint32_t slot, uint32_t path);

/* ---- barriers.c ------------------------------------------------------------------------------------------------------------- */

/* The path's lanes part here. */
void dwf_barrier_begin(dwf *u, const path_event *event);
/* Those of the group that have come to the barrier of their warp stay there, and their warp is made again if it is whole. The
 * others. */
uint64_t dwf_barrier_hold(dwf *u, dwf_call *call, const path_group *group, const uint32_t *rows);
/* Lanes of a warp are done for good. */
void dwf_barrier_exit(dwf *u, dwf_call *call, uint32_t warp, uint64_t lanes);
/* Is the group all of one warp, which no barrier awaits? */
uint32_t dwf_is_static(const dwf *u, const path_group *group, const uint32_t *rows);

/* ---- moves.c ---------------------------------------------------------------------------------------------------------------- */

void dwf_save(reconvergence *unit, const block_warps *warps, byte_stream *stream);
uint32_t dwf_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream);
void dwf_drop(reconvergence *unit, const block_warps *warps);
void dwf_transfer_state(reconvergence *unit, const hd_state_stream *stream);

#endif
