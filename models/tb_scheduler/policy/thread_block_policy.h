/* SPDX-License-Identifier: MIT */
/*
 * The policy of a thread-block scheduler: which core gets the next block, which running block leaves its core, and which of those
 * that have left goes on. The scheduler has the order of the blocks, knows where there is room, and moves them; it tells the policy
 * what has happened. What a policy is asked is pure: asking twice, or not at all, changes nothing; what comes of an answer is told
 * by an event. Source: Fung 2015 §2.1; Beaumont 2019 §3.4.
 *
 * A block is named by its slot, from its launch to its end, wherever it is:
 *
 *     LAUNCHED -> runs --STOPPING--> stops --SAVED--> waits --ENTERING--> on its way --RESTORED--> runs
 *     ENDED: of a block that runs or stops.
 */
#ifndef THREAD_BLOCK_POLICY_H
#define THREAD_BLOCK_POLICY_H

#include "hd_message.h"
#include "hd_state.h"
#include "hd_unit.h"

#define THREAD_BLOCK_POLICY_INTERFACE                                                                                  \
    "heddle.thread_block_policy/3" /* hd_unit.functions is a thread_block_policy_unit */

#define NO_CORE UINT32_MAX
#define NO_BLOCK UINT32_MAX

/* Messages of a policy that has choose_victim, and of one that has watch: rows of hd_unit.messages. A machine whose cores do not
 * have them is refused. */
#define THREAD_BLOCK_POLICY_MOVES                                                                                      \
    {HD_BLOCK_STOP, HD_MESSAGE_SENT, 0, "dispatch"}, {HD_BLOCK_RESTORE, HD_MESSAGE_SENT, 0, "dispatch"},               \
        {HD_BLOCK_CONTEXT, HD_MESSAGE_SENT, 0, "dispatch"}, {HD_BLOCK_CONTEXT, HD_MESSAGE_RECEIVED, 0, "event"},       \
        {HD_BLOCK_SAVED, HD_MESSAGE_RECEIVED, 0, "event"},                                                             \
    {                                                                                                                  \
        HD_BLOCK_REFUSED, HD_MESSAGE_RECEIVED, 0, "event"                                                              \
    }
#define THREAD_BLOCK_POLICY_LEVELS                                                                                     \
    {HD_BLOCK_WATCH, HD_MESSAGE_SENT, 0, "dispatch"},                                                                  \
    {                                                                                                                  \
        HD_BLOCK_LEVEL, HD_MESSAGE_RECEIVED, 0, "event"                                                                \
    }

typedef struct thread_block_policy thread_block_policy; /* a unit's own type, cast */

typedef struct thread_block_policy_parameters {
    uint32_t slots; /* blocks are named 0 .. slots - 1 */
    uint32_t cores; /* most that there can be: 0 .. cores - 1 */
    hd_unit_share share;
    char *error; /* room for a line of error_bytes that says why create gives NULL; out of memory, if it says nothing */
    size_t error_bytes;
} thread_block_policy_parameters;

/* A block that is to get a core, or has one. */
typedef struct thread_block {
    uint32_t slot;           /* of one that has not started: the one it will have */
    uint32_t core;           /* where it is, or was before it left; NO_CORE: it has not started */
    const hd_grid *grid;     /* valid during the call */
    uint32_t block_index[3]; /* in the grid */
    uint64_t context_bytes;  /* architectural: its registers and scratchpad */
} thread_block;

/* Sets of cores, a bit each: word core / 64, bit core % 64. */
typedef struct thread_block_cores {
    uint32_t count;           /* cores 0 .. count - 1 */
    const uint64_t *has_room; /* for that block */
    const uint64_t *takes;    /* those of them that can be told now */
} thread_block_cores;

/* What the block that is next waits for. */
enum {
    STALL_NONE,
    STALL_ROOM,   /* on a core */
    STALL_SLOT,   /* for its private memory */
    STALL_CREDIT, /* of the links to the cores */
    STALL_POLICY, /* which gave it none of the cores that would take it */
};

