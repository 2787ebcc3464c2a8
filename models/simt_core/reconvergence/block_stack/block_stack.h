/* SPDX-License-Identifier: MIT */
/*
 * Thread block compaction: one SIMT stack per thread block, and a compactor that makes the fewest warps of the threads on top.
 *
 * A path is a warp of the block's part of the warp buffer, which has as many as the block was launched with: a compaction never
 * makes more. The warps of the top entry run by themselves until they come to an instruction at which lanes may part (a branch, a
 * jump to a register), or to the entry's stop point. There each of them ends (it *arrives*) when no register of its threads is
 * awaited any more. All warps of an entry arrive in the same way, since what parts threads ends them. When the last has arrived,
 * or has left the kernel, the threads are put where they go, and the compactor makes the warps of the new top entry, some in a cycle.
 *
 * The rules of the stack are those of stack.h, TAIL-MERGE and PRUNE among them, and so is its bound, with the threads of a block
 * for the lanes of a warp. At a branch both sides are pushed even if all threads go one way: the block learns only at the end
 * that they do.
 *
 * Masks are by warp of the block: masks[i] has a bit for each lane of warp i. Source: Fung 2015 §3.3.
 */
#ifndef SIMT_CORE_BLOCK_STACK_H
#define SIMT_CORE_BLOCK_STACK_H

#include "analysis.h"
#include "reconvergence_units.h"

enum block_stack_parameter {
    BLOCK_STACK_FIRST, /* FIRST_* of stack.h */
    BLOCK_STACK_COMPACTION,
    BLOCK_STACK_STATIC_WHEN_NO_GAIN,
    BLOCK_STACK_RESUME_WHEN_UNIFORM,
    BLOCK_STACK_DRAIN,
    BLOCK_STACK_COMPACTORS,
    BLOCK_STACK_COMPACTOR_WARPS,
    BLOCK_STACK_COMPACTOR_LATENCY,
    BLOCK_STACK_ARRIVALS,
    BLOCK_STACK_ENTRIES,
    BLOCK_STACK_FILL_LATENCY,
    BLOCK_STACK_LIKELY_POINTS,
    BLOCK_STACK_BRANCH_PROFILE,
    BLOCK_STACK_PARAMETERS
};

enum block_stack_statistic {
    BLOCK_STACK_SYNCHRONISATIONS,
    BLOCK_STACK_UNIFORM,
    BLOCK_STACK_WAIT_CYCLES,
    BLOCK_STACK_WARPS_MADE,
    BLOCK_STACK_WARPS_SAVED,
    BLOCK_STACK_COMPACTOR_CYCLES,
    BLOCK_STACK_SPILLS,
    BLOCK_STACK_FILLS,
    BLOCK_STACK_STATISTICS
};

/* An entry of the stack, as stack.h; its threads are apart (block_entries). */
typedef struct block_entry {
    uint32_t pc, depth;
    uint32_t stop_pc, stop_depth;
    uint32_t likely_pc, likely_at;
} block_entry;

static inline uint32_t block_entry_stops(const block_entry *entry, uint32_t pc, uint32_t depth)
{
    return pc == entry->stop_pc && depth == entry->stop_depth;
}
/* Do its threads go to another entry from there? */
static inline uint32_t block_entry_meets(const block_entry *entry, uint32_t pc, uint32_t depth)
{
    return entry->likely_pc && pc == entry->likely_pc && depth == entry->stop_depth;
}

/* A list that grows; masks are [entry][warp of the block]. */
typedef struct block_entries {
    block_entry *entries;
    uint64_t *masks;
    uint32_t count;
    uint32_t warps;
    uint32_t capacity; /* of entries */
    size_t mask_capacity;
} block_entries;

/* How the warps of the top entry that have arrived did. */
enum block_arrival { ARRIVED_NOWHERE, ARRIVED_AT_POINT, ARRIVED_AT_TRANSFER, ARRIVED_AT_LIKELY_POINT };

/* Of a transfer at which warps have arrived: what every one of them says of it. */
typedef struct block_transfer {
    uint32_t pc, depth; /* of the instruction */
    uint32_t is_branch;
    uint32_t target; /* of a branch */
    uint32_t meeting_pc, likely_pc;
} block_transfer;

typedef struct resident_block {
    uint32_t first;  /* slot of its first warp, by which it is known */
    uint32_t *slots; /* of its warps */
    uint32_t warps;
    block_entries stack;   /* bottom first; the threads of the last run */
    block_entries targets; /* where the threads of warps that have arrived at a transfer go */
    uint32_t in_hardware;  /* the first entry that has not been spilled */
    enum block_arrival arrival;
    block_transfer transfer;
    uint32_t awaited;    /* warps of the top entry that have not arrived, in the compactor or out of it */
    uint32_t arrived;    /* and those that have */
    uint64_t arrivals;   /* the sum of their cycles */
    uint64_t *compacted; /* [warp]: the top entry's threads as the compactor was given them, */
    uint64_t *latch;     /* [warp]: and those of them that it has yet to make warps of */
    uint32_t by_rows;    /* it makes the warps of the launch of them */
    uint32_t made;       /* warps of them: paths slots[0..made - 1] */
} resident_block;

/* Waits for the compactor, or is in it. */
typedef struct compaction {
    uint32_t block; /* its first slot */
    uint64_t cycle; /* when the next of its warps is made, at the earliest */
} compaction;

