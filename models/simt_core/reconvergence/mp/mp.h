/* SPDX-License-Identifier: MIT */
/*
 * Multi-path execution: lanes of a warp that have parted run side by side, so that one hides what the other waits for (ElTantawy 2018
 * §7). A path is a split. A warp has room for `splits` of them; those for which there is none wait, and go on when another one has
 * ended, the youngest first. With one the warp does what it does on a stack.
 *
 * Lanes go from path to path, all of one warp: what is of a thread goes by its home, as with units that regroup.
 */
#ifndef SIMT_CORE_MP_H
#define SIMT_CORE_MP_H

#include "reconvergence_units.h"
#include "splits/splits.h"

enum mp_parameter { MP_FIRST, MP_SPLITS, MP_EARLY, MP_DELAYED, MP_TIMEOUT, MP_PARAMETERS };
enum mp_statistic {
    MP_WAITS,
    MP_EARLY_MEETINGS,
    MP_TIMEOUTS,
    MP_MAXIMUM_SPLITS,
    MP_MAXIMUM_MEETINGS,
    MP_WARP_CYCLES,
    MP_SPLIT_CYCLES,
    MP_SUSPENDED_CYCLES,
    MP_STATISTICS
};

#define MP_NOT_SEEN UINT64_MAX

typedef struct mp {
    splits splits; /* first: unit.c of that folder */
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint32_t warps, lanes;
    path *paths;       /* [split]: those that run; of these it has the pc */
    uint32_t *homes;   /* [split][lane]: its warp */
    uint32_t *begins;  /* [split]: pc at which lanes of it came last, by a transfer or from a meeting */
    uint32_t *running; /* [warp]: how many run */
    uint32_t *waiting; /* [warp][lane]: splits for which there is no room, the next one last */
    uint32_t *waits;   /* [warp]: how many */
    uint64_t *since;   /* [warp]: cycle up to which its splits have been counted; MP_NOT_SEEN: no event yet */
    uint32_t called;   /* path that the call is about, whose number may be used again; NO_PATH: none */
    uint32_t added;    /* in this call, in the order in which they are to run: */
    uint32_t fresh[2 * MAX_LANES];
} mp;

static inline uint64_t mp_value(const mp *u, enum mp_parameter parameter)
{
    return u->parameters.share.values[parameter].u;
}

static inline void mp_count(mp *u, enum mp_statistic statistic, uint64_t more)
{
    u->parameters.share.counters[statistic] += more;
}

/* ---- room.c ----------------------------------------------------------------------------------------------------------------- */

void mp_added(void *context, uint32_t split);
void mp_removed(void *context, uint32_t split);
/* The pc of the split is where its path has come to. */
void mp_take_pc(mp *u, uint32_t split);
/* Before a call changes the warp: what it has been since the last one is counted. */
void mp_count_time(mp *u, uint32_t warp, uint64_t cycle);
/* At the end of a call: splits for which there is room run; all that has changed is told. */
void mp_settle(mp *u, uint32_t warp);

/* ---- early.c ---------------------------------------------------------------------------------------------------------------- */

/* The split comes to where it begins: does another one stand in that code, pending in the same entry? Then they meet. */
void mp_meet_early(mp *u, uint32_t split, uint64_t cycle);

/* ---- context.c -------------------------------------------------------------------------------------------------------------- */

void mp_save(reconvergence *unit, const block_warps *warps, byte_stream *stream);
uint32_t mp_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream);
void mp_drop(reconvergence *unit, const block_warps *warps);
void mp_transfer_state(reconvergence *unit, const hd_state_stream *stream);

#endif