typedef struct thread_block_demand {
    uint64_t cycle;     /* of the scheduler's clock, never decreasing */
    uint32_t unstarted; /* 1: there are blocks that have not started */
    uint32_t stall;     /* STALL_*: of the one of them that is next, or of the saved one that was to enter */
    uint32_t tried;     /* choose_saved: so many that it has named at this edge got no core */
    uint32_t cores;     /* that there are: 0 .. cores - 1 */
} thread_block_demand;

enum {
    THREAD_BLOCK_LAUNCHED, /* it has got its core */
    THREAD_BLOCK_STOPPING, /* its core has been told */
    THREAD_BLOCK_SAVED,    /* it has left; the core is the one it was on */
    THREAD_BLOCK_ENTERING, /* it has got a core again, and is on its way there */
    THREAD_BLOCK_RESTORED, /* all of it has been sent; from now on it can be stopped */
    THREAD_BLOCK_REFUSED, /* the stop of a block that has ENDED: it came too late. The slot may have another block by now */
    THREAD_BLOCK_LEVEL, /* of a block that runs, stops, or ends in a moment */
    THREAD_BLOCK_ENDED,
};

typedef struct thread_block_event {
    uint32_t kind; /* THREAD_BLOCK_* */
    uint32_t slot;
    uint32_t core;
    uint32_t reserved;
    uint64_t cycle;
    const thread_block *block;   /* LAUNCHED, SAVED, ENTERING; valid during the call */
    const hd_block_level *level; /* LEVEL */
} thread_block_event;

typedef struct thread_block_policy_unit {
    thread_block_policy *(*create)(const thread_block_policy_parameters *parameters); /* NULL: out of memory */
    void (*destroy)(thread_block_policy *unit);
    /* As after create: no block has started. What has been learnt is forgotten. */
    void (*reset)(thread_block_policy *unit);
    void (*event)(thread_block_policy *unit, const thread_block_event *event);
    /* A core of cores->takes, which is not empty, or NO_CORE: the block stays where it is for now, and those behind it. */
    uint32_t (*choose_core)(const thread_block_policy *unit, const thread_block *block, const thread_block_cores *cores,
                            uint64_t cycle);
    /* Both, or NULL: blocks stay where they are. A block that runs is to stop, or NO_BLOCK; asked at each edge with work until it
     * is NO_BLOCK, after new blocks have been given cores. */
    uint32_t (*choose_victim)(const thread_block_policy *unit, const thread_block_demand *demand);
    /* Of those that wait saved, the one that goes on next if a core has room for it, or NO_BLOCK: none for now. Asked when there is one and
     * no other is on its way, before choose_victim; again, with one more in demand->tried, if no core takes it. */
    uint32_t (*choose_saved)(const thread_block_policy *unit, const thread_block_demand *demand);
    /* The cycle from which on it may answer otherwise although nothing happens, UINT64_MAX: there is none. NULL: never. One that
     * is not later than demand->cycle is the next edge. */
    uint64_t (*next)(const thread_block_policy *unit, const thread_block_demand *demand);
    /* 1: the core that gets the block is to report its level, as *watch says. Asked when it gets a core, again if it moves. NULL: of no
     * block. */
    uint32_t (*watch)(const thread_block_policy *unit, const thread_block *block, hd_block_watch *watch);
    /* What events have taught it, in either direction (hd_state.h). NULL: a scheduler with this policy cannot be saved. */
    void (*transfer)(thread_block_policy *unit, const hd_state_stream *stream);
    uint32_t saved_first; /* 1: choose_saved is asked before new blocks are given cores; 0: after */
    uint32_t reserved;
} thread_block_policy_unit;

/* The first of the set from `core` on, in turn; NO_CORE: it is empty. */
static inline uint32_t thread_block_core_from(const uint64_t *set, uint32_t count, uint32_t core)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = core + i < count ? core + i : core + i - count;
        if (set[at / 64] >> (at % 64) & 1)
            return at;
    }
    return NO_CORE;
}

#endif