typedef struct block_stack {
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint32_t warps, lanes;
    path *paths;            /* [warp] */
    uint32_t *homes;        /* [path][lane] */
    uint64_t *live;         /* [warp] */
    uint64_t *arrived;      /* [path]: the threads with which it has arrived at a transfer */
    uint32_t *arrival_pcs;  /* [warp][lane]: where the thread returned to, while it waits at ISA_RECONVERGE_AT_RETURN */
    resident_block *blocks; /* [warp], by first slot */
    uint32_t *first;        /* [warp]: first slot of its block */
    uint32_t *index;        /* [warp]: which warp of its block it is */
    uint32_t *slots;        /* what blocks have their slots in */
    compaction *queue;      /* first come, first served; the first BLOCK_STACK_COMPACTORS are in one */
    uint32_t queued;
    uint64_t cycle;          /* the last that it has been told of */
    uint64_t arrivals_cycle; /* in which the last arrival was taken, */
    uint32_t arrivals_taken; /* and how many in that cycle */
    uint64_t maximum_depth;
    const isa_analysis *likely_points; /* NULL: none */
    isa_analysis by_profile;
} block_stack;

static inline uint64_t block_stack_value(const block_stack *u, enum block_stack_parameter parameter)
{
    return u->parameters.share.values[parameter].u;
}

static inline void block_stack_count(block_stack *u, enum block_stack_statistic statistic, uint64_t count)
{
    u->parameters.share.counters[statistic] += count;
}

/* The block that has this slot. */
static inline resident_block *block_stack_of(const block_stack *u, uint32_t slot)
{
    return &u->blocks[u->first[slot]];
}

static inline uint32_t *block_stack_row(const block_stack *u, uint32_t path)
{
    return u->homes + (size_t)path * u->lanes;
}

static inline block_entry *block_stack_top(const resident_block *b)
{
    return &b->stack.entries[b->stack.count - 1];
}

/* Where the path, of the top entry and at its pc, stops. */
static inline void block_stack_set_stop(const resident_block *b, path *p)
{
    const block_entry *top = block_stack_top(b);
    path_stop_at(p, top->stop_pc, top->likely_pc ? top->likely_pc : NO_STOP, top->stop_depth);
}

/* ---- entries.c -------------------------------------------------------------------------------------------------------------- */

static inline uint64_t *entry_masks(const block_entries *list, uint32_t entry)
{
    return list->masks + (size_t)entry * list->warps;
}

/* One more, without threads; its masks. */
uint64_t *entries_add(block_entries *list, block_entry entry);
/* That of this pc and depth, which is added if there is none. */
uint64_t *entries_at(block_entries *list, uint32_t pc, uint32_t depth);
void entries_destroy(block_entries *list);
/* heddle.state/1; of how many warps the masks are is known. */
void entries_transfer(block_entries *list, const hd_state_stream *stream);
uint32_t masks_any(const uint64_t *masks, uint32_t warps);
uint32_t masks_threads(const uint64_t *masks, uint32_t warps);

/* ---- levels.c: the stack of a block ------------------------------------------------------------------------------------------ */

void levels_push(block_stack *u, resident_block *b, block_entry entry, const uint64_t *masks);
/* The last warp of the top entry has arrived or left: its threads go where they go, until the top entry has some to run. How many
 * entries have been filled for it. */
uint32_t levels_advance(block_stack *u, resident_block *b);

/* ---- compactor.c ------------------------------------------------------------------------------------------------------------- */

/* How many warps threads make, in their own lanes. */
uint32_t compacted_warps(const uint64_t *masks, uint32_t warps);
/* And in the warps of the launch. */
uint32_t static_warps(const uint64_t *masks, uint32_t warps);
/* Takes one out of the latch, which has some; rows[lane] is the warp that each of its lanes, returned, is of. by_rows: the first
 * warp of the launch that has threads there; else of each lane the first. */
uint64_t compactor_take(uint64_t *latch, uint32_t warps, uint32_t by_rows, uint32_t *rows);
/* The top entry's threads are to become warps, from this cycle on. */
void compactor_add(block_stack *u, resident_block *b, uint64_t cycle);
/* It goes on with what is in the block's latch. */
void compactor_resume(block_stack *u, const resident_block *b, uint64_t cycle);
void compactor_drop(block_stack *u, const resident_block *b);
/* The next warp of the block; its path. Not reported. */
uint32_t compactor_make(block_stack *u, resident_block *b);
/* As reconvergence_unit.launch_warps. */
uint32_t compactor_launch_warps(const block_stack *u, uint32_t path);
uint64_t compactor_next(const block_stack *u, uint64_t cycle);
void compactor_work(block_stack *u, uint64_t cycle);

/* ---- blocks.c: blocks come, move and go --------------------------------------------------------------------------------------- */

/* Of these warps; its stack is empty. */
resident_block *blocks_enter(block_stack *u, const block_warps *warps);
void block_stack_save(reconvergence *unit, const block_warps *warps, byte_stream *stream);
uint32_t block_stack_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream);
void block_stack_drop(reconvergence *unit, const block_warps *warps);
void block_stack_transfer_state(reconvergence *unit, const hd_state_stream *stream);

/* ---- waits.c: who waits, for people ------------------------------------------------------------------------------------------- */

void block_stack_describe(const reconvergence *unit, uint32_t warp, const isa_program *program,
                          const hd_text_sink *sink);
/* As reconvergence_unit.waiting_pc. */
uint32_t block_stack_waiting_pc(const reconvergence *unit, uint32_t warp, uint32_t lane, uint32_t *pc);

#endif
