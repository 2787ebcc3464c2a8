/* SPDX-License-Identifier: MIT */
/* State of the checker, and the calls between its files. Nobody outside includes it. */
#ifndef RACE_CHECK_STATE_H
#define RACE_CHECK_STATE_H

#include "access_findings.h"
#include "clock.h"
#include "hd_address.h"
#include "marks.h"
#include "race_checker.h"

typedef struct thread_state {
    race_clock *known;   /* what others have published, and it has acquired */
    race_clock *near;    /* of its block, by atomics on the scratchpad since the last barrier */
    race_clock *seen;    /* by atomics and lw.cg: known once a fence follows */
    uint64_t fenced;     /* what it has done up to here is visible to all */
    uint32_t is_dirty;   /* it has accessed global memory since */
    uint32_t is_release; /* its next store publishes: it is the first behind a fence */
} thread_state;

/* A word that threads order each other by. */
struct sync_word;
typedef struct sync_words {
    struct sync_word *words; /* by address */
} sync_words;

typedef struct block_state {
    uint32_t index; /* in the interval's blocks */
    uint32_t warps;
    uint64_t barrier;     /* all that its threads have done up to here is ordered before what they do now */
    uint64_t *warp_syncs; /* [warp]: likewise of the warp's lanes */
    thread_state *threads;
    marked_memory scratchpad;
    sync_words syncs;
} block_state;

/* An atomic or lw.cg in flight, of the reporter with this endpoint. */
struct race_flight;

struct hd_race_checker {
    hd_access_places places;
    hd_access_blocks *blocks;
    hd_allocations allocations;
    block_state **states; /* by index of block; NULL: it is over */
    uint32_t state_count, state_capacity;
    struct race_flight *flights;
    marked_memory global;
    sync_words syncs;
    race_clock *commits; /* what transactions publish and acquire */
    hd_access_findings findings;
    hd_race_checks counts;
};

static inline const hd_access_block *block_of(const hd_race_checker *checker, const block_state *state)
{
    return &checker->blocks->items[state->index];
}

static inline uint64_t thread_number(const hd_race_checker *checker, const block_state *state, uint32_t thread)
{
    return block_of(checker, state)->first_thread + thread;
}

static inline uint32_t is_scratchpad(uint32_t address)
{
    return address - HD_SCRATCHPAD_BASE < HD_SCRATCHPAD_END - HD_SCRATCHPAD_BASE;
}

static inline uint32_t is_shared(uint32_t address)
{
    return address >= HD_GLOBAL_BASE || is_scratchpad(address);
}

/* ---- order.c: what comes before what ------------------------------------------------------------------------------ */

/* Is the access of that mark ordered before what this thread of the block does now? */
uint32_t order_is_before(const hd_race_checker *checker, const block_state *state, uint32_t thread, const mark *at);
void order_barrier(hd_race_checker *checker, block_state *state, uint64_t number);
void order_warp_sync(hd_race_checker *checker, block_state *state, uint32_t warp, uint64_t number);
void order_fence(thread_state *thread, uint64_t number, uint32_t acquires);
void order_commit(hd_race_checker *checker, block_state *state, uint32_t thread, uint64_t number);

/* ---- sync.c: by words --------------------------------------------------------------------------------------------- */

/* The thread has written the word, or is about to. */
void sync_publish(hd_race_checker *checker, block_state *state, uint32_t thread, uint32_t address, uint64_t number);
/* It has read it. acquires: without a fence behind. */
void sync_see(hd_race_checker *checker, block_state *state, uint32_t thread, uint32_t address, uint32_t acquires);
void sync_free(sync_words *words);

/* ---- flights.c ---------------------------------------------------------------------------------------------------- */

void flight_begin(hd_race_checker *checker, const hd_access_record *record);
/* Address of the lane in that flight, and whether it acquires; 0: there is none. */
uint32_t flight_of(const hd_race_checker *checker, const hd_access_record *record, uint32_t lane, uint32_t *acquires);
void flights_free(hd_race_checker *checker);

/* ---- race_report.c ------------------------------------------------------------------------------------------------ */

void race_report(hd_race_checker *checker, const block_state *state, uint32_t address, const mark *earlier,
                 const mark *later);

#endif
