/* SPDX-License-Identifier: MIT */
/*
 * The splits of warps and the points where they meet again, for units whose splits all get on: the splits table and the
 * reconvergence table of ElTantawy 2018 §5.1.
 *
 * A split is lanes of a warp that run together. Where its lanes part they end as a split, the sides become splits of their own, and
 * an entry is made for the point where they meet: lanes that come there wait in it until all that are pending have come, and are
 * one split then. An entry names the next outer one, in which its lanes are pending as well. Nothing is ever looked up by pc: several
 * entries may have the same point.
 *
 * Split and entry i of a warp are at warp * lanes + i. Splits are disjoint, so a warp needs no more than it has lanes. It may run out
 * of entries, if lanes leave them by time-out: then those that part meet at the next outer point, which is later, but as right.
 *
 * What these functions make of splits they tell the owner, in the order in which it happens: `removed` while the split still has its
 * lanes, `added` when it has all it needs. A split whose lanes part is removed before its sides are added.
 */
#ifndef SIMT_CORE_SPLITS_H
#define SIMT_CORE_SPLITS_H

#include "reconvergence.h"

#define NO_MEETING UINT32_MAX

/* What units that are built upon splits call their sides in `first`. */
#define SIDE_NOT_TAKEN 0u
#define SIDE_TAKEN 1u

typedef struct split_point {
    uint32_t pc; /* ISA_RECONVERGE_AT_RETURN: lanes bring the pc with them; NO_STOP: there is none */
    uint32_t depth;
} split_point;

/* An entry of the reconvergence table; no lanes: it is free. */
typedef struct meeting {
    uint64_t lanes;   /* that have parted, those that have exited or left by time-out no longer among them */
    uint64_t pending; /* of them, those that have not come; not 0 between calls */
    split_point at;
    split_point next; /* where its lanes go on to, and */
    uint32_t outer;   /* the entry of that, or NO_MEETING */
    uint32_t reserved;
    uint64_t since; /* cycle in which lanes came last, or it was made */
} meeting;

typedef struct split_counts {
    uint32_t splits, meetings;
} split_counts;

typedef struct split_owner {
    void *context;
    void (*added)(void *context, uint32_t split);
    void (*removed)(void *context, uint32_t split);
    /* An entry is made, lanes come to it or leave it, it ends; NULL: the owner does not care. */
    void (*made)(void *context, uint32_t entry);
    void (*used)(void *context, uint32_t entry);
    void (*ended)(void *context, uint32_t entry);
} split_owner;

typedef struct splits {
    uint32_t warps, lanes;
    uint32_t first; /* SIDE_*: of a branch, the side that is added first */
    uint32_t reserved;
    path *paths;             /* [split]: mask 0: it does not exist; the owner moves pc */
    uint32_t *outer;         /* [split]: entry in which its lanes are pending, or NO_MEETING */
    meeting *meetings;       /* [entry] */
    split_counts *counts;    /* [warp] */
    uint64_t *live;          /* [warp] */
    uint32_t *returned;      /* [warp][lane]: pc to which it has returned, while it waits at ISA_RECONVERGE_AT_RETURN */
    uint64_t maximum_splits; /* of one warp since reset */
    split_owner owner;
} splits;

int splits_create(splits *s, uint32_t warps, uint32_t lanes, uint32_t first,
                  const split_owner *owner); /* -1: no memory */
void splits_destroy(splits *s);
void splits_reset(splits *s);

void splits_launch(splits *s, uint32_t warp, uint32_t pc, uint64_t mask);

/* As reconvergence_unit of the same names, of this split. 1: it goes on where the event has sent it; 0: it is no more. */
uint32_t splits_transfer(splits *s, uint32_t split, const path_event *event);
void splits_arrive(splits *s, uint32_t split, uint64_t cycle);
/* These lanes of the warp are done for good, wherever they are. */
void splits_exit(splits *s, uint32_t warp, uint64_t mask, uint64_t cycle);
/* Those that wait in the entry wait no longer: they go on as a split, and may meet the others at the next outer point. */
void splits_give_up(splits *s, uint32_t entry, uint64_t cycle);

/* For the files of this folder: a split is no more. And where lanes of the warp that are to go on to *stop, in the entry `outer`, are to
 * meet before: a new entry of which all are pending, *stop being `at` now; or `outer`, if that is *stop, or there is no room for
 * another. */
void splits_remove(splits *s, uint32_t split);
uint32_t splits_entry_for(splits *s, uint32_t warp, uint64_t lanes, split_point at, split_point *stop, uint32_t outer,
                          uint64_t cycle);

/* patience.c: lanes that have waited for `timeout` cycles give up; 0: they never do. The first cycle in which some of the warp's do,
 * UINT64_MAX: there is none; and those that do by now: how many times lanes gave up. */
uint64_t splits_patience(const splits *s, uint32_t warp, uint64_t timeout);
uint32_t splits_lose_patience(splits *s, uint32_t warp, uint64_t timeout, uint64_t cycle);

/* early.c: two splits that are pending in one entry are one from now on: where the first is; or where it stands, as soon as the
 * second has come there, which the first is no split until. Told are the end of splits, and the entry. */
void splits_join(splits *s, uint32_t split, uint32_t other);
void splits_meet_early(splits *s, uint32_t split, uint32_t other, uint64_t cycle);

/* Lanes that wait in the entry. */
static inline uint64_t splits_waiting(const splits *s, uint32_t entry)
{
    return s->meetings[entry].lanes & ~s->meetings[entry].pending;
}

static inline uint32_t splits_warp_of(const splits *s, uint32_t index)
{
    return index / s->lanes;
}

/* Does somebody wait for lanes of this split at a point that they have not come to? */
uint32_t splits_are_awaited(const splits *s, uint32_t split);

/* context.c: are the tables of the warp what they are between calls? Splits and those that wait are disjoint, and together all that
 * live; each is pending in its entry, and wherever that leads; an entry has pending lanes. */
uint32_t splits_can_be(const splits *s, uint32_t warp);

/* The tables of one warp, written or, where the stream is read, put into a warp without splits. 0: no warp can have been
 * like that, and it has none. Nothing is told. */
uint32_t splits_stream(splits *s, uint32_t warp, byte_stream *stream);
/* The warp has no splits; nothing is told. */
void splits_forget(splits *s, uint32_t warp);
/* heddle.state/1 */
void splits_transfer_state(splits *s, const hd_state_stream *stream);

/* unit.c: as reconvergence_unit, of units whose struct begins with their splits. */
uint64_t splits_live_lanes(const reconvergence *unit, uint32_t warp);
uint64_t splits_maximum_depth(const reconvergence *unit);
/* Lanes of the warp that wait at a point, a line for each. */
void splits_describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink);
uint32_t splits_waiting_pc(const reconvergence *unit, uint32_t warp, uint32_t lane, uint32_t *pc);

#endif
